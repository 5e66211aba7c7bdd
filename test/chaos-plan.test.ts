// Tests the fault plans of the chaos run.
import { expect, test } from 'vitest';
import { createPlan, type Fault, halfOfKinds } from '../scripts/chaos/plan.mjs';

const TEN_MINUTES = { seed: 7, forMs: 600_000, faults: 105, nodes: 3 };
const AWAY = ['kill', 'pause', 'drain'];

test('the same seed gives the same plan, another seed another plan', () => {
  const plan = createPlan({ ...TEN_MINUTES, bus: 'postgres' });
  expect(createPlan({ ...TEN_MINUTES, bus: 'postgres' })).toEqual(plan);
  expect(createPlan({ ...TEN_MINUTES, bus: 'postgres', seed: 8 })).not.toEqual(plan);
});

test.each(['postgres', 'redis'] as const)(
  'ten minutes with %s contain every kind of fault, more than 100 faults, sometimes two at once',
  (bus) => {
    const plan = createPlan({ ...TEN_MINUTES, bus });
    expect(plan.length).toBeGreaterThanOrEqual(100);
    expect(new Set(plan.map(({ kind }) => kind)).size).toBe(10);
    expect(plan.at(-1)?.atMs).toBeLessThan(620_000);
    expect(plan.filter((fault, index) => fault.atMs - (plan[index - 1]?.atMs ?? -1_000) < 300).length).toBeGreaterThan(5);
  },
);

test.each([1, 2, 3, 4, 5])('seed %i: even a short plan contains every kind', (seed) => {
  const plan = createPlan({ seed, bus: 'redis', forMs: 22_000, faults: 4, nodes: 3 });
  expect(new Set(plan.map(({ kind }) => kind)).size).toBe(10);
});

test.each([1, 2, 3, 4, 5])(
  'seed %i: the quick plans of both buses together contain every kind, each bus has six, and both kill a node',
  (seed) => {
    const plans = (['postgres', 'redis'] as const).map((bus) =>
      createPlan({ seed, bus, forMs: 8_000, faults: 6, nodes: 3, pace: 0.375, kinds: halfOfKinds(seed, bus) }).map(({ kind }) => kind),
    );
    expect(plans.map((kinds) => kinds.length)).toEqual([6, 6]);
    for (const kinds of plans) expect(kinds).toContain('kill');
    expect(new Set(plans.flat()).size).toBe(11);
  },
);

test('at any time at least one node is left alone', () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    const faults = createPlan({ ...TEN_MINUTES, bus: 'postgres', seed }).filter(({ kind }) => AWAY.includes(kind));
    for (const fault of faults) {
      const away = faults.filter((other) => isAwayAt(other, fault.atMs)).map(({ node }) => node);
      expect(new Set(away).size, `seed ${seed} at ${fault.atMs}`).toBeLessThan(3);
      expect(new Set(away).size, `seed ${seed} at ${fault.atMs}`).toBe(away.length);
    }
  }
});

function isAwayAt({ atMs, lastsMs }: Fault, timeMs: number): boolean {
  return atMs <= timeMs && timeMs < atMs + lastsMs;
}
