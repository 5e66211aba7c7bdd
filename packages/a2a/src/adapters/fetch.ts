/** `@parley/a2a/fetch`: serves an agent on hosts that pass a web `Request` and expect a `Response`: Workers, Deno, Bun, Next. */
import type { HandlerOptions } from '../bindings/options.js';
import { createHandler } from '../bindings/route.js';
import type { Agent } from '../server/agent.js';
import { toWebHandler } from './fetch/web-handler.js';
import { requireAuth } from './requirements.js';

export type { CorsOptions, HandlerOptions, OwnRoute } from '../bindings/options.js';
export type { Agent } from '../server/agent.js';

/** `auth` has to be given to the agent, because such a host is reached by anybody. */
export function fetchHandler(agent: Agent, options: HandlerOptions = {}): (request: Request) => Promise<Response> {
  requireAuth(agent, 'A fetch host');
  const handle = toWebHandler(createHandler(agent, options));
  // Hosts pass more than the request (Workers: `env` and `ctx`); none of it may reach the second parameter.
  return (request) => handle(request);
}
