// Three agents in a row: the error of the last one reaches the caller of the first, and each hop adds its own description.
import { describe, expect, test } from 'vitest';
import { A2AError, A2ATaskFailedError, A2ATransportError, readFailure, wrapDownstreamError } from '../../src/index.js';
import type { SendMessageResponse, Task } from '../../src/protocol/types.js';
import type { Agent } from '../../src/server/agent.js';
import { createAgent, type Execute } from '../../src/server/index.js';
import { readHttpFailure, readRestError, readRpcError } from '../../src/wire/read-error.js';
import { type FetchPath, fetchInProcess, userMessage, V1 } from '../endpoints.js';

type Binding = 'JSON-RPC' | 'HTTP+JSON';
const BINDINGS: readonly Binding[] = ['JSON-RPC', 'HTTP+JSON'];

/** Sends a message as a client does. Returns the response, or throws the error that was read from it. */
async function ask(agent: Agent, binding: Binding = 'JSON-RPC'): Promise<SendMessageResponse> {
  const knock = fetchInProcess(agent);
  return binding === 'JSON-RPC' ? askRpc(knock, agent) : askRest(knock, agent);
}

const headers = { ...V1, 'content-type': 'application/json' };
const nameOf = (agent: Agent): string => agent.settings.card.name;

async function askRpc(knock: FetchPath, agent: Agent): Promise<SendMessageResponse> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: userMessage('go') });
  const response = await knock('/', { method: 'POST', headers, body });
  const { result, error } = JSON.parse(await response.text());
  if (error !== undefined) throw readRpcError(error, { httpStatus: response.status, peer: nameOf(agent) });
  return result;
}

async function askRest(knock: FetchPath, agent: Agent): Promise<SendMessageResponse> {
  const response = await knock('/message:send', { method: 'POST', headers, body: JSON.stringify(userMessage('go')) });
  const body = JSON.parse(await response.text());
  if (!response.ok) throw readRestError(body, response.status, { peer: nameOf(agent) });
  return body;
}

/** Like a run: a failed task is thrown as an error that carries the task. */
async function run(agent: Agent, binding?: Binding): Promise<Task | undefined> {
  const { task } = await ask(agent, binding);
  const failure = task === undefined ? undefined : readFailure(task);
  if (task === undefined || failure === undefined) return task;
  throw new A2ATaskFailedError(failure.reason, task, failure.message, { ...failure, peer: nameOf(agent) });
}

const agentThat = (name: string, execute: Execute): Agent => createAgent({ name, auth: 'none', execute });

async function errorOf(call: Promise<unknown>): Promise<A2AError> {
  const error = await call.then(
    () => expect.fail('expected a rejection'),
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
  test('D28: without a task, the error of the call carries the chain', async () => {
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
    expect(error.metadata, 'metadata that C sends about itself must not appear as metadata of A').not.toHaveProperty('quota');
  });

  test('D28: with a task at each agent, the failed task and the error of its run carry the chain', async () => {
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

  test('D28: an error passed to events.fail() has the same chain', async () => {
    const c = agentThat('C', async () => busy());
    const b = agentThat('B', async (_, events) => events.fail(await errorOf(ask(c, binding))));
    const a = agentThat('A', async (_, events) => events.fail(await errorOf(run(b, binding))));
    expect((await errorOf(run(a, binding))).chain).toEqual(EXPECTED);
  });
});

test('B18: an error that the agent wrapped itself is not wrapped again', async () => {
  const c = agentThat('C', async () => busy());
  const b = agentThat('B', async () => {
    throw wrapDownstreamError(await errorOf(ask(c)), { currentAgent: 'Beatrice', downstreamAgent: 'Celia' });
  });
  const { chain, message } = await errorOf(ask(b));
  expect(message).toBe("Downstream agent 'Celia' failed");
  expect(chain).toMatchObject([{ currentAgent: 'Beatrice', downstreamAgent: 'Celia' }]);
});

test('B18: a transport error to another agent is described without secrets, and says whether to retry', async () => {
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

test('B18: an HTML page from a proxy in front of the last agent is a failure of that agent', async () => {
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

test('D28: an A2AError that the agent throws itself has no chain, also with the same reason', async () => {
  const b = agentThat('B', async () => busy());
  expect(await errorOf(ask(b))).toMatchObject({ reason: 'RATE_LIMITED', message: 'C is busy', chain: [], metadata: { quota: 'c-only' } });
});

test('B19: of a chain of eighty agents, or of an agent that calls itself, eight hops arrive', async () => {
  let next = agentThat('agent 80', async () => busy());
  for (let n = 79; n > 0; n -= 1) {
    const below = next;
    next = agentThat(`agent ${n}`, async () => void (await ask(below)));
  }
  const error = await errorOf(ask(next));
  expect(error.chain.map(({ currentAgent }) => currentAgent)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `agent ${n}`));
  expect(error).toMatchObject({ retryable: true, retryAfterMs: 3000 });
});

test('B19: an oversized chain from a peer is cut before it is passed on', async () => {
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

test('D28: an interceptor that fails on a call to another agent produces the same chain', async () => {
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
