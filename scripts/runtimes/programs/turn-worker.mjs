// For workerd: a request either runs one turn or reports the default exchange.
import { defaultExchange } from '../exchange.mjs';
import { runOnce } from '../turn.mjs';

export default {
  /** @param {Request} request */
  async fetch(request) {
    const { url = '', words } = Object.fromEntries(new URL(request.url).searchParams);
    if (words === undefined) return new Response(await defaultExchange(url));
    return Response.json(await runOnce(url, words, { cut: true }));
  },
};
