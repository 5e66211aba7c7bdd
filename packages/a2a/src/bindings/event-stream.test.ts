import { expect, test } from 'vitest';
import { type Endpoint, endpointsOf, fetchInProcess, type Stream, userMessage, V1 } from '../../test/endpoints.js';
import { SseReader } from '../../test/sse-reader.js';
import type { Clock } from '../protocol/clock.js';
import { A2AError } from '../protocol/errors.js';
import type { Reading, Sink } from '../server/call.js';
import { createAgent } from '../server/create-agent.js';
import type { AgentOptions } from '../server/options.js';
import { manualClock } from '../testing/manual-clock.js';
import { scriptedExecutor } from '../testing/scripted-executor.js';
import type { WireOutput, WireRequest, WireStream } from '../wire/http.js';
import { createHandler } from './route.js';

const anonymous = { name: 'Test', auth: 'none' } as const;
const FRAME = { json: '{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}', seq: 1 };

/** An agent whose streams the test controls: the interceptor answers instead of the runtime. */
function streaming(open: (sink: Sink) => Reading, more: Partial<AgentOptions> = {}) {
  const answer = async () => ({ kind: 'stream', extensions: [], open }) as const;
  return createAgent({ ...anonymous, execute: () => undefined, interceptors: [() => answer], ...more });
}

const idle: Reading = { resume: () => {}, close: () => {} };

const names = ['JSON-RPC', 'HTTP+JSON'] as const;
const doorTo = (knock: Parameters<typeof endpointsOf>[0], name: Endpoint['name']): Endpoint => {
  const door = endpointsOf(knock).find((one) => one.name === name);
  if (door === undefined) throw new Error(name);
  return door;
};

for (const name of names) {
  test(`P49: invalid parameters of a stream are an ordinary error over ${name}`, async () => {
    const door = doorTo(fetchInProcess(createAgent({ ...anonymous, execute: async (context) => context.text })), name);
    const { status, headers, error } = await door.call('SendStreamingMessage', {
      message: { messageId: 'm', role: 'ROLE_USER', parts: [] },
    });
    expect([status, error?.reason]).toEqual([name === 'JSON-RPC' ? 200 : 400, 'INVALID_PARAMS']);
    expect(headers.get('content-type')).toMatch(/json$/);
  });

  test(`P49: an unknown and an ended task are ordinary errors of a subscription over ${name}`, async () => {
    const door = doorTo(fetchInProcess(createAgent({ ...anonymous, execute: async (context) => context.text })), name);
    expect((await door.call('SubscribeToTask', { id: 'none' })).error?.reason).toBe('TASK_NOT_FOUND');
    const { result } = await door.call('SendMessage', userMessage('x'));
    expect((await door.call('SubscribeToTask', { id: result?.task?.id })).error?.reason).toBe('UNSUPPORTED_OPERATION');
  });

  test(`P49: an executor that fails before its first event is an ordinary error over ${name}`, async () => {
    const executor = scriptedExecutor([{ do: 'throw', error: new A2AError('SKILL_NOT_FOUND', 'not that') }]);
    const door = doorTo(fetchInProcess(createAgent({ ...anonymous, executor })), name);
    const { error, headers } = await door.call('SendStreamingMessage', userMessage('x'));
    expect([error?.reason, headers.get('content-type')]).toEqual(['SKILL_NOT_FOUND', expect.stringMatching(/json$/)]);
  });

  test(`P50: an error after the headers is an event named error with the whole body of ${name}, then the end`, async () => {
    const agent = streaming((sink) => {
      sink.send([FRAME]);
      sink.end({ kind: 'error', error: new A2AError('AGENT_UNAVAILABLE', 'gone', { retryAfterMs: 1_000 }) });
      return idle;
    });
    const door = doorTo(fetchInProcess(agent), name);
    const stream = await door.stream('SubscribeToTask', { id: 't' }, { 'x-request-id': 'r1' });
    const [first, last, ...more] = await stream.rest();
    expect(first).toMatchObject({ id: '1', event: undefined, result: { statusUpdate: { taskId: 't' } } });
    expect(last).toMatchObject({ id: undefined, event: 'error', error: { reason: 'AGENT_UNAVAILABLE', message: 'gone' } });
    expect(last?.error?.details[0]?.metadata?.requestId).toBe('r1');
    expect(JSON.parse(last?.raw ?? '')).toMatchObject(
      name === 'JSON-RPC' ? { jsonrpc: '2.0', id: 1, error: { code: -31005 } } : { error: { code: 503, status: 'UNAVAILABLE' } },
    );
    expect(more).toEqual([]);
  });

  test(`P50, B20: a stream that cannot be opened sends an error event, without its cause, over ${name}`, async () => {
    const seen: unknown[] = [];
    const fail = (): never => {
      throw new Error('/etc/x');
    };
    const door = doorTo(fetchInProcess(streaming(fail, { onError: (error) => seen.push(error.cause) })), name);
    const [only] = await (await door.stream('SubscribeToTask', { id: 't' })).rest();
    expect(only).toMatchObject({ event: 'error', error: { reason: 'INTERNAL_ERROR' }, raw: expect.not.stringContaining('etc') });
    expect(seen).toEqual([new Error('/etc/x')]);
  });

  test(`a stream over ${name} has the headers that prevent buffering in proxies`, async () => {
    const door = doorTo(fetchInProcess(createAgent({ ...anonymous, execute: async (context) => context.text })), name);
    const stream = await door.stream('SendStreamingMessage', userMessage('x'));
    expect(stream.headers.get('cache-control')).toBe('no-cache');
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    const events = await stream.rest();
    expect(events.map(({ id }) => Number(id))).toEqual([...events.keys()].map((index) => index + 2));
    expect(events[0]?.result?.task?.status.state).toBe('TASK_STATE_SUBMITTED');
    expect(events.at(-1)?.result?.statusUpdate?.status.state).toBe('TASK_STATE_COMPLETED');
  });

  test(`D20: a closing server ends its streams over ${name} with a retry hint`, async () => {
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'never' }]);
    const agent = createAgent({ ...anonymous, executor });
    const knock = fetchInProcess(agent);
    const sent = await doorTo(knock, name).call('SendMessage', { ...userMessage('x'), configuration: { returnImmediately: true } });
    const response = await knock(`/tasks/${sent.result?.task?.id}:subscribe`, { headers: V1 });
    const reader = new SseReader(response.body as ReadableStream<Uint8Array>);
    expect((await reader.next())?.data).toContain('"task"');
    const closing = agent.close({ drainMs: 0 });
    const blocks: unknown[] = [];
    for (let block = await reader.next(); block !== undefined; block = await reader.next()) blocks.push(block);
    expect(blocks.at(-1)).toEqual({ retry: '500' });
    await closing;
  });
}

