/** A run that is left at any update, stored as JSON, and resumed by `watch`: together they emit the same as one uninterrupted run. */
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/create-client.js';
import type { RunPlace, Update } from '../../src/client/run/update.js';
import type { Part, Task } from '../../src/protocol/types.js';
import { createAgent, memoryStore } from '../../src/server/index.js';
import type { TaskStore } from '../../src/stores/store.js';
import { faultFetch } from '../../src/testing/fault-fetch.js';
import { type ScriptStep, scriptedExecutor } from '../../src/testing/scripted-executor.js';
import { createTestFetch } from '../../src/testing/test-fetch.js';
import { withoutLog } from './plain-peer.js';
import { collect } from './scripted-peer.js';

const PIECES: readonly ScriptStep[] = [
  { do: 'working', text: 'thinking' },
  ...['a', 'a', 'ab', 'b'].map((text): ScriptStep => ({ do: 'append', artifactId: 'answer', text })),
  { do: 'working', text: 'nearly there' },
  ...['c', 'd'].map((text): ScriptStep => ({ do: 'append', artifactId: 'notes', text })),
  { do: 'append', artifactId: 'answer', text: 'e' },
];
const TOLD = { answer: 'aaabbe', notes: 'cd' };

const PEERS = ['our server', 'a peer without the log'] as const;

/** Each step waits for its own gate, so that a reader can leave after any of them. */
function story(peer: (typeof PEERS)[number]) {
  const executor = scriptedExecutor([
    ...PIECES.flatMap((step, at): ScriptStep[] => [{ do: 'gate', name: `${at}` }, step, { do: 'flush' }]),
    { do: 'complete', text: 'done' },
  ]);
  const store = memoryStore();
  let compactedAt: number | undefined;
  const compacting: TaskStore = {
    ...store,
    readAfter: async (ref, seq, maxBytes) => (seq === compactedAt ? 'compacted' : store.readAfter(ref, seq, maxBytes)),
  };
  const served = createTestFetch(createAgent({ name: 'teller', executor, store: compacting }));
  const fetch = peer === 'our server' ? served : withoutLog(served);
  let opened = 0;
  const open = (): void => executor.open(`${opened++}`);
  return {
    executor,
    requests: served.requests,
    client: createClient('http://test', { fetch, retry: false, breaker: false, reconnect: { initialDelayMs: 1 } }),
    open,
    /** Makes the log report that the events after this seq are compacted. */
    compact(seq: number) {
      compactedAt = seq;
    },
    openAll() {
      while (opened < PIECES.length) open();
    },
  };
}

/** Reads this many updates, and opens the next gate of the agent after each. */
async function readSome(run: AsyncIterable<Update>, open: () => void, count = Number.POSITIVE_INFINITY): Promise<Update[]> {
  const updates: Update[] = [];
  open();
  for await (const update of run) {
    updates.push(update);
    if (updates.length >= count) break;
    open();
  }
  return updates;
}

const kept = (place: RunPlace | undefined): RunPlace => JSON.parse(JSON.stringify(place));
/** Grouped by artifact, because a snapshot does not contain their order; joined, because it does not contain the chunk boundaries. */
function textsIn(updates: readonly Update[]): Record<string, string> {
  const told: Record<string, string> = {};
  for (const update of updates) {
    if (update.kind !== 'artifact') continue;
    const { artifactId } = update.chunk;
    told[artifactId] = (told[artifactId] ?? '') + textOf(update.parts);
  }
  return told;
}
const textOf = (parts: readonly Part[]): string => parts.map(({ text }) => text).join('');
const statesIn = (updates: readonly Update[]): unknown[] =>
  updates.flatMap((update) => (update.kind === 'state' ? [update.message?.parts[0]?.text] : []));
const lastTask = (updates: readonly Update[]): unknown => withoutOwn(updates.at(-1)?.task);

/** For a comparison of the tasks of two runs of the same script. */
function withoutOwn(task: Task | undefined): unknown {
  const own = ['id', 'taskId', 'contextId', 'messageId', 'timestamp'];
  return JSON.parse(JSON.stringify(task, (key, value) => (own.includes(key) ? undefined : value)));
}

