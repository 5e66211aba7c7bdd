/** F5: the stream of a message to an existing task is complete, even if the agent is very fast. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import type { TaskText } from '../src/protocol/task-text.js';
import { createAgent, memoryBus, memoryStore, type RequestContext, type TaskEvents, type TaskStore } from '../src/server/index.js';
import { Hub } from '../src/server/log/hub.js';
import { subscribe } from '../src/server/log/subscription.js';
import { TaskLog } from '../src/server/log/task-log.js';
import { sqlite } from '../src/stores/sqlite/index.js';
import { checkAnswerStream, fastExecutor, outlineOf } from './fast-agent.js';
import { callerOf, say } from './harness.js';
import { logOf, quiet, refOf, until } from './looking.js';
import { tempFiles } from './temp-folder.js';

const newFile = tempFiles();
const TIMES = 200;

const STORES: readonly (readonly [string, () => TaskStore])[] = [
  ['memory', () => memoryStore()],
  ['SQLite', () => sqlite(newFile())],
];

describe.each(STORES)('F5: on %s', (_name, open) => {
  test('F5: the stream of a reply has the Task as of the reply, then every later event, in 200 of 200 runs', {
    timeout: 60_000,
  }, async () => {
    const store = open();
    const agent = createAgent({ name: 'Fast', store, executor: fastExecutor });
    const caller = callerOf(agent);
    for (let time = 0; time < TIMES; time += 1) await checkAnswerStream(store, caller, caller);
    await agent.close();
  });

  test('F5: the stream is also complete if execute returned at the question and the reply starts a turn', async () => {
    const store = open();
    const execute = async (context: RequestContext, events: TaskEvents): Promise<void> => {
      if (context.currentTask === undefined) return events.status('TASK_STATE_INPUT_REQUIRED', 'which?');
      await events.appendText('a', 'one ');
      await events.complete('done');
    };
    const agent = createAgent({ name: 'Fast', store, executor: { execute } });
    const caller = callerOf(agent);
    for (let time = 0; time < 20; time += 1) {
      const { id } = await caller.task('go');
      const reader = await caller.stream(say('this', { taskId: id }));
      expect(outlineOf(await reader.all())).toEqual(['task:WORKING', 'artifact:one ', 'status:COMPLETED']);
    }
    await agent.close();
  });

  test('F5: for a message that waited behind a turn, the Task has the events of that turn and none of its own turn', async () => {
    const store = open();
    let release = (): void => {};
    const execute = async (context: RequestContext, events: TaskEvents): Promise<void> => {
      if (context.text === 'go') {
        await events.appendText('first', 'of the first');
        await events.flush();
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        return events.status('TASK_STATE_INPUT_REQUIRED', 'and now?');
      }
      await events.appendText('second', 'of the second');
      await events.complete();
    };
    const agent = createAgent({ name: 'Fast', store, executor: { execute } });
    const caller = callerOf(agent);
    const { id } = await caller.task('go', { returnImmediately: true });
    const opening = caller.stream(say('on', { taskId: id }));
    await quiet();
    release();
    const [first, ...rest] = await (await opening).all();
    expect(first?.task?.artifacts?.map(({ artifactId }) => artifactId)).toEqual(['first']);
    expect(first?.task?.history?.at(-1)?.parts).toEqual([{ text: 'on' }]);
    expect(outlineOf(rest)).toEqual(['artifact:of the second', 'status:COMPLETED']);
    await agent.close();
  });

  test('F5: the stream is also complete with an idempotency key, and again when a finished send is repeated', async () => {
    const store = open();
    const agent = createAgent({ name: 'Fast', store, executor: fastExecutor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    const answer = say('this', { taskId: id });
    const first = await (await caller.stream(answer, { idempotencyKey: 'k' })).all();
    const again = await (await caller.stream(answer, { idempotencyKey: 'k' })).all();
    expect(outlineOf(first)).toEqual(['task:WORKING', 'status:WORKING', 'artifact:one ', 'artifact:two ', 'status:COMPLETED']);
    expect(again).toEqual(first);
    await agent.close();
  });
});

test('F5: the stream is also complete if another node owns the task', async () => {
  const [store, bus] = [memoryStore(), memoryBus()];
  const node = (name: string) => callerOf(createAgent({ name: 'Fast', node: name, store, bus, executor: fastExecutor }));
  const [owner, other] = [node('one'), node('two')];
  for (let time = 0; time < 50; time += 1) await checkAnswerStream(store, owner, other);
});

test('F5: historyLength applies to the first Task, and a WORKING that the agent publishes is an event', async () => {
  const store = memoryStore();
  const caller = callerOf(createAgent({ name: 'Fast', store, executor: fastExecutor }));
  const { id } = await caller.task('go');
  const params = { message: say('this', { taskId: id }), configuration: { historyLength: 1 } };
  const events = await (await caller.open('SendStreamingMessage', params)).all();
  expect(events[0]?.task?.history?.map(({ parts }) => parts[0]?.text)).toEqual(['this']);
  const log = await logOf(store, refOf(id));
  expect(events.slice(1).map(({ seq }) => seq)).toEqual(
    log.filter(({ seq, kind }) => seq > (events[0]?.seq ?? 0) && kind !== 'note').map(({ seq }) => seq),
  );
});

test('F5: a stream releases the Task as of the reply once that Task is sent', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const store = memoryStore();
  const execute = async (context: RequestContext, events: TaskEvents): Promise<void> => {
    if (context.currentTask === undefined) await events.status('TASK_STATE_INPUT_REQUIRED', 'which?');
    else await events.working('elsewhere');
  };
  const caller = callerOf(createAgent({ name: 'Kept', store, executor: { execute }, onIncomplete: 'keep' }));
  const { id } = await caller.task('go');
  const old = await store.load(refOf(id));
  await caller.task(say('this', { taskId: id }));
  const inputSeq = (await logOf(store, refOf(id))).findLast(({ kind }) => kind === 'input')?.seq ?? 0;
  const log = new TaskLog(store, new Hub(), () => undefined);
  let sent = 0;
  const sink = {
    send(frames: readonly unknown[]) {
      sent += frames.length;
      return true;
    },
    end() {},
  };
  const open = () => {
    const before = { seq: old?.snapshot.seq ?? 0, text: { ...old?.snapshot.text } as TaskText };
    const reading = subscribe(log, { ref: refOf(id), from: { inputSeq, before }, until: 'final' }, sink);
    return { reading, held: new WeakRef(before) };
  };
  const { reading, held } = open();
  await until(() => sent > 1);
  for (let turn = 0; turn < 20; turn += 1) {
    await nextTurn();
    collect();
  }
  expect(held.deref()).toBeUndefined();
  reading.close();
});
