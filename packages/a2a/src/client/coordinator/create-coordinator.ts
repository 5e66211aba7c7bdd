/** One place that asks several agents: skips those that fail too often, joins the answers, cancels what is not needed any more. */
import type { AsyncDisposal } from '../../platform/async-disposal.js';
import { systemClock } from '../../platform/system-clock.js';
import type { Clock } from '../../protocol/clock.js';
import type { A2AError } from '../../protocol/errors.js';
import { createClient } from '../create-client.js';
import type { ClientOptions } from '../options.js';
import { type AgentHealth, type BreakerOptions, createBreakers } from '../resilience/circuit-breaker.js';
import type { RetryOptions } from '../resilience/retry.js';
import type { Input } from '../run/run-options.js';
import { noBreakers } from './breakers.js';
import { type DelegateOptions, delegate, type FanOutOptions, fanOut, type Target } from './fan-out.js';
import type { FanOutResult, Outcome } from './outcome.js';
import { type AgentSource, createTeam, type Team } from './team.js';

export interface CoordinatorOptions<N extends string> {
  /** The agents by names of your own: a client, a URL or a card each. Clients that are given keep their own settings, and are not closed. */
  readonly agents: Readonly<Record<N, AgentSource>>;
  /** For the clients that are made here. */
  readonly client?: Omit<ClientOptions, 'breaker' | 'retry'>;
  /** An agent is not asked for 30 s after 3 errands in a row have failed; false switches it off. */
  readonly breaker?: BreakerOptions | false;
  /** Of the clients that are made here. Default: one try after the first. */
  readonly retry?: RetryOptions | false;
  /** Told of cancels that did not work: nobody waits for them. */
  readonly onError?: (error: A2AError) => void;
  /** Default: that of `client`, else the real one. */
  readonly clock?: Clock;
  readonly newId?: () => string;
}

export interface Coordinator<N extends string = string> extends AsyncDisposal {
  /** Asks one agent. What goes wrong is an outcome; only a name that nobody has, and leaving by the signal, reject. */
  delegate(agent: N, message: Input, options?: DelegateOptions): Promise<Outcome<N>>;
  /** Asks several at once, all the same or each its own. Rejects with the counts when too few answer. */
  fanOut(agents: readonly N[], message: Input, options?: FanOutOptions): Promise<FanOutResult<N>>;
  fanOut(targets: readonly Target<N>[], options?: FanOutOptions): Promise<FanOutResult<N>>;
  /** How each agent has done lately. */
  health(): Readonly<Record<N, AgentHealth>>;
  /** Waits for cancels that are under way and closes the clients that were made here. */
  close(): Promise<void>;
}

/** Throws at once when an agent or an option can not work; nothing is sent before the first errand. */
export function createCoordinator<const N extends string>(options: CoordinatorOptions<N>): Coordinator<N> {
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

/** Which of the two forms it is: the first element tells. */
function toTargets<N extends string>(whom: readonly (N | Target<N>)[], [second, third]: FanOutRest) {
  const isPairs = typeof whom[0] === 'object';
  const targets = whom.map((one): Target<N> => (typeof one === 'object' ? one : { agent: one, message: second as Input }));
  return { targets, given: ((isPairs ? second : third) as FanOutOptions | undefined) ?? {} };
}

function healthOf<N extends string>({ names, breakers, client }: Team<N>): Readonly<Record<N, AgentHealth>> {
  const entries = names.map((name) => [name, { ...breakers.health(name), url: client(name).url }]);
  return Object.fromEntries(entries) as Record<N, AgentHealth>; // one for each name
}