describe.each(PEERS)('D38: a run of %s that is left and resumed', (peer) => {
  /** The updates of an uninterrupted run. */
  const whole = async () => {
    const { client, open } = story(peer);
    return readSome(client.run('go'), open);
  };

  test('D38: emits every part once and in order, wherever it was left', async () => {
    const undisturbed = await whole();
    expect(textsIn(undisturbed)).toEqual(TOLD);
    for (let count = 1; count < undisturbed.length; count += 1) {
      const { client, open, requests } = story(peer);
      const run = client.run('go');
      const before = await readSome(run, open, count);
      const from = kept(run.place);
      const watch = client.watch(from.task.id, { from });
      const after = await readSome(watch, open);
      expect({ count, ...textsIn([...before, ...after]) }).toEqual({ count, ...TOLD });
      expect(withoutOwn(watch.place?.task)).toEqual(lastTask(undisturbed));
      const subscription = requests.find(({ operation }) => operation === 'SubscribeToTask');
      expect(subscription?.headers['last-event-id']).toBe(peer === 'our server' ? String(from.seq) : undefined);
      // A status that arrived with the Task is part of the place, whether it was emitted or not.
      if (peer === 'our server' && count > 1) expect(statesIn([...before, ...after])).toEqual(statesIn(undisturbed));
    }
  }, 30_000);

  test('D38: emits every part once, also when its task ended meanwhile or nothing is left to emit', async () => {
    const undisturbed = await whole();
    for (let count = 1; count <= undisturbed.length; count += 1) {
      const { client, open, openAll } = story(peer);
      const run = client.run('go');
      const before = await readSome(run, open, count);
      const from = kept(run.place);
      openAll();
      await client.watch(from.task.id).result;
      const watch = client.watch(from.task.id, { from });
      const after = await collect(watch);
      expect({ count, ...textsIn([...before, ...after]) }).toEqual({ count, ...TOLD });
      expect(withoutOwn(((await watch.result) as { task: Task }).task)).toEqual(lastTask(undisturbed)); // the reply of a run with a task
    }
  }, 30_000);

  test('D38: can be left many times', async () => {
    const undisturbed = await whole();
    const { client, open } = story(peer);
    const run = client.run('go');
    const updates = await readSome(run, open, 1);
    let from = kept(run.place);
    for (let rounds = 0; from.task.status.state !== 'TASK_STATE_COMPLETED'; rounds += 1) {
      expect(rounds).toBeLessThan(40);
      const watch = client.watch(from.task.id, { from });
      open();
      for await (const update of watch) {
        updates.push(update);
        const { artifacts = [] } = update.task ?? {};
        // The updates of a snapshot belong together: the loop must not leave between them.
        const isTold = Object.values(textsIn(updates)).join('').length === textOf(artifacts.flatMap(({ parts }) => parts)).length;
        if (isTold && update.kind !== 'task') break;
        open();
      }
      from = kept(watch.place);
    }
    expect(textsIn(updates)).toEqual(TOLD);
    expect(withoutOwn(from.task)).toEqual(lastTask(undisturbed));
  });

  test('D38: has no place before there is a task, and keeps its place after the end', async () => {
    const { client, open } = story(peer);
    const run = client.run('go');
    expect(run.place).toBe(undefined);
    await readSome(run, open);
    expect(kept(run.place).task.status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('D38: can be resumed by polling', async () => {
    const { client, open, openAll } = story(peer);
    const run = client.run('go');
    const before = await readSome(run, open, 8);
    const from = kept(run.place);
    openAll();
    const after = await collect(client.watch(from.task.id, { from, mode: 'poll', pollingIntervalMs: 1 }));
    expect(textsIn([...before, ...after])).toEqual(TOLD);
  });
});

describe('D38: an invalid place', () => {
  const { client } = story('our server');
  const task: Task = { id: 'a', status: { state: 'TASK_STATE_WORKING' } };

  test.each([
    ['a place of another task', 'b', { from: { task } }],
    ['a place together with the after option', 'a', { from: { task }, after: 3 }],
    ['a place with a negative seq', 'a', { from: { task, seq: -1 } }],
    ['a place with a fractional seq', 'a', { from: { task, seq: 1.5 } }],
    ['a place with a string as seq', 'a', { from: { task, seq: '7' } }],
    ['a place without a task', 'a', { from: {} }],
    ['a place with an incomplete task', 'a', { from: { task: { id: 'a' } } }],
    ['null as a place', 'a', { from: null }],
    ['a string as a place', 'a', { from: 'here' }],
  ])('D38: %s is refused at once', (_what, id, options) => {
    // @ts-expect-error: stored data can have any shape
    expect(() => client.watch(id, options)).toThrow(expect.objectContaining({ name: 'A2AError', reason: 'INVALID_PARAMS' }));
  });
});

describe('D38: a place that the server no longer knows', () => {
  test('D38: with a seq that the log never had, the server sends the whole task, and only the rest is emitted', async () => {
    const { client, open, openAll } = story('our server');
    const run = client.run('go');
    const before = await readSome(run, open, 8);
    const from = { ...kept(run.place), seq: 100_000 };
    openAll();
    expect(textsIn([...before, ...(await collect(client.watch(from.task.id, { from })))])).toEqual(TOLD);
  });

  test('D38: with a compacted seq the same happens, while the task runs and after its end', async () => {
    for (const isOver of [false, true]) {
      const { client, open, openAll, compact, requests } = story('our server');
      const run = client.run('go');
      const before = await readSome(run, open, 8);
      const from = kept(run.place);
      compact(from.seq ?? 0);
      if (isOver) {
        openAll();
        await client.watch(from.task.id).result;
      }
      const after = await readSome(client.watch(from.task.id, { from }), open);
      expect({ isOver, ...textsIn([...before, ...after]) }).toEqual({ isOver, ...TOLD });
      expect(after.some(({ recovered }) => recovered)).toBe(true);
      expect(requests.some(({ headers }) => headers['last-event-id'] === String(from.seq))).toBe(true);
    }
  });

  test('D38: a deleted task is a TASK_NOT_FOUND error', async () => {
    const { client } = story('our server');
    const from: RunPlace = { task: { id: 'gone', status: { state: 'TASK_STATE_WORKING' } }, seq: 3 };
    await expect(client.watch('gone', { from }).result).rejects.toMatchObject({ reason: 'TASK_NOT_FOUND' });
  });

  test('D38: a peer whose log restarts with a Task is followed from there', async () => {
    const id = 'task-1';
    const artifact = (...texts: string[]) => ({ artifactId: 'answer', parts: texts.map((text) => ({ text })) });
    const working: Task = { id, contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
    const peer = faultFetch({
      log: true,
      script: {
        SubscribeToTask: {
          events: [
            { seq: 1, response: { task: { ...working, artifacts: [artifact('a', 'b')] } } },
            { seq: 2, response: { artifactUpdate: { taskId: id, contextId: 'c', artifact: artifact('c'), append: true } } },
            { seq: 3, response: { statusUpdate: { taskId: id, contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } } },
          ],
        },
      },
    });
    const client = createClient('http://test', { fetch: peer, retry: false });
    const from: RunPlace = { task: { ...working, artifacts: [artifact('a')] }, seq: 900 };
    expect(textsIn(await collect(client.watch(id, { from })))).toEqual({ answer: 'bc' });
  });
});
