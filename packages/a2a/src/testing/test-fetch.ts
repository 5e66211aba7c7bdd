/** An agent as a `fetch`, for tests without a port. */
import { toWebHandler, type WebHandler } from '../adapters/fetch/web-handler.js';
import { checkAgent } from '../adapters/requirements.js';
import { CARD_PATH } from '../bindings/card.js';
import { checkPublicUrl } from '../bindings/options.js';
import { createHandler } from '../bindings/route.js';
import { A2AError } from '../protocol/errors.js';
import type { AgentCard } from '../protocol/types.js';
import type { Agent } from '../server/agent.js';
import { connectionRefused, unlessAborted, untilAborted, withBody } from './in-process.js';
import { type RecordedRequest, readRequest } from './recorded-request.js';

/** Options of `createTestFetch`: the binding, and the URL of the agent. */
export interface TestFetchOptions {
  /** The only binding that the served card offers. Default: all bindings of the agent. */
  readonly binding?: 'rest' | 'jsonrpc';
  /** The URL of the agent; other origins are refused. Default http://test. */
  readonly url?: string;
}

/** Pass it to clients as their `fetch`. */
export type TestFetch = typeof fetch & {
  /** All requests so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
};

const BINDINGS = { rest: 'HTTP+JSON', jsonrpc: 'JSONRPC' } as const;

/**
 * Creates a `fetch` that calls the agent, or a handler such as that of a Hono app, within this process. Any number of clients may share it.
 * The agent needs no `auth`, because only this process can reach it.
 *
 * @example
 * ```ts
 * import { createClient } from '@parley/a2a/client';
 * import { createAgent } from '@parley/a2a/server';
 * import { createTestFetch } from '@parley/a2a/testing';
 *
 * const agent = createAgent({ name: 'Echo', execute: async (context) => context.text });
 * const client = createClient('http://test', { fetch: createTestFetch(agent) });
 * const { text } = await client.run('Hello').result;
 * console.log(text === 'Hello');
 * await agent.close();
 * ```
 */
export function createTestFetch(agentOrHandler: Agent | WebHandler, options: TestFetchOptions = {}): TestFetch {
  const url = checkPublicUrl(options.url ?? 'http://test');
  const binding = options.binding === undefined ? undefined : bindingOf(options.binding);
  const handle = typeof agentOrHandler === 'function' ? agentOrHandler : handlerOf(agentOrHandler, url);
  const requests: RecordedRequest[] = [];
  const { origin } = new URL(url);
  const testFetch: typeof fetch = async (input, init) => {
    const sent = await readRequest(input, init);
    if (sent.url.origin !== origin) throw connectionRefused(sent.url.origin);
    requests.push(sent.record);
    const response = await unlessAborted(sent.signal, handle(new Request(...sent.again)));
    const isCard = sent.url.pathname.endsWith(CARD_PATH) && response.status === 200 && sent.record.method === 'GET';
    return binding !== undefined && isCard ? offerOnly(binding, response) : untilAborted(response, sent.signal);
  };
  return Object.assign(testFetch, { requests });
}

function bindingOf(name: 'rest' | 'jsonrpc'): string {
  if (Object.hasOwn(BINDINGS, name)) return BINDINGS[name];
  throw new A2AError('INVALID_PARAMS', `binding must be 'rest' or 'jsonrpc', got ${JSON.stringify(name)}`);
}

/** Only the test can call it, so the check that hosts require `auth` is not needed. */
function handlerOf(agent: Agent, url: string): WebHandler {
  checkAgent(agent);
  const { pathname } = new URL(url);
  return toWebHandler(createHandler(agent, { publicUrl: url, basePath: pathname, anonymousList: 'all' }));
}

/** The bindings on a card of A2A 0.3. */
interface OldInterfaces {
  readonly additionalInterfaces?: readonly { readonly transport: string }[];
}

async function offerOnly(binding: string, response: Response): Promise<Response> {
  const card = (await response.json()) as AgentCard & OldInterfaces; // a card path answers 200 only with a card
  const supportedInterfaces = card.supportedInterfaces.filter(({ protocolBinding }) => protocolBinding === binding);
  const { additionalInterfaces } = card;
  const old = additionalInterfaces && {
    preferredTransport: binding,
    additionalInterfaces: additionalInterfaces.filter(({ transport }) => transport === binding),
  };
  return withBody(response, JSON.stringify({ ...card, supportedInterfaces, ...old }));
}
