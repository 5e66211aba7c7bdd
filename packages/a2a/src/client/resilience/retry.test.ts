import { expect, test } from 'vitest';
import {
  bench,
  broken,
  countedSignal,
  httpError,
  LOG_PEER,
  outcome,
  refused,
  type Step,
  scriptedSend,
} from '../../../test/client/scripted-send.js';
import { A2AError, A2ATransportError } from '../../protocol/errors.js';
import { seededRandom } from '../../testing/seeded-random.js';
import type { ClientCall, ClientMethod } from '../call.js';
import { createBudget } from './budget.js';
import { type RetryEvent, type RetryOptions, retry } from './retry.js';

const EXACT = { jitter: false };

/** Makes a call through retry alone and waits until it ends. */
async function attempt(steps: readonly Step[], options: RetryOptions = EXACT, more: Partial<ClientCall> & { method?: ClientMethod } = {}) {
  const tools = bench();
  const peer = scriptedSend(tools.clock, steps);
  const send = tools.chain(peer, retry(options, tools));
  const result = outcome(send(tools.call(more.method ?? 'GetTask', more)));
  await tools.clock.tick(1_000_000);
  expect(result.done()).toBe(true);
  expect(tools.clock.pending).toBe(0);
  return { ...result, value: result.value, error: result.error, calls: peer.calls, times: peer.times, lines: tools.lines };
}

const rpc = (reason: 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'AGENT_UNAVAILABLE', more: object = {}) => new A2AError(reason, 'no', more);

test('B7: four attempts, 1 s, 2 s and 4 s apart, then the last error unchanged', async () => {
  const errors = [rpc('AGENT_UNAVAILABLE'), rpc('AGENT_UNAVAILABLE'), rpc('AGENT_UNAVAILABLE'), rpc('AGENT_UNAVAILABLE')];
  const { error, times } = await attempt(errors);
  expect(times).toEqual([0, 1_000, 3_000, 7_000]);
  expect(error).toBe(errors[3]);
});

