import { describe, expect, test } from 'vitest';
import { A2AError } from '../src/index.js';
import { type AgentExecutor, createAgent, memoryStore, type TaskStore } from '../src/server/index.js';
import { failingStore, manualClock, type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { callerOf, gate, say } from './harness.js';
import { follow, inboxOf, logOf, quiet, refOf, storyOf, until, untilIdle } from './looking.js';

const NAME = { name: 'Racer' };
const PARK: ScriptStep = { do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED', 'well?') };

/** Waits `count` microtasks. */
async function moments(count: number): Promise<void> {
  for (let moment = 0; moment < count; moment += 1) await Promise.resolve();
}

/** Calls `first`, then `second` after `count` microtasks, or synchronously if `count` is 0. */
async function apart<A, B>(count: number, first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
  const one = first();
  for (let moment = 0; moment < count; moment += 1) await Promise.resolve();
  return Promise.all([one, second()]);
}

/** Distances in microtasks, enough to pass any single step of the runtime. */
const MOMENTS = Array.from({ length: 60 }, (_, moment) => moment);

/** An agent whose reported errors are collected; `checkCalm` expects none. */
function racing(executor: AgentExecutor, store: TaskStore = memoryStore()) {
  const errors: unknown[] = [];
  const agent = createAgent({ ...NAME, store, executor, onError: (error) => errors.push(error) });
  return { agent, caller: callerOf(agent), errors, store };
}

/** Checks that no task runs, no row is pending, no error was reported, and the log has at most one final entry, at its end. */
async function checkCalm({ agent, errors, store }: ReturnType<typeof racing>, id: string): Promise<readonly string[]> {
  await untilIdle(agent);
  await quiet();
  expect(errors).toEqual([]);
  expect((await inboxOf(store, refOf(id))).filter(({ state }) => state === 'pending')).toEqual([]);
  const story = await storyOf(store, refOf(id));
  const ends = story.flatMap((line, index) => (/COMPLETED|FAILED|CANCELED|REJECTED/.test(line) ? [index] : []));
  expect(ends.every((index) => index === story.length - 1)).toBe(true);
  return story;
}

describe('D2: concurrent messages', () => {
  test('D2: two concurrent messages to a parked task run once each, in one run', async () => {
    for (const distance of MOMENTS) {
      const executor = scriptedExecutor([PARK], { turns: [[PARK], [{ do: 'complete' }]] });
      const race = racing(executor);
      const { id } = await race.caller.task('go');
      await untilIdle(race.agent);
      const post = (text: string) => () => race.caller.task(say(text, { taskId: id }));
      const answers = await apart(distance, post('one'), post('two'));
      expect(answers[1].status.state).toBe('TASK_STATE_COMPLETED');
      expect(
        executor.runs.map(({ text }) => text),
        `${distance} microtasks apart`,
      ).toEqual(['go', 'one', 'two']);
      const story = await checkCalm(race, id);
      expect(story.filter((line) => line === 'input:turn')).toHaveLength(3);
    }
  });

  test('D2: of two concurrent messages to a run that asks, the first answers and the second is refused at the end', async () => {
    for (const distance of MOMENTS) {
      const executor = scriptedExecutor([{ do: 'requireInput', prompt: 'which?' }, { do: 'complete' }]);
      const race = racing(executor);
      const { id } = await race.caller.task('go');
      const post = (text: string) => () => race.caller.task(say(text, { taskId: id }));
      const [first, second] = await apart(distance, post('one'), () => post('two')().catch((error) => error.reason));
      expect(first.status.state).toBe('TASK_STATE_COMPLETED');
      expect(second).toBe('UNSUPPORTED_OPERATION');
      expect(executor.answers).toEqual(['one']);
      await checkCalm(race, id);
    }
  });

  test('D2: a message posted at any moment while the task is being parked is taken, never left pending', async () => {
    for (const moment of MOMENTS) {
      const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'end' }, PARK], { turns: [[{ do: 'complete' }]] });
      const race = racing(executor);
      const { id } = await race.caller.task('go', { returnImmediately: true });
      await quiet();
      executor.open('end');
      await moments(moment);
      const task = await race.caller.task(say('on', { taskId: id }));
      expect(task.status.state, `after ${moment} microtasks`).toBe('TASK_STATE_COMPLETED');
      expect(executor.runs).toHaveLength(2);
      await checkCalm(race, id);
    }
  });

  test.each(['inbox', 'commit', 'post', 'claim'] as const)(
    'D2: a message posted while the task is being parked is taken if the store is slow in %s',
    async (slow) => {
      for (const answerAfter of [1, 2, 5, 10]) {
        for (const moment of MOMENTS.filter((at) => at % 3 === 0)) {
          const inner = memoryStore();
          const late = async (...call: unknown[]): Promise<unknown> => {
            const answer = await (inner[slow] as (...call: unknown[]) => Promise<unknown>)(...call);
            await moments(answerAfter * 4);
            return answer;
          };
          const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'end' }, PARK], { turns: [[{ do: 'complete' }]] });
          const race = racing(executor, { ...inner, [slow]: late });
          const { id } = await race.caller.task('go', { returnImmediately: true });
          await quiet();
          executor.open('end');
          await moments(moment);
          const task = await race.caller.task(say('on', { taskId: id }));
          expect(task.status.state, `${slow} ${answerAfter} late, after ${moment} microtasks`).toBe('TASK_STATE_COMPLETED');
          await checkCalm(race, id);
        }
      }
    },
  );

  test('D2: a read of the inbox that hangs while the task is parked loses no message', async () => {
    const inner = memoryStore();
    const held: (() => void)[] = [];
    let holding = false;
    const store: TaskStore = {
      ...inner,
      async inbox(ref, after) {
        const rows = await inner.inbox(ref, after);
        if (holding && after === 0) await new Promise<void>((resolve) => held.push(resolve));
        return rows;
      },
    };
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'end' }, PARK], { turns: [[{ do: 'complete' }]] });
    const race = racing(executor, store);
    const { id } = await race.caller.task('go', { returnImmediately: true });
    await quiet();
    holding = true;
    executor.open('end');
    await until(() => held.length > 0);
    const sent = follow(race.caller.task(say('on', { taskId: id })));
    await quiet();
    holding = false;
    for (const answer of held) answer();
    expect((await sent.outcome).status.state).toBe('TASK_STATE_COMPLETED');
    await checkCalm(race, id);
  });

  test('D2: a read of the inbox that returns long after the task was released changes nothing', async () => {
    const inner = memoryStore();
    const slow = gate();
    let late = false;
    const held = failingStore({
      ...inner,
      async inbox(ref, after) {
        if (after > 0 || !late) return inner.inbox(ref, after);
        late = false; // the read of the owner, because the sender reads only its own row
        await slow.passed;
        return inner.inbox(ref, after);
      },
    });
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'end' }, PARK], { turns: [[PARK]] });
    const race = racing(executor, held);
    const { id } = await race.caller.task('go', { returnImmediately: true });
    await quiet();
    await held.post(refOf(id), 'message', JSON.stringify({ message: say('on'), caller: { id: '' }, requestId: 'r', extensions: [] }));
    late = true;
    const sent = race.caller.task(say('and on', { taskId: id }), { returnImmediately: true });
    await quiet();
    executor.open('end');
    await sent;
    await untilIdle(race.agent);
    await quiet();
    held.hold();
    const canceled = race.caller.cancel(id);
    await until(() => held.held === 1);
    slow.open();
    await quiet();
    held.release();
    expect((await canceled).status.state).toBe('TASK_STATE_CANCELED');
    await checkCalm(race, id);
  });

  test('D22: many concurrent sends to one context each get their own answer', async () => {
    for (const serialize of ['task', 'context'] as const) {
      const executor: AgentExecutor = { execute: ({ text }, events) => events.complete(`echo ${text}`) };
      const agent = createAgent({ ...NAME, serialize, executor });
      const caller = callerOf(agent);
      const texts = Array.from({ length: 100 }, (_, index) => `${index}`);
      const tasks = await Promise.all(texts.map((text) => caller.task(say(text, { contextId: 'c' }))));
      expect(tasks.map(({ status }) => status.message?.parts[0]?.text)).toEqual(texts.map((text) => `echo ${text}`));
      expect(await caller.list({ contextId: 'c' })).toMatchObject({ totalSize: 100 });
      await untilIdle(agent);
    }
  });

  test('D2: fifty concurrent messages to one running task are taken in the order of their rows, one turn each', async () => {
    const turns = Array.from({ length: 49 }, () => [PARK]);
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'end' }, PARK], { turns: [...turns, [{ do: 'complete' }]] });
    const race = racing(executor);
    const { id } = await race.caller.task('go', { returnImmediately: true });
    const sent = Promise.all(Array.from({ length: 50 }, (_, index) => race.caller.task(say(`${index}`, { taskId: id }))));
    await quiet();
    executor.open('end');
    await sent;
    const rows = await inboxOf(race.store, refOf(id));
    expect(executor.runs.slice(1).map(({ text }) => text)).toEqual(rows.map(({ json }) => JSON.parse(json).message.parts[0].text));
    await checkCalm(race, id);
  });
});

