/** Streams that break: when a run reconnects, how often, and what it emits about the gap. */
import { describe, expect, test } from 'vitest';
import { createRun, createWatch } from '../../src/client/run/create-run.js';
import type { Update } from '../../src/client/run/update.js';
import { A2AError, A2AReconnectError, A2ATransportError } from '../../src/protocol/errors.js';
import type { StreamResponse } from '../../src/protocol/types.js';
import { deltas, walk, walkOver } from './run-walk.js';
import {
  artifact,
  chunk,
  collect,
  numbered,
  type Step,
  type StreamEnd,
  says,
  scriptedPeer,
  status,
  TASK,
  task,
  theTask,
} from './scripted-peer.js';

const BEGIN = task('TASK_STATE_WORKING');
const DONE = status('TASK_STATE_COMPLETED');

const delays = (updates: readonly Update[]): number[] => updates.flatMap((update) => (update.kind === 'reconnect' ? [update.delayMs] : []));

/** The stream ends in this way after its first chunk; the run must reconnect for the rest. */
async function expectToComeBack(end: StreamEnd): Promise<void> {
  const back = { events: [task('TASK_STATE_WORKING', { artifacts: [artifact('a')] }), chunk('b'), DONE] };
  const { peer, updates, reply } = await walk([{ events: [BEGIN, chunk('a', { append: false })], end }, back]);
  expect(peer.methods).toEqual(['SendStreamingMessage', 'SubscribeToTask']);
  expect(deltas(updates)).toEqual(['a', 'b']);
  expect(reply).toMatchObject({ text: 'ab', state: 'TASK_STATE_COMPLETED' });
}

test('G29: a stream that ends before the task is a dropped connection, not success', () => expectToComeBack('end'));

test('C17: a stream that idles too long is a dropped connection, not an end', () =>
  expectToComeBack(new A2ATransportError('timeout', 'idle', { sent: true, phase: 'idle' })));

test('C16: a stream that breaks off inside an event is a dropped connection', () =>
  expectToComeBack(new A2ATransportError('network', 'The stream broke in the middle of an event', { sent: true })));

test('G21: network errors, invalid bytes and temporarily unavailable servers count as a dropped connection', async () => {
  await expectToComeBack('drop');
  await expectToComeBack(new A2ATransportError('serialization', 'garbage', { sent: true }));
  await expectToComeBack(new A2AError('AGENT_UNAVAILABLE', 'draining'));
  await expectToComeBack(new A2AError('INTERNAL_ERROR', 'bad gateway', { httpStatus: 500 }));
});

test('G21: a protocol error is not a dropped connection: the run ends with it', async () => {
  for (const reason of [
    'INVALID_PARAMS',
    'TASK_NOT_FOUND',
    'CONTENT_TYPE_NOT_SUPPORTED',
    'AUTH_REQUIRED',
    'INVALID_AGENT_RESPONSE',
  ] as const) {
    const refused = new A2AError(reason, 'no');
    const { peer, error } = await walk([{ events: [BEGIN], end: refused }]);
    expect(error).toBe(refused);
    expect(peer.methods).toEqual(['SendStreamingMessage']);
  }
});

test('G22: the message is sent once, however often the stream drops', async () => {
  const drop: Step = { events: [task('TASK_STATE_WORKING', { artifacts: [artifact('a')] })], end: 'drop' };
  const { peer } = await walk([{ events: [BEGIN], end: 'drop' }, drop, drop, { events: [BEGIN, DONE] }]);
  expect(peer.methods).toEqual(['SendStreamingMessage', 'SubscribeToTask', 'SubscribeToTask', 'SubscribeToTask']);
  expect(peer.calls.slice(1).map(({ params }) => params)).toEqual(Array(3).fill({ id: TASK }));
});

