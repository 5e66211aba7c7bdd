/** `@parley/a2a/coordinator`: sends a message to several agents and combines their results. Every line below is public API. */
export {
  type Coordinator,
  type CoordinatorOptions,
  createCoordinator,
} from './client/coordinator/create-coordinator.js';
export type { DelegateOptions, FanOutOptions, Target } from './client/coordinator/fan-out.js';
export { type JoinPolicy, waitForAll, waitForFirst, waitForQuorum } from './client/coordinator/join.js';
export type { DoneOutcome, FailedOutcome, FanOutResult, Outcome, SkippedOutcome } from './client/coordinator/outcome.js';
export type { AgentSource } from './client/coordinator/team.js';
export type { AgentHealth } from './client/resilience/circuit-breaker.js';
export type { Input } from './client/run/run-options.js';
