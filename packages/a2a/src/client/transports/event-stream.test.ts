import { describe, expect, test } from 'vitest';
import { eventsOf, LOG_PEER, rejection, type ScriptedPeer, type Sending, scriptedPeer, send } from '../../../test/client/peer-calls.js';
import type { HttpResponse } from './exchange.js';
import { jsonRpc } from './jsonrpc.js';
import { rest } from './rest.js';

const encoder = new TextEncoder();
const SSE = { 'content-type': 'text/event-stream; charset=utf-8' };

const update = (state: string): object => ({ statusUpdate: { taskId: 't', contextId: 'c', status: { state } } });
const frame = (value: unknown, more = ''): string => `${more}data: ${JSON.stringify(value)}\n\n`;
const WORKING = frame(update('TASK_STATE_WORKING'));
const COMPLETED = frame(update('TASK_STATE_COMPLETED'));

interface Body {
  readonly stream: ReadableStream<Uint8Array>;
  readonly canceled: () => boolean;
  push(text: string): void;
  fail(error: unknown): void;
}

/** A body that stays open until it is discarded. */
function openBody(...texts: readonly string[]): Body {
  let canceled = false;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
      for (const text of texts) given.enqueue(encoder.encode(text));
    },
    cancel() {
      canceled = true;
    },
  });
  return {
    stream,
    canceled: () => canceled,
    push: (text) => controller?.enqueue(encoder.encode(text)),
    fail: (error) => controller?.error(error),
  };
}

const peerWith = (body: string | ReadableStream<Uint8Array>, headers: Record<string, string> = SSE): ScriptedPeer =>
  scriptedPeer({ headers, body });

const SUBSCRIBE: Sending<'SubscribeToTask'> = { method: 'SubscribeToTask', params: { id: 't' } };

async function open({ exchange }: ScriptedPeer, sending: Partial<Sending<'SubscribeToTask'>> = {}) {
  const reply = await send(rest(), exchange, { ...SUBSCRIBE, ...sending });
  if (reply.kind !== 'stream') throw new Error('no stream');
  return reply.events;
}

const all = (peer: ScriptedPeer, sending: Partial<Sending<'SubscribeToTask'>> = {}) =>
  eventsOf(rest(), peer.exchange, { ...SUBSCRIBE, ...sending });

describe('end of a stream', () => {
  test('A15: it ends with the terminal status, even if the server keeps the connection open', async () => {
    const body = openBody(WORKING, COMPLETED);
    expect(await all(peerWith(body.stream))).toHaveLength(2);
    expect(body.canceled()).toBe(true);
  });

  test('A15: nothing after the terminal status is delivered', async () => {
    const body = openBody(`${WORKING}${COMPLETED}${WORKING}data: garbage\n\n`);
    expect(await all(peerWith(body.stream))).toHaveLength(2);
  });

  test.each(['FAILED', 'CANCELED', 'REJECTED'])('A15: %s ends it too', async (state) => {
    const body = openBody(frame(update(`TASK_STATE_${state}`)));
    expect(await all(peerWith(body.stream))).toHaveLength(1);
    expect(body.canceled()).toBe(true);
  });

  test('A15: a finished task, and a message that is the whole reply, end it', async () => {
    const task = { id: 't', status: { state: 'TASK_STATE_COMPLETED' } };
    const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] };
    for (const value of [{ task }, { message }]) {
      const body = openBody(frame(value));
      expect(await all(peerWith(body.stream))).toHaveLength(1);
      expect(body.canceled()).toBe(true);
    }
  });

  test('an interrupted task does not end it, nor does a message between other events', async () => {
    const message = { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } };
    const text = [frame(update('TASK_STATE_INPUT_REQUIRED')), frame(message), WORKING, COMPLETED].join('');
    expect(await all(peerWith(text))).toHaveLength(4);
  });

  test('A15: the end of another task is not the end of the stream', async () => {
    const other = { taskId: 'other', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } };
    const { taskId: id, ...rest } = other;
    const text = [WORKING, frame({ statusUpdate: other }), frame({ task: { id, ...rest } }), WORKING, COMPLETED].join('');
    expect(await all(peerWith(text))).toHaveLength(5);
  });

  test('the reader decides whether a clean end is too early', async () => {
    expect(await all(peerWith(WORKING))).toHaveLength(1);
    expect(await all(peerWith(': \n\n'))).toEqual([]);
  });

  test('C16: a truncated event is not delivered, and the stream counts as broken', async () => {
    for (const rest of ['data: {"sta', COMPLETED.slice(0, -1), COMPLETED.slice(0, -2), 'id: 7\n']) {
      const events = await open(peerWith(WORKING + rest));
      const iterator = events[Symbol.asyncIterator]();
      expect((await iterator.next()).done).toBe(false);
      expect(await rejection(iterator.next())).toMatchObject({
        name: 'A2ATransportError',
        kind: 'network',
        message: 'The stream broke in the middle of an event',
      });
      expect((await iterator.next()).done).toBe(true);
    }
  });

  test('A15: an unterminated last event is not the end of the task', async () => {
    expect(await rejection(all(peerWith(WORKING + COMPLETED.slice(0, -1))))).toMatchObject({ name: 'A2ATransportError' });
  });

  test('a broken connection is an error, after the earlier events', async () => {
    const body = openBody(WORKING);
    const iterator = (await open(peerWith(body.stream)))[Symbol.asyncIterator]();
    expect((await iterator.next()).done).toBe(false);
    const next = rejection(iterator.next());
    body.fail(new TypeError('terminated'));
    expect(await next).toMatchObject({ name: 'A2ATransportError', kind: 'network', sent: true });
  });
});

