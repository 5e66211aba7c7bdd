import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Frame } from '../src/server/advanced.js';
import type { TaskStore } from '../src/server/index.js';
import { type AgentExecutor, createAgent, memoryStore } from '../src/server/index.js';
import { failingStore, scriptedExecutor } from '../src/testing/index.js';
import { callerOf, gate, say } from './harness.js';
import { follow, inboxOf, logOf, refOf, refusal, until, untilIdle } from './looking.js';

const NAME = { name: 'Orderly' };

/** A store that commits slowly and records the last committed seq before it returns. */
function slowStore() {
  const inner = memoryStore();
  const committed = new Map<string, number>();
  const commits = { now: 0, most: 0 };
  const store: TaskStore = {
    ...inner,
    async commit(writes) {
      commits.now += 1;
      commits.most = Math.max(commits.most, commits.now);
      await nextTurn();
      const answers = await inner.commit(writes);
      await nextTurn();
      for (const { ref, entries } of writes) committed.set(ref.id, entries.at(-1)?.seq ?? 0);
      commits.now -= 1;
      return answers;
    },
  };
  return { store, inner, committed, commits };
}

describe('P15: one writer commits in order, and readers follow it', () => {
  test('P15: with a slow store, the events of each task are committed in order, one commit at a time', async () => {
    const { store, inner, commits } = slowStore();
    const agent = createAgent({
      ...NAME,
      store,
      executor: {
        async execute({ text }, events) {
          for (let n = 0; n < 40; n += 1) {
            const published = n % 2 ? events.appendText('a', `${text}${n} `) : events.working(`${text}${n}`);
            if (n % 7 === 0) await published;
            if (n % 11 === 0) await nextTurn();
          }
          await events.complete();
        },
      },
    });
    const caller = callerOf(agent);
    const tasks = await Promise.all(['x', 'y', 'z'].map((text) => caller.task(text)));
    for (const [index, { id, status, artifacts, history }] of tasks.entries()) {
      const text = ['x', 'y', 'z'][index];
      const entries = await logOf(inner, refOf(id));
      expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, place) => place + 1));
      const numbers = Array.from({ length: 40 }, (_, n) => n);
      const odd = numbers.filter((n) => n % 2).map((n) => `${text}${n} `);
      const even = numbers.filter((n) => n % 2 === 0).map((n) => `${text}${n}`);
      expect(status.state).toBe('TASK_STATE_COMPLETED');
      expect(artifacts?.[0]?.parts).toEqual([{ text: odd.join('') }]);
      expect(history?.map(({ parts }) => parts[0]?.text)).toEqual([text, ...even]);
    }
    expect(commits.most).toBe(1);
  });

  test('P15: no reader sees an event before the store has it', async () => {
    const { store, committed } = slowStore();
    const agent = createAgent({
      ...NAME,
      store,
      execute: async function* () {
        for (let n = 0; n < 50; n += 1) yield `${n} `;
      },
    });
    const caller = callerOf(agent);
    const early: Frame[] = [];
    const seqs: number[] = [];
    const reply = await caller.handle('SendStreamingMessage', { message: say('go') });
    if (reply.kind !== 'stream') throw new Error('no stream');
    await new Promise((end) => {
      const send = (frames: readonly Frame[]): boolean => {
        const known = [...committed.values()][0] ?? 0;
        early.push(...frames.filter(({ seq = 0 }) => seq > known));
        seqs.push(...frames.map(({ seq = 0 }) => seq));
        return true;
      };
      reply.open({ send, end });
    });
    expect(early).toEqual([]);
    expect(seqs).toEqual(Array.from({ length: 53 }, (_, n) => n + 2));
  });

  test('P15: while a commit is in flight, GetTask returns the old state or waits for the new one, never a mixture', async () => {
    const store = failingStore(memoryStore());
    const executor = scriptedExecutor([
      { do: 'working', text: 'old' },
      { do: 'flush' },
      { do: 'gate', name: 'on' },
      { do: 'append', artifactId: 'a', text: 'new' },
      { do: 'complete', text: 'new' },
    ]);
    const caller = callerOf(createAgent({ ...NAME, store, executor }));
    const reader = await caller.stream('go');
    await reader.until(2);
    const id = reader.seen[0]?.task?.id ?? '';
    store.hold();
    executor.open('on');
    await until(() => store.held === 1);
    const looking = follow(caller.get(id));
    await nextTurn();
    expect(reader.states).toEqual(['SUBMITTED', 'WORKING']);
    store.release();
    const task = await looking.outcome;
    const text = task.status.message?.parts[0]?.text;
    expect([text, task.artifacts?.length ?? 0]).toEqual(text === 'old' ? ['old', 0] : ['new', 1]);
    await reader.all();
    expect(reader.states).toEqual(['SUBMITTED', 'WORKING', 'COMPLETED']);
  });
});

