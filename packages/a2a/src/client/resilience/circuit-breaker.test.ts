import { expect, test } from 'vitest';
import {
  bench,
  broken,
  countedSignal,
  httpError,
  outcome,
  peerOf,
  refused,
  type Step,
  scriptedSend,
} from '../../../test/client/scripted-send.js';
import { A2AActivationTimeoutError, A2ACardSignatureError, A2ACircuitOpenError, A2AError, toA2AError } from '../../protocol/errors.js';
import { type BreakerOptions, circuitBreaker, createBreakers } from './circuit-breaker.js';
import { timeoutError } from './timeout-error.js';

const AGENT = 'http://agent.test/';

function start(steps: readonly Step[], options: Omit<BreakerOptions, 'breakers'> = {}) {
  const tools = bench();
  const peer = scriptedSend(tools.clock, steps);
  const breakers = createBreakers(options, tools);
  const send = tools.chain(peer, breakers.interceptor);
  const call = (key = AGENT, signal?: AbortSignal) => send(tools.call('GetTask', { peer: peerOf(key), signal }));
  const fail = async (times = 1, key = AGENT) => {
    for (let i = 0; i < times; i++) await call(key).catch(() => {});
  };
  return { ...tools, call, tools, peer, breakers, send, fail };
}

test('B13: three consecutive failures open the circuit for 30 s; then a success closes it', async () => {
  const { call, fail, peer, clock } = start([503, 503, 503, 'ok']);
  await fail(3);
  await expect(call()).rejects.toBeInstanceOf(A2ACircuitOpenError);
  await clock.tick(29_999);
  await expect(call()).rejects.toMatchObject({ reason: 'AGENT_UNAVAILABLE', retryAfterMs: 1, cause: { httpStatus: 503 } });
  expect(peer.calls).toHaveLength(3);
  await clock.tick(1);
  await call();
  await call();
  expect(peer.calls).toHaveLength(5);
});

test('B13: a success in between resets the count, and each agent has its own count', async () => {
  const { call, fail, breakers } = start([503, 503, 'ok', 503, 503, 503]);
  await fail(2);
  await call();
  await fail(2);
  expect(breakers.allows(AGENT)).toBe(true);
  await fail(1, 'http://other.test/');
  expect([breakers.allows(AGENT), breakers.health('http://other.test/').consecutiveFailures]).toEqual([true, 1]);
});

test('B13: count and time can be set, and invalid values are refused', async () => {
  const { call, fail, clock, breakers, ...tools } = start([503], { failures: 1, openMs: 500 });
  await fail();
  await expect(call()).rejects.toMatchObject({ retryAfterMs: 500 });
  await clock.tick(500);
  expect(breakers.allows(AGENT)).toBe(true);
  expect(() => createBreakers({ failures: 0 }, { clock })).toThrow('breaker.failures must be a whole number of at least 1, got 0');
  expect(() => circuitBreaker({ openMs: -1 }, { clock, ...tools })).toThrow('breaker.openMs');
});

test('B14: of ten concurrent calls after the open time one is a probe, the others are refused; its success allows all calls', async () => {
  const { call, fail, peer, clock } = start([503, 503, 503, 'ok']);
  await fail(3);
  await clock.tick(30_000);
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => call()));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(results.filter((one) => one.status === 'rejected' && one.reason instanceof A2ACircuitOpenError)).toHaveLength(9);
  for (const one of results) if (one.status === 'rejected') expect(one.reason.retryAfterMs).toBe(1_000);
  expect(peer.calls).toHaveLength(4);
  await Promise.all(Array.from({ length: 10 }, () => call()));
  expect(peer.calls).toHaveLength(14);
});

test('B14: a failed probe opens the circuit for another 30 s', async () => {
  const { call, fail, peer, clock, breakers } = start([503]);
  await fail(3);
  await clock.tick(30_000);
  await fail();
  expect([peer.calls.length, breakers.allows(AGENT)]).toEqual([4, false]);
  await expect(call()).rejects.toMatchObject({ retryAfterMs: 30_000 });
  await clock.tick(30_000);
  expect(breakers.allows(AGENT)).toBe(true);
});

test('B14: asking whether a call is allowed does not take the place of the probe', async () => {
  const { fail, clock, breakers, call } = start([503, 503, 503, 'ok']);
  await fail(3);
  await clock.tick(30_000);
  expect([breakers.allows(AGENT), breakers.allows(AGENT)]).toEqual([true, true]);
  await call();
});

