import { describe, inject, test } from 'vitest';
import { hearing } from '../../../test/databases/bus-ends.js';
import { newSchema } from '../../../test/databases/provided.js';
import { busContract } from '../../testing/index.js';
import { redis } from './index.js';

describe('D42: the bus over Redis', () => {
  for (const [name, run] of busContract) {
    test(name, () =>
      run(async () => {
        const channel = newSchema();
        const ends = [0, 1].map(() => hearing(redis(inject('redisUrl'), { channel })));
        return (await Promise.all(ends)) as [Awaited<(typeof ends)[0]>, Awaited<(typeof ends)[0]>]; // two, see above
      }),
    );
  }
});