describe('the number of attempts', () => {
  const working = { value: theTask('TASK_STATE_WORKING') };
  const silent = (n: number): Step[] => Array.from({ length: n }, () => ({ events: [BEGIN], end: 'drop' }));

  test('G23: is reconnect.max, then the error states it', async () => {
    const { peer, error } = await walk([...silent(3), working], { reconnect: { maxRetries: 2 } });
    expect(error).toBeInstanceOf(A2AReconnectError);
    expect(error).toMatchObject({ attempts: 2, taskId: TASK, cause: { message: 'the connection broke' } });
    expect(peer.methods).toEqual(['SendStreamingMessage', 'SubscribeToTask', 'SubscribeToTask', 'GetTask']);
  });

  test('G23: of 0 disables reconnects', async () => {
    const { peer, error } = await walk([{ events: [BEGIN], end: 'drop' }, working], { reconnect: { maxRetries: 0 } });
    expect(error).toMatchObject({ name: 'A2AReconnectError', attempts: 0 });
    expect(peer.methods).toEqual(['SendStreamingMessage', 'GetTask']);
  });

  const growing = (n: number): Step[] =>
    Array.from({ length: n }, (_, index) => ({
      events: [task('TASK_STATE_WORKING', { artifacts: [artifact(...Array.from({ length: index + 1 }, (_, at) => `${at}`))] })],
      end: 'drop' as const,
    }));

  test('D34: starts again after any new content', async () => {
    const { reply } = await walk([...growing(12), { events: [BEGIN, DONE] }]);
    expect(reply?.text).toBe('01234567891011');
  });

  test('D34, G23: with refillOnProgress: false is a total, which new content does not restore', async () => {
    const { peer, error } = await walk([...growing(4), working], { reconnect: { refillOnProgress: false } });
    expect(error).toMatchObject({ name: 'A2AReconnectError', attempts: 3 });
    expect(peer.methods).toEqual(['SendStreamingMessage', 'SubscribeToTask', 'SubscribeToTask', 'SubscribeToTask', 'GetTask']);
  });

  test('D34: without new content is three by default', async () => {
    const { peer, error } = await walk([...growing(5), ...silent(3), working]);
    expect(error).toMatchObject({ attempts: 3 });
    expect(peer.calls).toHaveLength(9);
  });

  test('D34: a repeated status is not new content: it restores no attempts, and with a timestamp it is emitted once', async () => {
    for (const time of [undefined, '2026-01-01T00:00:00.000Z']) {
      const again = status('TASK_STATE_WORKING', undefined, time);
      const snapshot = {
        task: { ...theTask('TASK_STATE_WORKING'), status: again.statusUpdate?.status ?? { state: 'TASK_STATE_WORKING' } },
      };
      const { peer, error, updates } = await walk([...Array(4).fill({ events: [snapshot, again], end: 'drop' }), { value: snapshot.task }]);
      expect(error).toMatchObject({ name: 'A2AReconnectError', attempts: 3 });
      expect(peer.calls).toHaveLength(5);
      if (time !== undefined) expect(updates.filter(({ kind }) => kind === 'state')).toHaveLength(1);
    }
  });

  test.each([
    ['a time and a message', status('TASK_STATE_WORKING', says('On it'), '2026-01-01T00:00:00.000Z'), true],
    ['a message', status('TASK_STATE_WORKING', says('On it')), true],
    ['neither time nor message', status('TASK_STATE_WORKING'), false],
  ])('D34: a status with %s that is repeated with metadata is not new content', async (_name, { statusUpdate }, changes) => {
    const steps = [0, 1, 2, 3].map((n): Step => {
      const metadata = { progress: 0.25, ...(changes && { n }) };
      const again = statusUpdate === undefined ? [] : [{ statusUpdate: { ...statusUpdate, metadata } }];
      return { events: n === 0 ? [BEGIN, ...again] : again, end: 'drop' };
    });
    const { peer, error, updates } = await walk([...steps, { error: new A2AError('TASK_NOT_FOUND', 'gone') }]);
    expect(error).toMatchObject({ name: 'A2AReconnectError', attempts: 3 });
    expect(peer.calls).toHaveLength(5);
    const last = updates.findLast(({ kind }) => kind === 'reconnect')?.task;
    expect(last?.history).toBeUndefined();
    expect(last?.metadata).toEqual({ progress: 0.25, ...(changes && { n: 2 }) });
  });

  test('D34: a status with another text is new content', async () => {
    const says = (n: number): Step => ({ events: [BEGIN, status('TASK_STATE_WORKING', `step ${n}`)], end: 'drop' });
    const { reply } = await walk([says(1), says(2), says(3), says(4), says(5), { events: [BEGIN, DONE] }], {
      reconnect: { maxRetries: 1 },
    });
    expect(reply?.finishReason).toBe('completed');
  });

  test('G24: the delay is 500 ms each time', async () => {
    expect(delays((await walk([...silent(4), working])).updates)).toEqual([500, 500, 500]);
  });

  test('C4: the delay is a constant 500 ms; options make it grow, cap it or add jitter', async () => {
    const reconnect = { maxRetries: 5, initialDelayMs: 100, multiplier: 3, maxDelayMs: 1000 };
    expect(delays((await walk([...silent(6), working], { reconnect })).updates)).toEqual([100, 300, 900, 1000, 1000]);
    expect(delays((await walk([...silent(4), working], { reconnect: { jitter: true } })).updates)).toEqual([375, 375, 375]);
  });

  test('D34: a delay requested by the server is respected, up to maxMs', async () => {
    const asking = (retryMs: number): Step => ({ events: [BEGIN], end: 'drop', retryMs });
    const busy = new A2AError('AGENT_UNAVAILABLE', 'draining', { retryAfterMs: 1_200 });
    const { updates } = await walk([asking(2_000), asking(100), { events: [BEGIN], end: busy }, asking(1e9), DONE_LATER], {
      reconnect: { maxRetries: 4 },
    });
    expect(delays(updates)).toEqual([2_000, 500, 1_200, 30_000]);
  });
  const DONE_LATER: Step = { events: [BEGIN, DONE] };

  test('a server that is not back yet costs attempts and does not end the run', async () => {
    const refused: Step = { error: new A2ATransportError('network', 'refused', { sent: false }) };
    const { reply, peer, updates } = await walk([
      { events: [BEGIN], end: 'drop' },
      refused,
      refused,
      { events: [BEGIN, chunk('a', { append: false }), DONE] },
    ]);
    expect(reply?.text).toBe('a');
    expect(peer.calls).toHaveLength(4);
    expect(delays(updates)).toEqual([500, 500, 500]);
  });
});

