/** A Parley agent that looks like an agent of A2A 0.3: its card has only the members of 0.3. */
import type { AgentCard } from '../../src/protocol/types.js';

export type OldBinding = 'JSONRPC' | 'HTTP+JSON';

/** Removes the members of 1.0 from the card, and offers only one binding. */
export function asV03(through: typeof fetch, preferredTransport: OldBinding): typeof fetch {
  return async (input, init) => {
    const { pathname, href } = new URL(input instanceof Request ? input.url : input);
    if (!pathname.endsWith('agent-card.json')) return through(input, init);
    const response = await through(href); // without the version, in which the card would have no members of 0.3
    const { supportedInterfaces: _, ...card } = (await response.json()) as AgentCard; // this path serves the card
    return Response.json({ ...card, preferredTransport, additionalInterfaces: [] });
  };
}

/** Notes the version of each call, without requests for the card. */
export function versionsOf(through: typeof fetch): { readonly fetch: typeof fetch; readonly versions: (string | null)[] } {
  const versions: (string | null)[] = [];
  return {
    versions,
    fetch: async (input, init) => {
      const { headers, url } = new Request(input, init);
      if (!url.endsWith('agent-card.json')) versions.push(headers.get('a2a-version'));
      return through(input, init);
    },
  };
}
