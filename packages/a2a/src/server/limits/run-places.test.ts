import { describe, expect, test } from 'vitest';
import { type RunPlace, RunPlaces } from './run-places.js';

const share = (key: string, factor = 1) => ({ key, factor });
const open = { total: 1_000, perCaller: 1_000 };
const OPEN = { running: open, waiting: open, waitingBytes: { total: 1e9, perCaller: 1e9 } };

/** Places with runs that record that they were parked. */
function arena(bounds: Partial<ConstructorParameters<typeof RunPlaces>[0]> = {}) {
  const places = new RunPlaces({ ...OPEN, ...bounds });
  const parked: string[] = [];
  const waiting = (name: string, key: string, bytes?: number): RunPlace => {
    const place = places.take(share(key));
    const park = (): void => {
      parked.push(name);
      place.park();
    };
    place.wait({ park }, bytes);
    return place;
  };
  return { places, parked, waiting };
}

describe('F65: waiting runs', () => {
  test('F65: beyond the share of a caller, its own longest-waiting run is parked', () => {
    const { parked, waiting, places } = arena({ waiting: { total: 10, perCaller: 2 } });
    waiting('other', 'bob');
    for (const name of ['first', 'second']) waiting(name, 'ann');
    expect(parked).toEqual([]);
    waiting('third', 'ann');
    expect([parked, places.waiting]).toEqual([['first'], 3]);
  });

  test('F65: beyond the total, the longest-waiting run of all callers is parked', () => {
    const { parked, waiting, places } = arena({ waiting: { total: 3, perCaller: 2 } });
    for (const [name, key] of Object.entries({ one: 'ann', two: 'bob', three: 'cid' })) waiting(name, key);
    expect(parked).toEqual([]);
    waiting('four', 'dan');
    expect([parked, places.waiting]).toEqual([['one'], 3]);
  });

  test('F65: a run that continued in between waits anew', () => {
    const { parked, waiting } = arena({ waiting: { total: 2, perCaller: 2 } });
    const first = waiting('first', 'ann');
    waiting('second', 'ann');
    first.work();
    first.wait({ park: () => first.park() });
    waiting('third', 'ann');
    expect(parked).toEqual(['second']);
  });

  test('F65: beyond the bytes of a caller, as many of its runs are parked as necessary', () => {
    const { parked, waiting } = arena({ waitingBytes: { total: 100, perCaller: 10 } });
    waiting('other', 'bob', 10);
    for (const name of ['first', 'second', 'third']) waiting(name, 'ann', 3);
    waiting('fourth', 'ann', 1);
    expect(parked).toEqual([]);
    waiting('fifth', 'ann', 4);
    expect(parked).toEqual(['first', 'second']);
  });

  test('F65: beyond the bytes of all, the longest-waiting runs are parked', () => {
    const { parked, waiting } = arena({ waitingBytes: { total: 20, perCaller: 10 } });
    for (const [name, key] of Object.entries({ one: 'ann', two: 'bob', three: 'cid' })) waiting(name, key, 10);
    expect(parked).toEqual(['one']);
  });

  test('F65: the run that begins to wait is never parked, however large its task is', () => {
    const { parked, waiting, places } = arena({ waiting: { total: 5, perCaller: 0.5 }, waitingBytes: { total: 20, perCaller: 10 } });
    waiting('only', 'ann', 50);
    expect([parked, places.waiting]).toEqual([[], 1]);
    waiting('next', 'ann', 50);
    expect([parked, places.waiting]).toEqual([['only'], 1]);
  });

  test('F65: a waiting run that expects a message counts as running and is not parked', () => {
    const { parked, waiting, places } = arena({ waiting: { total: 10, perCaller: 1 } });
    const first = waiting('first', 'ann');
    const ends = [first.expect(), first.expect()];
    expect([places.running, places.waiting]).toEqual([1, 0]);
    waiting('second', 'ann');
    expect([parked, places.waiting], 'the share has room for it').toEqual([[], 1]);
    for (const end of ends) end();
    ends[0]?.();
    expect([places.running, places.waiting], 'the run waits anew, and the one that waited longer was parked').toEqual([0, 1]);
    expect(parked).toEqual(['second']);
  });

  test('F65: a run that begins to wait while it expects a message waits when the message was refused', () => {
    const places = new RunPlaces(OPEN);
    const place = places.take(share('ann'));
    const end = place.expect();
    place.wait({ park: () => place.park() });
    expect([places.running, places.waiting]).toEqual([1, 0]);
    end();
    expect([places.running, places.waiting]).toEqual([0, 1]);
    const again = place.expect();
    place.work(); // the message was taken
    again();
    expect([places.running, places.waiting]).toEqual([1, 0]);
  });

  test('F65: in any order of changes each run is counted once, and nothing is left at the end', () => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const next = random(seed);
      const places = new RunPlaces({ ...OPEN, waiting: { total: 6, perCaller: 3 }, waitingBytes: { total: 60, perCaller: 30 } });
      const live: { place: RunPlace; is: 'running' | 'waiting' | 'parked' }[] = [];
      const all: typeof live = [];
      for (let step = 0; step < 200; step += 1) {
        const one = live[next(live.length)];
        const change = next(6);
        if (one === undefined || change === 0) {
          const run = { place: places.take(share(`caller ${next(3)}`)), is: 'running' as const };
          live.push(run);
          all.push(run);
        } else if (change === 1) {
          one.place.work();
          one.is = 'running';
        } else if (change === 2) {
          one.place.park();
          one.is = 'parked';
        } else if (change === 3) {
          live.splice(live.indexOf(one), 1)[0]?.place.end();
        } else {
          const wait = (): void => {
            one.is = 'waiting';
            const park = (): void => {
              one.is = 'parked';
              one.place.park();
            };
            one.place.wait({ park }, next(12));
          };
          if (one.is !== 'waiting') wait();
          else one.place.wait({ park: () => {} });
        }
        const count = (is: string): number => live.filter((run) => run.is === is).length;
        expect([places.running, places.waiting]).toEqual([count('running'), count('waiting')]);
        expect(places.waiting).toBeLessThanOrEqual(6);
      }
      for (const { place } of all) {
        place.end();
        place.work(); // the run is over: later changes have no effect
        place.end();
      }
      expect([places.running, places.waiting]).toEqual([0, 0]);
      const last = places.take(share('caller 1'));
      last.wait({ park: () => last.park() }, 30); // the bytes of the others do not count any more
      expect(last.isWaiting).toBe(true);
    }
  });
});

/** A number below `bound`, the same ones for the same seed. */
function random(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 48_271) % 2_147_483_647;
    return bound === 0 ? 0 : state % bound;
  };
}
