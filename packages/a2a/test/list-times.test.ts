import { describe, expect, test } from 'vitest';
import { createAgent } from '../src/server/index.js';
import { callerOf } from './harness.js';

describe('P47: invalid times', () => {
  test.each([
    ['30 February', '2024-02-30T00:00:00Z'],
    ['29 February of a common year', '2023-02-29T00:00:00Z'],
    ['31 April', '2024-04-31T12:00:00.123Z'],
    ['month 13', '2024-13-01T00:00:00Z'],
    ['hour 24', '2024-01-01T24:00:00Z'],
    ['minute 60', '2024-01-01T00:60:00Z'],
  ])('P47: %s as statusTimestampAfter is InvalidParams', async (_name, statusTimestampAfter) => {
    const caller = callerOf(createAgent({ name: 'Calendar', execute: async () => 'ok' }));
    await expect(caller.list({ statusTimestampAfter })).rejects.toMatchObject({
      reason: 'INVALID_PARAMS',
      code: -32602,
      violations: [{ field: 'statusTimestampAfter' }],
    });
  });

  test('P47: 29 February of a leap year is valid', async () => {
    const caller = callerOf(createAgent({ name: 'Calendar', execute: async () => 'ok' }));
    await caller.task('go');
    for (const time of ['2024-02-29T00:00:00Z', '2024-02-29T23:59:59.999999999Z']) {
      expect((await caller.list({ statusTimestampAfter: time })).totalSize).toBe(1);
    }
  });
});
