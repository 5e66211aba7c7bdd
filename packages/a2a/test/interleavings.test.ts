/** Random commands for many tasks over a store that responds in any order; the invariants must hold. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { A2AError } from '../src/index.js';
import { isTerminal } from '../src/protocol/task-state.js';
import type { Message } from '../src/protocol/types.js';
import { type AgentExecutor, createAgent, memoryStore, type RequestContext, type TaskEvents, type TaskStore } from '../src/server/index.js';
import { type ManualClock, manualClock, sequentialIds } from '../src/testing/index.js';
import { generatedCases } from './generated-cases.js';
import { callerOf, type Reader, say } from './harness.js';
import { inboxOf, logOf, refOf } from './looking.js';

type Step = 'working' | 'append' | 'flush' | 'ask' | 'park' | 'pause' | 'hang' | 'ignore' | 'complete' | 'fail' | 'reject' | 'throw';
type How = 'wait' | 'go on' | 'stream';
type Command =
  | { readonly kind: 'send'; readonly steps: readonly Step[]; readonly how: How }
  | { readonly kind: 'post'; readonly task: number; readonly steps: readonly Step[]; readonly how: How }
  | { readonly kind: 'cancel'; readonly task: number }
  | { readonly kind: 'read'; readonly task: number; readonly resumes: boolean; readonly leavesAfter: number | undefined }
  | { readonly kind: 'tick'; readonly ms: number };
type OnCancel = 'none' | 'silent' | 'says' | 'throws' | 'hangs';

const common: readonly Step[] = ['working', 'append', 'flush', 'ask', 'ask', 'park', 'pause', 'complete', 'complete'];
const step = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...common) },
  fc.constantFrom<Step>('hang', 'ignore', 'fail', 'reject', 'throw'),
);
const steps = fc.array(step, { maxLength: 5 });
const how = fc.constantFrom<How>('wait', 'go on', 'stream');
const task = fc.nat({ max: 3 });
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ kind: fc.constant('send' as const), steps, how }),
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('post' as const), task, steps, how }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), task }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('read' as const),
      task,
      resumes: fc.boolean(),
      leavesAfter: fc.option(fc.nat({ max: 5 }), { nil: undefined }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('tick' as const), ms: fc.constantFrom(0, 0, 5, 10, 3_000) }) },
);
const story = fc.record({
  commands: fc.array(fc.tuple(command, fc.nat({ max: 6 })), { minLength: 2, maxLength: 25 }),
  onCancel: fc.constantFrom<OnCancel>('none', 'silent', 'says', 'throws', 'hangs'),
});

const NEVER = new Promise<never>(() => {});

/** Executes the steps that the message names and records the ids of the messages. */
class Actor implements AgentExecutor {
  readonly executed: string[] = [];
  answers = 0;
  readonly #clock: ManualClock;
  readonly #onCancel: OnCancel;

  constructor(clock: ManualClock, onCancel: OnCancel) {
    this.#clock = clock;
    this.#onCancel = onCancel;
  }

  async execute(context: RequestContext, events: TaskEvents): Promise<void> {
    this.executed.push(context.message?.messageId ?? '');
    for (const each of context.text.split(' ')) {
      if (events.isFinal) return;
      await this.#play(each as Step, context, events);
    }
    if (!events.isFinal && events.state !== 'TASK_STATE_INPUT_REQUIRED') await events.complete();
  }

