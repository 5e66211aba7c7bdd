/** The default exchange on every platform but Node, which uses `client/node/default-exchange.ts`: see `#exchange` in package.json. */
import type { Exchange } from './exchange.js';
import { fetchExchange } from './fetch-exchange.js';

/** Returns the exchange of a client without the options `exchange`, `fetch` and `fetchOptions`. */
export function defaultExchange(): Exchange {
  return fetchExchange();
}
