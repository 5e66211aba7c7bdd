/** `@parley/a2a/fetch`: serves an agent on hosts that pass a web `Request` and expect a `Response`: Workers, Deno, Bun, Next. */
import { HANDLER_RULES, type HandlerOptions } from '../bindings/options.js';
import { createHandler } from '../bindings/route.js';
import { checkOptions } from '../platform/check-options.js';
import type { Agent } from '../server/agent.js';
import { toWebHandler } from './fetch/web-handler.js';
import { requireAuth } from './requirements.js';

export type { CorsOptions, HandlerOptions, OwnRoute } from '../bindings/options.js';
export type { Agent } from '../server/agent.js';

/**
 * Returns a fetch handler for the agent, for example for Bun, Deno or Workers. The agent needs `auth`, because anyone may reach such a
 * host.
 *
 * @example
 * ```ts
 * import { fetchHandler } from '@parley/a2a/fetch';
 * import { createAgent } from '@parley/a2a/server';
 *
 * const agent = createAgent({
 *   name: 'Echo',
 *   auth: 'none', // a gateway in front of this host checks callers
 *   execute: async (context) => context.text,
 * });
 * export default { fetch: fetchHandler(agent) };
 * ```
 */
export function fetchHandler(agent: Agent, options: HandlerOptions = {}): (request: Request) => Promise<Response> {
  requireAuth(agent, 'A fetch host');
  checkOptions('fetchHandler', options, HANDLER_RULES);
  const handle = toWebHandler(createHandler(agent, options));
  // Hosts pass more than the request (Workers: `env` and `ctx`); it must not reach the second parameter of `handle`.
  return (request) => handle(request);
}