test('B14: if the caller aborts the probe, the next call becomes the probe', async () => {
  const { call, fail, peer, clock, breakers } = start([503, 503, 503, 'hang', 'ok']);
  await fail(3);
  await clock.tick(30_000);
  const { controller } = countedSignal();
  const probe = outcome(call(AGENT, controller.signal));
  await clock.tick();
  expect(breakers.allows(AGENT)).toBe(false);
  controller.abort();
  await clock.tick();
  expect([probe.error, breakers.allows(AGENT)]).toMatchObject([{ reason: 'ABORTED' }, true]);
  await call();
  expect([peer.calls.length, breakers.health(AGENT).healthy]).toEqual([5, true]);
});

test.each<[string, A2AError]>([
  ['−32602', new A2AError('INVALID_PARAMS', 'no')],
  ['auth', new A2AError('AUTH_REQUIRED', 'no')],
  ['no such task', new A2AError('TASK_NOT_FOUND', 'no')],
  ['too many requests', httpError(429)],
  ['an abort', new A2AError('ABORTED', 'no')],
  ['an internal bug', toA2AError(new TypeError('no'))],
  ['a card with a bad signature', new A2ACardSignatureError('fetched', 'no')],
  ['no free connection in our own pool', timeoutError('pool', 1)],
])('B15: %s three times leaves the circuit closed', async (_, error) => {
  const { fail, breakers } = start([error]);
  await fail(5);
  expect(breakers.health(AGENT)).toMatchObject({ healthy: true, consecutiveFailures: 0 });
});

test.each<[string, A2AError]>([
  ['unavailable', new A2AError('AGENT_UNAVAILABLE', 'no')],
  ['timeout', new A2AError('TASK_TIMEOUT', 'no')],
  ['−32603', new A2AError('INTERNAL_ERROR', 'no')],
  ['HTTP 500', httpError(500)],
  ['HTTP 502', new A2AError('INVALID_AGENT_RESPONSE', 'no', { httpStatus: 502 })],
  ['HTTP 504', httpError(504)],
  ['refused', refused()],
  ['broken', broken()],
  ['no first byte', timeoutError('firstByte', 1)],
  ['a total timeout', timeoutError('total', 1)],
  ['asleep', new A2AActivationTimeoutError({ attempts: 1, elapsedMs: 1 }, 'no')],
])('B15: %s three times opens it', async (_, error) => {
  const { fail, breakers } = start([error]);
  await fail(3);
  expect(breakers.allows(AGENT)).toBe(false);
});

test('B14: a call with evenIfOpen is sent while the circuit is open, counts for it, and does not take the place of the probe', async () => {
  const { clock, peer, breakers, fail, send, tools } = start([503, 503, 503, 503, 503, 'ok']);
  const anyway = () => send(tools.call('GetTask', { peer: peerOf(AGENT), evenIfOpen: true })).catch(() => {});
  await fail(3);
  await anyway();
  expect([peer.calls.length, breakers.health(AGENT).consecutiveFailures]).toEqual([4, 4]);
  await clock.tick(20_000);
  await anyway();
  await clock.tick(29_999);
  expect(breakers.allows(AGENT)).toBe(false);
  await anyway();
  expect([breakers.allows(AGENT), breakers.health(AGENT).healthy]).toEqual([true, true]);
});

test('B15: an agent that responds, even with a refusal, is healthy', async () => {
  const refusal = new A2AError('AUTH_REQUIRED', 'no', { peer: AGENT });
  const { fail, clock, breakers } = start([503, 503, refusal, 503, 503, 503, refusal]);
  await fail(5);
  expect(breakers.health(AGENT)).toMatchObject({ healthy: true, consecutiveFailures: 2 });
  await fail(1);
  await clock.tick(30_000);
  await fail(1);
  expect(breakers.health(AGENT)).toMatchObject({ healthy: true, consecutiveFailures: 0 });
});

