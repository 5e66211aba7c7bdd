/** `@parley/a2a/client/advanced`: the parts of the client for authors of transports and tools, and the functions of the Rust client. Every line below is public API. */
export { type ObjectRpcError, type RpcError, type RpcErrorOptions, toJsonRpcError } from '../wire/jsonrpc.js';
export { type HttpFailure, type ReadErrorOptions, readHttpFailure, readRestError, readRpcError } from '../wire/read-error.js';
export type { ClientCall, ClientInterceptor, ClientReply } from './call.js';
export type { Client } from './client.js';
export { type ActivationOptions, backoffForAttempt } from './resilience/activation-policy.js';
export { type AgentHealth, type BreakerOptions, type Breakers, createBreakers } from './resilience/circuit-breaker.js';
export { isRetriableError, isRetriableStatus } from './resilience/cold-start.js';
export { type CoolDownOptions, type CoolDowns, createCoolDowns } from './resilience/cool-down.js';
export {
  type ActivationTools,
  type CallWithActivationOptions,
  callWithActivation,
  idempotencyKey,
  type NamedCall,
  type RetryWithActivationOptions,
  retryWithActivation,
} from './resilience/retry-with-activation.js';
export { activationOf, type TimeoutPolicy } from './resilience/timeout-presets.js';
export type { ResilienceTools } from './resilience/tools.js';
export { type Selection, type SelectOptions, selectInterface } from './select-interface.js';
export { type StreamEvent, toStreamEvent } from './stream-event.js';
export type { AbortSource, Exchange, HttpRequest, HttpResponse, SendProgress, Timeouts } from './transports/exchange.js';
export { type FetchExchangeOptions, fetchExchange } from './transports/fetch-exchange.js';
export { jsonRpc } from './transports/jsonrpc.js';
export { rest } from './transports/rest.js';
export type { Transport, TransportTools } from './transports/transport.js';
