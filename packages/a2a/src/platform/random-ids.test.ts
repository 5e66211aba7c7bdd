import { expect, test, vi } from 'vitest';
import { randomIds } from './random-ids.js';

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('ids of tasks and contexts are UUIDs of version 7 that begin with the time', () => {
  const before = Date.now();
  const ids = [randomIds.taskId({}), randomIds.contextId({})];
  const after = Date.now();
  for (const id of ids) {
    expect(id).toMatch(VERSION_7);
    const time = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(after);
  }
});

test('ids of one millisecond differ in all their random digits', () => {
  vi.spyOn(Date, 'now').mockReturnValue(1_763_500_000_000);
  const ids = Array.from({ length: 1_000 }, () => randomIds.taskId({}));
  expect(new Set(ids.map((id) => id.slice(0, 15))).size).toBe(1);
  const random = ids.map((id) => id.slice(15).replaceAll('-', ''));
  for (let digit = 0; digit < 19; digit += 1) {
    if (digit === 3) continue; // the variant
    expect(new Set(random.map((digits) => digits[digit])).size).toBe(16);
  }
  expect(new Set(random).size).toBe(ids.length);
});
