/** What a user may set on an agent, each with its default. */

import type { EventBus } from '../bus/bus.js';
import { silentBus } from '../bus/silent.js';
import type { ErrorContext } from '../platform/logger.js';
import { harmless, type Logger, silentLogger } from '../platform/logger.js';
import { type IdGenerators, randomIds } from '../platform/random-ids.js';
import { systemClock } from '../platform/system-clock.js';
import type { CardOptions } from '../protocol/agent-card.js';
import type { Clock } from '../protocol/clock.js';
import type { A2AError } from '../protocol/errors.js';
import type { AgentCard } from '../protocol/types.js';
import { memoryStore } from '../stores/memory.js';
import type { TaskStore } from '../stores/store.js';
import type { WireRequest } from '../wire/http.js';
import type { Caller, Interceptor } from './call.js';
import type { AgentExecutor, Execute } from './executor.js';
import { toExecutor } from './forms.js';
import type { RequestContextBuilder } from './request-context.js';

/**
 * Gives the caller that sends this request, or null or undefined for 401. The host's own request is `request.host` (`host.express.user`).
 * A thrown value is 401 as well, and reported to `onError`; an A2AError that states INSUFFICIENT_SCOPE, RATE_LIMITED or AGENT_UNAVAILABLE
 * is sent as it is.
 */
export type Authenticate = (request: WireRequest) => Promise<Caller | undefined | null> | Caller | undefined | null;

/** Bounds that protect the process. */
export interface Limits {
  /** Tasks that run at once; more are refused with AGENT_UNAVAILABLE. Default 1,000. */
  readonly maxRunningTasks?: number;
  /** How long one turn may run before its task is FAILED with TASK_TIMEOUT. Default one hour. */
  readonly maxRunMs?: number;
  /** How long a blocking send waits before it returns the task as it is. Default: until it stops, as the protocol wants. */
  readonly maxBlockingMs?: number;
  /** Default 10 MiB. */
  readonly maxBodyBytes?: number;
  /** Largest single part of a caller's message, as UTF-8 JSON. Default 5 MiB. */
  readonly maxPartBytes?: number;
  /** Largest event that an executor may publish, as UTF-8 JSON. Default 3 MiB. */
  readonly maxEventBytes?: number;
  /** Messages that wait for a task to take them; more are refused with RATE_LIMITED. Default 100. */
  readonly maxWaitingMessages?: number;
  /** How often a turn is entered at most when the runs before were cut off (`recovery: 'restart'`). Default 10. */
  readonly maxAttempts?: number;
  /** Streams on one task; more are refused with RATE_LIMITED. Default 1,000. */
  readonly maxReadersPerTask?: number;
  /**
   * Streams of one caller in this process, on all its tasks; more are refused with RATE_LIMITED. Default 100. Callers without a name
   * are not counted: all of them share one id, so that the first hundred would lock everybody else out.
   */
  readonly maxReadersPerCaller?: number;
}

/** What the agent does, in one of two forms. */
type Forms =
  | {
      /** The agent as a function or a generator. */
      readonly execute: Execute;
      /** The agent as `{ execute, cancel }`. With `execute` given too, this one runs. */
      readonly executor?: AgentExecutor;
    }
  | {
      /** The agent as a function or a generator. */
      readonly execute?: Execute;
      /** The agent as `{ execute, cancel }`. With `execute` given too, this one runs. */
      readonly executor: AgentExecutor;
    };

/** What `createAgent` takes: a name, `execute` or `executor`, and what differs from the defaults. */
export type AgentOptions = Forms & Surroundings;

/** What is the same for both forms. */
interface Surroundings extends CardOptions, Limits {
  /** Where tasks live; with a bus where nodes that share it hear each other through it. Default: `memoryStore()`. */
  readonly store?: TaskStore & { readonly bus?: EventBus };
  /** Who hears that a task moved. Default: the bus that comes with the store, otherwise nobody beyond this agent. */
  readonly bus?: EventBus;
  /** Who calls: 'none' lets everybody in as the anonymous caller. Hosts that listen beyond loopback want it said. */
  readonly auth?: 'none' | Authenticate;
  /** Builds the context of every request. */
  readonly buildContext?: RequestContextBuilder;
  /** Fill `context.relatedTasks` from the message's `referenceTaskIds`. Default false. */
  readonly populateRelatedTasks?: boolean;
  readonly interceptors?: readonly Interceptor[];
  /** The card for authenticated callers; giving it switches the capability on. */
  readonly extendedCard?: (caller: Caller) => AgentCard | undefined | Promise<AgentCard | undefined>;
  /** SendStreamingMessage and SubscribeToTask. Default true. */
  readonly streaming?: boolean;
  /**
   * A run that has published nothing this long after the call of `execute` gets its Task (SUBMITTED), so that its caller has an id to
   * follow and to cancel. 0: at once. Infinity: never, the first event creates the Task. Default 100.
   */
  readonly taskAfterMs?: number;
  /** What becomes of a task whose `execute` returned without an end or a question. Default 'fail'. */
  readonly onIncomplete?: 'fail' | 'keep';
  /**
   * What becomes of a task whose run was cut off, by a crash or because the server went away: FAILED, with a reason that its caller reads,
   * or `execute` is entered again with `context.attempt` above 1. What waits for an answer is kept in either case. Default 'fail'.
   */
  readonly recovery?: 'fail' | 'restart';
  /** What tells that a send is the repetition of another: its `Idempotency-Key`, or, without one, also the id of its message. Default 'key'. */
  readonly deduplicate?: 'key' | 'messageId';
  /** How long a task may wait for its caller before it is FAILED. Default: for ever. */
  readonly inputTimeoutMs?: number;
  /** How long a run waits for an answer before it is let go, and entered again when the answer comes. Default ten minutes. */
  readonly parkAfterMs?: number;
  /** Ended tasks older than this are deleted. Default: never. */
  readonly deleteFinalAfterMs?: number;
  /** How long this process counts as living after it last said so; others take over its tasks then. Default 15,000. */
  readonly leaseMs?: number;
  /**
   * Where tasks are shared with other nodes: how often the store is asked what they did that the bus did not tell of. It bounds how late
   * a reader may be when a notice is lost. Default 5,000.
   */
  readonly rereadMs?: number;
  /** Whether new tasks of one context may run at once. Default 'task': they may. */
  readonly serialize?: 'task' | 'context';
  /** Events accepted but not yet committed, per task, before `publish` waits. Default 256. */
  readonly maxPendingEvents?: number;
  /** The same in bytes. Default 1 MiB. */
  readonly maxPendingBytes?: number;
  /** How long `cancel` may take before the framework writes CANCELED. Default 3,000. */
  readonly cancelGraceMs?: number;
  /** Silence after which a stream carries a heartbeat, and after which headers go out anyway. Default 15,000. */
  readonly heartbeatMs?: number;
  readonly logger?: Logger;
  /** Told of what no caller is told: crashes with their cause, store failures. */
  readonly onError?: (error: A2AError, where: ErrorContext) => void;
  readonly clock?: Clock;
  readonly ids?: Partial<IdGenerators>;
  /** Names this process among many. Default: random. */
  readonly node?: string;
}

