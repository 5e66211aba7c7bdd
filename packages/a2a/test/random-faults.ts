/**
 * Nodes on one store with many faults: they are killed, paused, replaced and disconnected from the store, and the bus loses and duplicates
 * messages.
 */
import { isA2AError } from '../src/protocol/errors.js';
import { isTerminal } from '../src/protocol/task-state.js';
import type { Move } from '../src/server/advanced.js';
import type { AgentExecutor, EventBus, Reply, RequestContext } from '../src/server/index.js';
import { memoryBus } from '../src/server/index.js';
import { manualClock, seededRandom } from '../src/testing/index.js';
import { say } from './harness.js';
import { hashed, logOf, refOf } from './looking.js';
import { type Node, remote } from './nodes.js';
import { taskOf, Watcher } from './watcher.js';

export type How = 'wait' | 'go on' | 'stream';
export type ClusterStep =
  | { readonly kind: 'send'; readonly node: number; readonly plan: string; readonly how: How; readonly keyed: boolean }
  | { readonly kind: 'post'; readonly node: number; readonly task: number; readonly how: How; readonly keyed: boolean }
  | { readonly kind: 'cancel' | 'read'; readonly node: number; readonly task: number }
  | { readonly kind: 'kill' | 'close' | 'pause' | 'wake'; readonly node: number }
  | { readonly kind: 'outage'; readonly ms: number; readonly how: 'down' | 'deaf' }
  | { readonly kind: 'tick'; readonly ms: number };

export interface FaultMix {
  readonly steps: readonly ClusterStep[];
  /** `deaf`: every notification is lost, and the bus does not report it. */
  readonly bus: 'good' | 'lossy' | 'deaf';
  readonly recovery: 'fail' | 'restart';
  /** The maximum latency of requests to the store and of responses. */
  readonly wayMs: number;
  /** Whether runs obey their signal. */
  readonly obeys: boolean;
  readonly seed: number;
}

interface Slot {
  readonly node: Node;
  readonly place: { readonly name: string; isDead: boolean };
}

/** Short, so that a schedule takes less than a minute. */
const LEASE_MS = 3_000;
const STEP_MS = 800;
const EXPECTED = new Set(['AGENT_UNAVAILABLE', 'UNSUPPORTED_OPERATION', 'TASK_NOT_CANCELABLE', 'TASK_NOT_FOUND', 'RATE_LIMITED']);

export class RandomFaults {
  readonly #world: ReturnType<typeof remote>;
  readonly watchers: Watcher[] = [];
  /** Violations of the invariants, found during the schedule. */
  readonly wrongs: string[] = [];
  /** Each call of `execute`: its task, its message, its attempt. */
  readonly entered: string[] = [];
  readonly #weather: FaultMix;
  readonly #bus = memoryBus();
  readonly #random: () => number;
  readonly #waiting = new Set<{ readonly slot: Slot; readonly what: string }>();
  readonly #keyed: { readonly key: string; readonly message: ReturnType<typeof say> }[] = [];
  #slots: Slot[];
  #names = 0;
  #answers = 0;

  constructor(weather: FaultMix) {
    this.#weather = weather;
    this.#random = seededRandom(weather.seed);
    this.#world = remote(manualClock(), () => Math.floor(this.#random() * weather.wayMs));
    this.#slots = [this.#start(), this.#start(), this.#start()];
  }

  get store() {
    return this.#world.truth;
  }

