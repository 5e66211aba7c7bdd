/** `@parley/a2a/node`: serves agents over HTTP on Node, and gives clients a pool of connections. Every line below is public API. */

export { type Closable, closeOnSignals, type SignalOptions } from './adapters/node/close-on-signals.js';
export type { NodeHandler } from './adapters/node/listener.js';
export {
  type Agent,
  type CloseOptions,
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