describe('G25: a stream that breaks before the task id is known', () => {
  test('G25: the message is not sent again, and the run ends at once', async () => {
    for (const end of ['drop', 'end'] as const) {
      const { peer, error } = await walk([{ events: [], end }]);
      expect(error).toBeInstanceOf(A2AReconnectError);
      expect(error).toMatchObject({ attempts: 0, taskId: undefined, retryable: false });
      expect(peer.methods).toEqual(['SendStreamingMessage']);
    }
  });

  test('G25: an agent with idempotency keys gets the same message again', async () => {
    const { peer, reply } = await walk([{ events: [], end: 'drop' }, { events: numbered([BEGIN, DONE]) }], {}, { log: true });
    expect(reply?.finishReason).toBe('completed');
    expect(peer.methods).toEqual(['SendStreamingMessage', 'SendStreamingMessage']);
    expect(peer.calls[1]?.params).toEqual(peer.calls[0]?.params);
    expect(peer.calls[1]?.options.idempotencyKey).toBe(peer.calls[0]?.options.idempotencyKey);
  });

  test('G25: an agent with idempotency keys gets a limited number of repeats', async () => {
    const { peer, error } = await walk(Array(4).fill({ events: [], end: 'drop' }), {}, { log: true });
    expect(error).toMatchObject({ name: 'A2AReconnectError', attempts: 3, taskId: undefined, retryable: false });
    expect(peer.calls).toHaveLength(4);
  });

  test('a call that fails before there is a stream rejects with its own error', async () => {
    const refused = new A2ATransportError('network', 'refused', { sent: false });
    expect((await walk([{ error: refused }])).error).toBe(refused);
  });
});