  /** Calls to live nodes without a response. */
  get unanswered(): readonly string[] {
    return [...this.#waiting].filter(({ slot }) => !slot.place.isDead).map(({ what }) => what);
  }

  get running(): readonly string[] {
    return this.#slots.flatMap(({ node }) => node.agent.tasks.running.map(({ taskId }) => taskId));
  }

  async tasks(): Promise<readonly string[]> {
    const { tasks } = await this.store.list({ agent: '', tenant: '', owner: '', limit: 100, count: false });
    return tasks.map(({ ref }) => ref.id);
  }

  #start(): Slot {
    this.#names += 1;
    const { clock, start } = this.#world;
    const { recovery } = this.#weather;
    const name = `unrest-${this.#names}`;
    const executor: AgentExecutor = { execute: (context, events) => this.#execute(context, events) };
    const options = { node: name, leaseMs: LEASE_MS, rereadMs: 1_000, cancelGraceMs: 500, parkAfterMs: 5_000 };
    const node = start({ ...options, clock, executor, recovery, bus: this.#lossy(), onError: (error) => this.#hear(error) });
    return { node, place: { name, isDead: false } };
  }

  #hear(error: { readonly reason: string; readonly cause?: unknown }): void {
    if (error.reason === 'INTERNAL_ERROR') this.wrongs.push(`reported: ${String(error.cause)}`);
  }

  /** Executes the steps of its message: `c` publishes a chunk, `w` WORKING, `?` asks, `.` waits. */
  async #execute(context: RequestContext, events: Parameters<AgentExecutor['execute']>[1]): Promise<void> {
    const { signal, clock, text, taskId, message, attempt } = context;
    this.entered.push(`${taskId} ${message?.messageId} ${attempt}`);
    for (const step of text) {
      if (this.#weather.obeys) signal.throwIfAborted();
      if (step === 'c') await events.appendText('a', `${attempt} `);
      if (step === 'w') await events.working();
      if (step === '?') await context.requireInput('well?');
      if (step === '.') await new Promise<void>((resolve) => clock.after(STEP_MS, resolve));
    }
    await events.complete();
  }

  #lossy(): EventBus {
    const { bus } = this.#weather;
    const deliver = (moves: readonly Move[]): void => this.#bus.notify(moves);
    const notify = (moves: readonly Move[]): void => {
      if (bus === 'deaf' || (bus === 'lossy' && this.#random() < 0.3)) return;
      deliver(moves);
      // A duplicate that arrives after later notifications.
      if (bus === 'lossy' && this.#random() < 0.3)
        this.#world.clock.after(Math.floor(this.#random() * 500), () => deliver([...moves].reverse()));
    };
    return { ...this.#bus, notify };
  }

  async play(trouble: ClusterStep): Promise<void> {
    await this.#play(trouble);
    if ('keyed' in trouble && trouble.keyed) await hashed(); // otherwise the thread pool would decide the order
  }

  async #play(trouble: ClusterStep): Promise<void> {
    switch (trouble.kind) {
      case 'tick':
        return this.#world.clock.tick(trouble.ms);
      case 'outage':
        this.#world.weather.now = trouble.how;
        await this.#world.clock.tick(trouble.ms);
        this.#world.weather.now = 'fine';
        return;
      case 'pause':
        return this.#at(trouble.node).node.pause();
      case 'wake':
        return this.#at(trouble.node).node.resume();
      case 'kill':
      case 'close':
        return this.#replace(this.#at(trouble.node), trouble.kind);
      case 'send':
        return this.#send(this.#at(trouble.node), say(trouble.plan), trouble);
      case 'post':
        return this.#onTask(trouble, (slot, id) => this.#send(slot, say('c.', { taskId: id }), trouble));
      case 'cancel':
        return this.#onTask(trouble, (slot, id) => this.#track(slot, `cancel ${id}`, slot.node.caller.cancel(id)));
      case 'read':
        return this.#onTask(trouble, (slot, id) => this.#read(slot, id));
    }
  }

  #at(index: number): Slot {
    const slot = this.#slots[index % this.#slots.length];
    if (slot === undefined) throw new Error('no live node');
    return slot;
  }

  async #onTask({ node, task }: { readonly node: number; readonly task: number }, act: (slot: Slot, id: string) => void): Promise<void> {
    const ids = await this.tasks();
    const id = ids[task % Math.max(1, ids.length)];
    if (id !== undefined) act(this.#at(node), id);
  }

  async #replace(slot: Slot, how: 'kill' | 'close'): Promise<void> {
    if (how === 'kill') slot.node.cutOff();
    await slot.node.resume();
    if (how === 'close') void slot.node.agent.close({ drainMs: 500 });
    slot.place.isDead = true;
    this.#slots = [...this.#slots.filter((other) => other !== slot), this.#start()];
  }

  #send(slot: Slot, message: ReturnType<typeof say>, { how, keyed }: { readonly how: How; readonly keyed: boolean }): void {
    const key = message.messageId;
    const options = keyed ? { idempotencyKey: key } : {};
    if (keyed) this.#keyed.push({ key, message });
    const { caller } = slot.node;
    if (how === 'stream') this.#open(slot, new Watcher(slot.place, 'send'), caller.handle('SendStreamingMessage', { message }, options));
    else this.#track(slot, `send ${key}`, caller.send(message, { returnImmediately: how === 'go on' }, options));
  }

  #read(slot: Slot, id: string): void {
    const before = this.watchers.findLast(({ frames, isOpen }) => !isOpen && taskOf(frames) === id);
    const after = before?.frames.at(-1)?.seq;
    const options = after === undefined ? {} : { lastEventId: `${after}` };
    this.#open(slot, new Watcher(slot.place, 'subscribe', after), slot.node.caller.handle('SubscribeToTask', { id }, options));
  }

