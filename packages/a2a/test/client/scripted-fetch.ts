/** A `fetch` with scripted responses that records its requests. */

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
  readonly init: RequestInit;
}

export type Answer = Response | ((asked: Asked) => Response | Promise<Response>);

const CARD_PATH = '/.well-known/agent-card.json';

export interface ScriptedFetch {
  readonly fetch: typeof fetch;
  /** In order, without requests for the card. */
  readonly calls: readonly Asked[];
  readonly cards: readonly Asked[];
}

/** `answer` is the response to all requests except those for the card. Without `card` these get 404. */
export function scriptedFetch(answer: Answer, card: Answer = new Response('no card', { status: 404 })): ScriptedFetch {
  const all: Asked[] = [];
  const ask = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const asked = toAsked(String(input), init);
    all.push(asked);
    init.signal?.throwIfAborted();
    const chosen = isCard(asked) ? card : answer;
    return typeof chosen === 'function' ? chosen(asked) : chosen.clone();
  };
  return {
    fetch: ask,
    get calls() {
      return all.filter((asked) => !isCard(asked));
    },
    get cards() {
      return all.filter(isCard);
    },
  };
}

/** A JSON response. */
export function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/a2a+json' } });
}

/** An event stream; a string is sent as it is, any other value as the data of an event. */
export function sse(...frames: unknown[]): Response {
  const text = frames.map((frame) => (typeof frame === 'string' ? frame : `data: ${JSON.stringify(frame)}\n\n`)).join('');
  return new Response(text, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
}

function isCard({ path }: Asked): boolean {
  return path.endsWith(CARD_PATH);
}

function toAsked(url: string, init: RequestInit): Asked {
  const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
  const { pathname, search } = new URL(url);
  return { method: init.method ?? 'GET', url, path: `${pathname}${search}`, headers: new Headers(init.headers), body, init };
}