test('D3: a client that waits longer than a heartbeat for the first event gets the headers, with a heartbeat', async () => {
  const clock = manualClock();
  const executor = scriptedExecutor([{ do: 'gate', name: 'go' }, { do: 'complete' }]);
  const knock = fetchInProcess(createAgent({ ...anonymous, executor, clock, taskAfterMs: Number.POSITIVE_INFINITY }));
  let answered = false;
  const coming = knock('/message:stream', {
    method: 'POST',
    headers: { ...V1, 'content-type': 'application/json' },
    body: JSON.stringify(userMessage('x')),
  }).finally(() => {
    answered = true;
  });
  await clock.tick(14_999);
  expect(answered).toBe(false);
  await clock.tick(1);
  const response = await coming;
  await clock.tick();
  const reader = new SseReader(response.body as ReadableStream<Uint8Array>);
  expect(await reader.next()).toEqual({ comment: '' });
  executor.open('go');
  await clock.tick();
  expect((await reader.next())?.data).toContain('"task"');
  await reader.cancel();
});

test('a Message-only stream has no ids', async () => {
  const executor = scriptedExecutor([{ do: 'reply', text: 'hi' }]);
  for (const door of endpointsOf(fetchInProcess(createAgent({ ...anonymous, executor })))) {
    const events = await (await door.stream('SendStreamingMessage', userMessage('x'))).rest();
    expect(events).toMatchObject([{ id: undefined, result: { message: { parts: [{ text: 'hi' }] } } }]);
  }
});

test('all streams of a server share one heartbeat timer, which stops with the last stream and keeps no process alive', async () => {
  const clock = manualClock();
  const beats = new Set<unknown>();
  const after: Clock['after'] = (delayMs, callback, options) => {
    const beat = delayMs === 10_000 && options?.background ? callback : undefined;
    if (beat) beats.add(beat);
    const stop = clock.after(delayMs, callback, options);
    return () => {
      beats.delete(beat);
      stop();
    };
  };
  const sinks: Sink[] = [];
  const agent = streaming(
    (sink) => {
      sinks.push(sink);
      return idle;
    },
    { clock: { ...clock, after }, heartbeatMs: 10_000 },
  );
  const knock = fetchInProcess(agent);
  const open = async () => new SseReader((await knock('/tasks/t:subscribe', { headers: V1 })).body as ReadableStream<Uint8Array>);
  const readers = [await open(), await open(), await open()];
  await clock.tick();
  expect(beats.size).toBe(1);
  for (const reader of readers) expect(await reader.next()).toEqual({ comment: '' }); // headers must go out
  await clock.tick(10_000);
  for (const reader of readers) expect(await reader.next()).toEqual({ comment: '' });
  sinks[0]?.send([FRAME]);
  await clock.tick(10_000);
  expect((await readers[0]?.next())?.data).toBe(FRAME.json);
  for (const reader of readers) expect(await reader.next()).toEqual({ comment: '' });
  for (const sink of sinks) sink.end({ kind: 'done' });
  for (const reader of readers) expect(await reader.next()).toBeUndefined();
  expect([beats.size, clock.pending]).toEqual([0, 0]);
});