describe('P16: messages for one task run in separate turns', () => {
  /** Each turn records its start and end, and waits for its gate if it has one. */
  function turnTaker(gates: Record<string, Promise<void>>, last: string) {
    const order: string[] = [];
    const executor: AgentExecutor = {
      async execute({ text }, events) {
        order.push(`${text} in`);
        await gates[text];
        await events.appendText(text, 'x');
        await events.status(text === last ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_INPUT_REQUIRED', `${text} done`);
        order.push(`${text} out`);
      },
    };
    return { order, agent: createAgent({ ...NAME, executor }) };
  }

  test('P16: each message to a running task waits until the turn before it has ended', async () => {
    const busy = gate();
    const { order, agent } = turnTaker({ one: busy.passed }, 'four');
    const caller = callerOf(agent);
    const { id } = await caller.task('zero');
    const sends = ['one', 'two', 'three', 'four'].map((text) => follow(caller.task(say(text, { taskId: id }))));
    await until(() => order.includes('one in'));
    await nextTurn();
    expect(order).toEqual(['zero in', 'zero out', 'one in']);
    expect(sends.map(({ isSettled }) => isSettled)).toEqual([false, false, false, false]);
    busy.open();
    await Promise.all(sends.map(({ outcome }) => outcome));
    expect(order).toEqual(['zero', 'one', 'two', 'three', 'four'].flatMap((text) => [`${text} in`, `${text} out`]));
    expect((await caller.get(id)).artifacts?.map(({ artifactId }) => artifactId)).toEqual(['zero', 'one', 'two', 'three', 'four']);
  });

  test('P16: if the task ends meanwhile, waiting messages are refused, in sends and in streams, and never run', async () => {
    const store = memoryStore();
    const busy = gate();
    const executor = scriptedExecutor([
      { do: 'working' },
      { do: 'flush' },
      { do: 'call', run: () => busy.passed },
      { do: 'complete', text: 'done' },
    ]);
    const agent = createAgent({ ...NAME, store, executor });
    const caller = callerOf(agent);
    const reader = await caller.stream('go');
    await reader.until(2);
    const id = reader.seen[0]?.task?.id ?? '';
    const more = () => say('more', { taskId: id });
    const waiting = [caller.task(more()), caller.stream(more()), caller.task(more())].map(refusal);
    const settled = follow(Promise.all(waiting));
    while ((await inboxOf(store, refOf(id))).length < 3) await nextTurn();
    expect(settled.isSettled).toBe(false);
    busy.open();
    for (const error of await settled.outcome) expect(error).toMatchObject({ reason: 'UNSUPPORTED_OPERATION', code: -32004 });
    await untilIdle(agent);
    expect(executor.runs).toHaveLength(1);
    expect((await inboxOf(store, refOf(id))).map(({ state }) => state)).toEqual(['refused', 'refused', 'refused']);
    const task = await caller.get(id);
    expect(task.status.message?.parts).toEqual([{ text: 'done' }]);
    expect(task.history?.filter(({ role }) => role === 'ROLE_USER')).toHaveLength(1);
  });

  test('P16: whenever the task ends, a message that is too late is refused and never runs', async () => {
    for (let steps = 0; steps < 12; steps += 1) {
      const heard: string[] = [];
      const ending = gate();
      const agent = createAgent({
        ...NAME,
        executor: {
          async execute({ text }, events) {
            heard.push(text);
            await events.working();
            await ending.passed;
            for (let step = 0; step < steps; step += 1) await Promise.resolve();
            await events.complete();
          },
        },
      });
      const caller = callerOf(agent);
      const reader = await caller.stream('go');
      await reader.until(2);
      ending.open();
      const error = await refusal(caller.task(say('more', { taskId: reader.seen[0]?.task?.id ?? '' })));
      expect(error).toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
      await untilIdle(agent);
      expect(heard).toEqual(['go']);
    }
  });

  test('P16: a message at the moment in which the task is released runs once', async () => {
    for (let steps = 0; steps < 40; steps += 1) {
      const { store } = slowStore();
      const heard: string[] = [];
      const agent = createAgent({
        ...NAME,
        store,
        executor: {
          async execute({ text }, events) {
            heard.push(text);
            await events.status(text === 'more' ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_INPUT_REQUIRED');
          },
        },
      });
      const caller = callerOf(agent);
      const { id } = await caller.task('go');
      for (let step = 0; step < steps; step += 1) await (step % 4 === 3 ? nextTurn() : Promise.resolve());
      const { status } = await caller.task(say('more', { taskId: id }));
      expect(status.state).toBe('TASK_STATE_COMPLETED');
      await untilIdle(agent);
      expect(heard).toEqual(['go', 'more']);
    }
  });
});

describe('P17: the events of a request, and its end', () => {
  const asking = () =>
    createAgent({
      ...NAME,
      executor: {
        async execute({ text }, events) {
          await events.working(`thinking of ${text}`);
          await events.status(text === 'bye' ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_INPUT_REQUIRED', `answer to ${text}`);
        },
      },
    });

  test('P17: the end of a request ends only the stream of its caller; a subscription lasts until the task ends', async () => {
    const caller = callerOf(asking());
    const { id } = await caller.task('hello');
    const subscriber = await caller.subscribe(id);
    await subscriber.until(1);
    const stayed = follow(subscriber.all());
    for (const text of ['one', 'two']) {
      const own = await caller.stream(say(text, { taskId: id }));
      await own.all();
      expect(own.seen.at(-1)?.statusUpdate?.status.message?.parts).toEqual([{ text: `answer to ${text}` }]);
      await nextTurn();
      expect(stayed.isSettled).toBe(false);
    }
    await caller.task(say('bye', { taskId: id }));
    await stayed.outcome;
    const turn = ['WORKING', 'WORKING', 'INPUT_REQUIRED'];
    expect(subscriber.states).toEqual(['INPUT_REQUIRED', ...turn, ...turn, 'WORKING', 'WORKING', 'COMPLETED']);
  });

  test('P17: two queued callers each get the answer of their own turn', async () => {
    const agent = asking();
    const caller = callerOf(agent);
    const { id } = await caller.task('hello');
    const [one, two] = await Promise.all(['one', 'two'].map(async (text) => (await caller.stream(say(text, { taskId: id }))).all()));
    expect(one?.at(-1)?.statusUpdate?.status.message?.parts).toEqual([{ text: 'answer to one' }]);
    expect(two?.at(-1)?.statusUpdate?.status.message?.parts).toEqual([{ text: 'answer to two' }]);
  });

  test('P17: the user’s message is in the history before every message with which the agent answers it', async () => {
    const caller = callerOf(asking());
    const { id } = await caller.task('hello');
    const task = await caller.task(say('bye', { taskId: id }));
    expect(task.history?.map(({ role, parts }) => `${role === 'ROLE_USER' ? '>' : '<'} ${parts[0]?.text}`)).toEqual([
      '> hello',
      '< thinking of hello',
      '< answer to hello',
      '> bye',
      '< thinking of bye',
    ]);
    expect(task.status.message?.parts).toEqual([{ text: 'answer to bye' }]);
  });

  test('P17: the user’s message is in the history once, also if the executor publishes a Task without it', async () => {
    for (const withMessage of [true, false]) {
      const agent = createAgent({
        ...NAME,
        executor: {
          execute: ({ taskId, contextId, message }, events) =>
            events.publish({
              id: taskId,
              contextId,
              status: { state: 'TASK_STATE_COMPLETED' },
              ...(withMessage && message && { history: [message] }),
            }),
        },
      });
      const message = say('hello');
      const { id, contextId, history } = await callerOf(agent).task(message);
      expect(history).toEqual([{ ...message, taskId: id, contextId }]);
    }
  });
});
