/** Leaves an agent alone that fails again and again, and asks it now and then, one call at a time, whether it is well. */
import { systemClock } from '../../platform/system-clock.js';
import { A2ACircuitOpenError, toA2AError } from '../../protocol/errors.js';
import type { ClientCall, ClientInterceptor, Send } from '../call.js';
import { agentOf } from './call-fields.js';
import { checkNumber } from './check-number.js';
import { type AgentHealth, Circuit } from './circuit.js';
import { isAnswerOfAgent, isFailureOfAgent } from './failure-of-agent.js';
import type { ResilienceTools } from './tools.js';

export type { AgentHealth } from './circuit.js';

export interface BreakerOptions {
  /** Failures in a row that open the circuit. Default 3. */
  readonly failures?: number;
  /** How long it stays open. Default 30,000. */
  readonly openMs?: number;
  /** Circuits that several clients share, made by `createBreakers`; the other options are then those of the circuits. */
  readonly breakers?: Breakers;
}

/** The circuits of all agents that were called. */
export interface Breakers {
  readonly interceptor: ClientInterceptor;
  /** How an agent is; one that was never called is well. */
  health(agent: string): AgentHealth;
  /** Whether a call would go through now. */
  allows(agent: string): boolean;
}

export function circuitBreaker(options: BreakerOptions, tools: ResilienceTools): ClientInterceptor {
  return (options.breakers ?? createBreakers(options, tools)).interceptor;
}

/** One circuit per agent, by the URL of its card: three failures in a row open it for 30 seconds, then one call at a time is a probe. Time is the machine's unless told. */
export function createBreakers(
  options: Omit<BreakerOptions, 'breakers'> = {},
  tools: Partial<Pick<ResilienceTools, 'clock'>> = {},
): Breakers {
  const { clock = systemClock } = tools;
  const limits = {
    failures: checkNumber('breaker.failures', options.failures ?? 3, { min: 1, whole: true }),
    openMs: checkNumber('breaker.openMs', options.openMs ?? 30_000),
  };
  const circuits = new Map<string, Circuit>();
  const circuitOf = (agent: string): Circuit => {
    const known = circuits.get(agent);
    if (known !== undefined) return known;
    const added = new Circuit(agent, clock, limits);
    circuits.set(agent, added);
    return added;
  };
  return {
    interceptor: (next) => (call) => guarded(next, call, circuitOf(call.peer.key)),
    health: (agent) => (circuits.get(agent) ?? new Circuit(agent, clock, limits)).health(),
    allows: (agent) => circuits.get(agent)?.allows() ?? true,
  };
}

/** No async function: it is on the way of every call. */
function guarded(next: Send, call: ClientCall, circuit: Circuit): ReturnType<Send> {
  const pass = call.evenIfOpen ? circuit.pass() : circuit.enter();
  if (pass === undefined) return Promise.reject(refusal(call, circuit));
  return next(call).then(
    (reply) => {
      circuit.succeeded();
      return reply;
    },
    (thrown) => {
      const error = toA2AError(thrown);
      if (isFailureOfAgent(error)) circuit.failed(pass, error);
      else if (isAnswerOfAgent(error)) circuit.succeeded();
      else circuit.left(pass);
      throw error;
    },
  );
}

function refusal(call: ClientCall, circuit: Circuit): A2ACircuitOpenError {
  const { retryAfterMs, lastError } = circuit;
  return new A2ACircuitOpenError(`${agentOf(call)} failed too often, it is not called for now`, { retryAfterMs, cause: lastError });
}
