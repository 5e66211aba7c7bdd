import { describe, expect, test } from 'vitest';
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
import { A2AActivationTimeoutError, A2AError } from '../../protocol/errors.js';
import type { ClientCall, ClientMethod } from '../call.js';
import { activation } from './activation.js';
import { type ActivationOptions, kedaActivation } from './activation-policy.js';
import { createBudget } from './budget.js';
import { retry } from './retry.js';

const EXACT = { jitter: false };

interface More extends Partial<ClientCall> {
  readonly method?: ClientMethod;
}

function start(steps: readonly Step[], options: ActivationOptions = EXACT, { method = 'GetTask', ...more }: More = {}) {
  const tools = bench();
  const { controller, listeners } = countedSignal();
  const peer = scriptedSend(tools.clock, steps);
  const send = tools.chain(peer, activation(options, tools), retry({ jitter: false }, tools));
  const result = outcome(send(tools.call(method, { signal: controller.signal, ...more })));
  return { ...tools, controller, listeners, peer, result };
}

async function attempt(...args: Parameters<typeof start>) {
  const started = start(...args);
  await started.clock.tick(1_000_000);
  expect([started.result.done(), started.clock.pending, started.listeners()]).toEqual([true, 0, 0]);
  return { ...started, value: started.result.value, error: started.result.error, times: started.peer.times };
}

test('A1: three retries after 100, 200 and 400 ms, then the last error unchanged', async () => {
  const last = httpError(503);
  const { error, times } = await attempt([502, 504, refused(), last]);
  expect(times).toEqual([0, 100, 300, 700]);
  expect(error).toBe(last);
});

test('A4: 500 and 4xx are not a cold start: they are left to retry, or returned immediately', async () => {
  const { times } = await attempt([500, 'ok']);
  expect(times).toEqual([0, 1_000]);
  const { peer, error } = await attempt([new A2AError('INVALID_PARAMS', 'no')]);
  expect([peer.calls.length, error]).toMatchObject([1, { reason: 'INVALID_PARAMS' }]);
});

test('A6: the deadline aborts a call in flight', async () => {
  const { clock, result, peer, listeners } = start(['hang'], { maxColdStartMs: 1_000 });
  await clock.tick(999);
  expect(result.done()).toBe(false);
  await clock.tick(1);
  expect(result.error).toBeInstanceOf(A2AActivationTimeoutError);
  expect(result.error).toMatchObject({ attempts: 1, elapsedMs: 1_000 });
  expect([peer.calls[0]?.signal?.aborted, clock.pending, listeners()]).toEqual([true, 0, 0]);
});

test('A6: a hanging attempt after a failed one is aborted too, and the cause is the earlier failure', async () => {
  const first = httpError(503);
  const { error } = await attempt([first, 'hang'], { ...EXACT, maxColdStartMs: 1_000 });
  expect(error).toMatchObject({ name: 'A2AActivationTimeoutError', attempts: 2, elapsedMs: 1_000, cause: first });
});

test('A6: a delay that would end after the deadline is shortened, so that one more attempt is made', async () => {
  const { error, times } = await attempt([httpError(503)], { ...kedaActivation({ maxColdStartMs: 2_000 }), jitter: false });
  expect(times).toEqual([0, 100, 300, 700, 1_500, 1_900]);
  expect(error).toMatchObject({ name: 'A2AActivationTimeoutError', attempts: 6, elapsedMs: 1_900 });
  expect((await attempt([503, 503, 503, 'ok'], { ...EXACT, maxColdStartMs: 500 })).times).toEqual([0, 100, 300, 400]);
});

test('A6: if little time is left, half of it is reserved for the last attempt', async () => {
  expect((await attempt([503], { ...EXACT, maxColdStartMs: 150 })).times).toEqual([0, 100, 125]);
});

