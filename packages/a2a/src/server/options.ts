/** The options of an agent, each with its default. */

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
import type { AgentExecutor, Execute } from './executor/executor.js';
import { toExecutor } from './executor/forms.js';
import { MAX_RELATED_TASKS, type RequestContextBuilder } from './executor/request-context.js';

/**
 * Returns the caller of this request, or null or undefined for 401. `request.host` is the host's own request (`host.express.user`). A
 * thrown value also results in 401 and is reported to `onError`; an A2AError with INSUFFICIENT_SCOPE, RATE_LIMITED or AGENT_UNAVAILABLE is
 * sent to the client as it is.
 */
export type Authenticate = (request: WireRequest) => Promise<Caller | undefined | null> | Caller | undefined | null;

/** Limits that protect the process. */
export interface Limits {
  /**
   * Maximum number of running tasks in this process; more are refused with AGENT_UNAVAILABLE. Runs that wait for replies do not count.
   * Default 1,000.
   */
  readonly maxRunningTasks?: number;
  /**
   * Maximum number of running tasks of one caller; more are refused with RATE_LIMITED. Anonymous callers are counted by address here and in
   * the other limits per caller. Default: a tenth of `maxRunningTasks`, at least 1.
   */
  readonly maxRunningTasksPerCaller?: number;
  /**
   * Maximum number of live runs that wait for replies. Beyond it, the run that has waited longest is parked before `parkAfterMs`; `execute`
   * restarts when the reply arrives. Default 1,000.
   */
  readonly maxWaitingRuns?: number;
  /** The same for one caller: beyond it, the caller's own longest-waiting run is parked. Default: a tenth of `maxWaitingRuns`, at least 1. */
  readonly maxWaitingRunsPerCaller?: number;
  /**
   * Maximum memory for the tasks of waiting runs, estimated by the length of their events; beyond it, runs are parked as with
   * `maxWaitingRuns`. Default 64 MiB.
   */
  readonly maxWaitingRunBytes?: number;
  /** The same for one caller. Default: a tenth of `maxWaitingRunBytes`. */
  readonly maxWaitingRunBytesPerCaller?: number;
  /** Maximum number of SendMessage and CancelTask calls without an answer; more are refused with AGENT_UNAVAILABLE. Default 10,000. */
  readonly maxOpenCalls?: number;
  /** The same for one caller; more are refused with RATE_LIMITED. Default: a tenth of `maxOpenCalls`, at least 1. */
  readonly maxOpenCallsPerCaller?: number;
  /** Milliseconds that one run may take without its waits for replies; then its task is FAILED with TASK_TIMEOUT. Default one hour. */
  readonly maxRunMs?: number;
  /** Milliseconds that a blocking send waits before it returns the current task. Default: no limit, as the protocol requires. */
  readonly maxBlockingMs?: number;
  /**
   * Maximum size of a request body; more is refused with CONTENT_TOO_LARGE. It also limits each part. The card states it, so that clients
   * refuse larger messages before they send them. Default 4 MiB.
   */
  readonly maxBodyBytes?: number;
  /**
   * Maximum number of JSON values in a request body: objects, arrays, strings, numbers, literals and names of members. More are refused with
   * CONTENT_TOO_LARGE before the body is parsed. Default 20,000.
   */
  readonly maxBodyValues?: number;
  /**
   * Bytes per second that a request body must bring on average over ten seconds; a slower one is refused with HTTP status 408. Only Node
   * servers measure it. Default 1,024.
   */
  readonly minBodyBytesPerSecond?: number;
  /** Maximum size of each `metadata` object of a request, as UTF-8 JSON; more is refused with CONTENT_TOO_LARGE. Default 64 KiB. */
  readonly maxMetadataBytes?: number;
  /**
   * With `populateRelatedTasks`: maximum number of different tasks that a message may refer to; more are refused with INVALID_PARAMS.
   * Default 32.
   */
  readonly maxRelatedTasks?: number;
  /** Maximum size of an event that an executor publishes, as UTF-8 JSON. Default 3 MiB. */
  readonly maxEventBytes?: number;
  /**
   * Maximum size of a task with its history and artifacts, as UTF-8 JSON. A larger message of a caller, or event of an executor, is refused
   * with CONTENT_TOO_LARGE; the task can still end. Default 64 MiB.
   */
  readonly maxTaskBytes?: number;
  /** Maximum number of messages that wait for one task; more are refused with RATE_LIMITED. Default 100. */
  readonly maxWaitingMessages?: number;
  /** Maximum number of runs of one turn when earlier runs crashed (`recovery: 'restart'`). Default 10. */
  readonly maxAttempts?: number;
  /** Maximum number of streams on one task; more are refused with RATE_LIMITED. Default 1,000. */
  readonly maxReadersPerTask?: number;
  /** Maximum number of streams of one caller in this process, on all its tasks; more are refused with RATE_LIMITED. Default 100. */
  readonly maxReadersPerCaller?: number;
  /** Maximum number of streams in this process; more are refused with AGENT_UNAVAILABLE. Default 10,000. */
  readonly maxReaders?: number;
  /**
   * Maximum number of bytes that a host holds for one caller: of bodies that it reads, and as many of replies that the caller does not read.
   * Above it, messages and reads of tasks are refused with RATE_LIMITED. Anonymous callers count by address. One body or reply that is
   * larger is served while the host holds no other for its caller. Default 16 MiB.
   */
  readonly maxHeldBytesPerCaller?: number;
  /** The same for bodies and replies of all callers of a host together; above it, AGENT_UNAVAILABLE. Default 128 MiB. */
  readonly maxHeldBytes?: number;
}

