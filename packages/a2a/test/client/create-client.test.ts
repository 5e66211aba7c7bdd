/** The whole client, with scripted agents. */
import { expect, test, vi } from 'vitest';
import { connect, createClient } from '../../src/client/create-client.js';
import { A2AError } from '../../src/protocol/errors.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { at, CARD_URL, cardWith, scriptedAgent, taskWith } from './scripted-agent.js';

test('D37: createClient is lazy: it sends nothing before the first call, and fetches the card once', async () => {
  const { options, exchange, transport } = scriptedAgent();
  const client = createClient('http://agent.test', options);
  expect(exchange.requests).toEqual([]);
  await client.getTask({ id: 't-1' });
  await client.getTask({ id: 't-1' });
  expect(exchange.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([`GET ${CARD_URL}`]);
  expect(transport.calls.map(({ method }) => method)).toEqual(['GetTask', 'GetTask']);
});

test('createClient uses no randomness, because Workers forbid it outside of requests; request ids count up from one random id', async () => {
  const { options, transport } = scriptedAgent();
  const { newId: _left, ...rest } = options as typeof options & { newId?: unknown };
  const chance = vi.spyOn(crypto, 'randomUUID');
  const client = createClient('http://agent.test', rest);
  expect(chance).not.toHaveBeenCalled();
  await client.getTask({ id: 't-1' });
  await client.getTask({ id: 't-1' });
  chance.mockRestore();
  const [first = '', second = ''] = transport.calls.map(({ requestId }) => requestId);
  expect(first).toMatch(/^[0-9a-f-]{36}-\d+$/);
  expect(second.slice(0, 37)).toBe(first.slice(0, 37));
  expect(second).not.toBe(first);
});

test('D37: connect also fetches the card', async () => {
  const { options, exchange } = scriptedAgent();
  const client = await connect('http://agent.test', options);
  expect(exchange.requests).toHaveLength(1);
  expect((await client.card()).name).toBe('Echo');
  expect(exchange.requests).toHaveLength(1);
});

test('D37: invalid options throw at once, with a message that names the value', () => {
  const { options } = scriptedAgent();
  const bad =
    (url: string, more: object = {}) =>
    () =>
      createClient(url, { ...options, ...more });
  expect(bad('agent.test')).toThrow(/"agent.test" is not an http or https URL: did you mean/);
  expect(bad('ftp://agent.test')).toThrow(/"ftp:\/\/agent.test" is not an http or https URL/);
  expect(bad('http://me:secret@agent.test')).toThrow(/pass credentials as an option/);
  expect(bad('http://a.test', { prefer: 'soap' })).toThrow(/prefer must be jsonrpc, rest or grpc, got soap/);
  expect(bad('http://a.test', { mode: 'push' })).toThrow(/mode must be auto, stream or poll, got push/);
  expect(bad('http://a.test', { pollingIntervalMs: 0 })).toThrow(/pollingIntervalMs must be a number of at least 1, got 0/);
  expect(bad('http://a.test', { timeouts: { idleMs: Number.NaN } })).toThrow(/timeouts.idleMs .* got NaN/);
  expect(bad('http://a.test', { headers: { 'x y': '1' } })).toThrow(/"x y" is not a valid header name/);
  expect(bad('http://a.test', { headers: { 'x-key': 'a\nb' } })).toThrow(
    /value of the header x-key contains characters that HTTP does not allow$/,
  );
  expect(bad('http://a.test', { reconnect: { maxRetries: -1 } })).toThrow(/reconnect.maxRetries must be a number of at least 0, got -1/);
  expect(bad('http://a.test', { tenant: '' })).toThrow(A2AError);
  expect(bad('http://a.test', { extensions: ['a b'] })).toThrow(/extensions must be URIs/);
});

test('G44: a client made from a card fetches no card, and its url is the first interface', async () => {
  const { options, exchange, transport } = scriptedAgent();
  const card = cardWith({ supportedInterfaces: [at('JSONRPC', 'http://agent.test/rpc')] });
  const client = createClient(card, options);
  expect(client.url).toBe('http://agent.test/rpc');
  expect((await client.send('hi')).kind).toBe('task');
  expect(await client.card()).toEqual(card);
  expect(exchange.requests).toEqual([]);
  expect(transport.calls[0]?.peer.key).toBe('http://agent.test/rpc');
});

test('G44: a card without an interface URL is refused at once', () => {
  const { options } = scriptedAgent();
  // @ts-expect-error: tests an invalid argument
  expect(() => createClient({ name: 'x' }, options)).toThrow(/card of x has no interface with a URL/);
});

test('send returns a task or a message as one Reply', async () => {
  const message = { messageId: 'm-9', role: 'ROLE_AGENT', parts: [{ text: 'hello' }], contextId: 'c-9' } as const;
  const { options } = scriptedAgent({
    react: (call) =>
      JSON.stringify(call.params).includes('short')
        ? { message }
        : { task: taskWith({ artifacts: [{ artifactId: 'a', parts: [{ text: 'ab' }] }] }) },
  });
  const client = createClient('http://agent.test', options);
  expect(await client.send('short')).toEqual({
    kind: 'message',
    message,
    text: 'hello',
    artifacts: [],
    contextId: 'c-9',
    finishReason: 'completed',
  });
  expect(await client.send('long')).toMatchObject({
    kind: 'task',
    taskId: 't-1',
    state: 'TASK_STATE_COMPLETED',
    text: 'ab',
    finishReason: 'completed',
  });
});

test('a call leaves no timer', async () => {
  const clock = manualClock();
  const { options } = scriptedAgent({ options: { clock } });
  await createClient('http://agent.test', options).send('hi');
  expect(clock.pending).toBe(0);
});