test('A6: a gateway that asks for a longer delay than the time left ends the wait immediately', async () => {
  const { error, times } = await attempt([httpError(503, 3_000)], { ...EXACT, maxColdStartMs: 2_000 });
  expect(times).toEqual([0]);
  expect(error).toMatchObject({ name: 'A2AActivationTimeoutError', attempts: 1, elapsedMs: 0 });
});

test('A6: a blocking send in flight may be running and is not aborted; one with returnImmediately is', async () => {
  const blocking = start(['hang'], { maxColdStartMs: 1_000 }, { method: 'SendMessage' });
  await blocking.clock.tick(100_000);
  expect(blocking.result.done()).toBe(false);
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] } as const;
  const quick = start(
    ['hang'],
    { maxColdStartMs: 1_000 },
    {
      method: 'SendMessage',
      params: { message, configuration: { returnImmediately: true } },
    },
  );
  await quick.clock.tick(1_000);
  expect(quick.result.error).toMatchObject({ name: 'A2AActivationTimeoutError' });
});

test('A8: permanent 503 with 50 ms: an activation timeout with the 503, the attempts and the time', async () => {
  const { error, peer } = await attempt([503], { ...EXACT, maxColdStartMs: 50, initialDelayMs: 10 });
  expect(error).toMatchObject({
    name: 'A2AActivationTimeoutError',
    reason: 'AGENT_UNAVAILABLE',
    cause: { httpStatus: 503 },
    attempts: 4,
    elapsedMs: 40,
  });
  expect(peer.calls).toHaveLength(4);
});

test('A10: an open stream is not affected: the deadline covers its opening only', async () => {
  const { clock, result, controller, listeners } = start([503, 'stream'], EXACT, { method: 'SubscribeToTask' });
  await clock.tick(100_000);
  expect([result.value, clock.pending, listeners()]).toMatchObject([{ kind: 'stream' }, 0, 1]);
  const reply = result.value;
  if (reply?.kind !== 'stream') throw new Error('no stream');
  for await (const _ of reply.events);
  expect(listeners()).toBe(0);
  controller.abort();
});

describe('C8', () => {
  /** An agent that needs 20 s to start, behind a gateway that refuses quickly. */
  const coldFor = (ms: number) => {
    const tools = bench();
    const wakesAt = tools.clock.now() + ms;
    const peer = { tries: 0 };
    const send = async () => {
      peer.tries += 1;
      if (tools.clock.now() < wakesAt) throw httpError(503);
      return { kind: 'value', value: {}, extensions: [] } as const;
    };
    return { tools, peer, send };
  };

  test('C8: a cold start of 20 s fails with the defaults, and succeeds with kedaActivation()', async () => {
    const usual = coldFor(20_000);
    const failed = outcome(activation({}, usual.tools)(usual.send)(usual.tools.call('SendMessage')));
    await usual.tools.clock.tick(60_000);
    expect([failed.error, usual.peer.tries]).toMatchObject([{ httpStatus: 503 }, 4]);
    const patient = coldFor(20_000);
    const woken = outcome(activation(kedaActivation(), patient.tools)(patient.send)(patient.tools.call('SendMessage')));
    await patient.tools.clock.tick(60_000);
    expect(woken.value).toMatchObject({ kind: 'value' });
    expect(patient.peer.tries).toBeGreaterThan(10);
  });

  test('C8: kedaActivation() gives up after 60 s, regardless of the number of attempts', async () => {
    const { tools, send } = coldFor(Number.POSITIVE_INFINITY);
    const result = outcome(activation(kedaActivation(EXACT), tools)(send)(tools.call('GetTask')));
    await tools.clock.tick(60_000);
    expect(result.error).toMatchObject({ name: 'A2AActivationTimeoutError', elapsedMs: expect.any(Number) });
    expect(tools.clock.pending).toBe(0);
    expect(kedaActivation()).toEqual({ maxColdStartMs: 60_000, maxRetries: Number.POSITIVE_INFINITY });
    expect(kedaActivation({ maxColdStartMs: 90_000 })).toMatchObject({ maxColdStartMs: 90_000 });
  });
});

