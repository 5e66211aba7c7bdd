import { describe, inject, test } from 'vitest';
import { hearing } from '../../../test/databases/bus-ends.js';
import { newSchema } from '../../../test/databases/provided.js';
import { busContract } from '../../testing/index.js';
import { postgresBus } from './index.js';

describe('D42: the bus over PostgreSQL', () => {
  for (const [name, run] of busContract) {
    test(name, () =>
      run(async () => {
        const schema = newSchema();
        const ends = [0, 1].map(() => hearing(postgresBus(inject('postgresUrl'), { schema })));
        return (await Promise.all(ends)) as [Awaited<(typeof ends)[0]>, Awaited<(typeof ends)[0]>]; // two, see above
      }),
    );
  }
});
