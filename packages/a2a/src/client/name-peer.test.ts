import { expect, test } from 'vitest';
import { systemClock } from '../platform/system-clock.js';
import { A2ACircuitOpenError, A2AError, A2ATransportError, toA2AError } from '../protocol/errors.js';
import type { ClientCall, ClientReply, EventStream, StreamedEvent } from './call.js';
import { namePeer } from './name-peer.js';
import { createBudget } from './resilience/budget.js';

const call: ClientCall = {
  method: 'GetTask',
  params: { id: 't' },
  peer: { key: 'http://c.test/', name: 'Celia', card: undefined, interfaces: [], log: { lastEventId: false, idempotencyKey: false } },
  requestId: 'r',
  attempt: 1,
  headers: {},
  extensions: [],
  signal: undefined,
  timeouts: {},
  budget: createBudget({ clock: systemClock }),
};

const event: StreamedEvent = { seq: 1, response: {} };

function streamOf(events: AsyncIterable<StreamedEvent>) {
  const seen = { closed: 0 };
  const stream: EventStream = {
    retryMs: 7,
    skipped: { count: 1, first: 'no JSON' },
    close: () => {
      seen.closed += 1;
    },
    [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
  };
  const reply: ClientReply = { kind: 'stream', events: stream, extensions: [] };
  return { seen, open: () => namePeer(async () => reply)(call) };
}

async function eventsOf(reply: Promise<ClientReply>): Promise<EventStream> {
  const opened = await reply;
  return opened.kind === 'stream' ? opened.events : expect.fail('no stream');
}

test('D28: a failed call names its agent, and an existing name is kept', async () => {
  const broken = new A2ATransportError('network', 'no', { sent: false });
  await expect(namePeer(() => Promise.reject(broken))(call)).rejects.toBe(broken);
  expect(broken.peer).toBe('Celia');
  const said = new A2AError('RATE_LIMITED', 'no', { peer: 'Dora' });
  await expect(namePeer(() => Promise.reject(said))(call)).rejects.toMatchObject({ peer: 'Dora' });
  await expect(namePeer(() => Promise.reject('text'))(call)).rejects.toMatchObject({
    reason: 'INTERNAL_ERROR',
    cause: 'text',
    peer: 'Celia',
  });
});

test('D36: an interceptor that returns no reply fails the call with an A2AError', async () => {
  const forgetful = (() => Promise.resolve()) as unknown as Parameters<typeof namePeer>[0];
  await expect(namePeer(forgetful)(call)).rejects.toMatchObject({ reason: 'INTERNAL_ERROR', message: expect.stringContaining('no reply') });
});

test('D28: the error of a broken stream names its agent', async () => {
  const { open } = streamOf(
    (async function* () {
      yield event;
      throw new A2ATransportError('network', 'no', { sent: true });
    })(),
  );
  const seen: StreamedEvent[] = [];
  const events = await eventsOf(open());
  await expect(
    (async () => {
      for await (const one of events) seen.push(one);
    })(),
  ).rejects.toMatchObject({ peer: 'Celia' });
  expect(seen).toEqual([event]);
  expect([events.retryMs, events.skipped]).toEqual([7, { count: 1, first: 'no JSON' }]);
});

test('leaving the loop and closing reach the wrapped stream', async () => {
  let left = 0;
  const { open, seen } = streamOf(
    (async function* () {
      try {
        for (;;) yield event;
      } finally {
        left += 1;
      }
    })(),
  );
  const events = await eventsOf(open());
  for await (const one of events) if (one === event) break;
  expect(left).toBe(1);
  events.close();
  expect(seen.closed).toBe(1);
});

test('a value is passed on unchanged', async () => {
  const reply: ClientReply = { kind: 'value', value: { id: 't' } as never, extensions: [] };
  expect(await namePeer(async () => reply)(call)).toBe(reply);
});

test('a send without a response is not retryable if the peer may carry it out twice', async () => {
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] } as const;
  const send: ClientCall = { ...call, method: 'SendMessage', params: { message }, idempotencyKey: 'm' };
  const known: ClientCall = { ...send, peer: { ...call.peer, log: { lastEventId: true, idempotencyKey: true } } };
  const failed = async (on: ClientCall, error: A2AError): Promise<A2AError> =>
    toA2AError(await namePeer(() => Promise.reject(error))(on).catch((thrown) => thrown));
  const broken = (sent: boolean): A2AError => new A2ATransportError('network', 'no', { sent });
  const gateway = (): A2AError => new A2AError('TASK_TIMEOUT', 'no');
  for (const method of ['SendMessage', 'SendStreamingMessage', 'CreateTaskPushNotificationConfig'] as const) {
    expect((await failed({ ...send, method }, broken(true))).retryable).toBe(false);
    expect((await failed({ ...send, method }, broken(false))).retryable).toBe(true);
    expect((await failed({ ...send, method }, gateway())).retryable).toBe(false);
  }
  for (const on of [call, known]) {
    expect((await failed(on, broken(true))).retryable).toBe(true);
    expect((await failed(on, gateway())).retryable).toBe(true);
  }
  for (const said of [
    new A2AError('TASK_TIMEOUT', 'no', { retryable: true }),
    new A2AError('RATE_LIMITED', 'no'),
    new A2AError('AGENT_UNAVAILABLE', 'no'),
    new A2ACircuitOpenError('no'),
  ]) {
    expect((await failed(send, said)).retryable).toBe(true);
  }
  const marked = await failed(send, broken(true));
  expect([marked.retryHint, marked.details[0]]).toMatchObject([undefined, { metadata: { retryable: 'false' } }]);
});
