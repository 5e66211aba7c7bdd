import { describe, expect, test } from 'vitest';
import { type AgentOptions, memoryBus, type RequestContext } from '../src/server/index.js';
import { failingStore, type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { hearUnhandled } from './faults.js';
import { say } from './harness.js';
import { follow, inboxOf, logOf, refOf, refusal, storyOf } from './looking.js';
import { type Node, remote } from './nodes.js';

const RESTART = { recovery: 'restart' } as const;
const HANG: ScriptStep = { do: 'gate', name: 'never' };
const WORK: ScriptStep[] = [{ do: 'working' }, { do: 'flush' }, HANG];
const ASK: ScriptStep[] = [{ do: 'requireInput', prompt: 'which?' }, { do: 'complete' }];
const DRAIN = { drainMs: 1_000 };

/** Several nodes that share a clock, a bus and a store on another machine. */
function world() {
  const { clock, start, truth, store } = remote();
  const bus = memoryBus();
  const done = async <T>(call: Promise<T>): Promise<T> => {
    const answer = follow(call);
    for (let turn = 0; turn < 5 && !answer.isSettled; turn += 1) await clock.tick();
    return answer.outcome;
  };
  const node = (steps: readonly ScriptStep[], options: Partial<AgentOptions> = {}) => {
    const executor = scriptedExecutor(steps);
    return { executor, ...start({ ...RESTART, clock, bus, executor, ...options }) };
  };
  /** Closes the node and waits until it is closed. */
  const close = async ({ agent }: Node, drainMs = DRAIN.drainMs): Promise<void> => {
    const closing = follow(agent.close({ drainMs }));
    await clock.tick(drainMs);
    await clock.tick();
    expect(closing.isSettled).toBe(true);
  };
  const begin = async ({ caller }: Node): Promise<string> => (await done(caller.task('go', { returnImmediately: true }))).id;
  return { clock, truth, store, node, close, begin, done, story: (id: string) => storyOf(truth, refOf(id)) };
}

describe('D20: hand-over', () => {
  test('D20: another node restarts the run within about a second, and its log gives the reason', async () => {
    const { clock, node, begin, close, story } = world();
    const a = node(WORK);
    const b = node([{ do: 'complete' }]);
    const id = await begin(a);
    await close(a);
    expect(await story(id)).toEqual(['input:turn', 'task:SUBMITTED', 'status:WORKING', 'note:handed-over']);
    await clock.tick(1_000);
    expect(b.executor.runs).toMatchObject([{ attempt: 2, text: 'go', taskId: id }]);
    expect((await story(id)).slice(-3)).toEqual(['note:handed-over', 'note:attempt', 'status:COMPLETED']);
    expect(a.errors, 'no run was aborted with an error').toEqual([]);
  });

  test('D20: is not a crash: more restarts than maxAttempts do not end a task', async () => {
    const { clock, node, begin, close, story, truth } = world();
    let current = node(WORK, { maxAttempts: 2 });
    const id = await begin(current);
    for (let restart = 1; restart <= 12; restart += 1) {
      const next = node(WORK, { maxAttempts: 2 });
      await clock.tick();
      await close(current, 10);
      await clock.tick(1_000);
      expect(next.executor.runs).toMatchObject([{ attempt: restart + 1 }]);
      current = next;
    }
    const last = node([{ do: 'complete' }], { maxAttempts: 2 });
    await clock.tick();
    current.cutOff();
    await clock.tick(17_000);
    expect(last.executor.runs, 'one crash counts as one').toMatchObject([{ attempt: 14 }]);
    expect((await story(id)).at(-1)).toBe('status:COMPLETED');
    const notes = (await logOf(truth, refOf(id))).map(({ json }) => JSON.parse(json).note).filter((note) => note?.kind === 'attempt');
    expect(notes.map(({ after }) => after)).toEqual([...Array(12).fill('hand-over'), 'crash']);
  });

  test('D20, D18: crashes count, also with hand-overs between them', async () => {
    const { clock, node, begin, close, story } = world();
    let current = node(WORK, { maxAttempts: 3 });
    const id = await begin(current);
    for (const end of ['crash', 'close', 'crash', 'close', 'crash']) {
      const next = node(WORK, { maxAttempts: 3 });
      await clock.tick();
      if (end === 'close') await close(current, 10);
      else current.cutOff();
      await clock.tick(17_000);
      current = next;
    }
    expect((await story(id)).at(-1)).toBe('status:FAILED');
  });

  test('D20, D6: the signal of the run has the reason shutdown, and all events that it published are in the log', async () => {
    const { clock, node, begin, close, truth } = world();
    let context: RequestContext | undefined;
    const steps: ScriptStep[] = [
      { do: 'working' },
      {
        do: 'call',
        async run(given, events) {
          context = given;
          await new Promise<void>((resolve) => given.clock.after(DRAIN.drainMs, resolve));
          for (let k = 0; k < 5; k += 1) void events.appendText('a', `${k} `).catch(() => {});
          await new Promise(() => {});
        },
      },
    ];
    const a = node(steps);
    const id = await begin(a);
    await close(a);
    expect(context?.signal.reason).toMatchObject({ reason: 'AGENT_UNAVAILABLE', metadata: { why: 'shutdown' } });
    const log = await logOf(truth, refOf(id));
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
    expect(log.at(-1)?.json).toContain('handed-over');
    expect(log.filter(({ kind }) => kind === 'artifact')).toHaveLength(5);
    await clock.tick();
  });

  test('D20: readers resume on another node and miss no event', async () => {
    const { clock, node, begin, close, done, truth } = world();
    const chunk = (text: string): ScriptStep => ({ do: 'append', artifactId: 'a', text });
    const a = node([chunk('one '), { do: 'flush' }, HANG]);
    const b = node([chunk('two '), { do: 'complete' }]);
    const id = await begin(a);
    const before = await done(a.caller.subscribe(id, '0'));
    await clock.tick();
    const closing = close(a);
    expect(await done(before.ended)).toEqual({ kind: 'shutdown' });
    const after = await done(b.caller.subscribe(id, String(before.seen.at(-1)?.seq)));
    await closing;
    await clock.tick(1_000);
    await after.all();
    const sent = (await logOf(truth, refOf(id))).filter(({ kind }) => kind !== 'input' && kind !== 'note');
    expect([...before.seen, ...after.seen].map(({ seq }) => seq)).toEqual(sent.map(({ seq }) => seq));
  });

  test('D20, D14: a question waits for its answer, and another node takes the pending message', async () => {
    const { clock, node, done, close, truth } = world();
    const a = node(ASK);
    const { id } = await done(a.caller.task('go'));
    const b = node(ASK);
    await clock.tick();
    await close(a, 30_000);
    expect((await truth.load(refOf(id)))?.node, 'no node runs it').toBeUndefined();
    expect((await done(b.caller.task(say('this', { taskId: id })))).status.state).toBe('TASK_STATE_COMPLETED');
    expect(b.executor.runs).toMatchObject([{ attempt: 2 }]);
  });

  test('D20, D19: a cancel through another node reaches a run that drains', async () => {
    const { clock, node, begin, story } = world();
    const a = node(WORK);
    const b = node([]);
    const id = await begin(a);
    const closing = follow(a.agent.close({ drainMs: 30_000 }));
    await clock.tick();
    const canceled = follow(b.caller.cancel(id));
    await clock.tick(3_000);
    expect((await canceled.outcome).status.state).toBe('TASK_STATE_CANCELED');
    await clock.tick();
    expect(closing.isSettled).toBe(true);
    expect(await story(id)).not.toContain('note:handed-over');
  });

  test('D20, D19: a cancel at the moment of the hand-over ends the task once, in either order', async () => {
    for (let moment = 0; moment < 30; moment += 1) {
      const { clock, node, begin, story } = world();
      const a = node(WORK);
      const b = node(WORK);
      const id = await begin(a);
      const closing = follow(a.agent.close(DRAIN));
      let canceled: Promise<unknown> | undefined;
      const cancel = async (): Promise<void> => {
        for (let k = 0; k < moment; k += 1) await Promise.resolve();
        canceled = b.caller.cancel(id);
      };
      clock.after(DRAIN.drainMs, () => void cancel());
      await clock.tick(DRAIN.drainMs);
      await clock.tick(10_000);
      expect(closing.isSettled, `after ${moment} microtasks`).toBe(true);
      expect(await canceled).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
      expect((await story(id)).filter((line) => line === 'status:CANCELED')).toHaveLength(1);
      expect(b.agent.tasks.running).toEqual([]);
    }
  });

  test('D20, D19: a cancel at the moment in which a waiting task is parked ends it, and its sender gets that result', async () => {
    for (let moment = 0; moment < 40; moment += 1) {
      const { clock, node, done, story } = world();
      const a = node(ASK);
      const { id } = await done(a.caller.task('go'));
      const closing = follow(a.agent.close());
      for (let k = 0; k < moment; k += 1) await Promise.resolve();
      const canceled = follow(a.caller.cancel(id));
      canceled.outcome.catch(() => {});
      await clock.tick();
      const b = node(ASK);
      await clock.tick(5_000);
      expect(closing.isSettled, `after ${moment} microtasks`).toBe(true);
      const answer = await canceled.outcome.catch(({ reason }) => reason);
      if (typeof answer === 'string')
        expect(answer).toBe('AGENT_UNAVAILABLE'); // the store was closed before the cancel was posted
      else expect((await story(id)).at(-1)).toBe('status:CANCELED');
      expect(b.agent.tasks.running).toEqual([]);
    }
  });

  test('D20, D19: a subscriber at that moment gets the final state, or must reconnect to another node', async () => {
    for (let moment = 0; moment < 60; moment += 1) {
      const { clock, node, done } = world();
      const a = node(ASK);
      const b = node(ASK);
      const { id } = await done(a.caller.task('go'));
      const canceled = follow(b.caller.cancel(id));
      for (let k = 0; k < moment; k += 1) await Promise.resolve();
      void a.agent.close();
      const following = follow(a.caller.subscribe(id));
      await clock.tick(5_000);
      expect((await canceled.outcome).status.state).toBe('TASK_STATE_CANCELED');
      const end = await following.outcome.then(
        (reader) => reader.ended,
        ({ reason }) => ({ kind: reason }),
      );
      expect(['done', 'shutdown', 'UNSUPPORTED_OPERATION'], `after ${moment} microtasks`).toContain(end.kind);
      expect(a.errors).toEqual([]);
    }
  });

  test('D20, D16: the caller of a run without a Task gets a retryable error and can send again', async () => {
    using unhandled = hearUnhandled();
    const { clock, node, close, done } = world();
    const a = node([HANG], { taskAfterMs: Number.POSITIVE_INFINITY });
    const sent = follow(a.caller.send('go', undefined, { idempotencyKey: 'k' }));
    sent.outcome.catch(() => {});
    await clock.tick();
    await clock.tick();
    await close(a);
    expect(await refusal(sent.outcome)).toMatchObject({ reason: 'AGENT_UNAVAILABLE', retryable: true });
    const b = node([{ do: 'complete' }]);
    await done(b.caller.send('go', undefined, { idempotencyKey: 'k2' }));
    expect(unhandled.heard).toEqual([]);
  });

  test('D20, D18: a note that cannot be written costs one attempt, and nothing else', async () => {
    const { clock, node, begin, store, truth } = world();
    let isDown = false;
    const failing = failingStore(store, () => (isDown ? 'before' : undefined));
    const a = node(WORK, {
      store: { ...failing, entryAt: (...call) => (isDown ? Promise.reject(new Error('down')) : truth.entryAt(...call)) },
    });
    const id = await begin(a);
    isDown = true;
    const closing = follow(a.agent.close(DRAIN));
    await clock.tick(DRAIN.drainMs);
    await clock.tick();
    expect(closing.isSettled).toBe(true);
    const b = node([{ do: 'complete' }]);
    await clock.tick();
    expect(b.executor.runs).toMatchObject([{ attempt: 2, taskId: id }]);
  });
});

describe('D20, D2: sends to a server that shuts down', () => {
  test('D20, D17: a send with a key that was not taken can be repeated on another node, and runs once', async () => {
    const { clock, node, begin, close, truth } = world();
    const a = node([{ do: 'working' }, { do: 'flush' }, HANG]);
    const id = await begin(a);
    const message = say('later', { taskId: id });
    const options = { idempotencyKey: 'k' };
    const first = follow(a.caller.send(message, undefined, options));
    first.outcome.catch(() => {});
    for (let turn = 0; turn < 20 && (await inboxOf(truth, refOf(id))).length === 0; turn += 1) await clock.tick();
    const park: ScriptStep = { do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED', 'well?') };
    const b = node([park]);
    await clock.tick();
    const closing = close(a);
    expect(await refusal(first.outcome)).toMatchObject({ reason: 'AGENT_UNAVAILABLE', retryable: true });
    const again = follow(b.caller.send(message, undefined, options));
    await closing;
    await clock.tick(2_000);
    expect((await again.outcome).task?.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(b.executor.runs.map(({ text, attempt }) => `${text} ${attempt}`)).toEqual(['go 2', 'later 1']);
    expect(await inboxOf(truth, refOf(id))).toMatchObject([{ state: 'taken' }]);
  });

  test('D20, D2: a send without a key gets the current task, and runs once', async () => {
    const { clock, node, begin, close, truth } = world();
    const a = node(WORK);
    const id = await begin(a);
    const sent = follow(a.caller.task(say('later', { taskId: id })));
    const streaming = follow(a.caller.stream(say('streamed', { taskId: id })));
    await clock.tick();
    await close(a);
    expect((await sent.outcome).status.state).toBe('TASK_STATE_WORKING');
    const stream = await streaming.outcome;
    expect(await stream.ended).toEqual({ kind: 'shutdown' });
    expect(stream.seen[0]?.task?.status.state, 'with a position to resume from').toBe('TASK_STATE_WORKING');
    const park: ScriptStep = { do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED', 'well?') };
    const b = node([park]);
    await clock.tick(1_000);
    expect(b.executor.runs.map(({ text }) => text)).toEqual(['go', 'later', 'streamed']);
    expect((await inboxOf(truth, refOf(id))).map(({ state }) => state)).toEqual(['taken', 'taken']);
  });

  test('D20, D14: a reply without a key to an open question gets an error that is not retryable, not the question again', async () => {
    const { clock, node, done, truth } = world();
    const deaf = memoryBus();
    const a = node(ASK, { bus: deaf });
    const { id } = await done(a.caller.task('go'));
    const b = node(ASK, { bus: memoryBus() });
    await clock.tick();
    const sent = follow(b.caller.task(say('this', { taskId: id })));
    sent.outcome.catch(() => {});
    await clock.tick();
    const closing = follow(b.agent.close());
    await clock.tick();
    await closing.outcome;
    const error = await refusal(sent.outcome);
    expect(error).toMatchObject({ reason: 'AGENT_UNAVAILABLE', retryable: false });
    expect(error.message).toContain('accepted');
    await clock.tick(5_000);
    expect([a.executor.answers, (await truth.load(refOf(id)))?.head.state]).toEqual([['this'], 'TASK_STATE_COMPLETED']);
  });

  test('D20: sends during the drain are refused before they are posted, also for tasks that run on the node', async () => {
    const { clock, node, begin, truth } = world();
    const a = node(WORK);
    const id = await begin(a);
    const closing = follow(a.agent.close({ drainMs: 30_000 }));
    await clock.tick();
    for (const message of [say('new'), say('more', { taskId: id })]) {
      expect(await refusal(a.caller.task(message))).toMatchObject({ reason: 'AGENT_UNAVAILABLE', retryable: true });
    }
    expect([await inboxOf(truth, refOf(id)), closing.isSettled]).toEqual([[], false]);
    const getting = a.caller.get(id);
    await clock.tick();
    expect((await getting).status.state, 'reads are still served').toBe('TASK_STATE_WORKING');
    await clock.tick(30_000);
  });
});

describe('D20: a rolling restart', () => {
  test('D20: of three nodes with running and waiting tasks: every task continues, none counts as crashed, and no data is lost', async () => {
    const { clock, node, begin, close, done, truth } = world();
    const steps: ScriptStep[] = [{ do: 'append', artifactId: 'a', text: 'x' }, { do: 'gate', name: 'on' }, ...ASK];
    let nodes = [node(steps), node(steps), node(steps)];
    const executors = nodes.map(({ executor }) => executor);
    const working = await Promise.all([0, 1, 2, 0, 1, 2].map((index) => begin(nodes[index] as Node)));
    const waiter = node(ASK);
    const { id: waits } = await done(waiter.caller.task('go'));
    await close(waiter, 10);
    for (const old of [...nodes]) {
      const fresh = node(steps);
      executors.push(fresh.executor);
      await clock.tick();
      nodes = [...nodes.filter((one) => one !== old), fresh];
      await close(old, 500);
      await clock.tick(1_500);
      expect(nodes.flatMap(({ agent }) => agent.tasks.running)).toHaveLength(6);
    }
    for (const executor of executors) executor.open('on');
    await clock.tick();
    const last = nodes[0] as Node;
    for (const id of [...working, waits]) await done(last.caller.task(say('this', { taskId: id }), { returnImmediately: true }));
    await clock.tick(6_000);
    for (const id of [...working, waits]) {
      const { status, artifacts = [] } = await done(last.caller.get(id));
      expect(status.state).toBe('TASK_STATE_COMPLETED');
      expect(artifacts.map(({ parts }) => parts)).toEqual([[{ text: 'x' }]]);
      expect((await logOf(truth, refOf(id))).filter(({ json }) => json.includes('"after":"crash"'))).toEqual([]);
    }
    const attempts = executors.flatMap(({ runs }) => runs.map(({ taskId, attempt }) => `${taskId} ${attempt}`));
    expect(new Set(attempts).size).toBe(attempts.length);
    expect(nodes.flatMap(({ errors }) => errors)).toEqual([]);
  });
});