describe('P35, P40: a cancel concurrent with another event', () => {
  /** Ends only by its signal: if the cancel does not reach it, it stays running. */
  const untilAborted: ScriptStep = { do: 'gate', name: 'never' };

  test('P35: a message and a cancel in either order: the task is CANCELED, its run is aborted, no row is pending', async () => {
    for (const distance of MOMENTS) {
      for (const cancelFirst of [false, true]) {
        const executor = scriptedExecutor([PARK], { turns: [[untilAborted]] });
        const race = racing(executor);
        const { id } = await race.caller.task('go');
        await untilIdle(race.agent);
        const send = () => race.caller.send(say('on', { taskId: id })).catch((error) => error.reason);
        const cancel = () => race.caller.cancel(id);
        const [first, second] = cancelFirst ? ([cancel, send] as const) : ([send, cancel] as const);
        const [a, b] = await apart(distance, first, second);
        const [sent, canceled] = cancelFirst ? [b, a] : [a, b];
        expect(canceled, `${distance} apart`).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
        if (sent !== 'UNSUPPORTED_OPERATION') expect(sent).toMatchObject({ task: { status: { state: 'TASK_STATE_CANCELED' } } });
        expect(
          executor.runs.slice(1).every(({ signal }) => signal.aborted),
          'every run got the abort',
        ).toBe(true);
        await checkCalm(race, id);
      }
    }
  });

  test.each([
    ['publishes nothing', {}],
    ['publishes CANCELED', { cancel: [{ do: 'canceled' }] }],
  ] as const)(
    'P35: a concurrent answer and cancel of a run whose cancel %s: an answer that the run gets is in the log',
    async (_name, more) => {
      for (const distance of MOMENTS) {
        for (const cancelFirst of [false, true]) {
          const executor = scriptedExecutor([{ do: 'requireInput', prompt: 'which?' }, untilAborted], more);
          const race = racing(executor);
          const { id } = await race.caller.task('go');
          const send = () => race.caller.send(say('this', { taskId: id })).catch((error) => error.reason);
          const cancel = () => race.caller.cancel(id);
          const [first, second] = cancelFirst ? ([cancel, send] as const) : ([send, cancel] as const);
          const answers = await apart(distance, first, second);
          expect(answers[cancelFirst ? 0 : 1]).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
          const rows = await inboxOf(race.store, refOf(id));
          const message = rows.find(({ kind }) => kind === 'message');
          const story = await checkCalm(race, id);
          expect(story.filter((line) => line === 'input:reply')).toHaveLength(message?.state === 'taken' ? 1 : 0);
          expect(executor.answers, `${distance} apart`).toEqual(message?.state === 'taken' ? ['this'] : []);
        }
      }
    },
  );

  test.each(['complete', 'fail', 'throw'] as const)(
    'P36: a cancel at any moment while the task ends (%s): one end, and the response matches it',
    async (end) => {
      for (const moment of MOMENTS) {
        const last: ScriptStep =
          end === 'throw' ? { do: 'throw', error: new A2AError('RATE_LIMITED', 'no') } : { do: end, text: 'its own end' };
        const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'end' }, last], { cancel: [{ do: 'canceled' }] });
        const race = racing(executor);
        const { id } = await race.caller.task('go', { returnImmediately: true });
        await quiet();
        executor.open('end');
        await moments(moment);
        const answer = await race.caller.cancel(id).catch((error) => error.reason);
        const { status } = await race.caller.get(id);
        if (answer === 'TASK_NOT_CANCELABLE') expect(status.state).not.toBe('TASK_STATE_CANCELED');
        else expect(answer.status).toEqual(status);
        await checkCalm(race, id);
      }
    },
  );

  test('P36: a cancel at any moment while the task is being parked ends the task', async () => {
    for (const moment of MOMENTS) {
      const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'end' }, PARK]);
      const race = racing(executor);
      const { id } = await race.caller.task('go', { returnImmediately: true });
      await quiet();
      executor.open('end');
      await moments(moment);
      expect((await race.caller.cancel(id)).status.state).toBe('TASK_STATE_CANCELED');
      const story = await checkCalm(race, id);
      expect(story.at(-1)).toBe('status:CANCELED');
    }
  });

  test('P36: a final commit in flight wins over a later cancel', async () => {
    const store = failingStore(memoryStore());
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'end' }, { do: 'complete', text: 'first' }]);
    const race = racing(executor, store);
    const { id } = await race.caller.task('go', { returnImmediately: true });
    await quiet();
    store.hold();
    executor.open('end');
    await until(() => store.held === 1);
    await store.post(refOf(id), 'cancel', '{}');
    const answer = follow(race.caller.cancel(id));
    await quiet();
    store.release();
    const outcome = await answer.outcome.catch((error) => error.reason);
    expect(outcome).toBe('TASK_NOT_CANCELABLE');
    expect((await race.caller.get(id)).status.message?.parts).toEqual([{ text: 'first' }]);
    await checkCalm(race, id);
  });

  test('P35: a run does not get an answer if its end was accepted while its question was being committed', async () => {
    const clock = manualClock();
    const inner = memoryStore({ clock });
    const posting = gate();
    const store = failingStore({
      ...inner,
      async post(ref, kind, json) {
        if (kind === 'cancel') await posting.passed;
        return inner.post(ref, kind, json);
      },
    });
    const executor = scriptedExecutor([
      { do: 'working' },
      { do: 'gate', name: 'ask' },
      { do: 'requireInput', prompt: 'which?' },
      { do: 'complete' },
    ]);
    const agent = createAgent({ ...NAME, clock, store, executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go', { returnImmediately: true });
    await caller.task(say('too early, and too late', { taskId: id }), { returnImmediately: true });
    await clock.tick();
    const canceled = caller.cancel(id);
    await clock.tick();
    store.hold();
    executor.open('ask');
    await until(() => store.held === 1);
    posting.open();
    await clock.tick(3_000);
    store.release();
    await clock.tick();
    expect((await canceled).status.state).toBe('TASK_STATE_CANCELED');
    expect((await inboxOf(store, refOf(id))).map(({ kind, state }) => [kind, state])).toEqual([
      ['message', 'refused'],
      ['cancel', 'taken'],
    ]);
    expect(executor.answers).toEqual([]);
    expect(agent.tasks.running).toEqual([]);
  });

  test('P39: a cancel that arrives while the first commit is in flight', async () => {
    const clock = manualClock();
    const store = failingStore(memoryStore({ clock }));
    const executor = scriptedExecutor([{ do: 'working' }, untilAborted]);
    const agent = createAgent({ ...NAME, clock, store, ids: { taskId: () => 'the-task' }, executor });
    const caller = callerOf(agent);
    store.hold();
    const sent = caller.task('go');
    await clock.tick();
    const early = caller.cancel('the-task');
    await clock.tick();
    store.release();
    await clock.tick();
    expect((await early).status.state).toBe('TASK_STATE_CANCELED');
    expect((await sent).status.state).toBe('TASK_STATE_CANCELED');
    expect(agent.tasks.running).toEqual([]);
  });
});