/** The agent's code, in one of two forms. */
type Forms =
  | {
      /** The agent as a function or a generator. */
      readonly execute: Execute;
      /** The agent as `{ execute, cancel }`. If `execute` is given too, this one is used. Default: `execute` alone. */
      readonly executor?: AgentExecutor;
    }
  | {
      /** The agent as a function or a generator. Default: `executor` alone. */
      readonly execute?: Execute;
      /** The agent as `{ execute, cancel }`. If `execute` is given too, this one is used. */
      readonly executor: AgentExecutor;
    };

/** Options of `createAgent`: a name, `execute` or `executor`, and values that differ from the defaults. */
export type AgentOptions = Forms & Surroundings;

/** How an agent serves callers of A2A 0.3. */
export interface CompatOptions {
  /**
   * 'superset': the card has the members of both versions; a request with `A2A-Version: 1.0` gets those of 1.0. 'strict': always those of
   * 1.0. Default 'superset'.
   */
  readonly card?: 'superset' | 'strict';
}

/** The options that both forms share. */
interface Surroundings extends CardOptions, Limits {
  /** Stores the tasks. May bring a bus through which the nodes that share the store notify each other. Default: `memoryStore()`. */
  readonly store?: TaskStore & { readonly bus?: EventBus };
  /** Notifies other nodes that a task moved. Default: the bus of the store, otherwise no notification beyond this agent. */
  readonly bus?: EventBus;
  /**
   * Identifies the caller of each request. 'none' accepts every caller as anonymous. Hosts that listen beyond loopback require this option.
   * Default: every caller is anonymous.
   */
  readonly auth?: 'none' | Authenticate;
  /** Builds the context of every request. Default: the context that `createRequestContext` builds. */
  readonly buildContext?: RequestContextBuilder;
  /** Fill `context.relatedTasks` from the message's `referenceTaskIds`. Default false. */
  readonly populateRelatedTasks?: boolean;
  /** Functions that wrap every operation, outermost first, for example to check quotas or to measure. Default: none. */
  readonly interceptors?: readonly Interceptor[];
  /** Returns the card for authenticated callers; this option enables the capability. Default: no extended card. */
  readonly extendedCard?: (caller: Caller) => AgentCard | undefined | Promise<AgentCard | undefined>;
  /** Enables SendStreamingMessage and SubscribeToTask. Default true. */
  readonly streaming?: boolean;
  /**
   * Serve callers of A2A 0.3, and those of the plain dialect, beside those of 1.0, at the same addresses. Default: served, and the card has
   * the members of 0.3, too. `{ card: 'strict' }` leaves these members out. false: only 1.0 is served.
   */
  readonly compat?: boolean | CompatOptions;
  /**
   * When a run has published nothing for this many milliseconds after the call of `execute`, the runtime creates its Task (SUBMITTED), so
   * that the caller has an id to follow and to cancel. 0: at once. Infinity: never; the first event creates the Task. Default 100.
   */
  readonly taskAfterMs?: number;
  /** For a task whose `execute` returned without a final state or a question: set it to FAILED, or keep its state. Default 'fail'. */
  readonly onIncomplete?: 'fail' | 'keep';
  /**
   * For a task whose run was ended by a crash or a shutdown: 'fail' sets it to FAILED with a reason that its caller can read; 'restart'
   * calls `execute` again with `context.attempt` above 1. A task that waits for a reply is kept in both cases. Default 'fail'.
   */
  readonly recovery?: 'fail' | 'restart';
  /** How a repeated send is recognized: by its `Idempotency-Key`, or, if it has none, also by the id of its message. Default 'key'. */
  readonly deduplicate?: 'key' | 'messageId';
  /** Milliseconds that a task may wait for its caller before it is FAILED. Default: no limit. */
  readonly inputTimeoutMs?: number;
  /** Milliseconds that a run waits for a reply before it is parked; `execute` restarts when the reply arrives. Default ten minutes. */
  readonly parkAfterMs?: number;
  /** Milliseconds after which ended tasks are deleted. Default: never. */
  readonly deleteFinalAfterMs?: number;
  /** Milliseconds that this process keeps its tasks after its last heartbeat; then other nodes take them over. Default 15,000. */
  readonly leaseMs?: number;
  /**
   * With a store that renews the lease from its own thread (`postgres`): milliseconds that the event loop may be blocked before the renewals
   * stop, so that other nodes take over the tasks of a process that hangs. Default 30,000.
   */
  readonly stallMs?: number;
  /**
   * With a store that nodes share: how often, in milliseconds, the store is checked for changes that the bus did not report. This limits
   * how late a reader may be when a notification is lost. Default 5,000.
   */
  readonly rereadMs?: number;
  /** 'context' runs the new tasks of one context one after another; 'task' runs them concurrently. Default 'task'. */
  readonly serialize?: 'task' | 'context';
  /** Events of one task that may be accepted but not yet committed before `publish` waits. Default 256. */
  readonly maxPendingEvents?: number;
  /** The same in bytes. Default 1 MiB. */
  readonly maxPendingBytes?: number;
  /** Milliseconds that `cancel` may take before the runtime sets CANCELED. Default 3,000. */
  readonly cancelGraceMs?: number;
  /**
   * Milliseconds without an event after which a stream sends a heartbeat, and after which its headers are sent in any case. Default 15,000.
   */
  readonly heartbeatMs?: number;
  /** Receives the agent's log lines. Default: nothing is logged. */
  readonly logger?: Logger;
  /** Receives errors that no caller receives: crashes with their cause, store failures. Default: they go only to the `logger`. */
  readonly onError?: (error: A2AError, where: ErrorContext) => void;
  /** Measures timeouts, leases and the times of events. Default: the system clock. */
  readonly clock?: Clock;
  /** Functions that create the ids of tasks, contexts and messages. Default: UUIDs, which begin with the time for tasks and contexts. */
  readonly ids?: Partial<IdGenerators>;
  /** Name of this process among the nodes; must be unique. Default: random. */
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
  | 'stallMs'
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

/** Limits that have no default. */
type OpenBound = 'maxBlockingMs' | 'inputTimeoutMs' | 'deleteFinalAfterMs';

/** The options with every default filled in. */
export type Settings = Required<Pick<AgentOptions, Filled>> &
  Pick<AgentOptions, 'auth' | 'buildContext' | 'extendedCard' | 'onError' | OpenBound> & {
    readonly card: CardOptions;
    /** undefined: only 1.0 is served. */
    readonly compat: Required<CompatOptions> | undefined;
    readonly executor: AgentExecutor;
    readonly ids: IdGenerators;
  };

const MiB = 1024 * 1024;

/** Fills the defaults into a new object. The options are already checked (`checkAgentOptions`). */
export function resolveOptions(options: AgentOptions): Settings {
  const { execute, executor } = options;
  const settings: Settings = {
    card: options,
    compat: resolveCompat(options.compat),
    executor: executor ?? toExecutor(execute as Execute), // checked: one of the two is present
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

function resolveCompat(compat: AgentOptions['compat'] = true): Settings['compat'] {
  if (compat === false) return undefined;
  return { card: compat === true ? 'superset' : (compat.card ?? 'superset') };
}

const BOUNDS = {
  maxRunningTasks: 1_000,
  maxRunMs: 3_600_000,
  maxBodyBytes: 4 * MiB,
  maxBodyValues: 20_000,
  minBodyBytesPerSecond: 1_024,
  maxMetadataBytes: 64 * 1024,
  maxRelatedTasks: MAX_RELATED_TASKS,
  maxEventBytes: 3 * MiB,
  maxTaskBytes: 64 * MiB,
  maxReadersPerTask: 1_000,
  maxReadersPerCaller: 100,
  maxReaders: 10_000,
  maxWaitingRuns: 1_000,
  maxWaitingRunBytes: 64 * MiB,
  maxOpenCalls: 10_000,
  maxHeldBytesPerCaller: 16 * MiB,
  maxHeldBytes: 128 * MiB,
  maxWaitingMessages: 100,
  maxPendingEvents: 256,
  maxPendingBytes: MiB,
  cancelGraceMs: 3_000,
  heartbeatMs: 15_000,
  maxAttempts: 10,
  parkAfterMs: 600_000,
  leaseMs: 15_000,
  stallMs: 30_000,
  rereadMs: 5_000,
} as const satisfies Partial<Record<keyof AgentOptions, number>>;

/** Bounds per caller, each with the total of which it is a tenth by default. */
const TENTHS = {
  maxRunningTasksPerCaller: 'maxRunningTasks',
  maxWaitingRunsPerCaller: 'maxWaitingRuns',
  maxWaitingRunBytesPerCaller: 'maxWaitingRunBytes',
  maxOpenCallsPerCaller: 'maxOpenCalls',
} as const satisfies Partial<Record<keyof Limits, keyof typeof BOUNDS>>;

const OPEN_BOUNDS: readonly OpenBound[] = ['maxBlockingMs', 'inputTimeoutMs', 'deleteFinalAfterMs'];

export type BoundName = keyof typeof BOUNDS | keyof typeof TENTHS | OpenBound;

/** The options that are positive numbers. */
export const BOUND_NAMES = [...Object.keys(BOUNDS), ...Object.keys(TENTHS), ...OPEN_BOUNDS] as readonly BoundName[]; // the keys are names of bounds

type Bounds = { readonly [K in keyof typeof BOUNDS | keyof typeof TENTHS]: number } & { readonly [K in OpenBound]?: number };

function resolveBounds(options: AgentOptions): Bounds {
  const bounds: Record<string, number> = { ...BOUNDS };
  for (const [name, total] of Object.entries(TENTHS)) bounds[name] = Math.max(1, Math.floor((options[total] ?? BOUNDS[total]) / 10));
  for (const name of BOUND_NAMES) {
    const value = options[name];
    if (value !== undefined) bounds[name] = value;
  }
  return bounds as unknown as Bounds; // every key of BOUNDS and TENTHS is present
}
