// Calls of agents of A2A 0.3, of our agents over 0.3, and of the plain dialect.
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/create-client.js';
import type { AgentCard } from '../../src/protocol/types.js';
import { createAgent } from '../../src/server/index.js';
import { createTestFetch } from '../../src/testing/test-fetch.js';
import { sse } from './scripted-fetch.js';
import { CARD_V03, type Json, peerOf, TASK, wrong } from './v03-peer.js';

describe('D50: an agent of 0.3', () => {
  test('D50, F50: is called with its methods, its version header and its shapes', async () => {
    const { client, asked, bodies } = peerOf({ 'message/send': () => ({ result: TASK }) });
    expect(await client.send('hi')).toMatchObject({ kind: 'task', taskId: 't', state: 'TASK_STATE_COMPLETED' });
    expect(asked).toEqual(['message/send 0.3']);
    expect(bodies[0]).toMatchObject({
      message: { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
      configuration: { blocking: true },
    });
  });

  test('D50: a card that names 0.2 is one of 0.3', async () => {
    const { client, asked } = peerOf({ 'message/send': () => ({ result: TASK }) }, { ...CARD_V03, protocolVersion: '0.2.0' });
    await client.send('hi');
    expect(asked).toEqual(['message/send 0.3']);
  });

  test('D50: operations that 0.3 does not have fail before anything is sent', async () => {
    const { client, asked } = peerOf({});
    const listed = client.listTasks({});
    await expect(listed).rejects.toMatchObject({
      reason: 'UNSUPPORTED_OPERATION',
      message: expect.stringContaining('A2A 0.3 has no ListTasks'),
    });
    expect(asked).toEqual([]);
  });

  test('D50: a tenant is refused, because the call would reach another tenant without it', async () => {
    const { client, asked } = peerOf({ 'message/send': () => ({ result: TASK }) });
    await expect(client.send('hi', { tenant: 'acme' })).rejects.toMatchObject({
      reason: 'UNSUPPORTED_OPERATION',
      message: expect.stringContaining('no tenants'),
    });
    expect(asked).toEqual([]);
  });

  test('D50: with compat: false it is refused as before', async () => {
    const { client, asked } = peerOf({}, CARD_V03, { compat: false });
    await expect(client.send('hi')).rejects.toMatchObject({ name: 'A2AIncompatibleProtocolVersionError', version: '0.3.0' });
    expect(asked).toEqual([]);
  });

  test('D50: the card is found where it was before 0.3, and is revalidated there', async () => {
    const paths: string[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const { pathname } = new URL(String(input));
      paths.push(pathname);
      if (pathname === '/.well-known/agent.json') return Response.json(CARD_V03, { headers: { 'cache-control': 'no-cache' } });
      if (init?.method === 'POST') return Response.json({ jsonrpc: '2.0', id: JSON.parse(String(init.body)).id, result: TASK });
      return new Response('', { status: 404 });
    };
    const client = createClient('http://old.test', { fetch, retry: false });
    await client.send('one');
    await client.send('two');
    expect(paths).toEqual(['/.well-known/agent-card.json', '/.well-known/agent.json', '/rpc', '/.well-known/agent.json', '/rpc']);
    paths.length = 0;
    await expect(createClient('http://old.test', { fetch, retry: false, compat: false }).send('x')).rejects.toMatchObject({
      name: 'A2AInvalidCardError',
    });
    expect(paths).toEqual(['/.well-known/agent-card.json']);
  });

  test('D50: an agent without any card is reported with the address of today', async () => {
    const fetch: typeof globalThis.fetch = async () => new Response('', { status: 404 });
    const attempt = createClient('http://old.test', { fetch, retry: false }).send('x');
    await expect(attempt).rejects.toMatchObject({ message: expect.stringContaining('/.well-known/agent-card.json') });
  });
});

describe('D50: streams of 0.3', () => {
  const frame = (id: number, result: Json): string => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`;
  const status = (state: string, more: Json = {}): Json => ({
    kind: 'status-update',
    taskId: 't',
    contextId: 'c',
    status: { state },
    ...more,
  });
  const chunk = (text: string): Json => ({
    kind: 'artifact-update',
    taskId: 't',
    contextId: 'c',
    artifact: { artifactId: 'a', parts: [{ kind: 'text', text }] },
    append: true,
  });

  /** A stream that the agent keeps open after these frames. */
  function openStream(...frames: string[]): Response {
    const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new TextEncoder().encode(frames.join(''))) });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  }

  test('D50: a stream may begin with a status, and ends at `final`, also if the agent keeps the connection open', async () => {
    const question = { kind: 'message', messageId: 'q', role: 'agent', parts: [{ kind: 'text', text: 'Which city?' }] };
    const asking = { ...status('input-required', { final: true }), status: { state: 'input-required', message: question } };
    const { client } = peerOf({
      'message/stream': (_, id) => openStream(frame(id, status('working')), frame(id, asking)),
      'tasks/get': () => ({ result: { ...TASK, status: { state: 'input-required', message: question } } }),
    });
    await expect(client.run('plan').result).rejects.toMatchObject({ name: 'A2AInputRequiredError', prompt: 'Which city?' });
  });

  test('D50: a stream without `final` ends with its task', async () => {
    const { client } = peerOf({
      'message/stream': (_, id) =>
        openStream(...[status('working'), chunk('one '), chunk('two'), status('completed')].map((one) => frame(id, one))),
    });
    expect((await client.run('x').result).text).toBe('one two');
  });

  test('D50, G29: a stream that ends before its task is a drop, and the task is read', async () => {
    const done = { ...TASK, artifacts: [{ artifactId: 'a', parts: [{ kind: 'text', text: 'all of it' }] }] };
    const { client, asked } = peerOf(
      {
        'message/stream': (_, id) => sse(frame(id, status('working'))),
        'tasks/resubscribe': () => wrong(-32004),
        'tasks/get': () => ({ result: done }),
      },
      CARD_V03,
      { reconnect: { maxRetries: 1, initialDelayMs: 1 } },
    );
    expect((await client.run('x').result).text).toBe('all of it');
    expect(asked).toContain('tasks/get 0.3');
  });

  test('D50: a final status with the id of another task is that of the stream: the official SDK reports failures in this way', async () => {
    const message = { kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'Agent execution error: boom' }] };
    const failed = { ...status('failed', { final: true }), taskId: 'another', status: { state: 'failed', message } };
    const { client, asked } = peerOf({
      'message/stream': (_, id) => sse(...[{ ...TASK, status: { state: 'working' } }, failed].map((one) => frame(id, one))),
    });
    await expect(client.run('x').result).rejects.toMatchObject({ name: 'A2ATaskFailedError', message: expect.stringContaining('boom') });
    expect(asked).toEqual(['message/stream 0.3']);
  });

  test('D50: an unknown state breaks the stream instead of being guessed', async () => {
    const { client } = peerOf({ 'message/stream': (_, id) => sse(frame(id, status('dreaming'))) });
    await expect(
      client
        .sendStreamingMessage({ message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] } })
        [Symbol.asyncIterator]()
        .next(),
    ).rejects.toMatchObject({
      message: expect.stringContaining('"dreaming", which is unknown'),
    });
  });

  test('D50: results and events without `kind` are recognized by their members', async () => {
    const { kind: _, ...bare } = TASK;
    const { kind: __, ...update } = status('completed');
    const { client } = peerOf({
      'message/send': () => ({ result: bare }),
      'message/stream': (_, id) => sse(frame(id, { ...bare, status: { state: 'working' } }), frame(id, update)),
    });
    expect(await client.send('x')).toMatchObject({ kind: 'task', taskId: 't' });
    expect(await client.run('x').result).toMatchObject({ finishReason: 'completed' });
  });
});

describe('D50: our agents over 0.3', () => {
  /** A client that sees only the members of 0.3 on the card. */
  async function clientOver(preferredTransport: string, agent: ReturnType<typeof createAgent>) {
    const fetch = createTestFetch(agent);
    const { supportedInterfaces: _, ...card } = (await (await fetch('http://test/.well-known/agent-card.json')).json()) as AgentCard & Json;
    const old = { ...card, preferredTransport, additionalInterfaces: [] } as unknown as AgentCard;
    return { client: createClient(old, { fetch, retry: false, reconnect: { initialDelayMs: 1 } }), requests: fetch.requests };
  }

  test.each(['JSONRPC', 'HTTP+JSON'])('D50: over %s, run, questions, watch and cancel work as in 1.0', async (binding) => {
    const agent = createAgent({
      name: 'Guide',
      async *execute(context) {
        if (context.text === 'slow') await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
        const city = await context.requireInput('Which city?');
        for (const word of ['See ', city, '!']) yield word;
      },
    });
    const { client, requests } = await clientOver(binding, agent);
    const deltas: string[] = [];
    const run = client.run('plan', { onInputRequired: () => 'Lisbon' });
    for await (const update of run) if (update.kind === 'text') deltas.push(update.delta);
    expect(deltas).toEqual(['See ', 'Lisbon', '!']);
    const { taskId = '' } = run;
    expect((await client.watch(taskId).result).text).toBe('See Lisbon!');
    const slow = client.run('slow');
    for await (const update of slow) {
      if (update.kind === 'state' || update.kind === 'task') {
        expect((await slow.cancel())?.status.state).toBe('TASK_STATE_CANCELED');
        break;
      }
    }
    const versions = requests.filter(({ method }) => method === 'POST').map(({ headers }) => headers['a2a-version']);
    expect(new Set(versions)).toEqual(new Set(['0.3']));
    await agent.close({ drainMs: 0 });
  });

  test.each(['JSONRPC', 'HTTP+JSON'])('D50, D17: over %s, a message that is sent twice with one key creates one task', async (binding) => {
    const agent = createAgent({ name: 'Echo', execute: async ({ text }) => text });
    const { client } = await clientOver(binding, agent);
    const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hi' }] } as const;
    const options = { idempotencyKey: 'a-key-that-is-long-enough' };
    const sent = await Promise.all([client.sendMessage({ message }, options), client.sendMessage({ message }, options)]);
    expect(sent[0].task?.id).toBeDefined();
    expect(sent[1].task?.id).toBe(sent[0].task?.id);
    const other = client.sendMessage({ message: { ...message, parts: [{ text: 'other' }] } }, options);
    await expect(other).rejects.toMatchObject({ reason: 'IDEMPOTENCY_CONFLICT' });
    await agent.close({ drainMs: 0 });
  });
});

describe('F50: an agent of the plain dialect', () => {
  test('F50, D50: wrong values are refused at once', () => {
    for (const [value, words] of [
      [{ endpoint: 'http://x.test' }, 'dialect must be'],
      [{ endpoint: 'http://x.test', dialect: 'fancy' }, 'dialect must be'],
      [{ endpoint: 'nowhere', dialect: 'plain' }, 'is not an http or https URL'],
      [{ endpoint: 'ftp://x.test', dialect: 'plain' }, 'is not an http or https URL'],
      [{ endpoint: 'http://joe:secret@x.test', dialect: 'plain' }, 'contains a user name'],
      [{ endpoint: 'http://x.test', dialect: 'plain', more: 1 }, 'no option "more"'],
    ] as const) {
      expect(() => createClient(value as never), JSON.stringify(value)).toThrow(words);
    }
  });
});
