import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { applyEvent, createDraft } from '../src/protocol/apply-event.js';
import type { Task } from '../src/protocol/types.js';
import type { Frame, Reading } from '../src/server/advanced.js';
import { type Agent, createAgent, memoryStore, type TaskStore } from '../src/server/index.js';
import { scriptedExecutor, seededRandom } from '../src/testing/index.js';
import { callerOf, gate, type Reader, type Seen, say } from './harness.js';
import { follow, refusal, untilIdle } from './looking.js';

const NAME = { name: 'Lecturer' };

/** Publishes one event for each gate that opens: statuses and artifacts, all different. */
function lecture(chunks: number) {
  const gates = Array.from({ length: chunks }, gate);
  const agent = createAgent({
    ...NAME,
    executor: {
      async execute(_, events) {
        await events.task();
        for (const [index, { passed }] of gates.entries()) {
          await passed;
          if (index % 3 === 2) await events.working(`status ${index}`);
          else await events.appendText('a', `chunk ${index} `);
          await events.flush();
        }
        await events.complete();
      },
    },
  });
  return { agent, caller: callerOf(agent), next: (index: number) => gates[index]?.open() };
}

/** The task of a client that has folded its events. */
function folded([first, ...rest]: readonly Seen[]): Task {
  if (first?.task === undefined) throw new Error('a reader starts with the Task');
  const draft = createDraft(first.task);
  for (const { statusUpdate, artifactUpdate } of rest) {
    if (statusUpdate) applyEvent(draft, { kind: 'status', update: statusUpdate });
    if (artifactUpdate) applyEvent(draft, { kind: 'artifact', update: artifactUpdate });
  }
  const { artifacts, ...task } = draft;
  return artifacts.length > 0 ? { ...task, artifacts } : task;
}

/** Yields to the event loop in every read, so that events can arrive between a snapshot and the events after it. */
function yieldingStore(): TaskStore {
  const inner = memoryStore();
  return {
    ...inner,
    async load(ref) {
      await nextTurn();
      const found = await inner.load(ref);
      await nextTurn();
      return found;
    },
    async readAfter(...asked) {
      await nextTurn();
      const found = await inner.readAfter(...asked);
      await nextTurn();
      return found;
    },
  };
}

describe('P32: subscribe', () => {
  test('P32: at any time, a new reader gets the current Task first, then exactly the later events', async () => {
    const chunks = 9;
    const { agent, caller, next } = lecture(chunks);
    const own = await caller.stream('go');
    const [first] = await own.until(1);
    const id = first?.task?.id ?? '';
    const joiners: { reader: Reader; at: Task }[] = [];
    for (let index = 0; index < chunks; index += 1) {
      const reader = await caller.subscribe(id);
      await reader.until(1);
      joiners.push({ reader, at: await caller.get(id) });
      next(index);
      await own.until(index + 2);
    }
    await own.all();
    const end = await caller.get(id);
    for (const [index, { reader, at }] of joiners.entries()) {
      const [snapshot, ...later] = await reader.all();
      expect(snapshot?.task).toEqual(at);
      expect(later).toEqual(own.seen.slice(index + 1));
      expect(folded(reader.seen)).toEqual(end);
    }
    await untilIdle(agent);
  });

  test('P32: no event is lost between the snapshot and the live events, even if the store reads slowly', async () => {
    const total = 60;
    const agent = createAgent({
      ...NAME,
      store: yieldingStore(),
      execute: async function* () {
        for (let n = 0; n < total; n += 1) {
          yield `${n} `;
          await nextTurn();
        }
      },
    });
    const caller = callerOf(agent);
    const own = await caller.stream('go');
    const [first] = await own.until(1);
    const id = first?.task?.id ?? '';
    const readers: Reader[] = [];
    while (agent.tasks.running.length > 0 && readers.length < 25) {
      readers.push(await caller.subscribe(id));
      await nextTurn();
    }
    await Promise.all([own, ...readers].map((reader) => reader.all()));
    const end = await caller.get(id);
    expect(readers.length).toBeGreaterThan(3);
    for (const reader of readers) {
      expect(folded(reader.seen)).toEqual(end);
      const seqs = reader.seen.map(({ seq = 0 }) => seq);
      expect(seqs, 'each once, in order, without a gap').toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
    }
  });

  test.each(['complete', 'fail', 'reject', 'canceled'] as const)('P32: a task that has ended (%s) cannot be subscribed to', async (end) => {
    const caller = callerOf(createAgent({ ...NAME, executor: scriptedExecutor([{ do: end, text: 'over' }]) }));
    const { id } = await caller.task('go');
    expect(await refusal(caller.subscribe(id))).toMatchObject({ reason: 'UNSUPPORTED_OPERATION', code: -32004 });
  });

  test('P32: a blocking send gets the whole task, not its last event', async () => {
    const { agent, caller, next } = lecture(3);
    const sent = follow(caller.task('go'));
    for (const index of [0, 1, 2]) next(index);
    const task = await sent.outcome;
    expect(task).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ artifactId: 'a', parts: [{ text: 'chunk 0 chunk 1 ' }] }],
      history: [{ role: 'ROLE_USER' }, { parts: [{ text: 'status 2' }] }],
    });
    await untilIdle(agent);
  });
});

