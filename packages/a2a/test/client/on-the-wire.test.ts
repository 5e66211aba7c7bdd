/** The requests of a client as the agent receives them, over both bindings. */
import { describe, expect, test } from 'vitest';
import type { Credentials } from '../../src/client/auth/credentials.js';
import { createClient } from '../../src/client/create-client.js';
import type { AgentCard } from '../../src/protocol/types.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { at, cardWith, scriptedAgent, scriptedTransport, taskWith } from './scripted-agent.js';
import { BINDINGS, serve } from './served-agent.js';

describe.each(BINDINGS)('over %s', (binding) => {
  test('G10: historyLength is sent with every send and every getTask, and a call can override it', async () => {
    const { options, requests } = serve({}, { binding });
    const client = createClient('http://test', { ...options, historyLength: 3 });
    const reply = await client.send('hi');
    const id = reply.kind === 'task' ? reply.taskId : '';
    await client.getTask({ id });
    await client.getTask({ id, historyLength: 0 });
    await client.send('again', { historyLength: 1 });
    const sent = requests.map(({ params }) => JSON.stringify(params)).filter((params) => params !== '{}');
    expect(sent.map((params) => /"historyLength":"?(\d)/.exec(params)?.[1])).toEqual(['3', '3', '0', '1']);
  });

  test('G10: historyLength is not sent by default, so the server decides', async () => {
    const { options, requests } = serve({}, { binding });
    await createClient('http://test', options).send('hi');
    expect(JSON.stringify(requests)).not.toContain('historyLength');
  });

  test('G11: acceptedOutputModes default to the modes of the card, and can be set for the client or for one call', async () => {
    const { options, requests } = serve({ defaultOutputModes: ['text/markdown'] }, { binding });
    await createClient('http://test', options).send('one');
    const client = createClient('http://test', { ...options, acceptedOutputModes: ['image/png'] });
    await client.send('two');
    await client.send('three', { acceptedOutputModes: ['text/plain'] });
    const sent = requests.filter(({ operation }) => operation === 'SendMessage').map(({ params }) => params);
    expect(sent).toMatchObject([
      { configuration: { acceptedOutputModes: ['text/markdown'] } },
      { configuration: { acceptedOutputModes: ['image/png'] } },
      { configuration: { acceptedOutputModes: ['text/plain'] } },
    ]);
  });

  test('D5: only agents with the log extension receive idempotency keys, event ids and request ids', async () => {
    const { options, requests } = serve({}, { binding });
    const client = createClient('http://test', options);
    await client.send('hi', { idempotencyKey: 'key-1', requestId: 'r-1' });
    expect(requests.at(-1)?.headers).toMatchObject({ 'idempotency-key': 'key-1', 'x-request-id': 'r-1' });
    expect(requests.at(-1)?.headers['a2a-extensions']).toContain('urn:parley:a2a:log:v1');

    const card: AgentCard = { ...(await client.card()), capabilities: {} };
    const other = createClient(card, options);
    await other.send('hi', { idempotencyKey: 'key-2', requestId: 'r-2' });
    for (const name of ['idempotency-key', 'x-request-id', 'a2a-extensions', 'last-event-id']) {
      expect(requests.at(-1)?.headers).not.toHaveProperty(name);
    }
  });

  test('D5: the idempotency key of a send is its message id', async () => {
    const { options, requests } = serve({}, { binding });
    const client = createClient('http://test', options);
    await client.sendMessage({ message: { messageId: 'm-7', role: 'ROLE_USER', parts: [{ text: 'hi' }] } });
    expect(requests.at(-1)?.headers['idempotency-key']).toBe('m-7');
    await client.send({ messageId: 'übel', parts: [{ text: 'hi' }] });
    expect(requests.at(-1)?.headers['idempotency-key']).toBe('%C3%BCbel');
    await client.listTasks({});
    expect(requests.at(-1)?.headers).not.toHaveProperty('idempotency-key');
  });
});

test('G11: for a card without output modes, acceptedOutputModes are text and JSON', async () => {
  const { options, transport } = scriptedAgent({ card: cardWith({ defaultOutputModes: [] }) });
  await createClient('http://agent.test', options).send('hi');
  expect(transport.calls[0]?.params).toMatchObject({ configuration: { acceptedOutputModes: ['text/plain', 'application/json'] } });
});

describe('the tenant', () => {
  const params = { id: 't-1' };

  test('G45: is sent with every request: the option of the client, or of the call', async () => {
    const { options, transport } = scriptedAgent({
      react: (call) => (call.method === 'GetTask' ? taskWith() : { task: taskWith(), tasks: [] }),
    });
    const client = createClient('http://agent.test', { ...options, tenant: 'acme' });
    await client.getTask(params);
    await client.getTask(params, { tenant: 'other' });
    await client.send('hi');
    await client.listTasks({});
    await client.cancelTask(params);
    await client.getExtendedAgentCard({});
    await client.createTaskPushNotificationConfig({ taskId: 't-1', url: 'http://hook.test' });
    expect(transport.calls.map((call) => ('tenant' in call.params ? call.params.tenant : undefined))).toEqual([
      'acme',
      'other',
      'acme',
      'acme',
      'acme',
      'acme',
      'acme',
    ]);
  });

  test.each(BINDINGS)('G45: defaults to the tenant of the chosen interface (%s)', async (binding) => {
    const { options, requests } = serve({}, { binding });
    const card = await createClient('http://test', options).card();
    const tenanted = { ...card, supportedInterfaces: card.supportedInterfaces.map((one) => ({ ...one, tenant: 'acme' })) };
    const client = createClient(tenanted, options);
    await client.send('hi');
    await client.send('hi', { tenant: 'other' });
    const sent = requests.slice(-2).map(({ path, params }) => `${path} ${JSON.stringify(params)}`);
    expect(sent[0]).toContain('acme');
    expect(sent[1]).toContain('other');
    expect(sent[1]).not.toContain('acme');
  });

  test('G45: of a fallback interface is its own', async () => {
    const card = cardWith({
      supportedInterfaces: [at('JSONRPC', 'http://test:1/', { tenant: 'a' }), at('HTTP+JSON', 'http://test:2/', { tenant: 'b' })],
    });
    const bodies: string[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      bodies.push(`${input} ${init?.body}`);
      if (String(input).startsWith('http://test:1'))
        throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
      return Response.json({ task: taskWith() });
    };
    await createClient(card, { fetch, retry: false }).send('hi');
    expect(bodies[0]).toContain('"tenant":"a"');
    expect(bodies[1]).toContain('http://test:2/b/message:send');
  });
});

describe('headers', () => {
  test('a function is called for each request, headers of a call override it, and names are case-insensitive', async () => {
    let count = 0;
    const { options, transport, exchange } = scriptedAgent({
      options: { headers: async () => ({ 'X-Count': String(++count), Authorization: 'mine', 'x-base': 'b' }) },
      react: () => taskWith(),
    });
    const client = createClient('http://agent.test', options);
    await client.getTask({ id: 't-1' }, { headers: { authorization: 'other' } });
    await client.getTask({ id: 't-1' });
    expect(exchange.requests[0]?.headers).toMatchObject({ 'x-count': '1', authorization: 'other' });
    expect(transport.calls.map(({ headers }) => headers)).toEqual([
      { 'x-count': '2', authorization: 'other', 'x-base': 'b' },
      { 'x-count': '3', authorization: 'mine', 'x-base': 'b' },
    ]);
  });

  test('a function that throws fails the call', async () => {
    const { options } = scriptedAgent({
      options: {
        headers: () => {
          throw new Error('vault is shut');
        },
      },
    });
    const error = await createClient('http://agent.test', options)
      .send('hi')
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'A2AError', reason: 'INVALID_REQUEST', cause: new Error('vault is shut') });
    expect(error.message).not.toContain('vault');
  });

  test('the trace option sets traceparent, and a trace function that throws does not fail the call', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const errors: unknown[] = [];
    const { options, transport } = scriptedAgent({ options: { onError: (error) => errors.push(error) } });
    await createClient('http://agent.test', { ...options, trace: () => traceparent }).send('hi');
    expect(transport.calls.at(-1)?.headers).toEqual({ traceparent });
    const broken = () => {
      throw new Error('no span');
    };
    await createClient('http://agent.test', { ...options, trace: broken }).send('hi');
    expect(transport.calls.at(-1)?.headers).toEqual({});
    expect(errors.length).toBeGreaterThan(0);
  });

  test('A23: withHeaders returns a client with further headers that shares the card', async () => {
    const { options, transport, exchange } = scriptedAgent();
    const client = createClient('http://agent.test', { ...options, headers: { 'x-a': '1', 'x-b': '1' } });
    const second = client.withHeaders({ 'x-b': '2' }).withHeaders({ 'X-C': '3' });
    await client.send('one');
    await second.send('two');
    expect(second.url).toBe(client.url);
    expect(exchange.requests).toHaveLength(1);
    expect(transport.calls.map(({ headers }) => headers)).toEqual([
      { 'x-a': '1', 'x-b': '1' },
      { 'x-a': '1', 'x-b': '2', 'x-c': '3' },
    ]);
    expect(() => client.withHeaders({ 'x d': '' })).toThrow(/"x d" is not a valid header name/);
  });

  test('A24: a call can request other scopes from its credentials', async () => {
    const { options } = serve();
    const asked: (readonly string[] | undefined)[] = [];
    const credentials: Credentials = {
      get: ({ scopes }) => {
        asked.push(scopes);
        return undefined;
      },
    };
    const client = createClient('http://test', { ...options, credentials });
    await client.listTasks({}, { scopes: ['tasks:read'] });
    await client.send('hi');
    expect(asked).toEqual([['tasks:read'], ['tasks:read'], undefined]);
  });

  test('A24: any call, including the extended card, can use other credentials and headers', async () => {
    const { options, requests } = serve({ auth: () => ({ id: 'me' }), extendedCard: () => cardWith({ name: 'Full' }) });
    const token = (value: string) => ({ get: () => ({ headers: { authorization: `Bearer ${value}` } }) });
    const client = createClient('http://test', { ...options, credentials: token('mine'), extendedCard: false });
    const tokens = () => requests.slice(1).map(({ headers }) => headers.authorization);
    await client.listTasks({});
    await client.listTasks({}, { credentials: token('other') });
    await client.listTasks({}, { credentials: null });
    const full = await client.getExtendedAgentCard({}, { credentials: token('admin'), headers: { 'x-why': 'audit' } });
    expect(full.name).toBe('Full');
    expect(tokens()).toEqual(['Bearer mine', 'Bearer other', undefined, 'Bearer admin']);
    expect(requests.at(-1)).toMatchObject({ operation: 'GetExtendedAgentCard', headers: { 'x-why': 'audit' } });
  });
});

