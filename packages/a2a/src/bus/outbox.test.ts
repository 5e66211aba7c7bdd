import { expect, test } from 'vitest';
import type { Move } from './bus.js';
import { Outbox } from './outbox.js';

function move(id: string, seq: number): Move {
  return { ref: { agent: '', tenant: '', owner: '', id }, seq };
}

test('D42: the newest move of each task waits, and separately the move of its inbox', () => {
  const outbox = new Outbox(10);
  outbox.add([move('a', 2), move('b', 1), move('a', 3), move('a', 0), move('a', 1), move('a', 0)]);
  expect([...outbox.take().moves.values()]).toEqual([move('a', 3), move('b', 1), move('a', 0)]);
  expect(outbox.isEmpty).toBe(true);
});

test('D42: moves that are put back are sent again, unless newer ones wait', () => {
  const outbox = new Outbox(10);
  outbox.add([move('a', 1), move('b', 5)]);
  const batch = outbox.take();
  outbox.add([move('a', 2), move('b', 4), move('c', 1)]);
  outbox.putBack(batch);
  expect([...outbox.take().moves.values()]).toEqual([move('a', 2), move('b', 5), move('c', 1)]);
});

test('D42: too many moves become one look, and later moves wait as usual', () => {
  const outbox = new Outbox(2);
  outbox.add([move('a', 1), move('b', 1)]);
  expect(outbox.take().look).toBe(false);
  outbox.add([move('a', 1), move('b', 1), move('b', 2), move('c', 1)]);
  const batch = outbox.take();
  expect([...batch.moves.values()]).toEqual([move('c', 1)]);
  expect(batch.look).toBe(true);
  expect(outbox.isEmpty).toBe(true);
  outbox.putBack(batch);
  outbox.add([move('d', 1), move('e', 1)]);
  const again = outbox.take();
  expect(again.look).toBe(true);
  expect(again.moves.size).toBeLessThanOrEqual(2);
});
