import { expect, test } from 'vitest';
import { bench, countedSignal, httpError, outcome, peerOf, type Step, scriptedSend } from '../../../test/client/scripted-send.js';
import { A2AError } from '../../protocol/errors.js';
import type { ClientCall } from '../call.js';
import { createBudget } from './budget.js';
import { createCoolDowns } from './cool-down.js';
import { retry } from './retry.js';

function start(steps: readonly Step[], { maxDelayMs, random = () => 0 }: { maxDelayMs?: number; random?: () => number } = {}) {
  const tools = { ...bench(), random };
  const peer = scriptedSend(tools.clock, steps);
  const coolDowns = createCoolDowns(maxDelayMs === undefined ? {} : { maxDelayMs }, tools);
  const send = tools.chain(peer, coolDowns.interceptor);
  return {
    ...tools,
    tools,
    peer,
    coolDowns,
    send,
    get: (more: Partial<ClientCall> = {}) => outcome(send(tools.call('SendMessage', more))),
  };
}

test('B8: after a 429 ten concurrent calls wait for the time it named', async () => {
  const { clock, peer, get } = start([httpError(429, 5_000), 'ok']);
  get();
  await clock.tick();
  const others = Array.from({ length: 10 }, () => get());
  await clock.tick(4_999);
  expect(peer.calls).toHaveLength(1);
  await clock.tick(1);
  expect(peer.calls).toHaveLength(11);
  expect(others.every(({ value }) => value !== undefined)).toBe(true);
  expect(clock.pending).toBe(0);
});

test('B8: waiting calls do not all continue at the same time', async () => {
  let chance = 0;
  const random = () => {
    chance += 0.1;
    return chance;
  };
  const { clock, peer, get } = start([httpError(429, 10_000), 'ok'], { random });
  get();
  await clock.tick();
  for (let i = 0; i < 5; i++) get();
  await clock.tick(11_000);
  expect(peer.times.slice(1).map(Math.round)).toEqual([10_100, 10_200, 10_300, 10_400, 10_500]);
});

test('B8: a wait of a year is capped', async () => {
  const { clock, peer, get } = start([httpError(429, 31_536_000_000), 'ok'], { maxDelayMs: 2_000 });
  get();
  await clock.tick();
  get();
  await clock.tick(2_000);
  expect(peer.times).toEqual([0, 2_000]);
});

test('ten calls that are refused together return once each, at the named time', async () => {
  const { clock, peer, tools, coolDowns } = start([...Array<Step>(10).fill(httpError(429, 3_000)), 'ok']);
  const send = tools.chain(peer, retry({ jitter: false }, tools), coolDowns.interceptor);
  const results = Array.from({ length: 10 }, () => outcome(send(tools.call('SendMessage'))));
  await clock.tick(3_000);
  expect(peer.times).toEqual([...Array(10).fill(0), ...Array(10).fill(3_000)]);
  expect(results.every(({ value }) => value !== undefined)).toBe(true);
});

test('a rate limit in the error of the agent counts too; one without a time does not', async () => {
  const { clock, peer, get } = start([httpError(429), new A2AError('RATE_LIMITED', 'no', { retryAfterMs: 1_000 }), 'ok']);
  get();
  await clock.tick();
  get();
  await clock.tick();
  get();
  await clock.tick(1_000);
  expect(peer.times).toEqual([0, 0, 1_000]);
});

test('other origins continue, other agents of the same origin wait', async () => {
  const { clock, peer, get } = start([httpError(429, 5_000), 'ok']);
  const at = (url: string): Partial<ClientCall> => ({
    peer: peerOf(`${url}/card`, { interfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] }),
  });
  get(at('http://a.test/one'));
  await clock.tick();
  get(at('http://b.test/one'));
  get(at('http://a.test/two'));
  get({ method: 'GetAgentCard', params: { url: 'http://a.test/card' } });
  await clock.tick();
  expect(peer.times).toEqual([0, 0]);
  await clock.tick(5_000);
  expect(peer.times).toEqual([0, 0, 5_000, 5_000]);
});

test('a call whose deadline is earlier is refused immediately, with the wait and the reason, and is not sent', async () => {
  const { clock, peer, get } = start([httpError(429, 5_000), 'ok']);
  get();
  await clock.tick();
  const short = get({ budget: createBudget({ clock, deadline: clock.now() + 1_000 }) });
  await clock.tick();
  expect(short.error).toMatchObject({ reason: 'RATE_LIMITED', retryAfterMs: 5_000, cause: { httpStatus: 429 } });
  expect([peer.calls.length, clock.pending]).toEqual([1, 0]);
});

test('an abort ends the wait', async () => {
  const { clock, peer, get } = start([httpError(429, 5_000), 'ok']);
  get();
  await clock.tick();
  const { controller, listeners } = countedSignal();
  const left = get({ signal: controller.signal });
  await clock.tick();
  controller.abort('enough');
  await clock.tick();
  expect(left.error).toMatchObject({ reason: 'ABORTED', cause: 'enough' });
  expect([peer.calls.length, clock.pending, listeners()]).toEqual([1, 0, 0]);
});

test('no call waits longer than the cap, even if other calls are refused meanwhile', async () => {
  const { clock, peer, tools, coolDowns } = start([], { maxDelayMs: 10_000 });
  // Calls that were in flight already are refused one after another, each for 4 s more.
  const refusals = [0, 3_000, 6_000, 9_000, 12_000];
  const slow = coolDowns.interceptor(async ({ requestId }) => {
    await new Promise<void>((resolve) => void clock.after(Number(requestId), resolve));
    throw httpError(429, 4_000);
  });
  for (const ms of refusals) outcome(slow(tools.call('GetTask', { requestId: String(ms) })));
  await clock.tick();
  const patient = outcome(tools.chain(peer, coolDowns.interceptor)(tools.call('GetTask')));
  await clock.tick(9_999);
  expect(patient.done()).toBe(false);
  await clock.tick(1);
  expect([patient.value, peer.times]).toMatchObject([{ kind: 'value' }, [10_000]]);
});

test('invalid options are refused', () => {
  expect(() => createCoolDowns({ maxDelayMs: -1 }, bench())).toThrow('coolDown.maxDelayMs must be a number of at least 0, got -1');
});

test('cool-downs without a clock option use the system clock', async () => {
  const { peer, tools } = start([httpError(429, 5), 'ok']);
  const send = tools.chain(peer, createCoolDowns().interceptor);
  await send(tools.call('SendMessage')).catch(() => {});
  await send(tools.call('SendMessage'));
  expect(peer.calls).toHaveLength(2);
});