test('B7: delays are capped at 30 s', async () => {
  const { times } = await attempt([503], { jitter: false, maxRetries: 7 });
  expect(times.map((time, i) => time - (times[i - 1] ?? 0)).slice(1)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test('B7: with jitter, the default, a delay is between half and all of it', async () => {
  const tools = { ...bench(), random: seededRandom(3) };
  const peer = scriptedSend(tools.clock, [503]);
  outcome(tools.chain(peer, retry({}, tools))(tools.call('GetTask')));
  await tools.clock.tick(100_000);
  const gaps = peer.times.map((time, i) => time - (peer.times[i - 1] ?? 0)).slice(1);
  gaps.forEach((gap, i) => {
    expect(gap).toBeGreaterThanOrEqual(500 * 2 ** i);
    expect(gap).toBeLessThan(1_000 * 2 ** i);
  });
});

test('B7: zero retries is one call, and invalid options are refused', async () => {
  expect((await attempt([503], { maxRetries: 0 })).times).toEqual([0]);
  const tools = bench();
  expect(() => retry({ maxRetries: -1 }, tools)).toThrow('retry.maxRetries must be a whole number of at least 0, got -1');
  expect(() => retry({ initialDelayMs: Number.NaN }, tools)).toThrow('retry.initialDelayMs');
  expect(() => retry({ multiplier: -1 }, tools)).toThrow('retry.multiplier');
  expect(() => retry({ maxDelayMs: Number.NaN }, tools)).toThrow('retry.maxDelayMs');
});

test('B4: −32603 with retryable false is one call; without the flag a read is retried', async () => {
  expect((await attempt([rpc('INTERNAL_ERROR', { retryable: false })])).calls).toHaveLength(1);
  expect((await attempt([rpc('INTERNAL_ERROR')])).calls).toHaveLength(4);
});

test('B5: the delay that the peer asks for is used, up to the cap', async () => {
  expect((await attempt([rpc('RATE_LIMITED', { retryAfterMs: 5_000 }), 'ok'])).times).toEqual([0, 5_000]);
  expect((await attempt([rpc('RATE_LIMITED', { retryAfterMs: 3_600_000 }), 'ok'])).times).toEqual([0, 30_000]);
  expect((await attempt([rpc('RATE_LIMITED', { retryAfterMs: -7 }), 'ok'])).times).toEqual([0, 0]);
});

test('B6: a permanent failure is one call', async () => {
  for (const reason of ['PARSE_ERROR', 'INVALID_REQUEST', 'METHOD_NOT_FOUND', 'INVALID_PARAMS', 'AUTH_REQUIRED'] as const) {
    expect((await attempt([new A2AError(reason, 'no')])).calls).toHaveLength(1);
  }
});

test('B8: 429 waits for the requested time, or the base delay; the last attempt rejects immediately', async () => {
  expect((await attempt([httpError(429, 7_000), httpError(429), 'ok'], EXACT, { method: 'SendMessage' })).times).toEqual([0, 7_000, 9_000]);
  const { times, error } = await attempt([httpError(429, 5_000)], { ...EXACT, maxRetries: 1 });
  expect(times).toEqual([0, 5_000]);
  expect(error).toMatchObject({ reason: 'RATE_LIMITED', httpStatus: 429 });
});

test('B8: a server that asks for a year is called again after the cap', async () => {
  expect((await attempt([httpError(429, 31_536_000_000), 'ok'], { maxDelayMs: 10_000 })).times).toEqual([0, 10_000]);
});

test('B9: GetTask is retried after 500, SendMessage only with the policy all5xx', async () => {
  const steps: readonly Step[] = [500, 500, 'ok'];
  expect((await attempt(steps)).value).toMatchObject({ kind: 'value' });
  const send = await attempt(steps, EXACT, { method: 'SendMessage' });
  expect([send.calls.length, send.error]).toMatchObject([1, { httpStatus: 500 }]);
  const all = await attempt(steps, { ...EXACT, policy: 'all5xx' }, { method: 'SendMessage' });
  expect([all.calls.length, all.value]).toMatchObject([3, { kind: 'value' }]);
});

test('B10: success after two refused connections; permanent refusal rejects with the last refusal and its cause', async () => {
  const { value, times } = await attempt([refused(), refused(), 'ok'], EXACT, { method: 'SendMessage' });
  expect([value, times]).toMatchObject([{ kind: 'value' }, [0, 1_000, 3_000]]);
  const last = refused();
  const { error } = await attempt([refused(), refused(), refused(), last], EXACT, { method: 'SendMessage' });
  expect(error).toBe(last);
  expect(error).toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});

test('B11: HTTP 503, then a rate limit of the agent, then success: two delays from one budget', async () => {
  const { times, calls, value } = await attempt([503, rpc('RATE_LIMITED', { retryAfterMs: 500 }), 'ok']);
  expect(times).toEqual([0, 1_000, 1_500]);
  expect(calls[2]?.budget.retries('retry')).toBe(2);
  expect(value).toMatchObject({ kind: 'value' });
});

test('B21: each retry is reported with request id, agent, method, attempt and delay, in the log and to the hook, without content or secrets', async () => {
  const events: RetryEvent[] = [];
  const key = 'http://user:hunter2@agent.test/card?token=hunter2';
  const { lines, calls } = await attempt(
    [503],
    { ...EXACT, onRetry: (event) => events.push(event) },
    {
      method: 'SendMessage',
      peer: { ...LOG_PEER, key },
      headers: { authorization: 'Bearer hunter2' },
      params: { message: { messageId: 'm', taskId: 't7', role: 'ROLE_USER', parts: [{ text: 'hunter2' }] } },
    },
  );
  expect(calls).toHaveLength(4);
  const told = { requestId: 'r1', agent: 'http://agent.test/card', method: 'SendMessage', taskId: 't7' };
  const steps = [1, 2, 3].map((n) => ({ ...told, attempt: n, delayMs: 500 * 2 ** n }));
  expect(events).toMatchObject(steps);
  expect(lines).toMatchObject(steps.map((fields) => ({ level: 'warn', fields: { ...fields, reason: 'AGENT_UNAVAILABLE' } })));
  expect(JSON.stringify([events, lines])).not.toContain('hunter2');
});

test('B21: a hook and a logger that throw do not affect the call', async () => {
  const tools = bench();
  const loud = () => {
    throw new Error('the log is full');
  };
  const peer = scriptedSend(tools.clock, [503, 'ok']);
  const interceptor = retry({ onRetry: loud }, { ...tools, logger: { debug: loud, info: loud, warn: loud, error: loud } });
  const result = outcome(tools.chain(peer, interceptor)(tools.call('GetTask')));
  await tools.clock.tick(1_000);
  expect(result.value).toMatchObject({ kind: 'value' });
});

test('B22: without the guard, a send that may have run is sent again', async () => {
  const guarded = await attempt([broken()], EXACT, { method: 'SendMessage' });
  const unguarded = await attempt([broken()], { ...EXACT, policy: () => true }, { method: 'SendMessage' });
  expect([guarded.calls.length, unguarded.calls.length]).toEqual([1, 4]);
});

test('B23: each attempt is the same call: params, message id, request id and key stay, attempt increases', async () => {
  const { calls } = await attempt([503], EXACT, { method: 'SendMessage', headers: { 'x-mine': '1' } });
  expect(calls.map((call) => call.attempt)).toEqual([1, 2, 3, 4]);
  const [first, ...others] = calls.map(({ attempt: _, ...rest }) => rest);
  for (const other of others) expect(other).toStrictEqual(first);
  expect(new Set(calls.map((call) => call.params)).size).toBe(1);
});

test('C9: all attempts carry one key', async () => {
  const { calls } = await attempt([broken(), 503, 'ok'], EXACT, { method: 'SendMessage', peer: LOG_PEER });
  expect(calls.map((call) => call.idempotencyKey)).toEqual(['k1', 'k1', 'k1']);
});

test('D33: a send that broke without a response is repeated only for a peer that recognizes its key', async () => {
  const tries = async (more: Partial<ClientCall> & { method?: ClientMethod }) =>
    (await attempt([broken(), 'ok'], EXACT, more)).calls.length;
  expect(await tries({ method: 'SendMessage' })).toBe(1);
  expect(await tries({ method: 'SendStreamingMessage' })).toBe(1);
  expect(await tries({ method: 'SendMessage', peer: LOG_PEER })).toBe(2);
  expect(await tries({ method: 'GetTask' })).toBe(2);
  expect(await tries({ method: 'CancelTask' })).toBe(2);
});

test('a stream is retried until it is open, but not after that', async () => {
  const { value, calls } = await attempt([503, 'stream'], EXACT, { method: 'SendStreamingMessage' });
  expect([value, calls.length]).toMatchObject([{ kind: 'stream' }, 2]);
});

test('a delay that would end after the deadline is not started: the last error is returned immediately', async () => {
  const tools = bench();
  const peer = scriptedSend(tools.clock, [503]);
  const budget = createBudget({ clock: tools.clock, deadline: tools.clock.now() + 2_500 });
  const result = outcome(tools.chain(peer, retry(EXACT, tools))(tools.call('GetTask', { budget })));
  await tools.clock.tick(1_000);
  expect([result.done(), result.error, peer.times]).toMatchObject([true, { httpStatus: 503 }, [0, 1_000]]);
});

test('an abort ends the delay immediately, and leaves neither a timer nor a listener', async () => {
  const tools = bench();
  const peer = scriptedSend(tools.clock, [503]);
  const { controller, listeners } = countedSignal();
  const result = outcome(tools.chain(peer, retry(EXACT, tools))(tools.call('GetTask', { signal: controller.signal })));
  await tools.clock.tick(1_500);
  expect([peer.calls.length, listeners()]).toEqual([2, 1]);
  controller.abort('enough');
  await tools.clock.tick();
  expect(result.error).toMatchObject({ reason: 'ABORTED', cause: 'enough' });
  expect([peer.calls.length, tools.clock.pending]).toEqual([2, 0]);
});

test('a call whose caller aborted while it failed is not retried', async () => {
  const controller = new AbortController();
  const tools = bench();
  const send = retry(
    EXACT,
    tools,
  )(async () => {
    controller.abort('gone');
    throw httpError(503);
  });
  await expect(send(tools.call('GetTask', { signal: controller.signal }))).rejects.toMatchObject({ reason: 'ABORTED', cause: 'gone' });
  expect([tools.clock.pending, tools.lines]).toEqual([0, []]);
});

test('a foreign error becomes an A2AError and is not retried', async () => {
  const tools = bench();
  const send = retry(EXACT, tools)(() => Promise.reject(new TypeError('a bug')));
  await expect(send(tools.call('GetTask'))).rejects.toMatchObject({ reason: 'INTERNAL_ERROR', cause: { message: 'a bug' } });
});

test('an unreadable response is not retried', async () => {
  expect((await attempt([new A2ATransportError('serialization', 'no JSON', { sent: true })])).calls).toHaveLength(1);
});
