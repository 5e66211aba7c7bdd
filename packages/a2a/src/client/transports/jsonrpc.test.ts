import { describe, expect, test } from 'vitest';
import {
  callOf,
  eventsOf,
  interfaceAt,
  rejection,
  resultOf,
  rpcAnswer,
  type Script,
  scriptedPeer,
  toolsOf,
} from '../../../test/client/peer-calls.js';
import { jsonRpc } from './jsonrpc.js';

const TASK = { id: 't', status: { state: 'TASK_STATE_WORKING' } };
const GET = { method: 'GetTask', params: { id: 't' } } as const;
const STREAM = { method: 'SubscribeToTask', params: { id: 't' } } as const;
const HTML = '<!doctype html><html><body><h1>502 Bad Gateway</h1></body></html>';

describe('requests', () => {
  test('U1: they are posted to the URL unchanged', async () => {
    for (const url of ['https://agent.test', 'https://agent.test/', 'https://agent.test/rpc/?a=1']) {
      const peer = scriptedPeer(rpcAnswer({ result: TASK }));
      await resultOf(jsonRpc(), peer.exchange, { ...GET, at: interfaceAt(url) });
      expect(peer.requests[0]).toMatchObject({ method: 'POST', url });
    }
  });

  test('U4: the method is sent by its name, with its parameters and a unique id', async () => {
    const peer = scriptedPeer(rpcAnswer({ result: TASK }));
    const transport = jsonRpc();
    await resultOf(transport, peer.exchange, GET);
    await resultOf(transport, peer.exchange, GET);
    const [first, second] = peer.requests.map(({ body = '' }) => JSON.parse(body));
    expect(first).toEqual({ jsonrpc: '2.0', id: expect.anything(), method: 'GetTask', params: { id: 't' } });
    expect(second.id).not.toEqual(first.id);
  });

  test('the tenant of the interface is filled in, unless the caller names another', async () => {
    const at = interfaceAt(undefined, { tenant: 'acme' });
    const sent = async (tenant?: string): Promise<unknown> => {
      const peer = scriptedPeer(rpcAnswer({ result: TASK }));
      const params = Object.freeze(tenant === undefined ? { id: 't' } : { id: 't', tenant });
      await resultOf(jsonRpc(), peer.exchange, { method: 'GetTask', params, at });
      return JSON.parse(peer.requests[0]?.body ?? '').params.tenant;
    };
    expect([await sent(), await sent(''), await sent('other')]).toEqual(['acme', 'acme', 'other']);
  });

  test('U6: roles are sent by their names', async () => {
    const peer = scriptedPeer(rpcAnswer({ result: { task: TASK } }));
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] } as const;
    await resultOf(jsonRpc(), peer.exchange, { method: 'SendMessage', params: { message } });
    expect(peer.requests[0]?.body).toContain('"role":"ROLE_USER"');
  });

  test('parameters that JSON cannot represent are refused before anything is sent', async () => {
    const peer = scriptedPeer({});
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const params = { message: { messageId: 'm', role: 'ROLE_USER', parts: [], metadata: circle } };
    const error = await rejection(resultOf(jsonRpc(), peer.exchange, { method: 'SendMessage', params: params as never }));
    expect(error).toMatchObject({ reason: 'INVALID_PARAMS', message: expect.stringContaining('SendMessage') });
    expect(peer.requests).toEqual([]);
  });

  test('headers, signal and timeouts reach the exchange; query credentials are added to the URL', async () => {
    const peer = scriptedPeer(rpcAnswer({ result: TASK }));
    const { signal } = new AbortController();
    const timeouts = { firstByteMs: 5 };
    await resultOf(jsonRpc(), peer.exchange, { ...GET, call: { signal, timeouts, query: { key: 's' }, headers: { authorization: 'x' } } });
    expect(peer.requests[0]).toMatchObject({ signal, timeouts, url: 'http://agent.test?key=s' });
    expect(peer.requests[0]?.headers).toEqual({
      accept: 'application/json, application/a2a+json',
      'a2a-version': '1.0',
      'content-type': 'application/json',
      authorization: 'x',
    });
  });

  test('U2: a stream is requested as a stream', async () => {
    const peer = scriptedPeer(rpcAnswer({ result: { task: TASK } }));
    await eventsOf(jsonRpc(), peer.exchange, { ...STREAM, call: { headers: { accept: 'x/y' } } });
    expect(peer.requests[0]?.headers.accept).toBe('text/event-stream, application/json');
  });
});

