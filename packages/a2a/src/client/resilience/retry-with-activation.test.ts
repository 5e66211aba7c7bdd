import { expect, test } from 'vitest';
import { bench, countedSignal, httpError, outcome, refused } from '../../../test/client/scripted-send.js';
import { A2AError } from '../../protocol/errors.js';
import type { JsonValue } from '../../protocol/types.js';
import { faultFetch } from '../../testing/index.js';
import type { CallOptions } from '../call-options.js';
import { createClient } from '../create-client.js';
import { callWithActivation, idempotencyKey, retryWithActivation } from './retry-with-activation.js';

const EXACT = { jitter: false };

/** Throws the scripted errors, then returns the number of the attempt. */
function scripted(steps: readonly unknown[]) {
  const attempts: number[] = [];
  const run = async (attempt: number): Promise<number> => {
    attempts.push(attempt);
    if (attempt < steps.length) throw steps[attempt];
    return attempt;
  };
  return { attempts, run };
}

async function waked(steps: readonly unknown[], options: Parameters<typeof retryWithActivation>[0] = EXACT) {
  const tools = bench();
  const { attempts, run } = scripted(steps);
  const result = outcome(retryWithActivation(options, run, tools));
  await tools.clock.tick(100_000);
  expect(tools.clock.pending).toBe(0);
  return { ...result, value: result.value, error: result.error, attempts };
}

test('A7: the first success is returned, and the function receives the attempt number', async () => {
  expect(await waked([])).toMatchObject({ value: 0, attempts: [0] });
  expect(await waked([new Error('HTTP 503'), refused()])).toMatchObject({ value: 2, attempts: [0, 1, 2] });
});

test('A7: when the retries are used up, the last error is thrown unchanged', async () => {
  const errors = [503, 502, 504, 503].map((status) => new Error(`HTTP ${status}`));
  const { error, attempts } = await waked([...errors, new Error('never reached')]);
  expect(error).toBe(errors[3]);
  expect(attempts).toEqual([0, 1, 2, 3]);
});

test('A7: an error that is not a cold start is thrown immediately', async () => {
  for (const thrown of [new Error('HTTP 500'), new A2AError('INVALID_PARAMS', 'no'), 'no text of ours', undefined]) {
    const { error, attempts } = await waked([thrown, thrown]);
    expect([error, attempts]).toEqual([thrown, [0]]);
  }
});

test('A7: zero retries is one call', async () => {
  const error = new Error('HTTP 503');
  expect(await waked([error], { maxRetries: 0 })).toMatchObject({ error, attempts: [0] });
});

test('A7: a function that throws synchronously is treated the same way', async () => {
  const tools = bench();
  let tries = 0;
  const run = (): string => {
    tries += 1;
    if (tries === 1) throw new Error('connection refused');
    return 'up';
  };
  const result = outcome(retryWithActivation(EXACT, run, tools));
  await tools.clock.tick(1_000);
  expect([result.value, tries]).toEqual(['up', 2]);
});

test('A6: the deadline ends a function that ignores its signal, and one that does not', async () => {
  const tools = bench();
  let seen: AbortSignal | undefined;
  const run = (_: number, signal: AbortSignal): Promise<never> => {
    seen = signal;
    return new Promise(() => {});
  };
  const result = outcome(retryWithActivation({ maxColdStartMs: 500 }, run, tools));
  await tools.clock.tick(500);
  expect(result.error).toMatchObject({ name: 'A2AActivationTimeoutError', attempts: 1, elapsedMs: 500 });
  expect([seen?.aborted, tools.clock.pending]).toEqual([true, 0]);
});

test('the caller can abort at any time, even if the function ignores its signal', async () => {
  const tools = bench();
  const { controller, listeners } = countedSignal();
  const result = outcome(retryWithActivation({ signal: controller.signal }, () => new Promise(() => {}), tools));
  await tools.clock.tick(10);
  controller.abort('enough');
  await tools.clock.tick();
  expect(result.error).toMatchObject({ reason: 'ABORTED', cause: 'enough' });
  expect([tools.clock.pending, listeners()]).toEqual([0, 0]);
  const gone = { signal: AbortSignal.abort('gone') };
  await expect(retryWithActivation(gone, () => new Promise(() => {}), tools)).rejects.toMatchObject({ reason: 'ABORTED', cause: 'gone' });
  await expect(retryWithActivation({ maxRetries: -1 }, () => 1)).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
});

test('A9: one key per attempt, for servers that want this', () => {
  expect([0, 1].map((attempt) => idempotencyKey('r1', attempt))).toEqual(['r1:0', 'r1:1']);
});

interface Seen {
  readonly method: string;
  readonly params: JsonValue | undefined;
  readonly options: CallOptions | undefined;
}

function clientOf(steps: readonly (A2AError | JsonValue)[]) {
  const seen: Seen[] = [];
  return {
    seen,
    async call(method: string, params?: JsonValue, options?: CallOptions): Promise<JsonValue> {
      seen.push({ method, params, options });
      const step = steps[Math.min(seen.length, steps.length) - 1];
      if (step instanceof A2AError) throw step;
      return step ?? null;
    },
  };
}

