// Which exchange a client uses that is not told: `fetch`, or the pool of Node. Nothing here knows which platform it is.
import { createClient } from '@parley/a2a/client';

/**
 * @param {string} url
 * @returns {Promise<'fetch' | 'pool'>}
 */
export async function defaultExchange(url) {
  const { fetch } = globalThis;
  let fetches = 0;
  // The exchange over `fetch` looks the platform's up at each call.
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
