import { describe, expect, test } from 'vitest';
import { seededRandom } from './seeded-random.js';
import { sequentialIds } from './sequential-ids.js';

describe('Section 9: reproducible randomness', () => {
  test('Section 9: the same seed gives the same sequence, another seed another one, all from 0 to below 1', () => {
    const series = (seed: number) => {
      const random = seededRandom(seed);
      return Array.from({ length: 1_000 }, () => random());
    };
    expect(series(1)).toEqual(series(1));
    expect(series(1)).not.toEqual(series(2));
    expect(series(0).every((value) => value >= 0 && value < 1)).toBe(true);
    const mean = series(42).reduce((sum, value) => sum + value, 0) / 1_000;
    expect(mean).toBeGreaterThan(0.45);
    expect(mean).toBeLessThan(0.55);
  });

  test('Section 9: ids are predictable and counted per kind', () => {
    const ids = sequentialIds('a-');
    expect([ids.taskId({}), ids.contextId({}), ids.taskId({}), ids.messageId()]).toEqual([
      'a-task-1',
      'a-context-1',
      'a-task-2',
      'a-message-1',
    ]);
    expect(sequentialIds().taskId({})).toBe('task-1');
  });
});