describe('leaving and closing', () => {
  test('U11: leaving the loop releases the body', async () => {
    const body = openBody(WORKING, WORKING);
    for await (const _ of await open(peerWith(body.stream))) break;
    expect(body.canceled()).toBe(true);
  });

  test('U11: errors while releasing are ignored', async () => {
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(encoder.encode(WORKING)),
      cancel: () => Promise.reject(new Error('no')),
    });
    for await (const _ of await open(peerWith(stream))) break;
  });

  test('closing ends a pending read', async () => {
    const body = openBody(WORKING);
    const events = await open(peerWith(body.stream));
    const iterator = events[Symbol.asyncIterator]();
    await iterator.next();
    const waiting = iterator.next();
    events.close();
    events.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(body.canceled()).toBe(true);
  });

  test('closing ends a pending read even if the body then fails', async () => {
    let fail: (error: Error) => void = () => {};
    const response: HttpResponse = {
      status: 200,
      header: (name) => (name === 'content-type' ? 'text/event-stream' : undefined),
      text: async () => '',
      chunks: () => ({
        [Symbol.asyncIterator]: () => ({
          next: () =>
            new Promise((_, reject) => {
              fail = reject;
            }),
        }),
      }),
      discard: () => fail(new Error('premature close')),
    };
    const events = await open({ exchange: async () => response, requests: [] });
    const waiting = events[Symbol.asyncIterator]().next();
    events.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  test('aborting rejects with ABORTED and its reason', async () => {
    const controller = new AbortController();
    const body = openBody(WORKING);
    const iterator = (await open(peerWith(body.stream), { call: { signal: controller.signal } }))[Symbol.asyncIterator]();
    await iterator.next();
    const waiting = rejection(iterator.next());
    controller.abort('enough');
    body.fail(new DOMException('aborted', 'AbortError'));
    expect(await waiting).toMatchObject({ reason: 'ABORTED', cause: 'enough' });
  });
});