test('heartbeats of thousands of streams are spread over several event-loop iterations', async () => {
  const clock = manualClock();
  const agent = streaming(() => idle, { clock });
  const handler = createHandler(agent);
  let beats = 0;
  const output: WireOutput = {
    write: () => {
      beats++;
      return true;
    },
    end: () => {},
  };
  const readings = [];
  for (let n = 0; n < 1_200; n++) readings.push((await openStream(handler)).open(output));
  await clock.tick();
  beats = 0;
  await clock.tick(14_999);
  expect(beats).toBe(0);
  const ticking = clock.tick(1);
  await ticking;
  expect(beats).toBe(1_200);
  for (const reading of readings) reading.close();
  await clock.tick(60_000);
  expect(beats).toBe(1_200);
});

test('a full host pauses the reader, and resumes it when it has room', async () => {
  const calls: string[] = [];
  const sent: boolean[] = [];
  let sink: Sink | undefined;
  const agent = streaming(
    (given) => {
      sink = given;
      return { resume: () => calls.push('resume'), close: () => calls.push('close') };
    },
    { clock: manualClock() },
  );
  let room = true;
  const written: string[] = [];
  const output: WireOutput = {
    write: (text) => {
      written.push(text);
      return room;
    },
    end: () => calls.push('end'),
  };
  const reading = (await openStream(createHandler(agent))).open(output);
  sent.push(sink?.send([FRAME]) ?? false);
  reading.resume(); // nothing was full
  room = false;
  sent.push(sink?.send([FRAME, { ...FRAME, seq: 2 }]) ?? false);
  reading.resume();
  reading.resume();
  expect([sent, calls]).toEqual([[true, false], ['resume']]);
  expect(written).toHaveLength(2); // one string per batch
  expect(written[1]).toBe(`data: ${FRAME.json}\nid: 1\n\ndata: ${FRAME.json}\nid: 2\n\n`);
  reading.close();
  expect(sink?.send([FRAME])).toBe(false);
  sink?.end({ kind: 'done' });
  reading.close();
  expect([written.length, calls]).toEqual([2, ['resume', 'close']]);
});

test('no heartbeat is written to a full reader', async () => {
  const clock = manualClock();
  const written: string[] = [];
  const agent = streaming(
    (sink) => {
      sink.send([FRAME]);
      return idle;
    },
    { clock },
  );
  (await openStream(createHandler(agent))).open({ write: (text) => written.push(text) > 5, end: () => {} });
  await clock.tick(60_000);
  expect(written).toHaveLength(1);
});

test('readers of one batch share its text, each in its own envelope', async () => {
  const sinks: Sink[] = [];
  const agent = streaming((sink) => {
    sinks.push(sink);
    return idle;
  });
  const handler = createHandler(agent);
  const written: string[][] = [];
  for (const id of [1, '"x"']) {
    const lines: string[] = [];
    written.push(lines);
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'SubscribeToTask', params: { id: 't' } });
    const reply = await handler({ ...get('/'), method: 'POST', body: async () => body });
    (reply.body as WireStream).open({ write: (text) => lines.push(text) > 0, end: () => {} });
  }
  const batch = [FRAME, { ...FRAME, seq: 2 }];
  for (const sink of sinks) sink.send(batch);
  for (const [index, id] of [1, '"x"'].entries()) {
    const texts = written[index]?.[0]?.split('\n\n').slice(0, -1) ?? [];
    const parsed = texts.map((text) => JSON.parse(text.split('\n')[0]?.slice(6) ?? ''));
    expect(parsed).toEqual([1, 2].map(() => ({ jsonrpc: '2.0', id, result: JSON.parse(FRAME.json) })));
  }
});

test('a reader that disconnects is removed, and the task continues', async () => {
  const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'go' }, { do: 'complete' }]);
  for (const door of endpointsOf(fetchInProcess(createAgent({ ...anonymous, executor })))) {
    const stream: Stream = await door.stream('SendStreamingMessage', userMessage('x'));
    const id = (await stream.next())?.result?.task?.id;
    await stream.cancel();
    executor.open('go');
    const again = await door.stream('SubscribeToTask', { id }, { 'last-event-id': '2' });
    expect((await again.rest()).at(-1)?.result?.statusUpdate?.status.state).toBe('TASK_STATE_COMPLETED');
  }
});

function get(path: string): WireRequest {
  const headers: Record<string, string> = { ...V1, 'content-type': 'application/json' };
  return { method: 'GET', path, query: '', origin: 'http://agent.test', host: {}, header: (name) => headers[name], body: async () => '' };
}

async function openStream(handler: ReturnType<typeof createHandler>): Promise<WireStream> {
  const { body } = await handler(get('/tasks/t:subscribe'));
  if (typeof body === 'string' || body instanceof Uint8Array) throw new Error(String(body));
  return body;
}