describe('D4: readers that join while events are published', () => {
  test('D4: at any moment, a snapshot or a Last-Event-ID and the events after it have neither gaps nor duplicates', async () => {
    for (const moment of MOMENTS) {
      const chunks = Array.from({ length: 8 }, (_, index): ScriptStep => ({ do: 'append', artifactId: 'a', text: `${index}` }));
      const executor = scriptedExecutor([
        { do: 'working' },
        { do: 'flush' },
        ...chunks.flatMap((step) => [step, { do: 'flush' } as const]),
        { do: 'gate', name: 'end' },
        { do: 'complete' },
      ]);
      const race = racing(executor);
      const { id } = await race.caller.task('go', { returnImmediately: true });
      await moments(moment);
      const late = await race.caller.subscribe(id);
      const replay = await race.caller.subscribe(id, '2');
      executor.open('end');
      const [[first, ...rest], replayed] = await Promise.all([late.all(), replay.all()]);
      const log = (await logOf(race.store, refOf(id))).filter(({ kind }) => kind !== 'input').map(({ seq }) => seq);
      expect(rest.map(({ seq }) => seq)).toEqual(log.filter((seq) => seq > (first?.seq ?? 0)));
      expect(replayed.map(({ seq }) => seq)).toEqual(log.filter((seq) => seq > 2));
      const inTask = first?.task?.artifacts?.[0]?.parts.map(({ text }) => text).join('') ?? '';
      expect(inTask + late.text).toBe('01234567');
    }
  });

  test('D6: a slow commit and a reader that joins meanwhile', async () => {
    const store = failingStore(memoryStore());
    const [start, end] = [gate(), gate()];
    const race = racing(
      {
        async execute(_context, events) {
          await events.working();
          await events.flush();
          await start.passed;
          await events.appendText('a', 'x');
          await end.passed;
          await events.complete();
        },
      },
      store,
    );
    const { id } = await race.caller.task('go', { returnImmediately: true });
    await quiet();
    store.hold();
    start.open();
    await until(() => store.held === 1);
    const opening = race.caller.subscribe(id);
    await quiet();
    store.release();
    const reader = await opening;
    end.open();
    await reader.all();
    const inTask = reader.seen[0]?.task?.artifacts?.[0]?.parts.length ?? 0;
    expect(inTask + reader.text.length).toBe(1);
  });
});