describe('P33: a reader that disconnects', () => {
  test('P33: after its first event: the task continues and is stored, and other readers miss nothing', async () => {
    const { agent, caller, next } = lecture(4);
    const leaver = await caller.stream('go');
    const [first] = await leaver.until(1);
    const id = first?.task?.id ?? '';
    const stayer = await caller.subscribe(id);
    await stayer.until(1);
    leaver.close();
    for (const index of [0, 1, 2, 3]) next(index);
    await stayer.all();
    await untilIdle(agent);
    expect(leaver.seen).toHaveLength(1);
    expect((await caller.get(id)).status.state).toBe('TASK_STATE_COMPLETED');
    expect(folded(stayer.seen)).toEqual(await caller.get(id));
    const rest = await (await caller.subscribe(id, `${leaver.seen[0]?.seq}`)).all();
    expect(rest, 'with Last-Event-ID it gets exactly the rest').toEqual(stayer.seen.slice(1));
  });

  test('P33: at any moment: the task completes, and no more frames are sent to the reader', async () => {
    const moments: Record<string, (agent: Agent) => Promise<() => number>> = {};
    const open = async (agent: Agent, leave: (frames: number, reading: () => Reading | undefined) => void) => {
      const reply = await callerOf(agent).handle('SendStreamingMessage', { message: say('go') });
      if (reply.kind !== 'stream') throw new Error('no stream');
      let reading: Reading | undefined;
      let frames = 0;
      let late = 0;
      let left = false;
      const leaving = (): void => {
        leave(frames, () => {
          left = reading !== undefined;
          return reading;
        });
      };
      reading = reply.open({
        send(batch: readonly Frame[]) {
          if (left) late += batch.length;
          frames += batch.length;
          leaving();
          return true;
        },
        end: () => {
          if (left) late += 1;
        },
      });
      leaving();
      return () => late;
    };
    moments['before it is opened'] = async (agent) => {
      await callerOf(agent).handle('SendStreamingMessage', { message: say('go') });
      return () => 0;
    };
    for (let count = 0; count < 12; count += 1) {
      moments[`after ${count} frames`] = (agent) => open(agent, (frames, reading) => frames >= count && reading()?.close());
    }
    for (const [name, read] of Object.entries(moments)) {
      const agent = createAgent({
        ...NAME,
        execute: async function* () {
          for (let n = 0; n < 8; n += 1) {
            yield `${n} `;
            await nextTurn();
          }
        },
      });
      const lateFrames = await read(agent);
      const id = agent.tasks.running[0]?.taskId;
      await untilIdle(agent);
      const { tasks } = await callerOf(agent).list({ includeArtifacts: true });
      expect(tasks, name).toHaveLength(1);
      expect(tasks[0], name).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
      expect(tasks[0]?.artifacts?.[0]?.parts, name).toEqual([{ text: '0 1 2 3 4 5 6 7 ' }]);
      if (id !== undefined) expect(tasks[0]?.id).toBe(id);
      expect(lateFrames(), name).toBe(0);
    }
  });

  test('P33: a reader that throws affects only itself', async () => {
    const { agent, caller, next } = lecture(3);
    const own = await caller.stream('go');
    const [first] = await own.until(1);
    const reply = await caller.handle('SubscribeToTask', { id: first?.task?.id ?? '' });
    if (reply.kind !== 'stream') throw new Error('no stream');
    let frames = 0;
    reply.open({
      send() {
        frames += 1;
        if (frames > 1) throw new Error('broken pipe');
        return true;
      },
      end: () => {},
    });
    const other = await caller.subscribe(first?.task?.id ?? '');
    await other.until(1);
    for (const index of [0, 1, 2]) next(index);
    await Promise.all([own.all(), other.all()]);
    expect(own.states).toEqual(['SUBMITTED', 'WORKING', 'COMPLETED']);
    expect(frames).toBe(2);
    await untilIdle(agent);
    expect((await caller.task('again', { returnImmediately: true })).status.state).toBe('TASK_STATE_SUBMITTED');
  });

  test('P33: readers that disconnected do not count any more', async () => {
    const executor = scriptedExecutor([{ do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED') }]);
    const agent = createAgent({ ...NAME, executor, maxReadersPerTask: 2 });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    for (let round = 0; round < 20; round += 1) {
      const readers = [await caller.subscribe(id), await caller.subscribe(id)];
      expect(await refusal(caller.subscribe(id)), 'two readers are connected').toMatchObject({ reason: 'RATE_LIMITED', retryable: true });
      if (round % 2) await Promise.all(readers.map((reader) => reader.until(1)));
      for (const reader of readers) reader.close();
    }
    const last = await caller.subscribe(id);
    await last.until(1);
    expect(last.states).toEqual(['INPUT_REQUIRED']);
  });
});

describe('P32, P33: two hundred readers of one task', () => {
  test('P32, P33: all see the same events in the same order, whenever they join, however slow they are, and whichever disconnect', async () => {
    const total = 200;
    const random = seededRandom(7);
    const pace = gate();
    const agent = createAgent({
      ...NAME,
      executor: {
        async execute(_, events) {
          await events.task();
          await events.flush();
          await pace.passed;
          for (let n = 0; n < total; n += 1) {
            if (n % 50 === 49) await events.working(`status ${n}`);
            else void events.appendText(`a${n % 3}`, `${n} `);
            if (random() < 0.2) await nextTurn();
          }
          await events.complete();
        },
      },
    });
    const caller = callerOf(agent);
    const own = await caller.stream('go');
    const [first] = await own.until(1);
    const id = first?.task?.id ?? '';
    const readers: { reader: Reader; leavesAfter: number }[] = [];
    const join = async (): Promise<void> => {
      const reader = await caller.subscribe(id);
      const index = readers.length;
      readers.push({ reader, leavesAfter: index % 10 === 9 ? Math.floor(random() * total) : Number.POSITIVE_INFINITY });
      if (index % 4 === 1) reader.hungry = false;
    };
    for (let n = 0; n < 100; n += 1) await join();
    pace.open();
    while (readers.length < 200) {
      if (agent.tasks.running.length > 0) await join();
      else throw new Error('the task ended before all readers had joined');
      if (readers.length % 5 === 0) await nextTurn();
    }
    while (
      agent.tasks.running.length > 0 ||
      readers.some(({ reader, leavesAfter }) => !isDone(reader) && reader.seen.length < leavesAfter)
    ) {
      for (const { reader, leavesAfter } of readers) {
        if (reader.seen.length >= leavesAfter) reader.close();
        else if (!reader.hungry) reader.resume();
      }
      await nextTurn();
    }
    await own.all();
    const end = await caller.get(id);
    expect(own.seen).toHaveLength(total + 2);
    const textsFrom = (seq: number): string => JSON.stringify(own.seen.filter((event) => (event.seq ?? 0) > seq));
    for (const { reader, leavesAfter } of readers) {
      const [snapshot, ...events] = reader.seen;
      expect(snapshot?.task?.id).toBe(id);
      const texts = JSON.stringify(events).slice(0, -1);
      expect(textsFrom(snapshot?.seq ?? 0).startsWith(texts), 'a contiguous part of the events of the task').toBe(true);
      if (leavesAfter === Number.POSITIVE_INFINITY) expect(folded(reader.seen)).toEqual(end);
    }
  }, 20_000);
});

const isDone = (reader: Reader): boolean => reader.states.at(-1) === 'COMPLETED';
