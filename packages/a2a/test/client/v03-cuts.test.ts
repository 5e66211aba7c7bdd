/** Runs against a Parley agent in A2A 0.3, over a network that breaks: nothing is lost, and nothing is delivered twice. */
import { createClient } from '@parley/a2a/client';
import { createAgent } from '@parley/a2a/server';
import {
  createTestFetch,
  type NetworkFault,
  type RecordedRequest,
  type ScriptStep,
  scriptedExecutor,
  withFaults,
} from '@parley/a2a/testing';
import { describe, expect, test } from 'vitest';
import { deltas } from './run-walk.js';
import { collect } from './scripted-peer.js';
import { asV03, type OldBinding } from './v03-card.js';

const words = (...texts: string[]): ScriptStep[] =>
  texts.flatMap((text) => [{ do: 'append', artifactId: 'answer', text }, { do: 'flush' }]);
const STORY: ScriptStep[] = [
  { do: 'working', text: 'thinking' },
  ...words('Once ', 'upon ', 'a ', 'time'),
  { do: 'complete', text: 'The end' },
];

const TOLD = ['Once ', 'upon ', 'a ', 'time', 'The end'];

const isStream = ({ body, path }: RecordedRequest): boolean =>
  /message\/stream|tasks\/resubscribe/.test(body) || /:(?:stream|subscribe)/.test(path);

/** An agent and a client of it. `faults`: one for each stream, in order. */
function serve(preferred: OldBinding, steps: readonly ScriptStep[], faults: readonly (NetworkFault | undefined)[]) {
  const executor = scriptedExecutor(steps);
  const agent = createAgent({ name: 'Teller', executor });
  const left = [...faults];
  const network = withFaults(createTestFetch(agent), (request) => (isStream(request) ? left.shift() : undefined));
  const client = createClient('http://test', {
    fetch: asV03(network, preferred),
    retry: false,
    breaker: false,
    reconnect: { initialDelayMs: 1 },
  });
  return { agent, client, executor, left, streams: () => network.requests.filter(isStream) };
}

/** Without what differs between two runs. */
function contentOf(value: unknown): unknown {
  const skipped = new Set(['timestamp', 'taskId', 'contextId', 'messageId', 'id', 'task', 'recovered']);
  return JSON.parse(JSON.stringify(value, (key, member) => (skipped.has(key) ? undefined : member)));
}

describe.each(['JSONRPC', 'HTTP+JSON'] as const)('D50, G29: over %s of A2A 0.3', (binding) => {
  test.each<[string, NetworkFault]>([
    ['between two events', { do: 'drop', afterFrames: 3 }],
    ['inside an event', { do: 'drop', afterFrames: 3, plus: 20 }],
    ['by a body that ends too early', { do: 'end', afterFrames: 2 }],
    ['by bytes that are not an event', { do: 'garbage', afterFrames: 4 }],
  ])('D50, G29: a stream that is cut %s while the agent works is resumed after its last event', async (_, fault) => {
    const whole = serve(binding, STORY, []);
    const uncut = await collect(whole.client.run('Tell me a story'));
    const { agent, client, executor, left, streams } = serve(binding, STORY, [fault]);
    const run = client.run('Tell me a story');
    const updates = await collect(run);
    expect(left, 'the cut took place').toEqual([]);
    expect(deltas(updates)).toEqual(TOLD);
    expect(contentOf(updates.filter(({ kind }) => kind !== 'reconnect'))).toEqual(contentOf(uncut));
    const reply = await run.result;
    expect(contentOf(reply.artifacts)).toEqual(contentOf((await client.getTask({ id: run.taskId ?? '' })).artifacts));
    const [first, second] = streams();
    expect(first?.headers['last-event-id']).toBeUndefined();
    expect(second?.headers).toMatchObject({ 'a2a-version': '0.3', 'last-event-id': expect.stringMatching(/^\d+$/) });
    expect(executor.runs).toHaveLength(1);
    await Promise.all([agent.close({ drainMs: 0 }), whole.agent.close({ drainMs: 0 })]);
  });

  test('D50, G29: cuts after each event in turn lose nothing', async () => {
    const cuts = [1, 2, 1, 1, 1].map((afterFrames) => ({ do: 'drop', afterFrames }) as const);
    const { agent, client, streams } = serve(binding, STORY, cuts);
    const run = client.run('Tell me a story');
    expect(deltas(await collect(run))).toEqual(TOLD);
    expect(streams().length).toBeGreaterThan(3);
    const resumed = streams().map(({ headers }) => Number(headers['last-event-id'] ?? 0));
    expect(resumed, 'each one resumes further on').toEqual([...new Set(resumed)].sort((a, b) => a - b));
    await agent.close({ drainMs: 0 });
  });

  test('D50, G25: a stream that is lost before its first event is sent again with its key, and the agent runs once', async () => {
    const { agent, client, executor, streams } = serve(binding, STORY, [{ do: 'drop' }]);
    expect((await client.run('Tell me a story').result).text).toContain('Once upon a time');
    expect(executor.runs).toHaveLength(1);
    const keys = streams().map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(keys[0]).toMatch(/./);
    await agent.close({ drainMs: 0 });
  });

  test('D50, G29: a watch continues after the last event that the caller has seen', async () => {
    const { agent, client, executor } = serve(
      binding,
      [...words('a', 'b'), { do: 'gate', name: 'go' }, ...words('c'), { do: 'complete' }],
      [],
    );
    const run = client.run('go');
    let after = 0;
    for await (const update of run) {
      after = update.seq ?? after;
      if (update.kind === 'text') break;
    }
    executor.open('go');
    const watch = client.watch(run.taskId ?? '', { after });
    expect(deltas(await collect(watch))).toEqual(['b', 'c']);
    expect((await watch.result).text).toBe('abc');
    await agent.close({ drainMs: 0 });
  });
});
