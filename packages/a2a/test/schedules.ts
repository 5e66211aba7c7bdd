/** Two nodes on one store that loses commits and responds in any order, scripted runs, and their callers and readers. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../src/protocol/clock.js';
import { isA2AError } from '../src/protocol/errors.js';
import { isTerminal } from '../src/protocol/task-state.js';
import type { Task } from '../src/protocol/types.js';
import type { Frame } from '../src/server/advanced.js';
import {
  type Agent,
  type AgentExecutor,
  createAgent,
  memoryBus,
  memoryStore,
  type Reply,
  type RequestContext,
  type TaskEvents,
  type TaskStore,
} from '../src/server/index.js';
import type { Entry } from '../src/stores/store.js';
import { type CommitFault, failingStore, manualClock, seededRandom, sequentialIds } from '../src/testing/index.js';
import { callerOf, say } from './harness.js';
import { logOf, refOf } from './looking.js';
import { taskOf, Watcher } from './watcher.js';

export type Act = 'publish' | 'publish more' | 'working' | 'complete' | 'fail' | 'ask' | 'park' | 'flush' | 'return' | 'throw';
export type How = 'wait' | 'go on' | 'stream';
/** `unknown`: the commit is made, its response is lost, and the read that would find it fails as well. */
export type Fault = CommitFault | 'unknown' | undefined;
export type OnCancel = 'none' | 'silent' | 'says' | 'throws' | 'hangs';
export type Command =
  | { readonly kind: 'send'; readonly node: number; readonly how: How }
  | { readonly kind: 'post'; readonly node: number; readonly task: number; readonly how: How }
  | { readonly kind: 'cancel'; readonly node: number; readonly task: number }
  | { readonly kind: 'get'; readonly node: number; readonly task: number }
  | { readonly kind: 'read'; readonly node: number; readonly task: number; readonly from: 'now' | 'start' | 'where I left' }
  | { readonly kind: 'leave' | 'stall' | 'resume'; readonly reader: number }
  | { readonly kind: 'act'; readonly run: number; readonly what: Act }
  | { readonly kind: 'crash' }
  | { readonly kind: 'tick'; readonly ms: number };

export interface Schedule {
  readonly commands: readonly (readonly [command: Command, moments: number])[];
  /** The fault of each commit, by number. Later commits succeed. */
  readonly faults: readonly Fault[];
  readonly onCancel: OnCancel;
  /** Whether the store records heartbeats. If not, each node may take over tasks of the other; if so, only those of a dead node. */
  readonly hearsBeats: boolean;
  readonly recovery: 'fail' | 'restart';
  /** Whether runs obey their signal. */
  readonly obeys: boolean;
  /** Seed for the order in which the store receives requests and responds. */
  readonly order: number;
}

const NEVER = new Promise<never>(() => {});

interface Run {
  readonly node: Node;
  readonly context: RequestContext;
  readonly events: TaskEvents;
  /** The step of the stage in which the run returned. */
  over?: number;
  finish(thrown?: Error): void;
}

interface Node {
  readonly name: string;
  readonly agent: Agent;
  readonly caller: ReturnType<typeof callerOf>;
  isDead: boolean;
}