describe('G26: when no attempt is left', () => {
  const drops: Step[] = Array.from({ length: 4 }, () => ({ events: [BEGIN], end: 'drop' }));

  test('G26: the run gets the task once, and ends with it if it has ended', async () => {
    const { reply, updates } = await walk([...drops, { value: theTask('TASK_STATE_COMPLETED', { artifacts: [artifact('late')] }) }]);
    expect(reply).toMatchObject({ text: 'late' });
    expect(updates.at(-1)).toMatchObject({ kind: 'state', state: 'TASK_STATE_COMPLETED', recovered: true });
  });

  test('G26: a task that still works or cannot be read is an A2AReconnectError with attempts, task id and cause', async () => {
    for (const last of [{ value: theTask('TASK_STATE_WORKING') }, { error: new A2AError('INTERNAL_ERROR', 'down') }]) {
      const { error } = await walk([...drops, last]);
      expect(error).toMatchObject({ name: 'A2AReconnectError', attempts: 3, taskId: TASK });
      expect(error?.cause).toBeInstanceOf(A2ATransportError);
    }
  });

  test('G26: a task that waits for input calls onInputRequired', async () => {
    const waiting = theTask('TASK_STATE_INPUT_REQUIRED', { said: says('Which?') });
    const { reply } = await walk([...drops, { value: waiting }, { events: [task('TASK_STATE_WORKING'), DONE] }], {
      onInputRequired: () => 'this',
    });
    expect(reply?.finishReason).toBe('completed');
  });

  test('D14: a question whose reply may have arrived is not asked again', async () => {
    const said = says('Which?');
    const asks = status('TASK_STATE_INPUT_REQUIRED', said);
    const silent: Step[] = Array.from({ length: 4 }, () => ({ events: [] }));
    const waiting = theTask('TASK_STATE_INPUT_REQUIRED', { said });
    let asked = 0;
    const onInputRequired = (): string => {
      asked += 1;
      return 'this';
    };
    const { error } = await walk([{ events: [BEGIN, asks] }, ...silent, { value: waiting }], { onInputRequired }, { log: true });
    expect([asked, error]).toMatchObject([1, { name: 'A2AReconnectError', attempts: 3, taskId: TASK }]);
  });
});