describe('validation before a request is sent', () => {
  test('the error names the invalid parameter', async () => {
    const { options, exchange } = scriptedAgent();
    const client = createClient('http://agent.test', options);
    // @ts-expect-error: tests an invalid argument
    await expect(client.getTask({ identifier: 'x' })).rejects.toMatchObject({
      reason: 'INVALID_PARAMS',
      kind: 'validation',
      message: 'GetTask: id is required',
    });
    await expect(client.send([])).rejects.toMatchObject({ kind: 'validation', message: /message.parts must have at least one element/ });
    // @ts-expect-error: tests an invalid argument
    await expect(client.send(7)).rejects.toMatchObject({ kind: 'validation', message: /got number/ });
    await expect(client.getTask({ id: 'x' }, { headers: { 'x-a': 'é\u0000' } })).rejects.toMatchObject({ kind: 'validation' });
    await expect(client.getTask({ id: 'x' }, { tenant: '' })).rejects.toMatchObject({ kind: 'validation' });
    expect(exchange.requests).toEqual([]);
  });

  test('a message without id and role gets both', async () => {
    const { options, transport } = scriptedAgent({ options: { newId: () => 'new-1' } });
    // @ts-expect-error: a caller without types can pass this
    await createClient('http://agent.test', options).sendMessage({ message: { parts: [{ text: 'hi' }] } });
    expect(transport.calls[0]?.params).toMatchObject({ message: { messageId: 'new-1', role: 'ROLE_USER' } });
  });
});

