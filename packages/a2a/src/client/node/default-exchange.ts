/** The default exchange on Node. Other platforms use `client/transports/default-exchange.ts`: see `#exchange` in package.json. */
import type { Exchange } from '../transports/exchange.js';
import { fetchExchange } from '../transports/fetch-exchange.js';
import { pooled } from './pooled.js';

const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NODE_USE_ENV_PROXY'];

/** One pool per process: clients of one origin share connections, and a client for a single call leaves no pool of its own behind. */
let shared: Exchange | undefined;

/** Returns the exchange of a client without the options `exchange`, `fetch` and `fetchOptions`. */
export function defaultExchange(): Exchange {
  if (isBehindProxy()) return fetchExchange();
  shared ??= pooled({ maxConnections: Number.POSITIVE_INFINITY });
  return shared;
}

/** The operator sets these variables for `fetch`, which uses the proxy if Node is configured to. `node:http` would bypass the proxy. */
function isBehindProxy(): boolean {
  const { env } = process;
  return PROXY_VARIABLES.some((name) => Boolean(env[name]) || Boolean(env[name.toLowerCase()]));
}
