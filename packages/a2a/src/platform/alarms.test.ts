import { constants, PerformanceObserver } from 'node:perf_hooks';
import { expect, test, vi } from 'vitest';
import { manualClock } from '../testing/manual-clock.js';
import { type Alarm, Alarms, NOWHERE } from './alarms.js';

function start() {
  const clock = manualClock();
  const begunAt = clock.now();
  const rung: string[] = [];
  let timers = 0;
  const alarms = new Alarms({
    ...clock,
    after(delayMs, callback) {
      timers += 1;
      return clock.after(delayMs, callback);
    },
  });
  const alarm = (name: string, afterMs: number, then = (): void => {}): Alarm & { dueAt: number } => ({
    dueAt: clock.now() + afterMs,
    place: NOWHERE,
    ring() {
      rung.push(`${name} at ${clock.now() - begunAt}`);
      then();
    },
  });
  return { clock, alarms, alarm, rung, timers: () => timers };
}

test('each alarm rings once, when it is due, in any order of setting', async () => {
  const { clock, alarms, alarm, rung } = start();
  alarms.set(alarm('late', 30));
  alarms.set(alarm('early', 10));
  alarms.set(alarm('between', 20));
  await clock.tick(9);
  expect(rung).toEqual([]);
  await clock.tick(100);
  expect(rung).toEqual(['early at 10', 'between at 20', 'late at 30']);
  expect(clock.pending).toBe(0);
});

test('a thousand overlapping alarms that are not reached use one timer', () => {
  const { clock, alarms, alarm, timers } = start();
  let last = alarm('first', 1_000);
  alarms.set(last);
  for (let i = 0; i < 1_000; i++) {
    const next = alarm('next', 1_000 + i);
    alarms.set(next);
    alarms.remove(last);
    last = next;
  }
  expect([timers(), clock.pending]).toEqual([1, 1]);
  alarms.remove(last);
  alarms.remove(last);
  expect(clock.pending).toBe(0);
});

test('when the alarm of the timer is removed, the others ring at their own time', async () => {
  const { clock, alarms, alarm, rung } = start();
  const early = alarm('early', 10);
  alarms.set(early);
  alarms.set(alarm('late', 30));
  alarms.remove(early);
  await clock.tick(29);
  expect(rung).toEqual([]);
  await clock.tick(1);
  expect([rung, clock.pending]).toEqual([['late at 30'], 0]);
});

test('a moved alarm rings only at its new time, earlier or later', async () => {
  const { clock, alarms, alarm, rung } = start();
  const later = alarm('later', 10);
  const earlier = alarm('earlier', 50);
  alarms.set(later);
  alarms.set(earlier);
  later.dueAt += 30;
  alarms.set(later);
  earlier.dueAt -= 45;
  alarms.set(earlier);
  await clock.tick(100);
  expect([rung, clock.pending]).toEqual([['earlier at 5', 'later at 40'], 0]);
});

test('an alarm with dueAt Infinity neither rings nor holds a timer, and rings after it was set again', async () => {
  const { clock, alarms, alarm, rung, timers } = start();
  const paused = alarm('paused', 10);
  alarms.set(paused);
  paused.dueAt = Number.POSITIVE_INFINITY;
  await clock.tick(1_000);
  expect([rung, clock.pending, timers()]).toEqual([[], 0, 1]);
  paused.dueAt = clock.now() + 5;
  alarms.set(paused);
  await clock.tick(5);
  expect([rung, clock.pending]).toEqual([['paused at 1005'], 0]);
});

test('an alarm that removes another while it rings keeps that one from ringing, and may set a new one', async () => {
  const { clock, alarms, alarm, rung } = start();
  const other = alarm('other', 10);
  const next = alarm('next', 30);
  alarms.set(
    alarm('one', 10, () => {
      alarms.remove(other);
      alarms.set(next);
    }),
  );
  alarms.set(other);
  await clock.tick(100);
  expect([rung, clock.pending]).toEqual([['one at 10', 'next at 30'], 0]);
});

test('an alarm that throws does not keep the others from ringing', () => {
  const { clock, alarm, rung } = start();
  let onTimer = (): void => {};
  const alarms = new Alarms({
    ...clock,
    after(_, callback) {
      onTimer = callback;
      return () => {};
    },
  });
  const fail = (): void => {
    throw new Error('broken');
  };
  alarms.set(alarm('broken', 0, fail));
  alarms.set(alarm('well', 0));
  expect(onTimer).toThrow('broken');
  onTimer();
  expect(rung).toEqual(['broken at 0', 'well at 0']);
});

test('a removed alarm can be collected at once, even after the process has run for a while', async () => {
  const { clock, alarms, alarm } = start();
  const kinds: unknown[] = [];
  const observer = new PerformanceObserver((list) => kinds.push(...list.getEntries().map(kindOf)));
  observer.observe({ entryTypes: ['gc'] });
  const open: Alarm[] = [];
  const load = (): unknown => new Array(100).fill(open.length);
  // By then, everything that the alarms were created with is in the old generation.
  let kept: unknown[] = [];
  for (let i = 0; i < 30_000; i++) kept = [load(), ...kept.slice(0, 8)];
  for (let i = 0; i < 300_000; i++) {
    const next = Object.assign(alarm('never', 1_000), { load: load() });
    open.push(next);
    alarms.set(next);
    const last = open.length > 8 ? open.shift() : undefined;
    if (last !== undefined) alarms.remove(last);
  }
  for (const last of open) alarms.remove(last);
  const count = (wanted: number): number => kinds.filter((kind) => kind === wanted).length;
  // Node delivers the entries in later iterations of the event loop. On a busy machine a timer may run before them.
  await vi.waitFor(() => expect(count(constants.NODE_PERFORMANCE_GC_MINOR)).toBeGreaterThan(10), 5_000);
  observer.disconnect();
  expect(count(constants.NODE_PERFORMANCE_GC_MAJOR)).toBeLessThan(4);
  expect(clock.pending).toBe(0);
});

function kindOf(entry: object): unknown {
  const detail = 'detail' in entry ? entry.detail : undefined;
  return typeof detail === 'object' && detail !== null && 'kind' in detail ? detail.kind : undefined;
}
