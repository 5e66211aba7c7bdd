/** Nodes on one store that behave like processes: a test can kill or pause each of them at any point. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemClock } from '../src/platform/system-clock.js';
import type { Clock } from '../src/protocol/clock.js';
import { type Agent, type AgentOptions, createAgent, type EventBus, memoryStore, type TaskStore } from '../src/server/index.js';
import { manualClock } from '../src/testing/index.js';
import { callerOf } from './harness.js';

/** A little more than the default lease. */
export const LEASE_MS = 15_001;

export interface Node {
  readonly agent: Agent;
  readonly caller: ReturnType<typeof callerOf>;
  /** The messages of the reported errors. */
  readonly errors: readonly string[];
  /** From now on its store does not respond and it changes nothing, as other nodes see a killed process. */
  cutOff(): void;
  /** Like SIGSTOP: until `resume` its timers do not fire, it makes no calls, and it receives neither notifications nor responses. */
  pause(): void;
  /** Runs everything that became due meanwhile, one by one. */
  resume(): Promise<void>;
}

/** One store on a manual clock that outlives its nodes. */
export function cluster(inner?: TaskStore, clock = manualClock()) {
  const store: TaskStore = { ...(inner ?? memoryStore({ clock })), close: async () => {} };
  let count = 0;

  /** `thread` continues while the node is paused. */
  function start(options: Partial<AgentOptions> = {}, thread: Pick<TaskStore, 'startHeartbeat'> = {}): Node {
    count += 1;
    const errors: string[] = [];
    const life = createLifetime();
    const agent = createAgent({
      name: 'Node',
      node: `node-${count}`,
      onError: (error) => errors.push(error.message),
      ...options,
      store: { ...lineOf(options.store ?? store, life), ...thread },
      clock: clockOf(options.clock ?? systemClock, life),
      ...(options.bus && { bus: busOf(options.bus, life) }),
    } as AgentOptions);
    return { agent, caller: callerOf(agent), errors, cutOff: life.cut, pause: life.pause, resume: life.resume };
  }

  /** Kills the process and lets its lease expire. */
  async function crash(node: Node): Promise<void> {
    node.cutOff();
    await clock.tick(LEASE_MS);
  }

  return { store, clock, start, crash };
}

/** Whether a process runs. Work that becomes due during a pause runs in order after the pause, or never if the process was killed. */
interface Lifetime {
  readonly isCut: boolean;
  /** Runs it now, or after the pause. */
  whenAwake(run: () => void): void;
  cut(): void;
  pause(): void;
  resume(): Promise<void>;
}

function createLifetime(): Lifetime {
  let asleep: (() => void)[] | undefined;
  let isCut = false;
  return {
    get isCut() {
      return isCut;
    },
    whenAwake(run) {
      if (asleep) asleep.push(run);
      else run();
    },
    cut() {
      isCut = true;
    },
    pause() {
      asleep ??= [];
    },
    async resume() {
      // One event loop iteration per callback, so that the effects of one happen before the next.
      for (let run = asleep?.shift(); run; run = asleep?.shift()) {
        run();
        await nextTurn();
      }
      asleep = undefined;
    },
  };
}

/** These methods are synchronous and never reach a remote store. */
const LOCAL = ['canWrite', 'checkRoom'];

function lineOf(inner: TaskStore, life: Lifetime): TaskStore {
  const line = (name: string, value: unknown): unknown => {
    if (typeof value !== 'function' || LOCAL.includes(name)) return value;
    return async (...call: unknown[]) => {
      await awake(life);
      if (life.isCut) return new Promise(() => {});
      try {
        return await value(...call);
      } finally {
        await awake(life);
      }
    };
  };
  const { startHeartbeat: _, ...rest } = inner; // a real thread cannot be killed or paused with this process
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, line(name, value)])) as unknown as TaskStore;
}

const awake = (life: Lifetime): Promise<void> | undefined => {
  let isAwake = false;
  life.whenAwake(() => {
    isAwake = true;
  });
  return isAwake ? undefined : new Promise((resolve) => life.whenAwake(resolve));
};

function clockOf(inner: Clock, life: Lifetime): Clock {
  return {
    now: () => inner.now(),
    after(delayMs, callback, options) {
      let isOff = false;
      const fire = (): void => {
        if (!isOff && !life.isCut) callback();
      };
      const takeBack = inner.after(delayMs, () => life.whenAwake(fire), options);
      return () => {
        isOff = true;
        takeBack();
      };
    },
    soon: (callback) => inner.soon(() => life.whenAwake(callback)),
  };
}

function busOf(inner: EventBus, life: Lifetime): EventBus {
  return {
    notify: (moves) => (life.isCut ? undefined : inner.notify(moves)),
    listen: (onMoves, onHearing) =>
      inner.listen(
        (moves) => life.whenAwake(() => onMoves(moves)),
        (hears) => life.whenAwake(() => onHearing?.(hears)),
      ),
    // The bus of a cluster outlives its nodes.
    close: async () => {},
  };
}

interface StoreCondition {
  now: 'fine' | 'down' | 'deaf' | 'silent';
}

/**
 * A store on another machine that can be unavailable: `down` refuses every call, `deaf` executes a call and breaks the connection before
 * the response, `silent` never responds. `wayMs` is the latency of each direction, by the same clock.
 */
export function remote(clock = manualClock(), wayMs = (): number => 0) {
  const inner: TaskStore = { ...memoryStore({ clock }), isRemote: true };
  const weather: StoreCondition = { now: 'fine' };
  const isNow = (...kinds: readonly StoreCondition['now'][]): boolean => kinds.includes(weather.now);
  const way = (): Promise<void> | undefined => {
    const ms = wayMs();
    return ms > 0 ? new Promise((resolve) => clock.after(ms, resolve, { background: true })) : undefined;
  };
  const line = (name: string, value: unknown): unknown => {
    if (typeof value !== 'function' || LOCAL.includes(name)) return value;
    return async (...call: unknown[]) => {
      await way();
      if (isNow('down')) throw new Error('connect ECONNREFUSED');
      if (isNow('silent')) return new Promise(() => {});
      const answer = await value(...call);
      await way();
      if (isNow('deaf', 'down')) throw new Error('read ECONNRESET');
      return answer;
    };
  };
  const store = Object.fromEntries(Object.entries(inner).map(([name, value]) => [name, line(name, value)])) as unknown as TaskStore;
  return { ...cluster(store, clock), weather, truth: inner };
}
