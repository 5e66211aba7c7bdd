import { describe, expect, test } from 'vitest';
import {
  callOf,
  eventsOf,
  interfaceAt,
  rejection,
  resultOf,
  type ScriptedAnswer,
  scriptedPeer,
  toolsOf,
} from '../../../test/client/peer-calls.js';
import { rest } from './rest.js';

const TASK = { id: 't', status: { state: 'TASK_STATE_WORKING' } };
const GET = { method: 'GetTask', params: { id: 't' } } as const;
const SUBSCRIBE = { method: 'SubscribeToTask', params: { id: 't' } } as const;
const json = (value: unknown, status = 200): ScriptedAnswer => ({ status, body: JSON.stringify(value) });

describe('requests', () => {
  test('U4: a body has its own media type, a GET has none', async () => {
    const peer = scriptedPeer(json({ task: TASK }));
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] } as const;
    await resultOf(rest(), peer.exchange, { method: 'SendMessage', params: { message } });
    await resultOf(rest(), peer.exchange, GET);
    const accept = 'application/a2a+json, application/json';
    expect(peer.requests.map(({ headers }) => headers)).toEqual([
      { accept, 'a2a-version': '1.0', 'content-type': 'application/a2a+json' },
      { accept, 'a2a-version': '1.0' },
    ]);
  });

  test('U1: the tenant of the interface is in the path, unless the caller names another', async () => {
    const at = interfaceAt('https://agent.test/a2a/', { tenant: 'a b' });
    const sent = async (params: { id: string; tenant?: string }): Promise<unknown> => {
      const peer = scriptedPeer(json(TASK));
      await resultOf(rest(), peer.exchange, { method: 'GetTask', params, at });
      return peer.requests[0]?.url;
    };
    expect(await sent({ id: 't' })).toBe('https://agent.test/a2a/a%20b/tasks/t');
    expect(await sent({ id: 't', tenant: 'other' })).toBe('https://agent.test/a2a/other/tasks/t');
  });

  test('an extension method has no path', async () => {
    const promise = rest().send(callOf('Own/Method' as 'GetTask', { id: 't' }), interfaceAt(), toolsOf(scriptedPeer({}).exchange));
    expect(await rejection(promise)).toMatchObject({ reason: 'METHOD_NOT_FOUND', message: expect.stringContaining('Own/Method') });
  });
});

describe('responses', () => {
  const answered = (answer: ScriptedAnswer) => resultOf(rest(), scriptedPeer(answer).exchange, GET);

  test('any 2xx is accepted', async () => {
    for (const status of [200, 201, 202]) expect(await answered(json(TASK, status))).toEqual(TASK);
  });

  test('a delete may be answered with nothing', async () => {
    const sending = { method: 'DeleteTaskPushNotificationConfig', params: { taskId: 't', id: 'c' } } as const;
    for (const answer of [{ status: 204, body: null }, { body: '' }, { body: 'null' }, { body: '{}' }]) {
      expect(await resultOf(rest(), scriptedPeer(answer).exchange, sending)).toEqual({});
    }
  });

  test('200 with an empty body is a transport error with a clear message', async () => {
    for (const answer of [{ body: '' }, { status: 204, body: null }]) {
      const error = await rejection(answered(answer));
      expect(error).toMatchObject({ name: 'A2ATransportError', kind: 'serialization', message: 'The response to GetTask is empty' });
    }
  });

  test('U7: the envelope of JSON-RPC is removed, and errors in it are thrown', async () => {
    expect(await answered(json({ jsonrpc: '2.0', id: 1, result: TASK }))).toEqual(TASK);
    const data = { hint: 'x' };
    const error = await rejection(answered(json({ jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'gone', data } })));
    expect(error).toMatchObject({ reason: 'TASK_NOT_FOUND', code: -32001, message: 'gone' });
  });

  test('an error with status 200 is an error', async () => {
    const error = await rejection(answered(json({ error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'slow down' } })));
    expect(error).toMatchObject({ reason: 'RATE_LIMITED', httpStatus: 429, message: 'slow down' });
  });

  test.each([
    [401, 'AUTH_REQUIRED'],
    [403, 'INSUFFICIENT_SCOPE'],
    [429, 'RATE_LIMITED'],
    [500, 'INTERNAL_ERROR'],
    [502, 'AGENT_UNAVAILABLE'],
    [503, 'AGENT_UNAVAILABLE'],
  ])('an HTML page with %i is %s', async (status, reason) => {
    const error = await rejection(answered({ status, headers: { 'content-type': 'text/html' }, body: '<html><script>x</script></html>' }));
    expect(error).toMatchObject({ name: 'A2AError', reason, httpStatus: status });
    expect(String(error)).not.toContain('<script>');
  });

  test('a failure whose body is huge or truncated is classified by its status', async () => {
    const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new TypeError('terminated')) });
    for (const body of ['x'.repeat(5000), broken]) {
      const peer = scriptedPeer({ status: 503, headers: { 'retry-after': '3' }, body });
      const error = await rejection(resultOf(rest(), peer.exchange, { ...GET, tools: { maxResponseBytes: 1000 } }));
      expect(error).toMatchObject({ reason: 'AGENT_UNAVAILABLE', httpStatus: 503, retryAfterMs: 3000 });
    }
  });

  test('a caller that aborts while the body is read gets ABORTED', async () => {
    const controller = new AbortController();
    const body = new ReadableStream<Uint8Array>({
      pull(stream) {
        controller.abort('enough');
        stream.error(new TypeError('terminated'));
      },
    });
    const peer = scriptedPeer({ status: 503, headers: {}, body });
    const error = await rejection(resultOf(rest(), peer.exchange, { ...GET, call: { signal: controller.signal } }));
    expect(error).toMatchObject({ reason: 'ABORTED', cause: 'enough' });
  });

  test('an HTML page with 200 is named as such', async () => {
    const error = await rejection(answered({ headers: { 'content-type': 'text/html' }, body: '<html>sign in</html>' }));
    expect(String(error)).toContain('The response to GetTask is not JSON: <html>sign in</html>');
  });
});

