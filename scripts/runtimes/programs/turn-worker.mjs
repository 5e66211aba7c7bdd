// workerd: one request is one turn.
import { takeTurn } from '../turn.mjs';

export default {
  /** @param {Request} request */
  async fetch(request) {
    const { url, words } = Object.fromEntries(new URL(request.url).searchParams);
    return Response.json(await takeTurn(url ?? '', words ?? '', { cut: true }));
  },
};
