import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type LargeTurn, LargeWork } from './large-work.js';

const caller = (key: string) => ({ key, factor: 1 });

/** Enters requests by name, and records the order in which they begin. */
function enterAll(work: LargeWork, requests: readonly (readonly [key: string, name: string, bytes: number])[]) {
  const begun: string[] = [];
  const turns = new Map<string, LargeTurn>();
  for (const [key, name, bytes] of requests) {
    void work.enter(caller(key), bytes).then((turn) => {
      begun.push(name);
      turns.set(name, turn);
    });
  }
  return { begun, end: (name: string) => turns.get(name)?.end() };
}

test('F67: requests are processed at once up to the bound, and the next one when there is room again', async () => {
  const { begun, end } = enterAll(new LargeWork(100), [
    ['ann', 'a', 60],
    ['ann', 'b', 40],
    ['ann', 'c', 50],
  ]);
  await nextTurn();
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await nextTurn();
  expect(begun).toEqual(['a', 'b']);
  end('a');
  await nextTurn();
  expect(begun).toEqual(['a', 'b', 'c']);
});

test('F67: callers take turns, so that many requests of one do not delay the others', async () => {
  const { begun, end } = enterAll(new LargeWork(100), [
    ['ann', 'a1', 100],
    ['ann', 'a2', 100],
    ['ann', 'a3', 100],
    ['bob', 'b1', 100],
  ]);
  for (const name of ['a1', 'a2', 'b1', 'a3']) {
    await nextTurn();
    expect(begun.at(-1)).toBe(name);
    end(name);
  }
  await nextTurn();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('F67: a request above the bound is processed alone, and a smaller one does not overtake it', async () => {
  const { begun, end } = enterAll(new LargeWork(100), [
    ['ann', 'a', 10],
    ['bob', 'b', 1_000],
    ['cyd', 'c', 10],
  ]);
  await nextTurn();
  expect(begun).toEqual(['a']);
  end('a');
  await nextTurn();
  expect(begun).toEqual(['a', 'b']);
  end('b');
  end('b');
  await nextTurn();
  expect(begun).toEqual(['a', 'b', 'c']);
});

test('F67: a request that is not stored within a second does not stop the others', async () => {
  const { begun } = enterAll(new LargeWork(100), [
    ['ann', 'a', 100],
    ['bob', 'b', 100],
  ]);
  await expect.poll(() => begun, { timeout: 5_000 }).toEqual(['a', 'b']);
});