  #open(slot: Slot, watcher: Watcher, opening: Promise<Reply>): void {
    const opened = opening.then((reply) => {
      if (reply.kind === 'stream') this.watchers.push(watcher.open(reply.open, () => true));
    });
    this.#track(slot, watcher.kind, opened);
  }

  #track(slot: Slot, what: string, call: Promise<unknown>): void {
    const waiting = { slot, what: `${what} at ${slot.place.name}` };
    this.#waiting.add(waiting);
    const refused = (error: unknown): void => {
      if (!isA2AError(error) || !EXPECTED.has(error.reason)) this.wrongs.push(`${what}: ${String(error)}`);
    };
    void call.then(() => {}, refused).finally(() => this.#waiting.delete(waiting));
  }

  /** Ends all faults and answers every question until every task has ended. */
  async calm(): Promise<void> {
    const { clock, weather } = this.#world;
    weather.now = 'fine';
    for (const { node } of this.#slots) await node.resume();
    for (let round = 0; round < 60; round += 1) {
      await clock.tick(1_000);
      const open = await this.#openTasks();
      if (open.length === 0 && this.unanswered.length === 0) break;
      for (const id of open) await this.#answer(id);
    }
    await clock.tick(LEASE_MS);
  }

  async #openTasks(): Promise<readonly string[]> {
    const { tasks } = await this.store.list({ agent: '', tenant: '', owner: '', limit: 100, count: false });
    return tasks.filter(({ head }) => !isTerminal(head.state)).map(({ ref }) => ref.id);
  }

  async #answer(id: string): Promise<void> {
    const { head } = (await this.store.load(refOf(id))) ?? {};
    // Messages that were sent before the question are not replies: they wait for the next turn (D44).
    const notes = (await logOf(this.store, refOf(id))).flatMap(({ kind, json }) => (kind === 'note' ? JSON.parse(json).note : []));
    const { after = 0 } = notes.findLast(({ kind }) => kind === 'asked') ?? {};
    const waits = (await this.store.inbox(refOf(id), after)).some(({ state }) => state === 'pending');
    if (head?.state !== 'TASK_STATE_INPUT_REQUIRED' || waits) return;
    this.#answers += 1;
    this.#send(this.#at(this.#answers), say('c', { taskId: id }), { how: 'go on', keyed: false });
  }

  /** Repeats every send that had a key, on any node. Each must return the earlier result and start no new task. */
  async repeatAll(): Promise<void> {
    const before = (await this.tasks()).length;
    const made = new Set<string>();
    for (const id of await this.tasks())
      for (const { kind, json } of await logOf(this.store, refOf(id))) if (kind === 'input') made.add(json);
    for (const { key, message } of this.#keyed) {
      const wasMade = [...made].some((json) => json.includes(`"messageId":"${key}"`));
      if (!wasMade) continue;
      const sent = this.#at(this.#answers).node.caller.send(message, { returnImmediately: true }, { idempotencyKey: key });
      sent.catch(
        ({ reason }) => EXPECTED.has(reason) || reason === 'IDEMPOTENCY_CONFLICT' || this.wrongs.push(`repeated ${key}: ${reason}`),
      );
      await hashed();
      await this.#world.clock.tick(1_000);
    }
    const after = (await this.tasks()).length;
    if (after !== before) this.wrongs.push(`${after - before} additional tasks`);
  }
}