describe('subscriptions', () => {
  const stream: ScriptedAnswer = { headers: { 'content-type': 'text/event-stream' }, body: `data: ${JSON.stringify({ task: TASK })}\n\n` };
  const verbs = (peer: ReturnType<typeof scriptedPeer>): readonly string[] => peer.requests.map(({ method }) => method);

  test.each([404, 405, 501])('POST first; after a bare %i once more by GET, which is remembered for that interface', async (status) => {
    const transport = rest();
    const at = interfaceAt();
    const peer = scriptedPeer({ status, headers: {}, body: 'Not here' }, () => stream);
    for (let count = 0; count < 2; count++) expect(await eventsOf(transport, peer.exchange, { ...SUBSCRIBE, at })).toHaveLength(1);
    expect(verbs(peer)).toEqual(['POST', 'GET', 'GET']);
    expect(peer.requests[1]?.headers).not.toHaveProperty('content-type');
    await eventsOf(transport, peer.exchange, { ...SUBSCRIBE, at: interfaceAt('http://other.test') });
    expect(verbs(peer).at(-1)).toBe('POST');
  });

  test('a task that does not exist is not requested twice', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' }];
    const peer = scriptedPeer(json({ error: { code: 404, status: 'NOT_FOUND', message: 'no task', details } }, 404));
    expect(await rejection(eventsOf(rest(), peer.exchange, SUBSCRIBE))).toMatchObject({ reason: 'TASK_NOT_FOUND', message: 'no task' });
    expect(verbs(peer)).toEqual(['POST']);
  });

  test('if neither verb exists nothing is remembered', async () => {
    const transport = rest();
    const at = interfaceAt();
    const peer = scriptedPeer({ status: 404, headers: {}, body: '' });
    for (let count = 0; count < 2; count++) {
      expect(await rejection(eventsOf(transport, peer.exchange, { ...SUBSCRIBE, at }))).toMatchObject({ httpStatus: 404 });
    }
    expect(verbs(peer)).toEqual(['POST', 'GET', 'POST', 'GET']);
  });

  test('P60: JSON in place of a stream is an error, or a stream of one event', async () => {
    expect(await eventsOf(rest(), scriptedPeer(json(TASK)).exchange, SUBSCRIBE)).toEqual([{ seq: undefined, response: { task: TASK } }]);
    const error = await rejection(eventsOf(rest(), scriptedPeer(json({ error: { code: 400, message: 'no' } }, 400)).exchange, SUBSCRIBE));
    expect(error).toMatchObject({ name: 'A2AError', httpStatus: 400, message: 'no' });
  });
});