describe('timeouts', () => {
  const hanging: typeof globalThis.fetch = (_, init) =>
    new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));

  test('G13: a call without a response ends after 60 seconds', async () => {
    const clock = manualClock();
    const attempt = createClient(cardWith(), { fetch: hanging, clock, retry: false }).getTask({ id: 't-1' });
    const outcome = attempt.catch((error) => error);
    await clock.tick(59_999);
    await expect(Promise.race([outcome, 'still waiting'])).resolves.toBe('still waiting');
    await clock.tick(1);
    expect(await outcome).toMatchObject({ name: 'A2ATransportError', kind: 'timeout', phase: 'firstByte' });
    expect(clock.pending).toBe(0);
  });

  test('G13: null disables all timeouts', async () => {
    const clock = manualClock();
    const controller = new AbortController();
    const client = createClient(cardWith(), { fetch: hanging, clock, retry: false, timeouts: null });
    const outcome = client.getTask({ id: 't-1' }, { signal: controller.signal }).catch((error) => error);
    await clock.tick(24 * 3_600_000);
    expect(clock.pending).toBe(0);
    controller.abort();
    expect(await outcome).toMatchObject({ reason: 'ABORTED' });
  });

  test('G13: totalMs covers the whole call, including the request for the card', async () => {
    const clock = manualClock();
    const fetch: typeof globalThis.fetch = async (input, init) => {
      if (!String(input).endsWith('.json')) return hanging(input, init);
      await new Promise<void>((resolve) => clock.after(600, resolve));
      return Response.json(cardWith());
    };
    const client = createClient('http://agent.test', { fetch, clock, retry: false });
    const outcome = client.getTask({ id: 't-1' }, { timeouts: { totalMs: 1000 } }).catch((error) => error);
    await clock.tick(999);
    await expect(Promise.race([outcome, 'still waiting'])).resolves.toBe('still waiting');
    await clock.tick(1);
    expect(await outcome).toMatchObject({ kind: 'timeout', phase: 'total', message: expect.stringContaining('within 1000 ms') });
    expect(clock.pending).toBe(0);
  });

  test('G13: callers that share the request for a card keep their own timeouts', async () => {
    const clock = manualClock();
    const client = createClient('http://agent.test', { fetch: hanging, clock, retry: false });
    const patient = client.getTask({ id: 't-1' }).catch((error) => error);
    const hasty = client.getTask({ id: 't-1' }, { timeouts: { totalMs: 1000 } }).catch((error) => error);
    await clock.tick(1000);
    expect(await hasty).toMatchObject({ kind: 'timeout', phase: 'total' });
    await clock.tick(59_000);
    expect(await patient).toMatchObject({ kind: 'timeout', phase: 'firstByte' });
    expect(clock.pending).toBe(0);
  });
});

test('a custom transport is used like the built-in ones', async () => {
  const pigeon = scriptedTransport(() => ({ task: taskWith() }), 'urn:pigeon');
  const card = cardWith({ supportedInterfaces: [at('urn:pigeon', 'roof:7')] });
  expect((await createClient(card, { transports: [pigeon] }).send('hi')).kind).toBe('task');
  expect(pigeon.calls[0]?.at.url).toBe('roof:7');
});