describe('A17: any method by name', () => {
  const call = (answer: Script) =>
    jsonRpc().send(callOf('Own/Method' as 'GetTask', { any: 1 } as never), interfaceAt(), toolsOf(scriptedPeer(answer).exchange));

  test('A17: its result is returned unchanged', async () => {
    for (const result of [{ a: [1] }, 0, '', false, null]) {
      expect(await call(rpcAnswer({ result }))).toMatchObject({ kind: 'value', value: result });
    }
  });

  test('A17: its error keeps the data', async () => {
    const data = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1.5s' }];
    const error = await rejection(call(rpcAnswer({ error: { code: -32050, message: 'own', data } })));
    expect(error).toMatchObject({ code: -32050, message: 'own', details: data, retryAfterMs: 1500 });
  });

  test('A17: an HTML page is an error of its HTTP status', async () => {
    const error = await rejection(call({ status: 502, headers: { 'content-type': 'text/html' }, body: HTML }));
    expect(error).toMatchObject({ reason: 'AGENT_UNAVAILABLE', httpStatus: 502, retryable: true });
    expect(String(error)).not.toContain('<h1>');
  });

  test('A17: a response with neither a result nor an error is an error', async () => {
    expect(String(await rejection(call(rpcAnswer({}))))).toContain('neither a result nor an error');
  });

  test('A17: a network failure is a transport error', async () => {
    const exchange = () => Promise.reject(new TypeError('fetch failed'));
    const error = await rejection(resultOf(jsonRpc(), exchange, GET));
    expect(error).toMatchObject({ name: 'A2ATransportError', sent: true });
  });
});

