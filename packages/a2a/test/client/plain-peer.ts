/** A Parley agent that looks like a peer without the log extension: a client cannot resume after an event. */
import { LOG_EXTENSION_URI } from '../../src/protocol/extensions.js';
import type { AgentCard } from '../../src/protocol/types.js';

/** Removes the log extension from the card and the ids from the events. */
export function withoutLog(through: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await through(input, init);
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream')) return new Response(response.body?.pipeThrough(dropIds()), response);
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    if (!pathname.endsWith('agent-card.json') || response.status !== 200) return response;
    const card = (await response.json()) as AgentCard; // this path serves the card
    const extensions = card.capabilities.extensions?.filter(({ uri }) => uri !== LOG_EXTENSION_URI) ?? [];
    return Response.json({ ...card, capabilities: { ...card.capabilities, extensions } });
  };
}

/** Works line by line, because the server writes whole lines. */
function dropIds(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  return new TransformStream({
    transform(bytes, controller) {
      controller.enqueue(encoder.encode(decoder.decode(bytes, { stream: true }).replaceAll(/^id:.*\n/gm, '')));
    },
  });
}
