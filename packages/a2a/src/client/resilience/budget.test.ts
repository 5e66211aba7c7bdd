import { expect, test } from 'vitest';
import { bench, httpError, outcome, type Step, scriptedSend } from '../../../test/client/scripted-send.js';
import { manualClock } from '../../testing/manual-clock.js';
import type { ClientCall } from '../call.js';
import { activation } from './activation.js';
import { createBudget, narrowBudget } from './budget.js';
import { createBreakers } from './circuit-breaker.js';
import { createCoolDowns } from './cool-down.js';
import { deadline } from './deadline.js';
import { logging } from './logging.js';
import { retry } from './retry.js';

/** All retrying layers, in the order of a client. */
function start(steps: readonly Step[]) {
  const tools = bench();
  const peer = scriptedSend(tools.clock, steps);
  const breakers = createBreakers({}, tools);
  const send = tools.chain(
    peer,
    logging(tools),
    breakers.interceptor,
    deadline(tools),
    activation({ jitter: false, maxColdStartMs: 60_000 }, tools),
    retry({ jitter: false }, tools),
    createCoolDowns({}, tools).interceptor,
  );
  const run = async (more: Partial<ClientCall> = {}) => {
    const result = outcome(send(tools.call('GetTask', more)));
    await tools.clock.tick(10_000_000);
    expect([result.done(), tools.clock.pending]).toEqual([true, 0]);
    return result;
  };
  return { ...tools, peer, breakers, run };
}

test('C19: a sleeping agent is called four times, not sixteen', async () => {
  const { peer, run } = start([503]);
  await run();
  expect(peer.calls).toHaveLength(4);
});

test('C19: alternating failures of both kinds share one count: the first is a cold start, then the agent is awake and retried', async () => {
  const { peer, run } = start(Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? 503 : 500)));
  await run();
  expect(peer.calls.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5]);
  expect(peer.calls[0]?.budget.retries()).toBe(4);
});

test('C19: the worst order of failures does not need more attempts', async () => {
  for (const steps of [
    [500, 500, 500, 503, 500, 500, 500, 503, 500],
    [503, 503, 503, 500, 500, 500, 503, 503],
    [httpError(429, 10), 503, 429, 503, 429, 503, 429, 503],
  ] as const) {
    const { peer, run } = start(steps);
    await run();
    expect(peer.calls.length).toBeLessThanOrEqual(7);
  }
});

test('C19: a retry budget covers all layers together', async () => {
  const { peer, run, clock } = start([503, 500, 503, 500, 503]);
  const { error } = await run({ budget: createBudget({ clock, maxRetries: 2 }) });
  expect([peer.calls.length, error]).toMatchObject([3, { httpStatus: 503 }]);
});

test('C19: one deadline ends all layers', async () => {
  const { peer, run, clock } = start([503, 500, 503, 500, 503, 500]);
  const begun = clock.now();
  const { error } = await run({ budget: createBudget({ clock, deadline: begun + 1_500 }) });
  expect(peer.times.at(-1)).toBeLessThan(1_500);
  expect(error).toMatchObject({ name: 'A2AError' });
  const total = start(['hang']);
  const result = await total.run({ timeouts: { totalMs: 1_500 } });
  expect(result.error).toMatchObject({ phase: 'total' });
});

test('C19: one call with all its attempts is one failure for the circuit, and an open circuit allows no attempt', async () => {
  const { peer, run, breakers, call } = start([503]);
  for (const failures of [1, 2, 3]) {
    await run();
    expect(breakers.health(call('GetTask').peer.key).consecutiveFailures).toBe(failures);
    if (failures < 3) expect(breakers.allows(call('GetTask').peer.key)).toBe(true);
  }
  expect(peer.calls).toHaveLength(12);
});

test('C19: nothing is retried while the circuit is open', async () => {
  const tools = bench();
  const peer = scriptedSend(tools.clock, [500]);
  const breakers = createBreakers({ failures: 1 }, tools);
  const send = tools.chain(peer, breakers.interceptor, activation({}, tools), retry({}, tools));
  await expect(send(tools.call('GetTask', { budget: createBudget({ clock: tools.clock, maxRetries: 0 }) }))).rejects.toMatchObject({});
  const refused = outcome(send(tools.call('GetTask')));
  await tools.clock.tick();
  expect([refused.error, peer.calls.length, tools.clock.pending]).toMatchObject([{ name: 'A2ACircuitOpenError' }, 1, 0]);
});

test('a call that ends in time is never a total timeout, and a hanging one counts against the agent', async () => {
  const { run, breakers, call } = start(['hang']);
  await run({ timeouts: { totalMs: 1_000 } });
  expect(breakers.health(call('GetTask').peer.key).consecutiveFailures).toBe(1);
});

test('a budget grants each retry once, limits the share of each layer, and grants none after the deadline', async () => {
  const clock = manualClock();
  const budget = createBudget({ clock, maxRetries: 3, deadline: clock.now() + 1_000 });
  const share = { layer: 'retry', max: 2 } as const;
  expect([budget.takeRetry(share), budget.takeRetry(share), budget.takeRetry(share)]).toEqual([true, true, false]);
  expect([budget.retries(), budget.retries('retry'), budget.retries('activation')]).toEqual([2, 2, 0]);
  expect([budget.takeRetry(), budget.takeRetry()]).toEqual([true, false]);
  const late = createBudget({ clock, deadline: clock.now() + 1_000 });
  await clock.tick(1_000);
  expect([late.takeRetry(), late.leftMs()]).toEqual([false, 0]);
  expect(createBudget({ clock }).leftMs()).toBe(Number.POSITIVE_INFINITY);
});

test('a narrower budget takes from the same retries; a wider one changes nothing', async () => {
  const clock = manualClock();
  const budget = createBudget({ clock, maxRetries: 2, deadline: clock.now() + 1_000 });
  expect(narrowBudget(budget, clock.now() + 2_000, clock)).toBe(budget);
  const narrow = narrowBudget(budget, clock.now() + 500, clock);
  expect([narrow.deadline, narrow.leftMs()]).toEqual([clock.now() + 500, 500]);
  expect([narrow.takeRetry(), narrow.retries(), budget.retries()]).toEqual([true, 1, 1]);
  await clock.tick(500);
  expect([narrow.takeRetry(), budget.takeRetry()]).toEqual([false, true]);
});
