/** What a client sends with on every platform but Node, which has `client/node/default-exchange.ts`: see `#exchange` in package.json. */
import type { Exchange } from './exchange.js';
import { fetchExchange } from './fetch-exchange.js';

/** The exchange of a client that was given neither `exchange`, `fetch` nor `fetchOptions`. */
export function defaultExchange(): Exchange {
  return fetchExchange();
}
