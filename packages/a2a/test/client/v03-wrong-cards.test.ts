/** Agents whose cards name another version than they speak: every message is executed once, in the version of the agent. */
import { createClient } from '@parley/a2a/client';
import { createAgent } from '@parley/a2a/server';
import { createTestFetch, type ScriptStep, scriptedExecutor } from '@parley/a2a/testing';
import { describe, expect, test } from 'vitest';
import type { AgentCard } from '../../src/protocol/types.js';
import { deltas } from './run-walk.js';
import { collect } from './scripted-peer.js';
import type { OldBinding } from './v03-card.js';

const STORY: ScriptStep[] = [
  { do: 'append', artifactId: 'answer', text: 'See ' },
  { do: 'requireInput', prompt: 'Which city?' },
  { do: 'append', artifactId: 'answer', text: 'Lisbon' },
  { do: 'complete' },
];

interface Lie {
  readonly binding: OldBinding;
  readonly claims: '0.3.0' | '1.0';
  /** Whether the card offers idempotency keys, which make a proof unnecessary. */
  readonly keys: boolean;
  /** Asked for each request. */
  readonly speaks: () => '0.3' | '1.0';
}

/** An agent that refuses requests of the other version as programs do that do not know it. */
function serve({ binding, claims, keys, speaks }: Lie) {
  const executor = scriptedExecutor(STORY, { turns: [STORY] });
  const agent = createAgent({ name: 'Guide', executor });
  const through = createTestFetch(agent);
  const refused: string[] = [];
  const executed: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('agent-card.json')) {
      const { url: _, ...card } = (await (await through(request.url)).json()) as AgentCard & { readonly url?: string }; // this path serves the card
      const at = { url: 'http://test', protocolBinding: binding, protocolVersion: claims };
      const capabilities = keys ? card.capabilities : { streaming: true };
      return Response.json({ ...card, capabilities, supportedInterfaces: [at] });
    }
    const { id, method } = binding === 'JSONRPC' ? JSON.parse(String(init?.body)) : { id: 0, method: pathname };
    const isOld = binding === 'JSONRPC' ? method.includes('/') : pathname.startsWith('/v1/');
    const isKnown = isOld === (speaks() === '0.3');
    (isKnown ? executed : refused).push(method);
    if (isKnown) return through(input, init);
    if (binding === 'HTTP+JSON') return new Response('<html>Cannot POST</html>', { status: 404, headers: { 'content-type': 'text/html' } });
    return Response.json({ jsonrpc: '2.0', id, error: { code: -32601, message: `Method not found: ${method}` } });
  };
  const client = createClient('http://test', { fetch, retry: false, reconnect: { initialDelayMs: 1 } });
  return { agent, client, executor, refused, executed };
}

const CASES = (['JSONRPC', 'HTTP+JSON'] as const).flatMap((binding) => [
  { binding, claims: '1.0', speaks: '0.3', keys: true } as const,
  { binding, claims: '1.0', speaks: '0.3', keys: false } as const,
  { binding, claims: '0.3.0', speaks: '1.0', keys: true } as const,
  { binding, claims: '0.3.0', speaks: '1.0', keys: false } as const,
]);

describe.each(CASES)('D50: over $binding, a card claims $claims and its agent speaks $speaks (keys: $keys)', ({ speaks, ...lie }) => {
  test('D50: a run streams, asks and continues, and the agent runs once', async () => {
    const { agent, client, executor, refused, executed } = serve({ ...lie, speaks: () => speaks });
    const run = client.run('plan', { onInputRequired: () => 'Lisbon' });
    expect(deltas(await collect(run))).toEqual(['See ', 'Lisbon']);
    expect(await run.result).toMatchObject({ text: 'See Lisbon', state: 'TASK_STATE_COMPLETED' });
    expect([executor.runs.length, executor.answers]).toEqual([1, ['Lisbon']]);
    // The message, and the proof.
    expect(refused).toHaveLength(lie.keys ? 1 : 2);
    const streams = executed.filter((method) => /stream/i.test(method));
    expect(streams, 'the message and the reply').toHaveLength(2);
    await agent.close({ drainMs: 0 });
  });

  test('D50: unary sends, reads and cancels work', async () => {
    const { agent, client, executor } = serve({ ...lie, speaks: () => speaks });
    const reply = await client.send('plan');
    expect(reply).toMatchObject({ kind: 'task', state: 'TASK_STATE_INPUT_REQUIRED' });
    const id = reply.kind === 'task' ? reply.taskId : '';
    expect((await client.getTask({ id })).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect((await client.cancelTask({ id })).status.state).toBe('TASK_STATE_CANCELED');
    expect(executor.runs).toHaveLength(1);
    await agent.close({ drainMs: 0 });
  });

  test('D50: an agent that changes its version before the reply is followed, and gets the reply once', async () => {
    let spoken = speaks as '0.3' | '1.0';
    const { agent, client, executor } = serve({ ...lie, speaks: () => spoken });
    const onInputRequired = (): string => {
      spoken = spoken === '0.3' ? '1.0' : '0.3';
      return 'Lisbon';
    };
    const run = client.run('plan', { onInputRequired });
    expect(deltas(await collect(run))).toEqual(['See ', 'Lisbon']);
    expect([executor.runs.length, executor.answers]).toEqual([1, ['Lisbon']]);
    expect((await client.getTask({ id: run.taskId ?? '' })).status.state).toBe('TASK_STATE_COMPLETED');
    await agent.close({ drainMs: 0 });
  });
});
