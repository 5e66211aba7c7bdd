import { describe, expect, test } from 'vitest';
import { createAgent, memoryBus, memoryStore, type TaskStore } from '../src/server/index.js';
import { type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { callerOf, Reader, say } from './harness.js';
import { follow, logOf, quiet, refOf, refusal, until, untilIdle } from './looking.js';

const NAME = { name: 'Replayer' };
const CHUNKS: readonly ScriptStep[] = ['one ', 'two ', 'three ', 'four'].map((text) => ({ do: 'append', artifactId: 'a', text }));
const QUESTION: ScriptStep = { do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED', 'well?') };

/** A running task: the Task is seq 2, the chunks are 3 to 6. It ends when the gate opens. */
async function atWork(store: TaskStore = memoryStore()) {
  const executor = scriptedExecutor([...CHUNKS, { do: 'gate', name: 'end' }, { do: 'complete' }]);
  const agent = createAgent({ ...NAME, store, executor });
  const caller = callerOf(agent);
  const { id } = await caller.task('go', { returnImmediately: true });
  await until(() => agent.tasks.running.length === 1);
  await quiet();
  return { agent, caller, executor, id, store };
}

/** The same task after its end: COMPLETED is seq 7. */
async function ended(store?: TaskStore) {
  const running = await atWork(store);
  running.executor.open('end');
  await untilIdle(running.agent);
  return running;
}

const seqs = (reader: Reader): readonly (number | undefined)[] => reader.seen.map(({ seq }) => seq);

/** Values that are not the seq of an event of this log. */
const USELESS = [
  ['not a number', 'abc'],
  ['an empty text', ''],
  ['a negative number', '-1'],
  ['a fraction', '2.5'],
  ['an exponent', '1e1'],
  ['hexadecimal', '0x2'],
  ['a number with a space', ' 2'],
  ['too long to be a seq', '9'.repeat(40)],
  ['after the end of the log', '999'],
] as const;

describe('D4: subscribing to a task that is not final', () => {
  test('D4: without a header, the current Task comes first with its seq, then the later events', async () => {
    const { caller, executor, id } = await atWork();
    const reader = await caller.subscribe(id);
    await reader.until(1);
    expect(reader.seen[0]).toMatchObject({
      seq: 6,
      task: { id, artifacts: [{ parts: [{ text: 'one two three four' }] }] },
    });
    executor.open('end');
    await reader.all();
    expect(seqs(reader)).toEqual([6, 7]);
    expect(reader.states.at(-1)).toBe('COMPLETED');
  });

  test.each([2, 3, 4, 5, 6])('D4: with Last-Event-ID %i, exactly the events after it come, without a snapshot', async (after) => {
    const { caller, executor, id } = await atWork();
    const reader = await caller.subscribe(id, String(after));
    await quiet();
    executor.open('end');
    await reader.all();
    expect(seqs(reader)).toEqual([3, 4, 5, 6, 7].filter((seq) => seq > after));
    expect(reader.seen.every(({ task }) => task === undefined)).toBe(true);
  });

  test('D4: Last-Event-ID 0 reads the whole log from its Task on', async () => {
    const { caller, executor, id } = await atWork();
    const reader = await caller.subscribe(id, '0');
    executor.open('end');
    await reader.all();
    expect(seqs(reader)).toEqual([2, 3, 4, 5, 6, 7]);
    expect(reader.states).toEqual(['SUBMITTED', 'COMPLETED']);
  });

  test.each(USELESS)(
    'D4: with a Last-Event-ID that is %s, the stream starts with the Task, as without the header',
    async (_name, lastEventId) => {
      const { caller, executor, id } = await atWork();
      const reader = await caller.subscribe(id, lastEventId);
      await reader.until(1);
      executor.open('end');
      await reader.all();
      expect(seqs(reader)).toEqual([6, 7]);
      expect(reader.seen[0]?.task).toBeDefined();
    },
  );

  test('D4: it stays open across turns, also while no run is active', async () => {
    const executor = scriptedExecutor([QUESTION], {
      turns: [[QUESTION], [{ do: 'append', artifactId: 'a', text: 'x' }, { do: 'complete' }]],
    });
    const agent = createAgent({ ...NAME, executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    const reader = await caller.subscribe(id);
    const end = follow(reader.ended);
    for (const text of ['on', 'and on']) {
      await untilIdle(agent);
      await quiet();
      expect(end.isSettled).toBe(false);
      await caller.task(say(text, { taskId: id }));
    }
    await reader.all();
    expect(reader.states).toEqual(['INPUT_REQUIRED', 'WORKING', 'INPUT_REQUIRED', 'WORKING', 'COMPLETED']);
  });
});

describe('D4: subscribing to a task that is final', () => {
  test('D4: without a header it is UnsupportedOperation', async () => {
    const { caller, id } = await ended();
    expect(await refusal(caller.subscribe(id))).toMatchObject({ reason: 'UNSUPPORTED_OPERATION', code: -32004 });
  });

  test.each([0, 2, 3, 6])('D4: with Last-Event-ID %i the remaining events come and the stream closes', async (after) => {
    const { caller, id } = await ended();
    const reader = await caller.subscribe(id, String(after));
    await reader.all();
    expect(seqs(reader)).toEqual([2, 3, 4, 5, 6, 7].filter((seq) => seq > after));
  });

  test('D4: with the id of its last event no events come, and the stream closes', async () => {
    const { caller, id } = await ended();
    const reader = await caller.subscribe(id, '7');
    const end = follow(reader.ended);
    await quiet();
    expect(end.isSettled).toBe(true);
    expect(await reader.all()).toEqual([]);
  });

  test.each(USELESS)('D4: with a Last-Event-ID that is %s it is UnsupportedOperation', async (_name, lastEventId) => {
    const { caller, id } = await ended();
    expect(await refusal(caller.subscribe(id, lastEventId))).toMatchObject({ reason: 'UNSUPPORTED_OPERATION', code: -32004 });
  });

  test('D4: with an id whose events are compacted it is UnsupportedOperation', async () => {
    const { caller, id } = await ended(memoryStore({ replayTasks: 0 }));
    expect(await refusal(caller.subscribe(id, '3'))).toMatchObject({ reason: 'UNSUPPORTED_OPERATION', code: -32004 });
    expect((await caller.get(id)).status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('D4: a slow reader whose position is compacted gets the final Task instead', async () => {
    const { agent, caller, executor, id } = await atWork(memoryStore({ replayTasks: 0 }));
    const reply = await caller.handle('SubscribeToTask', { id }, { lastEventId: '0' });
    if (reply.kind !== 'stream') throw new Error('no stream');
    const reader = new Reader(reply);
    reader.hungry = false; // from its first batch on
    await reader.until(1);
    executor.open('end');
    await untilIdle(agent);
    reader.hungry = true;
    reader.resume();
    await reader.all();
    expect(reader.seen.at(-1)?.task).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ parts: [{ text: 'one two three four' }] }],
    });
  });

  test('D4: an unknown task is TaskNotFound, with any header', async () => {
    const caller = callerOf(createAgent({ ...NAME, execute: () => 'x' }));
    expect(await refusal(caller.subscribe('unknown'))).toMatchObject({ code: -32001 });
    expect(await refusal(caller.subscribe('unknown', '0'))).toMatchObject({ code: -32001 });
  });

  test('D4: a stream that is only a Message has no ids', async () => {
    const reader = await callerOf(createAgent({ ...NAME, executor: scriptedExecutor([{ do: 'reply', text: 'hi' }]) })).stream('hello');
    const [only, ...more] = await reader.all();
    expect(more).toEqual([]);
    expect(only?.message?.parts).toEqual([{ text: 'hi' }]);
    expect(only).not.toHaveProperty('seq');
  });
});

describe('D4, P34: a reader that reconnects', () => {
  test('D4: a disconnect after the first event does not stop the task, and a reconnect with Last-Event-ID gets exactly the rest', async () => {
    const executor = scriptedExecutor([
      ...CHUNKS,
      { do: 'gate', name: 'more' },
      ...CHUNKS,
      { do: 'gate', name: 'end' },
      { do: 'complete' },
    ]);
    const agent = createAgent({ ...NAME, executor });
    const caller = callerOf(agent);
    const first = await caller.stream('go');
    await first.until(1);
    first.close();
    const seen = [...first.seen];
    const id = seen[0]?.task?.id ?? '';
    executor.open('more');
    await quiet();
    expect(first.seen, 'a disconnected reader gets no more events').toEqual(seen);
    const second = await caller.subscribe(id, String(seen.at(-1)?.seq));
    await quiet();
    executor.open('end');
    await second.all();
    const whole = await caller.subscribe(id, '0');
    expect([...seen, ...second.seen]).toEqual(await whole.all());
    expect((await caller.get(id)).status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('D4: a reconnect after the end of the task gets exactly the rest, and the stream closes', async () => {
    const executor = scriptedExecutor([...CHUNKS, { do: 'gate', name: 'more' }, ...CHUNKS, { do: 'complete' }]);
    const agent = createAgent({ ...NAME, executor });
    const caller = callerOf(agent);
    const first = await caller.stream('go');
    await first.until(1);
    first.close();
    const seen = [...first.seen];
    executor.open('more');
    await untilIdle(agent);
    const id = seen[0]?.task?.id ?? '';
    expect((await caller.get(id)).status.state).toBe('TASK_STATE_COMPLETED');
    const second = await caller.subscribe(id, String(seen.at(-1)?.seq));
    await second.all();
    const whole = await caller.subscribe(id, '0');
    expect([...seen, ...second.seen]).toEqual(await whole.all());
    expect([...seen, ...second.seen].flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts ?? [])).toHaveLength(8);
  });

  test('D4: wherever a reader disconnects, its events before and after are the whole log, once and in order', async () => {
    const { caller, id, store } = await ended();
    const sent = (await logOf(store, refOf(id))).filter(({ kind }) => kind !== 'input' && kind !== 'note').map(({ seq }) => seq);
    for (const left of sent) {
      const rest = await caller.subscribe(id, String(left));
      await rest.all();
      expect([...sent.filter((seq) => seq <= left), ...seqs(rest)]).toEqual(sent);
    }
  });

  test('D4: two hundred readers, some slow, some late, get the same events in the same order', async () => {
    const pieces = Array.from({ length: 50 }, (_, index): ScriptStep => ({ do: 'append', artifactId: 'a', text: `${index} ` }));
    const executor = scriptedExecutor([
      { do: 'working' },
      { do: 'gate', name: 'first' },
      ...pieces,
      { do: 'gate', name: 'second' },
      ...pieces,
      { do: 'complete' },
    ]);
    const agent = createAgent({ ...NAME, executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go', { returnImmediately: true });
    const early = await Promise.all(Array.from({ length: 100 }, () => caller.subscribe(id, '0')));
    for (const reader of early.slice(0, 50)) reader.hungry = false;
    executor.open('first');
    await quiet();
    const late = await Promise.all(Array.from({ length: 100 }, () => caller.subscribe(id, '0')));
    executor.open('second');
    await untilIdle(agent);
    for (const reader of early.slice(0, 50)) {
      reader.hungry = true;
      reader.resume();
    }
    const [first, ...others] = await Promise.all([...early, ...late].map((reader) => reader.all()));
    expect(first?.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts ?? [])).toHaveLength(100);
    for (const seen of others) expect(seen).toEqual(first);
  });

  test('P34: a subscriber of a task that waits without a run gets the task, then its later events', async () => {
    const executor = scriptedExecutor([QUESTION], { turns: [[{ do: 'append', artifactId: 'a', text: 'x' }, { do: 'complete' }]] });
    const agent = createAgent({ ...NAME, executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    await untilIdle(agent);
    const reader = await caller.subscribe(id);
    await reader.until(1);
    expect(reader.seen[0]?.task?.status).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED', message: { parts: [{ text: 'well?' }] } });
    expect(agent.tasks.running, 'a subscription starts no run').toEqual([]);
    await caller.task(say('on', { taskId: id }));
    await reader.all();
    expect(reader.states).toEqual(['INPUT_REQUIRED', 'WORKING', 'COMPLETED']);
  });

  test('P34: a new server on the old store shows the waiting task, takes its answer and streams it to its end', async () => {
    const store = memoryStore();
    const bus = memoryBus();
    const before = callerOf(createAgent({ ...NAME, store, bus, executor: scriptedExecutor([QUESTION]) }));
    const { id } = await before.task('go');
    const watching = await before.subscribe(id);
    await quiet();
    const executor = scriptedExecutor([{ do: 'append', artifactId: 'a', text: 'x' }, { do: 'complete' }]);
    const after = callerOf(createAgent({ ...NAME, store, bus, executor }));
    const reader = await after.subscribe(id);
    await reader.until(1);
    expect(reader.seen[0]?.task?.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect((await after.task(say('on', { taskId: id }))).status.state).toBe('TASK_STATE_COMPLETED');
    expect(executor.runs[0]).toMatchObject({
      text: 'on',
      currentTask: { id, history: [{ parts: [{ text: 'go' }] }, {}, { parts: [{ text: 'on' }] }] },
    });
    for (const each of [reader, watching]) {
      await each.all();
      expect(each.states).toEqual(['INPUT_REQUIRED', 'WORKING', 'COMPLETED']);
    }
  });
});
