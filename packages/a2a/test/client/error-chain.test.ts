// Three agents in a row: what the last one says reaches the caller of the first, as told by each on the way.
import { describe, expect, test } from 'vitest';
import { A2AError, A2ATaskFailedError, A2ATransportError, readFailure, wrapDownstreamError } from '../../src/index.js';
import type { SendMessageResponse, Task } from '../../src/protocol/types.js';
import type { Agent } from '../../src/server/agent.js';
import { createAgent, type Execute } from '../../src/server/index.js';
import { readHttpFailure, readRestError, readRpcError } from '../../src/wire/read-error.js';
import { type Knock, knockInProcess, userMessage, V1 } from '../doors.js';

type Binding = 'JSON-RPC' | 'HTTP+JSON';
const BINDINGS: readonly Binding[] = ['JSON-RPC', 'HTTP+JSON'];

/** Asks an agent as a client does: its answer, or its error as it was read. */
async function ask(agent: Agent, binding: Binding = 'JSON-RPC'): Promise<SendMessageResponse> {
  const knock = knockInProcess(agent);
  return binding === 'JSON-RPC' ? askRpc(knock, agent) : askRest(knock, agent);
}

const headers = { ...V1, 'content-type': 'application/json' };
const nameOf = (agent: Agent): string => agent.settings.card.name;

async function askRpc(knock: Knock, agent: Agent): Promise<SendMessageResponse> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: userMessage('go') });
  const response = await knock('/', { method: 'POST', headers, body });
  const { result, error } = JSON.parse(await response.text());
  if (error !== undefined) throw readRpcError(error, { httpStatus: response.status, peer: nameOf(agent) });
  return result;
}

async function askRest(knock: Knock, agent: Agent): Promise<SendMessageResponse> {
  const response = await knock('/message:send', { method: 'POST', headers, body: JSON.stringify(userMessage('go')) });
  const body = JSON.parse(await response.text());
  if (!response.ok) throw readRestError(body, response.status, { peer: nameOf(agent) });
  return body;
}

/** As a run does: a task that failed is an error with the task on it. */
async function run(agent: Agent, binding?: Binding): Promise<Task | undefined> {
  const { task } = await ask(agent, binding);
  const failure = task === undefined ? undefined : readFailure(task);
  if (task === undefined || failure === undefined) return task;
  throw new A2ATaskFailedError(failure.reason, task, failure.message, { ...failure, peer: nameOf(agent) });
}

const agentThat = (name: string, execute: Execute): Agent => createAgent({ name, auth: 'none', execute });

async function errorOf(call: Promise<unknown>): Promise<A2AError> {
  const error = await call.then(
    () => expect.fail('it did not fail'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof A2AError)) throw error;
  return error;
}

const busy = (): never => {
  throw new A2AError('RATE_LIMITED', 'C is busy', { retryAfterMs: 3000, metadata: { quota: 'c-only' } });
};

const EXPECTED = [
  {
    currentAgent: 'A',
    downstreamAgent: 'B',
    downstreamError: { code: -32603, reason: 'INTERNAL_ERROR', message: "Downstream agent 'C' failed" },
    retryable: true,
    retryAfter: 3,
  },
  {
    currentAgent: 'B',
    downstreamAgent: 'C',
    downstreamError: { code: -31004, reason: 'RATE_LIMITED', message: 'C is busy' },
    retryable: true,
    retryAfter: 3,
  },
];

describe.each(BINDINGS)('over %s', (binding) => {
  test('D28: with no task yet the chain is on the error of the call', async () => {
    const c = agentThat('C', async () => busy());
    const b = agentThat('B', async () => void (await ask(c, binding)));
    const a = agentThat('A', async () => void (await ask(b, binding)));
    const error = await errorOf(ask(a, binding));
    expect(error).toMatchObject({
      reason: 'INTERNAL_ERROR',
      message: "Downstream agent 'B' failed",
      retryable: true,
      retryAfterMs: 3000,
      peer: 'A',
    });
    expect(error.chain).toEqual(EXPECTED);
    expect(error.metadata, 'what C says of itself is not what A says').not.toHaveProperty('quota');
  });

  test('D28: with a task at each it is in the failed task, and on the error of whoever ran it', async () => {
    const c = agentThat('C', async (_, events) => {
      await events.working();
      busy();
    });
    const b = agentThat('B', async (_, events) => {
      await events.working();
      await run(c, binding);
    });
    const a = agentThat('A', async (_, events) => {
      await events.working();
      await run(b, binding);
    });
    const error = await errorOf(run(a, binding));
    expect(error).toMatchObject({ name: 'A2ATaskFailedError', reason: 'INTERNAL_ERROR', retryable: true, retryAfterMs: 3000 });
    expect(error.message).toBe("Downstream agent 'B' failed");
    expect(error.chain).toEqual(EXPECTED);
  });

  test('D28: given to fail() it is the same', async () => {
    const c = agentThat('C', async () => busy());
    const b = agentThat('B', async (_, events) => events.fail(await errorOf(ask(c, binding))));
    const a = agentThat('A', async (_, events) => events.fail(await errorOf(run(b, binding))));
    expect((await errorOf(run(a, binding))).chain).toEqual(EXPECTED);
  });
});