test('A23: callWithActivation calls any method of an agent that may be asleep', async () => {
  const tools = bench();
  const client = clientOf([httpError(503), refused(), { state: 'up' }]);
  const result = outcome(
    callWithActivation(client, { method: 'GetTask', params: { id: 't1' } }, { jitter: false, headers: { 'x-a': '1' }, tools }),
  );
  await tools.clock.tick(1_000);
  expect(result.value).toEqual({ state: 'up' });
  expect(client.seen).toHaveLength(3);
  expect(client.seen[2]).toMatchObject({
    method: 'GetTask',
    params: { id: 't1' },
    options: { headers: { 'x-a': '1' }, activation: false },
  });
  expect(client.seen[2]?.options).not.toHaveProperty('jitter');
});

test('A8: callWithActivation with a permanent 503 and 50 ms ends with an activation timeout that has the 503 as its cause', async () => {
  const tools = bench();
  const client = clientOf([httpError(503)]);
  const options = { jitter: false, maxColdStartMs: 50, initialDelayMs: 10, tools };
  const result = outcome(callWithActivation(client, { method: 'GetTask' }, options));
  await tools.clock.tick(1_000);
  expect(result.error).toMatchObject({ name: 'A2AActivationTimeoutError', cause: { httpStatus: 503 }, attempts: 4, elapsedMs: 40 });
});

test('A9: all attempts of one call share one key and one request id; another call has others', async () => {
  const tools = bench();
  const client = clientOf([httpError(503), httpError(503), null]);
  const first = outcome(callWithActivation(client, { method: 'SendMessage' }, { tools }));
  await tools.clock.tick(1_000);
  expect(first.done()).toBe(true);
  const ids = client.seen.map(({ options }) => [options?.requestId, options?.idempotencyKey]);
  expect(ids).toEqual(Array(3).fill(ids[0]));
  expect(ids[0]).toEqual([expect.any(String), expect.any(String)]);
  await callWithActivation(client, { method: 'SendMessage' }, { tools });
  expect(client.seen[3]?.options?.idempotencyKey).not.toBe(ids[0]?.[1]);
  await callWithActivation(client, { method: 'SendMessage' }, { tools, requestId: 'r', idempotencyKey: 'k' });
  expect(client.seen[4]?.options).toMatchObject({ requestId: 'r', idempotencyKey: 'k' });
});

/** A complete client of a scripted agent. `ways` defines what happens to its requests for the card and for SendMessage, in order. */
function callAgent(options: { readonly log: boolean; readonly card?: readonly Way[]; readonly sends?: readonly Way[] }) {
  const { clock, random } = bench();
  const seen: string[] = [];
  const left = { card: [...(options.card ?? [])], sends: [...(options.sends ?? [])] };
  const agent = faultFetch({ clock, log: options.log, script: { SendMessage: { value: { task: TASK } } } });
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const isCard = String(input).endsWith('agent-card.json');
    seen.push(isCard ? 'card' : `send ${new Headers(init?.headers).get('idempotency-key')}`);
    const way = left[isCard ? 'card' : 'sends'].shift();
    if (typeof way === 'number') return new Response('', { status: way });
    if (way === 'reset')
      throw Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
    return agent(input, init);
  };
  const client = createClient('http://test', { fetch, clock, random });
  const params = { message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'x' }] } };
  const call = { method: 'SendMessage', params };
  const result = outcome(callWithActivation(client, call, { jitter: false, idempotencyKey: 'k', tools: { clock, random } }));
  return { clock, seen, result };
}

type Way = number | 'reset';
const TASK = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } as const;

test.each<Way>([502, 503, 504, 'reset'])('F31: callWithActivation retries when fetching the card fails with %s', async (way) => {
  for (const log of [false, true]) {
    const { clock, seen, result } = callAgent({ log, card: [way, way] });
    await clock.tick(5_000);
    expect(result.value).toMatchObject({ task: { id: 't' } });
    expect(seen).toEqual(['card', 'card', 'card', log ? 'send k' : 'send null']);
  }
});

test.each<Way>([502, 503, 504, 'reset'])(
  'F31: callWithActivation repeats the send with the same key when an agent with the log extension responds with %s',
  async (way) => {
    const { clock, seen, result } = callAgent({ log: true, sends: [way, way] });
    await clock.tick(5_000);
    expect(result.value).toMatchObject({ task: { id: 't' } });
    expect(seen).toEqual(['card', 'send k', 'send k', 'send k']);
  },
);

test.each<Way>([502, 504, 'reset'])(
  'D33: callWithActivation repeats no send that may have run: %s of an agent without the log extension',
  async (way) => {
    const { clock, seen, result } = callAgent({ log: false, sends: [way, way] });
    await clock.tick(100_000);
    expect(result.error).toMatchObject({ reason: way === 504 ? 'TASK_TIMEOUT' : 'AGENT_UNAVAILABLE', retryable: false });
    expect(seen).toEqual(['card', 'send null']);
  },
);

test('F31: callWithActivation ends with the last error if the card never arrives, not with the circuit that its own attempts opened', async () => {
  const { clock, seen, result } = callAgent({ log: true, card: Array(50).fill(502) });
  await clock.tick(100_000);
  expect(result.error).toMatchObject({ name: 'A2AError', httpStatus: 502 });
  expect(seen).toEqual(['card', 'card', 'card', 'card']);
});