test('B24: health returns the URL, the consecutive failures, the last failure and until when the circuit is open', async () => {
  const { fail, call, clock, breakers } = start([503, 503, 503, 'ok']);
  expect(breakers.health('http://never.called/')).toEqual({
    url: 'http://never.called/',
    healthy: true,
    consecutiveFailures: 0,
    lastFailure: undefined,
    openUntil: undefined,
  });
  const begun = clock.now();
  await fail(2);
  expect(breakers.health(AGENT)).toEqual({ url: AGENT, healthy: true, consecutiveFailures: 2, lastFailure: begun, openUntil: undefined });
  await clock.tick(1_000);
  await fail(1);
  const opened = begun + 1_000;
  expect(breakers.health(AGENT)).toEqual({
    url: AGENT,
    healthy: false,
    consecutiveFailures: 3,
    lastFailure: opened,
    openUntil: opened + 30_000,
  });
  await clock.tick(30_000);
  await call();
  expect(breakers.health(AGENT)).toEqual({ url: AGENT, healthy: true, consecutiveFailures: 0, lastFailure: opened, openUntil: undefined });
});

test('an opened stream is a success', async () => {
  const { fail, clock, breakers, call } = start([503, 503, 503, 'stream']);
  await fail(3);
  await clock.tick(30_000);
  expect(await call()).toMatchObject({ kind: 'stream' });
  expect(breakers.health(AGENT).healthy).toBe(true);
});

test('calls that began before the circuit opened do not affect it, unless they succeed', async () => {
  const tools = bench();
  const waiting: { resolve(): void; reject(error: A2AError): void }[] = [];
  const breakers = createBreakers({}, tools);
  const send = breakers.interceptor(
    () =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve: () => resolve({ kind: 'value', value: {}, extensions: [] }), reject });
      }),
  );
  const calls = Array.from({ length: 6 }, () => outcome(send(tools.call('GetTask'))));
  for (const one of waiting.slice(0, 3)) one.reject(httpError(503));
  await tools.clock.tick(30_000);
  const probe = outcome(send(tools.call('GetTask')));
  waiting[3]?.reject(httpError(503));
  await tools.clock.tick();
  expect(breakers.health('http://agent.test/')).toMatchObject({ consecutiveFailures: 3, healthy: false });
  expect(breakers.allows('http://agent.test/')).toBe(false);
  waiting[4]?.resolve();
  await tools.clock.tick();
  expect(breakers.health('http://agent.test/')).toMatchObject({ healthy: true, consecutiveFailures: 0 });
  waiting[6]?.reject(httpError(503));
  await tools.clock.tick();
  expect([probe.done(), calls[5]?.done()]).toEqual([true, false]);
  expect(breakers.health('http://agent.test/')).toMatchObject({ healthy: true, consecutiveFailures: 0 });
});

test('circuits without a clock option use the system clock', async () => {
  const { tools, peer } = start([503]);
  const { chain, call } = tools;
  const breakers = createBreakers();
  const before = Date.now();
  await chain(peer, breakers.interceptor)(call('GetTask', { peer: peerOf(AGENT) })).catch(() => {});
  expect(breakers.health(AGENT).lastFailure).toBeGreaterThanOrEqual(before);
});

test('several clients can share the circuits', async () => {
  const { fail, breakers, peer, clock } = start([503]);
  const tools = { ...bench(), clock };
  await fail(3);
  const other = tools.chain(peer, circuitBreaker({ breakers }, tools));
  await expect(other(tools.call('GetTask'))).rejects.toBeInstanceOf(A2ACircuitOpenError);
  const own = tools.chain(peer, circuitBreaker({}, tools));
  await expect(own(tools.call('GetTask'))).rejects.toMatchObject({ httpStatus: 503 });
});

test('a clock that is set back does not keep a circuit open longer', async () => {
  let now = 10_000_000;
  const breakers = createBreakers({ failures: 1 }, { clock: { now: () => now, after: () => () => {}, soon: () => {} } });
  const send = breakers.interceptor(() => Promise.reject(httpError(503)));
  await expect(send(bench().call('GetTask'))).rejects.toMatchObject({ httpStatus: 503 });
  now -= 5_000_000;
  expect(breakers.allows('http://agent.test/')).toBe(false);
  now += 30_000;
  expect(breakers.allows('http://agent.test/')).toBe(true);
});

test('the refusal names the agent without the secret parts of its address', async () => {
  const { call, fail } = start([503]);
  const key = 'http://user:hunter2@agent.test/card?token=hunter2';
  await fail(3, key);
  await expect(call(key)).rejects.toMatchObject({
    message: 'http://agent.test/card failed too often; its circuit is open and it is not called for now',
  });
});