describe('reading events', () => {
  test('U11: any parameters of the content type are accepted, and events may arrive in any pieces', async () => {
    for (const type of ['text/event-stream', 'Text/Event-Stream', 'text/event-stream;charset=UTF-8']) {
      const bytes = encoder.encode(`: hi\r\n\r\n${WORKING}${COMPLETED}`);
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
          controller.close();
        },
      });
      expect(await all(peerWith(stream, { 'content-type': type }))).toHaveLength(2);
    }
  });

  test('U11: a response with another content type is discarded and refused', async () => {
    for (const type of ['text/html', 'text/plain', 'text/event-streams', 'application/octet-stream']) {
      const body = openBody(WORKING);
      const error = await rejection(all(peerWith(body.stream, { 'content-type': type })));
      expect(error).toMatchObject({ name: 'A2ATransportError', kind: 'serialization', message: expect.stringContaining(type) });
      expect(String(error)).toContain('SubscribeToTask');
      expect(body.canceled()).toBe(true);
    }
  });

  test('event numbers count only for peers that declare them', async () => {
    const text = frame(update('TASK_STATE_WORKING'), 'id: 7\n') + frame(update('TASK_STATE_WORKING'), 'id: x7\n') + WORKING;
    expect((await all(peerWith(text), { call: { peer: LOG_PEER } })).map(({ seq }) => seq)).toEqual([7, undefined, undefined]);
    expect((await all(peerWith(text))).map(({ seq }) => seq)).toEqual([undefined, undefined, undefined]);
  });

  test('retryMs is set once the peer sent it', async () => {
    const events = await open(peerWith(`${WORKING}retry: 500\n\n`));
    expect(events.retryMs).toBeUndefined();
    for await (const _ of events);
    expect(events.retryMs).toBe(500);
  });

  test('an event above the limit is an error with a clear message', async () => {
    const peer = peerWith(frame({ statusUpdate: { taskId: 'x'.repeat(2000) } }));
    expect(await rejection(all(peer, { tools: { maxResponseBytes: 1000 } }))).toMatchObject({
      kind: 'serialization',
      message: 'An event of the stream is larger than 1000 bytes',
    });
  });
});

describe('errors inside a stream', () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' }];
  const restError = { error: { code: 404, status: 'NOT_FOUND', message: 'gone', details } };
  const rpcError = { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'gone', data: details } };
  const bare = { code: -32001, message: 'gone' };

  test.each([
    ['HTTP+JSON, named', rest, frame(restError, 'event: error\n')],
    ['HTTP+JSON, unnamed', rest, frame(restError)],
    ['HTTP+JSON, in the envelope of the other binding', rest, frame(rpcError)],
    ['JSON-RPC, named', jsonRpc, frame(rpcError, 'event: error\n')],
    ['JSON-RPC, unnamed', jsonRpc, frame(rpcError)],
    ['JSON-RPC, without an envelope', jsonRpc, frame(bare, 'event: error\n')],
  ])('%s: thrown as the error of the peer', async (_name, transport, text) => {
    const body = openBody(text);
    const error = await rejection(eventsOf(transport(), peerWith(body.stream).exchange, SUBSCRIBE));
    expect(error).toMatchObject({ name: 'A2AError', kind: 'rpc', reason: 'TASK_NOT_FOUND', message: 'gone' });
    expect(body.canceled()).toBe(true);
  });
});

describe('unreadable events', () => {
  const mixed = `${WORKING}data: {"broken\n\n${frame({ nonsense: 1 })}${COMPLETED}`;

  test('by default the stream counts as broken, so that its reader recovers the lost events', async () => {
    const iterator = (await open(peerWith(mixed)))[Symbol.asyncIterator]();
    await iterator.next();
    const error = await rejection(iterator.next());
    expect(error).toMatchObject({ name: 'A2ATransportError', kind: 'serialization' });
    expect(String(error)).toContain('{"broken');
  });

  test('U12: with skipBadFrames they are skipped and counted, and the first reason is kept', async () => {
    const events = await open(peerWith(mixed), { tools: { skipBadFrames: true } });
    const states: unknown[] = [];
    for await (const { response } of events) states.push(response.statusUpdate?.status.state);
    expect(states).toEqual(['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED']);
    expect(events.skipped).toEqual({ count: 2, first: 'The response to SubscribeToTask is not JSON: {"broken' });
  });

  test('U12: the reason is a short text on one line', async () => {
    const events = await open(peerWith(`data: ${'x\t'.repeat(5000)}\n\n${COMPLETED}`), { tools: { skipBadFrames: true } });
    for await (const _ of events);
    expect(events.skipped?.first.length).toBeLessThanOrEqual(120);
    expect(events.skipped?.first).not.toMatch(/[\t\n]/);
  });

  test('U12: errors of the peer are not skipped', async () => {
    const text = frame({ error: { code: 500, message: 'broken' } });
    expect(await rejection(all(peerWith(text), { tools: { skipBadFrames: true } }))).toMatchObject({ kind: 'rpc' });
  });
});
