// METHOD_NOT_FOUND and VERSION_NOT_SUPPORTED say that nothing was executed: an executor cannot say that.
import { A2AError } from '@parley/a2a';
import { createClient } from '@parley/a2a/client';
import { createAgent } from '@parley/a2a/server';
import { createTestFetch } from '@parley/a2a/testing';
import { describe, expect, test } from 'vitest';
import { saying, sayingProto, v03CallerOf } from './v03-wire.js';

const CHAIN = [
  {
    currentAgent: 'Relay',
    downstreamAgent: 'Printer',
    downstreamError: { code: -32601, reason: 'METHOD_NOT_FOUND', message: 'no such method' },
    retryable: false,
  },
];

const REFUSALS: readonly (readonly [string, () => A2AError])[] = [
  ['METHOD_NOT_FOUND', () => new A2AError('METHOD_NOT_FOUND', 'cannot print', { chain: CHAIN })],
  ['VERSION_NOT_SUPPORTED', () => new A2AError('VERSION_NOT_SUPPORTED', 'cannot print', { chain: CHAIN })],
  ['another reason with the code -32601', () => new A2AError('INVALID_PARAMS', 'cannot print', { code: -32601, chain: CHAIN })],
];

describe.each(REFUSALS)('D50: an executor that throws %s', (_, error) => {
  const agentThat = (before: 'at once' | 'after a status') =>
    createAgent({
      name: 'Relay',
      auth: 'none',
      async execute(_context, events) {
        if (before === 'after a status') await events.working('printing');
        throw error();
      },
    });

  test('D50: callers of 1.0 get an internal error with its text and its chain, over both bindings', async () => {
    const agent = agentThat('at once');
    for (const prefer of ['jsonrpc', 'rest'] as const) {
      const client = createClient('http://test', { fetch: createTestFetch(agent), retry: false, prefer });
      await expect(client.send('print'), prefer).rejects.toMatchObject({
        reason: 'INTERNAL_ERROR',
        code: -32603,
        message: 'cannot print',
        chain: [{ downstreamAgent: 'Printer', downstreamError: { reason: 'METHOD_NOT_FOUND' } }],
      });
    }
    await agent.close();
  });

  test('D50: callers of 0.3 get an internal error, over both bindings', async () => {
    const agent = agentThat('at once');
    const caller = v03CallerOf(agent);
    const rpc = await caller.rpc('message/send', saying('print'));
    expect(rpc.body.error).toMatchObject({ code: -32603, message: 'cannot print', data: { reason: 'INTERNAL_ERROR' } });
    const rest = await caller.rest('POST', '/v1/message:send', sayingProto('print'));
    expect(rest).toMatchObject({ status: 500, body: { code: -32603, message: 'cannot print', data: { reason: 'INTERNAL_ERROR' } } });
    await agent.close();
  });

  test('D50: a task that fails in this way has the reason INTERNAL_ERROR', async () => {
    const agent = agentThat('after a status');
    const client = createClient('http://test', { fetch: createTestFetch(agent), retry: false });
    const reply = await client.send('print');
    expect(reply).toMatchObject({
      state: 'TASK_STATE_FAILED',
      task: { status: { message: { metadata: { 'urn:parley:a2a:error': { reason: 'INTERNAL_ERROR', code: -32603 } } } } },
    });
    await agent.close();
  });
});