describe('responses', () => {
  const answered = (answer: Script) => resultOf(jsonRpc(), scriptedPeer(answer).exchange, GET);

  test('an error is read with any HTTP status', async () => {
    for (const status of [200, 400, 404, 500]) {
      const answer = rpcAnswer({ error: { code: -32001, message: 'no task' } });
      const error = await rejection(answered((request) => ({ ...answer(request), status })));
      expect(error).toMatchObject({ reason: 'TASK_NOT_FOUND', code: -32001, message: 'no task' });
    }
  });

  test('any 2xx is accepted', async () => {
    const answer = rpcAnswer({ result: TASK, error: null });
    expect(await answered((request) => ({ ...answer(request), status: 202 }))).toEqual(TASK);
  });

  test('Retry-After of a failure is kept', async () => {
    const error = await rejection(answered({ status: 503, headers: { 'retry-after': '7' }, body: '' }));
    expect(error).toMatchObject({ reason: 'AGENT_UNAVAILABLE', retryAfterMs: 7000 });
  });

  test('a date in Retry-After is read with the given clock', async () => {
    const peer = scriptedPeer({ status: 503, headers: { 'retry-after': 'Thu, 01 Jan 2026 00:00:10 GMT' } });
    const error = await rejection(resultOf(jsonRpc(), peer.exchange, { ...GET, tools: { now: () => Date.UTC(2026, 0, 1) } }));
    expect(error).toMatchObject({ retryAfterMs: 10_000 });
  });

  test('the id must be that of the request; a string form is accepted', async () => {
    expect(await answered(({ body = '' }) => ({ body: JSON.stringify({ id: String(JSON.parse(body).id), result: TASK }) }))).toEqual(TASK);
    for (const id of [999, null, undefined, 'x']) {
      expect(String(await rejection(answered({ body: JSON.stringify({ jsonrpc: '2.0', id, result: TASK }) })))).toContain(
        'another request',
      );
    }
  });

  test('an error may have no id, but not that of another request', async () => {
    const error = { code: -32700, message: 'no JSON' };
    for (const id of [null, undefined]) {
      expect(await rejection(answered({ body: JSON.stringify({ id, error }) }))).toMatchObject({ reason: 'PARSE_ERROR' });
    }
    expect(String(await rejection(answered({ body: JSON.stringify({ id: 999, error }) })))).toContain('another request');
  });

  test.each([
    ['nothing', '', 'The response to GetTask is empty'],
    ['blanks', ' \n ', 'The response to GetTask is empty'],
    ['a truncated body', '{"jsonrpc":"2.0","id":1,"res', 'is not JSON: {"jsonrpc"'],
    ['HTML', HTML, 'is not JSON: <!doctype html>'],
    ['a list', '[]', 'is not a JSON-RPC response'],
    ['null', 'null', 'is not a JSON-RPC response'],
    ['a string', '"x"', 'is not a JSON-RPC response'],
  ])('200 with %s is a transport error with a clear message', async (_name, body, words) => {
    const error = await rejection(answered({ body }));
    expect(error).toMatchObject({ name: 'A2ATransportError', kind: 'serialization', sent: true });
    expect(String(error)).toContain(words);
  });

  test('the quoted part of a response is short, and on one line', async () => {
    const error = await rejection(answered({ body: `\u001b[31m\n${'x'.repeat(9999)}` }));
    expect(String(error).length).toBeLessThan(250);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the text must not contain them
    expect(String(error)).not.toMatch(/[\u0000-\u001f]/);
  });

  test('a response that is too large is not read', async () => {
    const peer = scriptedPeer(rpcAnswer({ result: { ...TASK, metadata: { x: 'x'.repeat(2000) } } }));
    const error = await rejection(resultOf(jsonRpc(), peer.exchange, { ...GET, tools: { maxResponseBytes: 1000 } }));
    expect(String(error)).toContain('larger than 1000 bytes');
  });

  test('a response that is nested too deep is refused', async () => {
    const body = `{"jsonrpc":"2.0","id":1,"result":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    expect(String(await rejection(answered({ body })))).toContain('nested too deep');
  });

  test('a stream in place of a single response is discarded', async () => {
    let canceled = false;
    const body = new ReadableStream<Uint8Array>({
      cancel: () => {
        canceled = true;
      },
    });
    const error = await rejection(answered({ headers: { 'content-type': 'text/event-stream' }, body }));
    expect(String(error)).toContain('a stream of events');
    expect(canceled).toBe(true);
  });

  test('a delete may be answered with null, an empty object, or nothing', async () => {
    const answers = [rpcAnswer({ result: null }), rpcAnswer({ result: {} }), { status: 204, body: null }, { body: '' }];
    for (const answer of answers) {
      const sending = { method: 'DeleteTaskPushNotificationConfig', params: { taskId: 't', id: 'c' } } as const;
      expect(await resultOf(jsonRpc(), scriptedPeer(answer).exchange, sending)).toEqual({});
    }
  });

  test('null is not a task', async () => {
    expect(String(await rejection(answered(rpcAnswer({ result: null }))))).toContain('The response to GetTask is not a valid Task');
  });

  test('the active extensions are returned', async () => {
    const answer = rpcAnswer({ result: TASK });
    const peer = scriptedPeer((request) => ({ ...answer(request), headers: { 'a2a-extensions': 'urn:a, urn:b,urn:a' } }));
    const send = (extensions: readonly string[]) =>
      jsonRpc().send({ ...callOf('GetTask', { id: 't' }), extensions }, interfaceAt(), toolsOf(peer.exchange));
    expect((await send(['urn:a', 'urn:b', 'urn:c'])).extensions).toEqual(['urn:a', 'urn:b']);
    expect((await send([])).extensions, 'an extension that was not requested is not active').toEqual([]);
  });

  test('a peer that declares 1.0 but sends 0.3 is understood', async () => {
    const old = { kind: 'task', id: 't', contextId: 'c', status: { state: 'input-required' } };
    expect(await answered(rpcAnswer({ result: old }))).toEqual({ id: 't', contextId: 'c', status: { state: 'TASK_STATE_INPUT_REQUIRED' } });
  });
});

describe('P60: JSON in place of a stream', () => {
  const streamed = (answer: Script) => eventsOf(jsonRpc(), scriptedPeer(answer).exchange, STREAM);

  test('P60: an error is thrown with its own reason', async () => {
    const error = await rejection(streamed(rpcAnswer({ error: { code: -32004, message: 'no streams' } })));
    expect(error).toMatchObject({ name: 'A2AError', reason: 'UNSUPPORTED_OPERATION', message: 'no streams' });
  });

  test('P60: a result is a stream of one event', async () => {
    const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'x' }] };
    for (const [result, response] of [
      [{ task: TASK }, { task: TASK }],
      [TASK, { task: TASK }],
      [{ message }, { message }],
      [{ kind: 'message', ...message }, { message }],
    ]) {
      expect(await streamed(rpcAnswer({ result }))).toEqual([{ seq: undefined, response }]);
    }
  });

  test('P60: an empty or unknown body is an error', async () => {
    expect(String(await rejection(streamed({ body: '' })))).toContain('is empty');
    expect(String(await rejection(streamed(rpcAnswer({ result: { ok: true } }))))).toContain('not a valid StreamResponse');
  });

  test('P60: an HTTP failure is thrown with its own message', async () => {
    expect(await rejection(streamed({ status: 503, headers: {}, body: 'down' }))).toMatchObject({ reason: 'AGENT_UNAVAILABLE' });
  });

  test('each event must belong to this request', async () => {
    const body = `data: ${JSON.stringify({ jsonrpc: '2.0', id: 999, result: { task: TASK } })}\n\n`;
    expect(String(await rejection(streamed({ headers: { 'content-type': 'text/event-stream' }, body })))).toContain('another request');
  });
});