describe('the content of a gap', () => {
  test('G31: after a drop at chunk 2 of 5 the reader gets each chunk once; content of the snapshot is marked as recovered', async () => {
    const { updates, reply } = await walk([
      { events: [BEGIN, chunk('1', { append: false }), chunk('2')], end: 'drop' },
      { events: [task('TASK_STATE_WORKING', { artifacts: [artifact('1', '2', '3', '4')] }), chunk('5'), DONE] },
    ]);
    const texts = updates.filter((update) => update.kind === 'text');
    expect(texts.map(({ delta, recovered }) => [delta, recovered])).toEqual([
      ['1', undefined],
      ['2', undefined],
      ['34', true],
      ['5', undefined],
    ]);
    expect(reply?.artifacts).toEqual([artifact('1', '2', '3', '45')]);
    expect(updates.find((update) => update.kind === 'artifact' && update.recovered)).toMatchObject({
      append: true,
      parts: [{ text: '3' }, { text: '4' }],
    });
  });

  test('7.1.1: a snapshot in a final state ends the run', async () => {
    const over = task('TASK_STATE_FAILED', { said: says('died'), artifacts: [artifact('half')] });
    const { error, updates } = await walk([
      { events: [BEGIN], end: 'drop' },
      { events: [over], end: 'stall' },
    ]);
    expect(error).toMatchObject({ name: 'A2ATaskFailedError', message: 'died', task: over.task });
    expect(deltas(updates)).toEqual(['half']);
  });

  test('G27: a finished artifact that is replayed counts once; an unfinished one continues', async () => {
    const { reply, updates } = await walk([
      { events: [BEGIN, chunk('done', { append: false, last: true, id: 'a' }), chunk('x', { append: false, id: 'b' })], end: 'drop' },
      {
        events: [
          chunk('done', { append: false, last: true, id: 'a' }),
          chunk('done', { append: true, last: true, id: 'a' }),
          chunk('y', { id: 'b' }),
          DONE,
        ],
      },
    ]);
    expect(reply?.text).toBe('done\n\nxy');
    expect(deltas(updates)).toEqual(['done', 'x', 'y']);
  });

  test('G27: an artifact with other content was replaced, also when it was finished', async () => {
    const { reply } = await walk([
      { events: [BEGIN, chunk('old', { append: false, last: true })], end: 'drop' },
      { events: [chunk('new', { append: false, last: true }), DONE] },
    ]);
    expect(reply?.text).toBe('new');
  });

  test('G27: an artifact that starts again after a gap gets all its chunks', async () => {
    const { reply, updates } = await walk([
      { events: [BEGIN, chunk('old', { append: false, last: true })], end: 'drop' },
      { events: [chunk('new', { append: false }), chunk('er'), chunk('!', { last: true }), DONE] },
    ]);
    expect(deltas(updates)).toEqual(['old', 'new', 'er', '!']);
    expect(reply?.text).toBe('newer!');
  });

  test('G27: an artifact that is repeated chunk by chunk is complete at the end', async () => {
    const pieces = [chunk('a', { append: false }), chunk('b', { last: true })];
    const { reply } = await walk([{ events: [BEGIN, ...pieces], end: 'drop' }, { events: [...pieces, DONE] }]);
    expect(reply?.text).toBe('ab');
  });

  test('D34: after a snapshot, a chunk with content that the finished artifact does not have is new', async () => {
    for (const snapshot of ['old', 'older', 'new']) {
      const { reply } = await walk([
        { events: [BEGIN, chunk('old', { append: false, last: true })], end: 'drop' },
        { events: [task('TASK_STATE_WORKING', { artifacts: [artifact(snapshot)] }), chunk('!'), DONE] },
      ]);
      expect(reply?.text).toBe(`${snapshot}!`);
    }
  });

  test('D34: the next turn can extend an artifact that was finished before a gap in the turn before', async () => {
    const { reply } = await walk(
      [
        { events: [BEGIN, chunk('draft', { append: false, last: true })], end: 'drop' },
        { events: [status('TASK_STATE_INPUT_REQUIRED', 'Good?')] },
        { events: [status('TASK_STATE_WORKING'), chunk(', final', { last: true }), DONE] },
      ],
      { onInputRequired: () => 'yes' },
    );
    expect(reply?.text).toBe('draft, final');
  });

  test('G28: messages are emitted once per id; messages without an id always', async () => {
    const known = says('hello');
    const nameless = says('again', { messageId: '' });
    const { updates } = await walk([
      { events: [BEGIN, { message: known }, { message: nameless }], end: 'drop' },
      { events: [BEGIN, { message: known }, { message: nameless }, DONE] },
    ]);
    expect(deltas(updates)).toEqual(['hello', 'again', 'again']);
  });

  test('G28: messages of the agent in the gap are emitted from the history, without messages already emitted and without user messages', async () => {
    const [first, second, third] = [says('1'), says('2'), says('3')];
    const ours = says('ours', { role: 'ROLE_USER' });
    const { updates, reply } = await walk([
      { events: [BEGIN, status('TASK_STATE_WORKING', first)], end: 'drop' },
      { events: [task('TASK_STATE_WORKING', { history: [ours, first, second], said: third }), DONE] },
    ]);
    const said = updates.filter((update) => update.kind === 'message');
    expect(said.map(({ message, recovered }) => [message.messageId, recovered])).toEqual([[second.messageId, true]]);
    expect(updates.flatMap((update) => (update.kind === 'state' ? [update.message?.messageId] : []))).toEqual([
      undefined,
      first.messageId,
      third.messageId,
      undefined,
    ]);
    expect(reply?.text).toBe('');
  });

  test('D34: an artifact that was replaced in the gap starts again', async () => {
    const { updates, reply } = await walk([
      { events: [BEGIN, chunk('first try', { append: false })], end: 'drop' },
      { events: [task('TASK_STATE_WORKING', { artifacts: [artifact('second')] }), chunk(' try'), DONE] },
    ]);
    expect(updates.find((update) => update.kind === 'artifact' && update.recovered)).toMatchObject({
      append: false,
      parts: [{ text: 'second' }],
    });
    expect(reply?.text).toBe('second try');
  });
});