  async cancel(_context: RequestContext, events: TaskEvents): Promise<void> {
    if (this.#onCancel === 'says') await events.canceled();
    if (this.#onCancel === 'throws') throw new Error('as told');
    if (this.#onCancel === 'hangs') await NEVER;
  }

  async #play(each: Step, context: RequestContext, events: TaskEvents): Promise<void> {
    switch (each) {
      case 'append':
        return events.appendText('a', 'x');
      case 'ask':
        await context.requireInput('well?');
        this.answers += 1;
        return;
      case 'park':
        return events.status('TASK_STATE_INPUT_REQUIRED');
      case 'pause':
        return new Promise((resolve) => this.#clock.after(10, resolve));
      case 'hang':
        await events.working();
        return new Promise((_, reject) => context.signal.addEventListener('abort', () => reject(context.signal.reason)));
      case 'ignore':
        await events.working();
        return NEVER;
      case 'throw':
        throw new Error('as told');
      case 'fail':
        return events.fail('as told');
      case 'working':
      case 'flush':
      case 'complete':
      case 'reject':
        return events[each]();
    }
  }
}

/** Delays requests to the store and their responses in any order that the scheduler selects. */
function anyOrder(scheduler: fc.Scheduler, store: TaskStore): TaskStore {
  const late =
    <A extends unknown[], R>(name: string, call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      await scheduler.schedule(Promise.resolve(), `${name} arrives`);
      const answer = await call(...args);
      await scheduler.schedule(Promise.resolve(), `${name} answers`);
      return answer;
    };
  const { commit, load, readAfter, post, inbox, claim } = store;
  return {
    ...store,
    commit: late('commit', commit),
    load: late('load', load),
    readAfter: late('readAfter', readAfter),
    post: late('post', post),
    inbox: late('inbox', inbox),
    claim: late('claim', claim),
  };
}

/** One agent with its callers and subscribers. */
class Stage {
  readonly clock = manualClock();
  readonly store = memoryStore({ clock: this.clock });
  readonly errors: A2AError[] = [];
  readonly refusals: string[] = [];
  readonly subscribers: { readonly id: string; readonly reader: Reader; left: boolean }[] = [];
  readonly senders: Reader[] = [];
  readonly actor: Actor;
  readonly agent: ReturnType<typeof createAgent>;
  readonly #caller: ReturnType<typeof callerOf>;
  readonly #scheduler: fc.Scheduler;
  #open = 0;
  #tasks = 0;

  constructor(scheduler: fc.Scheduler, onCancel: OnCancel) {
    this.#scheduler = scheduler;
    this.actor = new Actor(this.clock, onCancel);
    this.agent = createAgent({
      name: 'Stage',
      clock: this.clock,
      store: anyOrder(scheduler, this.store),
      ids: sequentialIds(),
      onError: (error) => this.errors.push(error),
      executor: onCancel === 'none' ? { execute: (context, events) => this.actor.execute(context, events) } : this.actor,
    });
    this.#caller = callerOf(this.agent);
  }

  /** Calls without a response so far. */
  get open(): number {
    return this.#open;
  }

  async play(command: Command): Promise<void> {
    switch (command.kind) {
      case 'tick':
        return this.clock.tick(command.ms);
      case 'send':
        this.#tasks += 1;
        return this.#send(say(command.steps.join(' ')), command.how);
      case 'post':
        return this.#send(say(command.steps.join(' '), { taskId: this.#id(command.task) }), command.how);
      case 'cancel':
        return this.#track(this.#caller.cancel(this.#id(command.task)));
      case 'read':
        return this.#track(this.#read(command));
    }
  }

  #id(index: number): string {
    return `task-${1 + (index % Math.max(1, this.#tasks))}`;
  }

  #send(message: Message, how: How): void {
    if (how === 'stream') this.#track(this.#caller.stream(message).then((reader) => this.senders.push(reader)));
    else this.#track(this.#caller.send(message, { returnImmediately: how === 'go on' }));
  }

  async #read({ task: index, resumes, leavesAfter }: Extract<Command, { kind: 'read' }>): Promise<void> {
    const id = this.#id(index);
    const reader = await this.#caller.subscribe(id, resumes ? '0' : undefined);
    const subscriber = { id, reader, left: false };
    this.subscribers.push(subscriber);
    if (leavesAfter === undefined) return;
    void reader.until(leavesAfter).then(() => {
      subscriber.left = true;
      reader.close();
    });
  }

