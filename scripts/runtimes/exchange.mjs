// Detects which exchange a client uses by default: `fetch`, or the connection pool of Node. This code does not know its platform.
import { createClient } from '@parley/a2a/client';

/**
 * @param {string} url
 * @returns {Promise<'fetch' | 'pool'>}
 */
export async function defaultExchange(url) {
  const { fetch } = globalThis;
  let fetches = 0;
  // The fetch exchange reads `globalThis.fetch` on every call.
  globalThis.fetch = /** @type {typeof fetch} */ (
    (input, init) => {
      fetches += 1;
      return fetch(input, init);
    }
  );
  const client = createClient(url);
  try {
    await client.card();
    return fetches > 0 ? 'fetch' : 'pool';
  } finally {
    globalThis.fetch = fetch;
    await client.close();
  }
}