test('B18: an agent that wraps by itself is not wrapped again', async () => {
  const c = agentThat('C', async () => busy());
  const b = agentThat('B', async () => {
    throw wrapDownstreamError(await errorOf(ask(c)), { currentAgent: 'Beatrice', downstreamAgent: 'Celia' });
  });
  const { chain, message } = await errorOf(ask(b));
  expect(message).toBe("Downstream agent 'Celia' failed");
  expect(chain).toMatchObject([{ currentAgent: 'Beatrice', downstreamAgent: 'Celia' }]);
});

test('B18: the way to another agent is told in safe words, with what it means for trying again', async () => {
  const thrown = new A2ATransportError('timeout', 'no byte from http://u:hunter2@c.test/?k=1', {
    sent: true,
    phase: 'firstByte',
    peer: 'http://u:hunter2@c.test/?k=1',
  });
  const b = agentThat('B', async () => {
    throw thrown;
  });
  const error = await errorOf(ask(b));
  expect(error).toMatchObject({ message: "Downstream agent 'http://c.test/' failed", retryable: true });
  expect(error.chain).toMatchObject([
    { currentAgent: 'B', downstreamAgent: 'http://c.test/', downstreamError: { reason: 'TASK_TIMEOUT' } },
  ]);
  expect(JSON.stringify([error.message, error.details])).not.toContain('hunter2');
});

test('B18: a page of HTML from a proxy in front of the last agent is a failure of that agent', async () => {
  const page = { status: 502, header: () => undefined, bodyText: '<html>nginx 1.2.3</html>' };
  const b = agentThat('B', async () => {
    throw readHttpFailure(page, { peer: 'C' });
  });
  const error = await errorOf(ask(b));
  expect(error).toMatchObject({
    httpStatus: 500,
    retryable: true,
    chain: [{ downstreamAgent: 'C', downstreamError: { reason: 'AGENT_UNAVAILABLE' } }],
  });
  expect(JSON.stringify(error.details)).not.toContain('nginx');
});

test("D28: an agent's own statement is its own, also when it has the same reason", async () => {
  const b = agentThat('B', async () => busy());
  expect(await errorOf(ask(b))).toMatchObject({ reason: 'RATE_LIMITED', message: 'C is busy', chain: [], metadata: { quota: 'c-only' } });
});

test('B19: eighty agents in a row, or one that calls itself: eight hops arrive', async () => {
  let next = agentThat('agent 80', async () => busy());
  for (let n = 79; n > 0; n -= 1) {
    const below = next;
    next = agentThat(`agent ${n}`, async () => void (await ask(below)));
  }
  const error = await errorOf(ask(next));
  expect(error.chain.map(({ currentAgent }) => currentAgent)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `agent ${n}`));
  expect(error).toMatchObject({ retryable: true, retryAfterMs: 3000 });
});

test('B19: a peer that sends a chain without end does not get it passed on', async () => {
  const nest = (levels: number): object => ({
    currentAgent: 'x'.repeat(5000),
    downstreamAgent: 'http://u:hunter2@y/?z',
    downstreamError: { code: 1, reason: 'R', message: 'm'.repeat(5000), ...(levels > 0 && { data: nest(levels - 1) }) },
    retryable: 'maybe',
  });
  const hostile = {
    code: -32603,
    message: 'no',
    data: [
      { '@type': 'type.googleapis.com/google.protobuf.Struct', value: nest(3) },
      { '@type': 'x', value: nest(500) },
    ],
  };
  const b = agentThat('B', async (_, events) => {
    await events.working();
    throw readRpcError(hostile, { peer: 'C' });
  });
  const error = await errorOf(run(b));
  expect(error.chain).toHaveLength(5);
  expect(JSON.stringify(error.chain).length).toBeLessThan(16_384);
  expect(JSON.stringify(error.chain)).not.toContain('hunter2');
});

test('D28: an interceptor that asks another agent and fails is no different', async () => {
  const c = agentThat('C', async () => busy());
  const b = createAgent({
    name: 'B',
    auth: 'none',
    interceptors: [
      (next) => async (call) => {
        await ask(c);
        return next(call);
      },
    ],
    execute: async () => 'never',
  });
  expect((await errorOf(ask(b))).chain).toMatchObject([
    { currentAgent: 'B', downstreamAgent: 'C', downstreamError: { reason: 'RATE_LIMITED' } },
  ]);
});
