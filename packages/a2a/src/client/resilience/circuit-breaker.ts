/** Stops calling an agent after repeated failures, and sends single probe calls to find out when it has recovered. */
import { systemClock } from '../../platform/system-clock.js';
import { A2ACircuitOpenError, toA2AError } from '../../protocol/errors.js';
import type { ClientCall, ClientInterceptor, Send } from '../call.js';
import { agentOf } from './call-fields.js';
import { checkNumber } from './check-number.js';
import { type AgentHealth, Circuit } from './circuit.js';
import { isAnswerOfAgent, isFailureOfAgent } from './failure-of-agent.js';
import type { ResilienceTools } from './tools.js';

export type { AgentHealth } from './circuit.js';

/** Options of the circuit breaker: after how many failures an agent is not called, and for how long. */
export interface BreakerOptions {
  /** Consecutive failures that open the circuit. Default 3. */
  readonly failures?: number;
  /** How long the circuit stays open, in milliseconds. Default 30,000. */
  readonly openMs?: number;
  /**
   * Circuits that several clients share, created with `createBreakers`. They have their own options; the other options here are ignored.
   * Default: separate circuits for each client.
   */
  readonly breakers?: Breakers;
}

/** The circuits of all agents that were called. */
export interface Breakers {
  readonly interceptor: ClientInterceptor;
  /** Returns the health of an agent. An agent that was never called is healthy. */
  health(agent: string): AgentHealth;
  /** Returns true if a call would be allowed now. */
  allows(agent: string): boolean;
}

export function circuitBreaker(options: BreakerOptions, tools: ResilienceTools): ClientInterceptor {
  return (options.breakers ?? createBreakers(options, tools)).interceptor;
}

/**
 * Creates one circuit per agent, identified by the URL of its card. Three consecutive failures open it for 30 seconds; then it is half-open
 * and allows one probe at a time. Default clock: the system clock.
 */
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

/** Not an async function, because every call passes through it. */
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
  return new A2ACircuitOpenError(`${agentOf(call)} failed too often; its circuit is open and it is not called for now`, {
    retryAfterMs,
    cause: lastError,
  });
}