export class Stage {
  readonly clock = manualClock();
  readonly inner = memoryStore({ clock: this.clock });
  readonly watchers: Watcher[] = [];
  /** Violations of the invariants, found during the schedule. */
  readonly wrongs: string[] = [];
  /** Texts that a run published long after it had returned. No reader may see them. */
  readonly late = new Set<string>();
  readonly #schedule: Schedule;
  readonly #random: () => number;
  readonly #bus = memoryBus();
  readonly #ids = sequentialIds();
  readonly #runs: Run[] = [];
  readonly #nodes: readonly Node[];
  /** Pending deliveries: a request on its way to the store, or a response on its way back. */
  readonly #moments: (() => void)[] = [];
  readonly #committed = new Map<string, string>();
  readonly #finals = new Map<string, string>();
  readonly #waiting = new Set<{ readonly node: Watcher['node']; readonly what: string }>();
  #commits = 0;
  #turn = 0;
  #texts = 0;
  #tasks = 0;
  #healthy = false;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
    this.#random = seededRandom(schedule.order);
    this.#nodes = [this.#createNode('one'), this.#createNode('two')];
  }

  /** Calls to live nodes without a response. */
  get unanswered(): readonly string[] {
    return [...this.#waiting].filter(({ node }) => !node.isDead).map(({ what }) => what);
  }

  get running(): readonly string[] {
    return this.#nodes.filter(({ isDead }) => !isDead).flatMap(({ agent }) => agent.tasks.running.map(({ taskId }) => taskId));
  }

  #createNode(name: string): Node {
    const node = { name, isDead: false } as { -readonly [K in keyof Node]: Node[K] }; // completed below
    const { onCancel, hearsBeats, recovery } = this.#schedule;
    const executor: AgentExecutor = {
      execute: (context, events) => this.#execute(node, context, events),
      ...(onCancel !== 'none' && { cancel: (_: RequestContext, events: TaskEvents) => cancelAs(onCancel, events) }),
    };
    const store = this.#storeOf(node);
    const onError = (error: { readonly reason: string; readonly cause?: unknown }): void => {
      const isTold = error.cause instanceof Error && error.cause.message === 'as told';
      if (error.reason === 'INTERNAL_ERROR' && !isTold) this.wrongs.push(`reported: ${String(error.cause)}`);
    };
    node.agent = createAgent({
      name,
      node: name,
      clock: mortal(this.clock, node),
      store,
      bus: this.#bus,
      ids: this.#ids,
      executor,
      onError,
      recovery,
      // Short, so that a crash is detected within a schedule. Or so long that no node looks for orphans, and only messages and cancels take
      // over.
      leaseMs: hearsBeats ? 3_000 : 1e9,
    });
    node.caller = callerOf(node.agent);
    return node;
  }

  #execute(node: Node, context: RequestContext, events: TaskEvents): Promise<void> {
    return new Promise((resolve, reject) => {
      const run: Run = {
        node,
        context,
        events,
        finish: (thrown) => {
          run.over ??= this.#turn;
          return thrown ? reject(thrown) : resolve();
        },
      };
      this.#runs.push(run);
      if (this.#schedule.obeys) context.signal.addEventListener('abort', () => reject(context.signal.reason));
    });
  }

  /** The store as a node sees it: commits are lost by plan, responses come in any order, and a dead node gets none. */
  #storeOf(node: Node): TaskStore {
    let away = false;
    const recorded: TaskStore = { ...this.inner, commit: (writes) => this.#record(writes) };
    const lossy = failingStore(recorded, () => {
      const fault = this.#healthy ? undefined : this.#schedule.faults[this.#commits];
      this.#commits += 1;
      away = fault === 'unknown';
      return fault === 'unknown' ? 'after' : fault;
    });
    const late =
      <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        await this.#moment();
        if (node.isDead) return NEVER;
        const answer = await call(...args).finally(() => this.#moment());
        return node.isDead ? NEVER : answer;
      };
    const { load, readAfter, post, inbox, claim } = this.inner;
    return {
      ...lossy,
      ...(!this.#schedule.hearsBeats && { beat: async () => 'ok' as const }),
      commit: late((writes) => lossy.commit(writes)),
      entryAt: late(async (ref, seq) => {
        if (away) throw new Error('as told');
        return this.inner.entryAt(ref, seq);
      }),
      load: late(load),
      readAfter: late(readAfter),
      post: late(post),
      inbox: late(inbox),
      claim: late(claim),
    };
  }

  async #record(writes: Parameters<TaskStore['commit']>[0]): ReturnType<TaskStore['commit']> {
    const answers = await this.inner.commit(writes);
    for (const [index, { ref, entries }] of writes.entries()) {
      if (answers[index]?.kind === 'ok') for (const { seq, json } of entries) this.#committed.set(`${ref.id} ${seq}`, json);
    }
    return answers;
  }

  #moment(): Promise<void> {
    return new Promise((resolve) => this.#moments.push(resolve));
  }

  /** Runs everything that needs no store, then delivers up to `moments` pending requests or responses in random order. */
  async pass(moments: number): Promise<void> {
    this.#turn += 1;
    await nextTurn();
    for (let n = 0; n < moments && this.#moments.length > 0; n += 1) {
      const [next] = this.#moments.splice(Math.floor(this.#random() * this.#moments.length), 1);
      next?.();
      await nextTurn();
    }
  }

  async play(command: Command): Promise<void> {
    switch (command.kind) {
      case 'tick':
        return this.clock.tick(command.ms);
      case 'crash':
        return this.#crash();
      case 'act':
        return this.#act(command.run, command.what);
      case 'leave':
      case 'stall':
      case 'resume':
        return this.watchers[command.reader % Math.max(1, this.watchers.length)]?.[command.kind]();
      case 'read':
        return this.#read(this.#node(command.node), this.#id(command.task), command.from);
      case 'send':
        this.#tasks += 1;
        return this.#send(this.#node(command.node), undefined, command.how);
      case 'post':
        return this.#send(this.#node(command.node), this.#id(command.task), command.how);
      case 'get':
      case 'cancel': {
        const { caller } = this.#node(command.node);
        const id = this.#id(command.task);
        return this.#track(this.#node(command.node), command.kind, id, caller[command.kind](id));
      }
    }
  }

  #node(index: number): Node {
    const living = this.#nodes.filter(({ isDead }) => !isDead);
    const node = living[index % living.length];
    if (node === undefined) throw new Error('no live node');
    return node;
  }

  #id(index: number): string {
    return `task-${1 + (index % Math.max(1, this.#tasks))}`;
  }

  /** Kills the first node: it makes no more calls, gets no notifications, and its callers get no response. The other node stays. */
  #crash(): void {
    const [first] = this.#nodes;
    if (first) first.isDead = true;
  }

  #send(node: Node, taskId: string | undefined, how: How): void {
    const message = say('go', taskId === undefined ? {} : { taskId });
    if (how === 'stream') {
      this.#open(new Watcher(node, 'send'), node.caller.handle('SendStreamingMessage', { message }));
      return;
    }
    const sent = node.caller.send(message, { returnImmediately: how === 'go on' }).then((answer) => answer.task);
    this.#track(node, 'send', taskId, sent);
  }

  #read(node: Node, id: string, from: Extract<Command, { kind: 'read' }>['from']): void {
    const before = this.watchers.findLast(({ frames, isOpen }) => !isOpen && taskOf(frames) === id);
    const after = from === 'now' ? undefined : from === 'start' ? 0 : before?.frames.at(-1)?.seq;
    const resumes = after === undefined ? {} : { lastEventId: `${after}` };
    this.#open(new Watcher(node, 'subscribe', after), node.caller.handle('SubscribeToTask', { id }, resumes));
  }

  #open(watcher: Watcher, opening: Promise<Reply>): void {
    const opened = opening.then((reply) => {
      if (reply.kind === 'stream') this.#watch(watcher, reply.open);
    });
    this.#track(watcher.node, watcher.kind, undefined, opened);
  }

  #watch(watcher: Watcher, open: Parameters<Watcher['open']>[0]): void {
    const has = (frame: Frame): boolean => {
      const id = taskOf([frame]);
      const committed = this.#committed.get(`${id} ${frame.seq}`);
      return committed !== undefined && (committed === frame.json || frame.json.startsWith('{"task":'));
    };
    this.watchers.push(watcher.open(open, has));
  }

  /** Tracks calls without a response, and checks that a task stays the same once it has ended. */
  #track(node: Watcher['node'], what: string, id: string | undefined, call: Promise<Task | undefined | void>): void {
    const waiting = { node, what: `${what} ${id ?? ''} at ${node.name}` };
    const wasEnded = id !== undefined && this.#finals.has(id);
    this.#waiting.add(waiting);
    call
      .then(
        (task) => task && this.#checkAnswer(task, wasEnded),
        (error: unknown) => this.#checkRefusal(error, what),
      )
      .finally(() => this.#waiting.delete(waiting));
  }

  #checkAnswer(task: Task, wasEnded: boolean): void {
    const json = JSON.stringify(task);
    if (!isTerminal(task.status.state)) {
      if (wasEnded) this.wrongs.push(`${task.id} left its final state: ${json}`);
      return;
    }
    const final = this.#finals.get(task.id) ?? json;
    if (final !== json) this.wrongs.push(`two final states of ${task.id}: ${final} and ${json}`);
    this.#finals.set(task.id, final);
  }

  #checkRefusal(error: unknown, what: string): void {
    if (!isA2AError(error) || !EXPECTED.has(error.reason)) this.wrongs.push(`${what} was refused: ${String(error)}`);
  }

  #act(index: number, what: Act): void {
    const run = this.#runs[index % Math.max(1, this.#runs.length)];
    if (run === undefined || run.node.isDead) return;
    const { events, context } = run;
    switch (what) {
      case 'publish':
      case 'publish more':
        for (let n = what === 'publish' ? 1 : 3; n > 0; n -= 1) this.#publish(run);
        return;
      case 'return':
        run.finish();
        return;
      case 'throw':
        run.finish(new Error('as told'));
        return;
      default:
        ACTS[what](run, events, context).catch(() => {}); // refused if it comes too late
    }
  }

  #publish({ events, over }: Run): void {
    this.#texts += 1;
    const text = `text ${this.#texts}.`;
    if (over !== undefined && this.#turn > over + 1) this.late.add(text);
    void events.appendText(`artifact ${this.#texts % 2}`, text);
  }

  /** Runs until nothing happens any more, for longer than any grace period. */
  async settle(): Promise<void> {
    for (let calm = 0; calm < 6; calm += 1) {
      if (this.#moments.length > 0) calm = 0;
      while (this.#moments.length > 0) {
        await this.pass(Number.POSITIVE_INFINITY);
        await this.clock.tick();
      }
      await this.clock.tick(1_000);
    }
  }

  /** Repairs the store, lets every run return, then cancels every task that has not ended. */
  async endAll(): Promise<void> {
    this.#healthy = true;
    for (const watcher of this.watchers) watcher.resume();
    await this.settle();
    if (this.#nodes.some(({ isDead }) => isDead)) await this.#hint();
    // A run that returns may let the next one start.
    for (let at = 0; at < this.#runs.length; at += 1) {
      for (; at < this.#runs.length; at += 1) this.#runs[at]?.finish();
      await this.settle();
      at -= 1;
    }
    for (const id of await this.taskIds()) await this.play({ kind: 'cancel', node: 1, task: Number(id.slice(5)) - 1 });
    await this.settle();
  }

  /** A node may die between a commit and its notification. Readers on the other node learn of it from the next notification. */
  async #hint(): Promise<void> {
    const { tasks } = await this.inner.list({ agent: '', tenant: '', owner: '', limit: 100, count: false });
    this.#bus.notify(tasks.map(({ ref, seq }) => ({ ref, seq })));
    await this.settle();
  }

  async taskIds(): Promise<readonly string[]> {
    const { tasks } = await this.inner.list({ agent: '', tenant: '', owner: '', limit: 100, count: false });
    return tasks.map(({ ref }) => ref.id);
  }

  log(id: string): Promise<readonly Entry[]> {
    return logOf(this.inner, refOf(id));
  }
}

type Speech = (run: Run, events: TaskEvents, context: RequestContext) => Promise<unknown>;

const ACTS: Readonly<Record<Exclude<Act, 'publish' | 'publish more' | 'return' | 'throw'>, Speech>> = {
  working: (_, events) => events.working(),
  complete: (_, events) => events.complete(),
  fail: (_, events) => events.fail('as told'),
  flush: (_, events) => events.flush(),
  ask: (_run, _events, context) => context.requireInput('well?'),
  park: (run, events) => events.status('TASK_STATE_INPUT_REQUIRED').then(() => run.finish()),
};

const EXPECTED = new Set([
  'TASK_NOT_FOUND',
  'UNSUPPORTED_OPERATION',
  'TASK_NOT_CANCELABLE',
  'AGENT_UNAVAILABLE',
  'INVALID_AGENT_RESPONSE',
  'INTERNAL_ERROR',
]);

async function cancelAs(onCancel: OnCancel, events: TaskEvents): Promise<void> {
  if (onCancel === 'says') await events.canceled();
  if (onCancel === 'throws') throw new Error('as told');
  if (onCancel === 'hangs') await NEVER;
}

/** The timers of a dead node do not fire. */
function mortal(clock: Clock, node: { readonly isDead: boolean }): Clock {
  const unlessDead = (callback: () => void) => (): void => (node.isDead ? undefined : callback());
  return {
    now: () => clock.now(),
    after: (ms, callback) => clock.after(ms, unlessDead(callback)),
    soon: (callback) => clock.soon(unlessDead(callback)),
  };
}