describe('G30: the task ends in the gap', () => {
  const over = theTask('TASK_STATE_COMPLETED', { artifacts: [artifact('a', 'b')] });
  const first: Step = { events: [BEGIN, chunk('a', { append: false })], end: 'drop' };

  for (const reason of ['UNSUPPORTED_OPERATION', 'INVALID_PARAMS', 'TASK_NOT_FOUND', 'METHOD_NOT_FOUND'] as const) {
    test(`G30: after a subscription refused with ${reason} the run gets the task and ends with it`, async () => {
      const { peer, reply, updates } = await walk([first, { error: new A2AError(reason, 'no') }, { value: over }]);
      expect(peer.methods).toEqual(['SendStreamingMessage', 'SubscribeToTask', 'GetTask']);
      expect(deltas(updates)).toEqual(['a', 'b']);
      expect(reply).toMatchObject({ task: over, text: 'ab' });
    });
  }

  test('C6: a refusal inside the stream has the same effect', async () => {
    const refusal: Step = { events: [], end: new A2AError('INVALID_PARAMS', 'terminal') };
    const { reply } = await walk([first, refusal, { value: over }]);
    expect(reply?.text).toBe('ab');
  });

  test('C6: a task that has ended when its reply arrives ends the run with its state', async () => {
    const asks = status('TASK_STATE_INPUT_REQUIRED', 'Which?');
    const expired = theTask('TASK_STATE_FAILED', { said: says('expired') });
    for (const reason of ['UNSUPPORTED_OPERATION', 'INVALID_PARAMS'] as const) {
      const refused: Step = { error: new A2AError(reason, 'terminal') };
      const { error } = await walk([{ events: [BEGIN, asks] }, refused, { value: expired }], { onInputRequired: () => 'this' });
      expect(error).toMatchObject({ name: 'A2ATaskFailedError', message: 'expired' });
    }
  });

  test('C6: a message to a task that had ended before rejects with the error of the agent', async () => {
    const refused: Step = { error: new A2AError('UNSUPPORTED_OPERATION', 'terminal') };
    const { error, peer } = await walk([refused, refused], { taskId: TASK });
    expect(error).toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
    expect(peer.methods).toEqual(['SendStreamingMessage', 'SendMessage']);
  });

  test('a task without subscriptions is polled', async () => {
    const refused: Step = { error: new A2AError('UNSUPPORTED_OPERATION', 'no subscriptions') };
    const { peer, reply } = await walk([
      first,
      refused,
      { value: theTask('TASK_STATE_WORKING', { artifacts: [artifact('a')] }) },
      { value: over },
    ]);
    expect(peer.methods).toEqual(['SendStreamingMessage', 'SubscribeToTask', 'GetTask', 'GetTask']);
    expect(reply?.text).toBe('ab');
  });

  test('a deleted task is a TASK_NOT_FOUND error', async () => {
    const gone: Step = { error: new A2AError('TASK_NOT_FOUND', 'gone') };
    expect((await walk([first, gone, gone])).error).toMatchObject({ reason: 'TASK_NOT_FOUND' });
  });
});