  #track(call: Promise<unknown>): void {
    this.#open += 1;
    const close = (): void => {
      this.#open -= 1;
    };
    call.then(close, (error: A2AError) => {
      this.refusals.push(error.reason);
      close();
    });
  }

  async pass(moments: number): Promise<void> {
    for (let moment = 0; moment < moments && this.#scheduler.count() > 0; moment += 1) await this.#scheduler.waitNext(1);
  }

  /** Runs until nothing happens any more, for longer than any grace period. */
  async settle(): Promise<void> {
    for (let calm = 0; calm < 5; calm += 1) {
      if (this.#scheduler.count() > 0) calm = 0;
      await this.pass(Number.POSITIVE_INFINITY);
      await this.clock.tick(1_000);
    }
  }

  async taskIds(): Promise<readonly string[]> {
    const { tasks } = await this.store.list({ agent: '', tenant: '', owner: '', limit: 1_000, count: false });
    return tasks.map(({ ref }) => ref.id);
  }

  async endAll(): Promise<void> {
    for (const id of await this.taskIds()) {
      const stored = await this.store.load(refOf(id));
      if (stored && !isTerminal(stored.head.state)) this.#track(this.#caller.cancel(id));
    }
    await this.settle();
  }
}

/** A task that does not run has no pending row in its inbox. */
async function checkInboxes(stage: Stage): Promise<void> {
  const busy = new Set(stage.agent.tasks.running.map(({ taskId }) => taskId));
  for (const id of await stage.taskIds()) {
    if (!busy.has(id)) expect((await inboxOf(stage.store, refOf(id))).filter(({ state }) => state === 'pending')).toEqual([]);
  }
}

const ENDS = /TASK_STATE_(COMPLETED|FAILED|CANCELED|REJECTED)/;

/** The log has no gaps and exactly one final entry, at its end. Each message that was taken to start a turn ran exactly once. */
async function checkLog(stage: Stage, id: string): Promise<number> {
  const log = await logOf(stage.store, refOf(id));
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  const ends = log.filter(({ kind, json }) => (kind === 'status' || kind === 'task') && ENDS.test(json));
  expect(ends).toEqual([log.at(-1)]);
  const rows = await inboxOf(stage.store, refOf(id));
  expect(rows.filter(({ state }) => state === 'pending')).toEqual([]);
  const inputs = log.filter(({ kind }) => kind === 'input').map(({ json }) => JSON.parse(json).input);
  const turns = inputs.filter(({ as }) => as === 'turn').map(({ request }) => request.message.messageId);
  const times = turns.map((messageId) => stage.actor.executed.filter((executed) => executed === messageId).length);
  const isCanceled = log.at(-1)?.json.includes('TASK_STATE_CANCELED') === true;
  // A cancel may come between taking a message and its turn. Then that turn never starts.
  expect(times).toEqual(times.map((count, index) => (isCanceled && index === times.length - 1 ? count && 1 : 1)));
  for (const { json, kind, state } of rows) {
    if (kind === 'message' && state === 'refused') expect(stage.actor.executed).not.toContain(JSON.parse(json).message.messageId);
  }
  const taken = rows.filter(({ kind, state }) => kind === 'message' && state === 'taken');
  expect(inputs, 'one input for the first message and one for each message that was taken').toHaveLength(taken.length + 1);
  return inputs.filter(({ as }) => as === 'reply').length;
}

/** After its first event, a stream equals the log: in order, without gaps or duplicates, up to its end or to the disconnect. */
async function checkReader(stage: Stage, reader: Reader, whole: boolean): Promise<void> {
  const [first] = reader.seen;
  const seqs = reader.seen.map(({ seq = 0 }) => seq);
  const about = first?.task?.id ?? first?.statusUpdate?.taskId ?? first?.artifactUpdate?.taskId;
  if (about === undefined) return;
  const sent = (await logOf(stage.store, refOf(about))).filter(({ kind }) => kind !== 'input' && kind !== 'note').map(({ seq }) => seq);
  const [from = 0, to = 0] = [seqs[0], whole ? sent.at(-1) : seqs.at(-1)];
  expect(seqs.slice(1)).toEqual(sent.filter((seq) => seq > from && seq <= to));
}

const EXPECTED = new Set(['TASK_NOT_FOUND', 'UNSUPPORTED_OPERATION', 'TASK_NOT_CANCELABLE', 'INTERNAL_ERROR']);

test('D2, D3, D4, D18: for any interleaving of sends, answers, cancels and ends, every task ends once, every message is settled, and every reader sees one order', async () => {
  const property = fc.asyncProperty(fc.scheduler(), story, async (scheduler, { commands, onCancel }) => {
    const stage = new Stage(scheduler, onCancel);
    for (const [command, moments] of commands) {
      await stage.play(command);
      await stage.pass(moments);
    }
    await stage.settle();
    await checkInboxes(stage);
    await stage.endAll();

    expect(stage.open, 'every call has a response').toBe(0);
    expect(stage.refusals.filter((reason) => !EXPECTED.has(reason))).toEqual([]);
    expect(
      stage.errors.filter(({ reason }) => reason !== 'INTERNAL_ERROR'),
      'only scripted crashes are reported',
    ).toEqual([]);
    let replies = 0;
    for (const id of await stage.taskIds()) replies += await checkLog(stage, id);
    expect(stage.actor.answers, 'every answer that was taken reached its question').toBe(replies);
    for (const { reader, left } of stage.subscribers) await checkReader(stage, reader, !left);
    for (const reader of stage.senders) await checkReader(stage, reader, false);
    expect(stage.agent.tasks.running, 'no task runs any more').toEqual([]);
    await stage.agent.close({ drainMs: 1 });
    expect(stage.clock.pending, 'no timer is left').toBe(0);
  });
  await fc.assert(property, { numRuns: generatedCases(1_000) });
}, 120_000);