type Filled =
  | 'store'
  | 'bus'
  | 'interceptors'
  | 'streaming'
  | 'taskAfterMs'
  | 'onIncomplete'
  | 'serialize'
  | 'recovery'
  | 'deduplicate'
  | 'parkAfterMs'
  | 'leaseMs'
  | 'rereadMs'
  | 'maxPendingEvents'
  | 'maxPendingBytes'
  | 'cancelGraceMs'
  | 'heartbeatMs'
  | 'logger'
  | 'clock'
  | 'node'
  | 'populateRelatedTasks'
  | keyof Omit<Limits, 'maxBlockingMs'>;

/** Bounds that are not there unless somebody sets them. */
type OpenBound = 'maxBlockingMs' | 'inputTimeoutMs' | 'deleteFinalAfterMs';

/** The options with every default in place. */
export type Settings = Required<Pick<AgentOptions, Filled>> &
  Pick<AgentOptions, 'auth' | 'buildContext' | 'extendedCard' | 'onError' | OpenBound> & {
    readonly card: CardOptions;
    readonly executor: AgentExecutor;
    readonly ids: IdGenerators;
  };

const MiB = 1024 * 1024;

/** Fills the defaults into a new object. The options have been checked (`checkAgentOptions`). */
export function resolveOptions(options: AgentOptions): Settings {
  const { execute, executor } = options;
  const settings: Settings = {
    card: options,
    executor: executor ?? toExecutor(execute as Execute), // checked: one of the two is there
    store: options.store ?? memoryStore(),
    bus: options.bus ?? options.store?.bus ?? silentBus(),
    auth: options.auth,
    buildContext: options.buildContext,
    populateRelatedTasks: options.populateRelatedTasks ?? false,
    interceptors: options.interceptors ?? [],
    extendedCard: options.extendedCard,
    streaming: (options.streaming ?? true) && options.capabilities?.streaming !== false,
    taskAfterMs: options.taskAfterMs ?? 100,
    onIncomplete: options.onIncomplete ?? 'fail',
    serialize: options.serialize ?? 'task',
    recovery: options.recovery ?? 'fail',
    deduplicate: options.deduplicate ?? 'key',
    logger: options.logger ? harmless(options.logger) : silentLogger,
    onError: options.onError,
    clock: options.clock ?? systemClock,
    ids: { ...randomIds, ...options.ids },
    node: options.node ?? crypto.randomUUID(),
    ...resolveBounds(options),
  };
  return settings;
}

const BOUNDS = {
  maxRunningTasks: 1_000,
  maxRunMs: 3_600_000,
  maxBodyBytes: 10 * MiB,
  maxPartBytes: 5 * MiB,
  maxEventBytes: 3 * MiB,
  maxReadersPerTask: 1_000,
  maxReadersPerCaller: 100,
  maxWaitingMessages: 100,
  maxPendingEvents: 256,
  maxPendingBytes: MiB,
  cancelGraceMs: 3_000,
  heartbeatMs: 15_000,
  maxAttempts: 10,
  parkAfterMs: 600_000,
  leaseMs: 15_000,
  rereadMs: 5_000,
} as const satisfies Partial<Record<keyof AgentOptions, number>>;

const OPEN_BOUNDS: readonly OpenBound[] = ['maxBlockingMs', 'inputTimeoutMs', 'deleteFinalAfterMs'];

export type BoundName = keyof typeof BOUNDS | OpenBound;

/** The options that are positive numbers. */
export const BOUND_NAMES = [...Object.keys(BOUNDS), ...OPEN_BOUNDS] as readonly BoundName[]; // the keys of BOUNDS are names of bounds

type Bounds = { readonly [K in keyof typeof BOUNDS]: number } & { readonly [K in OpenBound]?: number };

function resolveBounds(options: AgentOptions): Bounds {
  const bounds: Record<string, number> = { ...BOUNDS };
  for (const name of BOUND_NAMES) {
    const value = options[name];
    if (value !== undefined) bounds[name] = value;
  }
  return bounds as unknown as Bounds; // every key of BOUNDS is there
}