describe('agents with the log extension', () => {
  const log: StreamResponse[] = [BEGIN, chunk('a', { append: false }), status('TASK_STATE_WORKING', 'on it'), chunk('b'), chunk('c'), DONE];
  const events = numbered(log);

  test('D34: the run resumes after the last event, and each event is emitted once and unchanged', async () => {
    const { peer, updates, reply } = await walk(
      [{ events: events.slice(0, 2), end: 'drop' }, { events: events.slice(2) }],
      {},
      { log: true },
    );
    expect(peer.calls.map(({ options }) => options.lastEventId)).toEqual([undefined, 3]);
    expect(updates.flatMap((update) => (update.kind === 'reconnect' ? [] : [update.seq]))).toEqual([2, 2, 3, 3, 4, 5, 5, 6, 6, 7]);
    expect(updates.some(({ recovered }) => recovered)).toBe(false);
    expect(reply?.text).toBe('abc');
  });

  test('D34: events that were already emitted are not emitted again', async () => {
    const { updates } = await walk([{ events: events.slice(0, 4), end: 'drop' }, { events: events.slice(1) }], {}, { log: true });
    expect(deltas(updates)).toEqual(['a', 'b', 'c']);
  });

  test('D34: an event without its seq is not used: it is sent again and emitted then', async () => {
    const torn = { seq: undefined, response: chunk('b') };
    const steps: Step[] = [{ events: [...events.slice(0, 3), torn], end: 'end' }, { events: events.slice(3) }];
    const { peer, updates } = await walk(steps, {}, { log: true });
    expect(peer.calls[1]?.options.lastEventId).toBe(4);
    expect(deltas(updates)).toEqual(['a', 'b', 'c']);
  });

  test('D4: when the log does not reach back far enough, the snapshot replaces the local copy', async () => {
    const over = { seq: 7, response: task('TASK_STATE_COMPLETED', { artifacts: [artifact('a', 'b', 'c')] }) };
    const { updates, reply } = await walk([{ events: events.slice(0, 2), end: 'drop' }, { events: [over] }], {}, { log: true });
    expect(deltas(updates)).toEqual(['a', 'bc']);
    expect(reply?.text).toBe('abc');
  });

  test('D4: when the log is shorter than before, the snapshot replaces the local copy, and later events are new', async () => {
    const snapshot = { seq: 3, response: task('TASK_STATE_WORKING', { artifacts: [artifact('a')] }) };
    const rest = numbered([chunk('B'), DONE], 4);
    const { updates, reply, peer } = await walk(
      [{ events: events.slice(0, 5), end: 'drop' }, { events: [snapshot, ...rest] }],
      {},
      { log: true },
    );
    expect(peer.calls[1]?.options.lastEventId).toBe(6);
    expect(deltas(updates)).toEqual(['a', 'b', 'c', 'a', 'B']);
    expect(updates.filter(({ kind, recovered }) => kind === 'artifact' && recovered)).toMatchObject([
      { append: false, parts: [{ text: 'a' }] },
    ]);
    expect(reply?.text).toBe('aB');
  });

  test('D4: only the first event of a subscription can be such a snapshot', async () => {
    const old = { seq: 3, response: task('TASK_STATE_WORKING', { artifacts: [artifact('a')] }) };
    const { reply } = await walk(
      [{ events: events.slice(0, 3), end: 'drop' }, { events: [...events.slice(3, 5), old, ...events.slice(5)] }],
      {},
      { log: true },
    );
    expect(reply?.text).toBe('abc');
  });

  test('D4: a watch after a seq that never existed starts with the current task', async () => {
    const peer = scriptedPeer([{ events: numbered([task('TASK_STATE_WORKING', { artifacts: [artifact('a')] }), chunk('b'), DONE], 3) }], {
      log: true,
    });
    const { updates, reply } = await walkOver(peer, createWatch(peer, TASK, { after: 9_999 }));
    expect(deltas(updates)).toEqual(['a', 'b']);
    expect(reply?.text).toBe('ab');
  });

  test('D4: for a task that ended meanwhile, the missing events are replayed and the stream closes', async () => {
    const { peer, reply } = await walk([{ events: events.slice(0, 5), end: 'end' }, { events: events.slice(5) }], {}, { log: true });
    expect(peer.methods).toEqual(['SendStreamingMessage', 'SubscribeToTask']);
    expect(reply?.finishReason).toBe('completed');
  });

  test('D5: event numbers of agents without the log extension are not used to resume', async () => {
    const restarted = numbered([task('TASK_STATE_WORKING', { artifacts: [artifact('a')] }), chunk('b'), DONE], 1);
    const { peer, updates, reply } = await walk([
      { events: numbered([BEGIN, chunk('a', { append: false })], 7), end: 'drop' },
      { events: restarted },
    ]);
    expect(peer.calls[1]?.options.lastEventId).toBeUndefined();
    expect(updates.every(({ seq }) => seq === undefined)).toBe(true);
    expect(reply?.text).toBe('ab');
  });
});

test('a run emits the reconnect with its cause before it waits', async () => {
  const peer = scriptedPeer([{ events: [BEGIN], end: 'drop' }, { events: [BEGIN, DONE] }]);
  const run = createRun(peer, 'Hi');
  const told = collect(run);
  await peer.clock.tick(499);
  expect(peer.calls).toHaveLength(1);
  await peer.clock.tick(1);
  const update = (await told).find(({ kind }) => kind === 'reconnect');
  expect(update).toMatchObject({ attempt: 1, delayMs: 500, cause: { message: 'the connection broke' }, task: { id: TASK } });
});
