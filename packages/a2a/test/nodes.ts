/** Nodes that come and go over one store, as processes do: each can be cut off in the middle of whatever it does. */
import { type Agent, type AgentOptions, createAgent, memory, type TaskStore } from '../src/server/index.js';
import { handClock } from '../src/testing/index.js';
import { callerOf } from './harness.js';

/** The default lease, and a little more. */
export const LEASE_MS = 15_001;

export interface Node {
  readonly agent: Agent;
  readonly caller: ReturnType<typeof callerOf>;
  /** What was reported, by its text. */
  readonly errors: readonly string[];
  /** From now on its store does not answer it, and it changes nothing: all that others see of a process that was killed. */
  cutOff(): void;
}

/** One store whose time is turned by hand, and which outlives its nodes. */
export function cluster(inner?: TaskStore, clock = handClock()) {
  const store: TaskStore = { ...(inner ?? memory({ clock })), close: async () => {} };
  let count = 0;

  function start(options: Partial<AgentOptions> = {}): Node {
    count += 1;
    const errors: string[] = [];
    const { store: line, cut } = cuttable(options.store ?? store);
    const agent = createAgent({
      name: 'Node',
      node: `node-${count}`,
      onError: (error) => errors.push(error.message),
      ...options,
      store: line,
    } as AgentOptions);
    return { agent, caller: callerOf(agent), errors, cutOff: cut };
  }

  /** The process is killed, and its lease runs out. */
  async function crash(node: Node): Promise<void> {
    node.cutOff();
    await clock.tick(LEASE_MS);
  }

  return { store, clock, start, crash };
}

function cuttable(inner: TaskStore): { readonly store: TaskStore; cut(): void } {
  let isCut = false;
  const line = (value: unknown): unknown => {
    if (typeof value !== 'function') return value;
    return (...call: unknown[]) => (isCut ? new Promise(() => {}) : value(...call));
  };
  const store = Object.fromEntries(Object.entries(inner).map(([name, value]) => [name, line(value)])) as unknown as TaskStore;
  return {
    store,
    cut() {
      isCut = true;
    },
  };
}
