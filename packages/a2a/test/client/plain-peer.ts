/** Our own agent as a peer without our extension: nobody can ask it for what is behind an event. */
import { LOG_EXTENSION_URI } from '../../src/protocol/extensions.js';
import type { AgentCard } from '../../src/protocol/types.js';

/** The card does not offer the log, and events have no numbers. */
export function withoutLog(through: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await through(input, init);
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream')) return new Response(response.body?.pipeThrough(dropIds()), response);
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    if (!pathname.endsWith('agent-card.json') || response.status !== 200) return response;
    const card = (await response.json()) as AgentCard; // what that path answers
    const extensions = card.capabilities.extensions?.filter(({ uri }) => uri !== LOG_EXTENSION_URI) ?? [];
    return Response.json({ ...card, capabilities: { ...card.capabilities, extensions } });
  };
}

/** The server writes whole lines. */
function dropIds(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  return new TransformStream({
    transform(bytes, controller) {
      controller.enqueue(encoder.encode(decoder.decode(bytes, { stream: true }).replaceAll(/^id:.*\n/gm, '')));
    },
  });
}
