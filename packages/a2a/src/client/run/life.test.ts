import { expect, test } from 'vitest';
import { A2AError } from '../../protocol/errors.js';
import type { Task } from '../../protocol/types.js';
import { manualClock } from '../../testing/manual-clock.js';
import { Life, TASK_IS_OVER } from './life.js';
import { Reading } from './reading.js';

const LEFT = new A2AError('ABORTED', 'left');
const OVER: Task = { id: 't', status: { state: 'TASK_STATE_CANCELED' } };

test('a finished wait leaves no listener, whatever its outcome', async () => {
  const life = new Life();
  const clock = manualClock();
  expect(await life.race(Promise.resolve(1))).toBe(1);
  await expect(life.race(Promise.reject(new Error('no')))).rejects.toThrow('no');
  const slept = life.sleep(clock, 10);
  expect([life.waiting, clock.pending]).toEqual([1, 1]);
  await clock.tick(10);
  await slept;
  expect([life.waiting, clock.pending]).toEqual([0, 0]);
});

test('leaving ends every wait, and no new wait starts', async () => {
  const life = new Life();
  const clock = manualClock();
  const waits = [life.sleep(clock, 10), life.race(new Promise(() => {}))];
  life.leave(LEFT);
  life.leave(new A2AError('ABORTED', 'again'));
  life.finish(OVER);
  for (const wait of waits) await expect(wait).rejects.toBe(LEFT);
  await expect(life.race(new Promise(() => {}))).rejects.toBe(LEFT);
  expect(() => life.check()).toThrow(LEFT);
  expect([life.waiting, clock.pending, life.final]).toEqual([0, 0, undefined]);
});

test('the end of the task ends every wait, and late values are passed back', async () => {
  const life = new Life();
  let give = (_: string): void => {};
  const late: string[] = [];
  const wait = life.race(
    new Promise<string>((resolve) => {
      give = resolve;
    }),
    (value) => late.push(value),
  );
  life.finish(OVER);
  await expect(wait).rejects.toBe(TASK_IS_OVER);
  give('stream');
  await Promise.resolve();
  expect(late).toEqual(['stream']);
  expect(life.final).toBe(OVER);
});

test('a stream that was read and closed leaves no listener', async () => {
  const life = new Life();
  let closed = 0;
  const events = {
    retryMs: 7,
    close: () => {
      closed += 1;
    },
    async *[Symbol.asyncIterator]() {
      yield { seq: 1, response: {} };
    },
  };
  const reading = new Reading(events, life, manualClock());
  expect(life.waiting).toBe(1);
  expect(await reading.next()).toEqual({ kind: 'event', event: { seq: 1, response: {} } });
  expect(await reading.next()).toEqual({ kind: 'end' });
  reading.close();
  reading.close();
  expect([life.waiting, closed, reading.retryMs]).toEqual([0, 1, 7]);
  expect(await reading.next()).toEqual({ kind: 'end' });
});

test('a stream that does not end when it is closed does not block its reader', async () => {
  const life = new Life();
  const never = { next: () => new Promise<never>(() => {}) };
  const reading = new Reading({ retryMs: undefined, close() {}, [Symbol.asyncIterator]: () => never }, life, manualClock());
  const step = reading.next();
  life.leave(LEFT);
  expect(await step).toEqual({ kind: 'end' });
});
