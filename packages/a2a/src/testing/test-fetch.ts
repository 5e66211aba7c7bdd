/** An agent as a `fetch`, for tests that need no port. */
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

export interface TestFetchOptions {
  /** The only binding that the served card offers. Default: those it has. */
  readonly binding?: 'rest' | 'jsonrpc';
  /** Where the agent is said to be; nothing else is reached. Default http://test. */
  readonly url?: string;
}

/** Give it to clients as their `fetch`. */
export type TestFetch = typeof fetch & {
  /** What was sent so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
};

const BINDINGS = { rest: 'HTTP+JSON', jsonrpc: 'JSONRPC' } as const;

/**
 * A `fetch` that ends at the agent, or at a handler such as a Hono app's, in this process. It is built once: any number of clients may
 * share it. An agent needs no `auth` for it, since nobody else can reach it.
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

/** Nobody but the test can call it, so the rule that hosts ask for `auth` has nothing to protect. */
function handlerOf(agent: Agent, url: string): WebHandler {
  checkAgent(agent);
  const { pathname } = new URL(url);
  return toWebHandler(createHandler(agent, { publicUrl: url, basePath: pathname, anonymousList: 'all' }));
}

async function offerOnly(binding: string, response: Response): Promise<Response> {
  const card = (await response.json()) as AgentCard; // what a card's path answers with 200
  const supportedInterfaces = card.supportedInterfaces.filter(({ protocolBinding }) => protocolBinding === binding);
  return withBody(response, JSON.stringify({ ...card, supportedInterfaces }));
}
