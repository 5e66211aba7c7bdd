/** Calls several agents: skips agents that fail too often, joins the replies, and cancels tasks that are no longer needed. */
import type { AsyncDisposal } from '../../platform/async-disposal.js';
import { checkOptions, type OptionRules } from '../../platform/check-options.js';
import { anObject, anything } from '../../platform/option-rules.js';
import { systemClock } from '../../platform/system-clock.js';
import type { Clock } from '../../protocol/clock.js';
import type { A2AError } from '../../protocol/errors.js';
import { CLIENT_RULES } from '../client-option-rules.js';
import { createClient } from '../create-client.js';
import type { ClientOptions } from '../options.js';
import { type AgentHealth, type BreakerOptions, createBreakers } from '../resilience/circuit-breaker.js';
import type { RetryOptions } from '../resilience/retry.js';
import type { Input } from '../run/run-options.js';
import { noBreakers } from './breakers.js';
import { type DelegateOptions, delegate, type FanOutOptions, fanOut, type Target } from './fan-out.js';
import type { FanOutResult, Outcome } from './outcome.js';
import { type AgentSource, createTeam, type Team } from './team.js';

/** Options of `createCoordinator`: the agents by name, and how the coordinator calls them. */
export interface CoordinatorOptions<N extends string> {
  /**
   * The agents by names of your choice: a client, a URL or a card each. Clients that you pass keep their own settings and are not closed.
   */
  readonly agents: Readonly<Record<N, AgentSource>>;
  /** Options of the clients that the coordinator creates. Default: the defaults of `createClient`. */
  readonly client?: Omit<ClientOptions, 'breaker' | 'retry'>;
  /** Default: an agent is skipped for 30 s after 3 consecutive failures. false: never skip. */
  readonly breaker?: BreakerOptions | false;
  /** Retry options of the clients that the coordinator creates. Default: one retry. */
  readonly retry?: RetryOptions | false;
  /** Receives errors of cancel requests, which no caller awaits. Default: these errors are ignored. */
  readonly onError?: (error: A2AError) => void;
  /** Default: the clock of `client`, else the system clock. */
  readonly clock?: Clock;
  /** Creates the request ids that circuit breakers see. Default: random UUIDs. */
  readonly newId?: () => string;
}

/** Calls several agents under one policy for retries, circuit breakers and time limits. */
export interface Coordinator<N extends string = string> extends AsyncDisposal {
  /** Calls one agent. A failure is returned as an outcome. Rejects only for an unknown name or if the signal aborts. */
  delegate(agent: N, message: Input, options?: DelegateOptions): Promise<Outcome<N>>;
  /** Calls several agents concurrently, with one message for all or one for each. Rejects with the counts if too few reply. */
  fanOut(agents: readonly N[], message: Input, options?: FanOutOptions): Promise<FanOutResult<N>>;
  fanOut(targets: readonly Target<N>[], options?: FanOutOptions): Promise<FanOutResult<N>>;
  /** Returns the recent successes and failures of each agent. */
  health(): Readonly<Record<N, AgentHealth>>;
  /** Waits for pending cancel requests and closes the clients that the coordinator created. */
  close(): Promise<void>;
}

const { breaker: breakerRule, retry: retryRule, ...clientRules } = CLIENT_RULES;

/** An option without a rule does not compile. */
const RULES: OptionRules<CoordinatorOptions<string>> = {
  agents: anything,
  client: anObject(clientRules),
  breaker: breakerRule,
  retry: retryRule,
  onError: anything,
  clock: anything,
  newId: anything,
};

/**
 * Creates a coordinator that calls several agents by name. Throws immediately if an agent or an option is invalid. Nothing is sent before
 * the first call.
 *
 * @example
 * ```ts
 * import { createCoordinator, waitForQuorum } from '@parley/a2a/coordinator';
 *
 * const coordinator = createCoordinator({
 *   agents: { flights: 'https://flights.example', hotels: 'https://hotels.example', trains: 'https://trains.example' },
 * });
 * const { done } = await coordinator.fanOut(['flights', 'hotels', 'trains'], 'A weekend in Lisbon', {
 *   join: waitForQuorum(2),
 *   timeoutMs: 30_000,
 * });
 * for (const { agent, reply } of done) console.log(`${agent}: ${reply.text}`);
 * ```
 */
export function createCoordinator<const N extends string>(options: CoordinatorOptions<N>): Coordinator<N> {
  checkOptions('createCoordinator', options, RULES);
  const { agents, breaker = {}, clock = options.client?.clock ?? systemClock, newId = () => crypto.randomUUID(), onError } = options;
  const made = {
    ...options.client,
    clock: options.client?.clock ?? clock,
    retry: options.retry ?? { maxRetries: 1 },
    breaker: false,
  } as const;
  const team = createTeam({
    agents,
    clock,
    newId,
    onError,
    breakers: breaker === false ? noBreakers : (breaker.breakers ?? createBreakers(breaker, { clock })),
    createClient: (source) => createClient(source, made),
  });
  return {
    delegate: async (agent, message, given = {}) => delegate(team, { agent, message }, given),
    fanOut: async (whom: readonly (N | Target<N>)[], ...rest: FanOutRest) => {
      const { targets, given } = toTargets(whom, rest);
      return fanOut(team, targets, given);
    },
    health: () => healthOf(team),
    close: () => team.close(),
    [Symbol.asyncDispose]: () => team.close(),
  };
}

type FanOutRest = [message?: Input | FanOutOptions, options?: FanOutOptions];

/** The type of the first element decides which overload was called. */
function toTargets<N extends string>(whom: readonly (N | Target<N>)[], [second, third]: FanOutRest) {
  const isPairs = typeof whom[0] === 'object';
  const targets = whom.map((one): Target<N> => (typeof one === 'object' ? one : { agent: one, message: second as Input }));
  return { targets, given: ((isPairs ? second : third) as FanOutOptions | undefined) ?? {} };
}

function healthOf<N extends string>({ names, breakers, client }: Team<N>): Readonly<Record<N, AgentHealth>> {
  const entries = names.map((name) => [name, { ...breakers.health(name), url: client(name).url }]);
  return Object.fromEntries(entries) as Record<N, AgentHealth>; // one for each name
}