test('C9: all attempts of retry and activation share one key, one request id and one message', async () => {
  const { peer } = await attempt([503, broken(), 503, httpError(429, 10), 'ok'], EXACT, { method: 'SendMessage', peer: LOG_PEER });
  expect(peer.calls).toHaveLength(5);
  expect(new Set(peer.calls.map((call) => call.idempotencyKey))).toEqual(new Set(['k1']));
  expect(new Set(peer.calls.map((call) => call.requestId))).toEqual(new Set(['r1']));
  expect(new Set(peer.calls.map((call) => call.params)).size).toBe(1);
  expect(peer.calls.map((call) => call.attempt)).toEqual([1, 2, 3, 4, 5]);
});

test('D33: a send that may have run is not repeated for a cold start either', async () => {
  for (const step of [broken(), 502, 504] as const) {
    expect((await attempt([step], EXACT, { method: 'SendMessage' })).peer.calls).toHaveLength(1);
    expect((await attempt([step, 'ok'], EXACT, { method: 'SendMessage', peer: LOG_PEER })).peer.calls).toHaveLength(2);
  }
  expect((await attempt([refused(), 503, 'ok'], EXACT, { method: 'SendMessage' })).peer.calls).toHaveLength(3);
});

test('B4: a 503 with retryable false is not retried', async () => {
  const error = new A2AError('AGENT_UNAVAILABLE', 'never', { httpStatus: 503, retryable: false });
  expect((await attempt([error])).peer.calls).toHaveLength(1);
});

test('a longer delay that a gateway asks for is used, within the deadline', async () => {
  expect((await attempt([httpError(503, 2_000), 'ok'])).times).toEqual([0, 2_000]);
  const { error, times } = await attempt([httpError(503, 6_000), 'ok']);
  expect([times, error]).toMatchObject([[0], { name: 'A2AActivationTimeoutError' }]);
});

test('an agent that responds, even with a refusal, is awake: the cold-start deadline no longer applies', async () => {
  const { times, value } = await attempt([503, httpError(429, 20_000), 503, 'ok']);
  expect(times).toEqual([0, 100, 20_100, 22_100]);
  expect(value).toMatchObject({ kind: 'value' });
});

test('if the deadline of the call is earlier than that of the cold start, the last error is returned immediately', async () => {
  const tools = bench();
  const peer = scriptedSend(tools.clock, [503]);
  const budget = createBudget({ clock: tools.clock, deadline: tools.clock.now() + 250 });
  const result = outcome(tools.chain(peer, activation(EXACT, tools))(tools.call('GetTask', { budget })));
  await tools.clock.tick(1_000);
  expect([result.error, peer.times]).toMatchObject([{ httpStatus: 503 }, [0, 100]]);
});

test('an abort ends an attempt and a delay immediately', async () => {
  for (const steps of [['hang'], [503]] as const) {
    const { clock, controller, result } = start(steps);
    await clock.tick(50);
    controller.abort('enough');
    await clock.tick();
    expect(result.error).toMatchObject({ reason: 'ABORTED', cause: 'enough' });
    expect(clock.pending).toBe(0);
  }
});

test('B21: waiting for an agent is logged', async () => {
  const { lines } = await attempt([503, 'ok']);
  const fields = { requestId: 'r1', agent: 'http://agent.test/', method: 'GetTask', taskId: 't1', attempt: 1, delayMs: 100 };
  expect(lines).toEqual([{ level: 'warn', fields: { ...fields, reason: 'AGENT_UNAVAILABLE' }, text: 'the agent may be asleep; retrying' }]);
});

test('activation and retry do not wait if the caller waits itself', async () => {
  expect((await attempt([503], EXACT, { activation: false })).peer.calls).toHaveLength(1);
  expect((await attempt([500, 'ok'], EXACT, { activation: false })).peer.calls).toHaveLength(2);
});
