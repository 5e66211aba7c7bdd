/** A task that a caller of A2A 0.3 started survives the crash of its node: the caller gets the rest from the next node. */
import { createClient } from '@parley/a2a/client';
import type { Agent } from '@parley/a2a/server';
import { createTestFetch, type ScriptStep, scriptedExecutor } from '@parley/a2a/testing';
import { describe, expect, test } from 'vitest';
import { quiet, until, untilIdle } from '../looking.js';
import { cluster } from '../nodes.js';
import { deltas } from './run-walk.js';
import { collect } from './scripted-peer.js';
import { asV03, type OldBinding } from './v03-card.js';

const words = (...texts: string[]): ScriptStep[] =>
  texts.flatMap((text) => [{ do: 'append', artifactId: 'answer', text }, { do: 'flush' }]);

/** Two nodes behind one address. */
function behindOneAddress(preferred: OldBinding) {
  let current: ReturnType<typeof createTestFetch> | undefined;
  const versions: (string | undefined)[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (current === undefined) throw new TypeError('fetch failed');
    const response = await current(input, init);
    const { headers, operation } = current.requests.at(-1) ?? {};
    if (operation !== 'GetAgentCard') versions.push(headers?.['a2a-version']);
    return response;
  };
  const client = createClient('http://test', {
    fetch: asV03(fetch, preferred),
    retry: false,
    breaker: false,
    reconnect: { initialDelayMs: 1 },
  });
  const goTo = (agent: Agent): void => {
    current = createTestFetch(agent);
  };
  return { client, versions, goTo };
}

describe.each(['JSONRPC', 'HTTP+JSON'] as const)('D50, D18: over %s of A2A 0.3', (binding) => {
  async function crashed(steps: readonly ScriptStep[], options: { recovery?: 'restart' } = {}) {
    const world = cluster();
    const { client, versions, goTo } = behindOneAddress(binding);
    const first = world.start({ executor: scriptedExecutor([...steps, { do: 'gate', name: 'never' }]), ...options });
    goTo(first.agent);
    const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'go' }] } as const;
    const { task } = await client.sendMessage({ message, configuration: { returnImmediately: true } });
    await quiet();
    const before = await client.getTask({ id: task?.id ?? '' });
    await world.crash(first);
    return { ...world, client, versions, goTo, before, id: before.id };
  }

  test('D50, D18: a restarted run is followed by a watch, and its answer is complete', async () => {
    const { client, versions, goTo, start, before, id } = await crashed(words('lost '), { recovery: 'restart' });
    expect(before.artifacts).toMatchObject([{ parts: [{ text: 'lost ' }] }]);
    const executor = scriptedExecutor([...words('all ', 'of ', 'it'), { do: 'complete' }]);
    const next = start({ recovery: 'restart', executor });
    goTo(next.agent);
    await until(() => executor.runs.length === 1);
    expect(executor.runs[0]).toMatchObject({ attempt: 2, text: 'go', taskId: id });
    const watch = client.watch(id);
    expect(deltas(await collect(watch)).join('')).toBe('all of it');
    const reply = await watch.result;
    expect(reply.text).toBe('all of it');
    expect(reply).toMatchObject({ state: 'TASK_STATE_COMPLETED', task: { id, contextId: before.contextId } });
    expect(new Set(versions)).toEqual(new Set(['0.3']));
    await untilIdle(next.agent);
  });

  test('D50, D18: without a restart, the caller reads the failure with its reason', async () => {
    const { client, goTo, start, id } = await crashed(words('half'));
    const next = start({ executor: scriptedExecutor([{ do: 'throw', error: new Error('execute must not be called') }]) });
    goTo(next.agent);
    await until(() => next.agent.tasks.running.length === 0);
    await quiet();
    const task = await client.getTask({ id });
    expect(task).toMatchObject({
      status: {
        state: 'TASK_STATE_FAILED',
        message: { metadata: { 'urn:parley:a2a:error': { reason: 'AGENT_UNAVAILABLE', why: 'crash', retryable: true } } },
      },
      artifacts: [{ parts: [{ text: 'half' }] }],
    });
    await expect(client.watch(id).result).rejects.toMatchObject({ name: 'A2ATaskFailedError', reason: 'AGENT_UNAVAILABLE' });
  });

  test('D50, D18: a message that is sent again with its key after the crash creates no second task', async () => {
    const world = cluster();
    const { client, goTo } = behindOneAddress(binding);
    const first = world.start({ executor: scriptedExecutor([...words('half'), { do: 'gate', name: 'never' }]), recovery: 'restart' });
    goTo(first.agent);
    const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'go' }] } as const;
    const options = { idempotencyKey: 'a-key-that-is-long-enough' };
    const sent = await client.sendMessage({ message, configuration: { returnImmediately: true } }, options);
    await world.crash(first);
    const executor = scriptedExecutor([...words('done'), { do: 'complete' }]);
    goTo(world.start({ executor, recovery: 'restart' }).agent);
    const again = await client.sendMessage({ message, configuration: { returnImmediately: true } }, options);
    expect(again.task?.id).toBe(sent.task?.id);
    expect((await client.watch(sent.task?.id ?? '').result).text).toContain('done');
    expect(executor.runs).toHaveLength(1);
  });
});
