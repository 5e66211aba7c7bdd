/** `@parley/a2a/node`: what needs Node. Every line below is public API. */

export { type Closes, closeOnSignals, type SignalOptions } from './adapters/node/close-on-signals.js';
export {
  type CorsOptions,
  type HandlerOptions,
  type Listening,
  type ListenOptions,
  listen,
  nodeHandler,
  type OwnRoute,
  type WireReply,
  type WireRequest,
  type WireStream,
} from './adapters/node.js';
export { type Pool, type PoolOptions, pooled } from './client/node/pooled.js';
