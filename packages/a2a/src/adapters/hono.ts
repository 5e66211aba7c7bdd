/** `@parley/a2a/hono`: serves an agent inside a Hono app. */
import type { Context } from 'hono';
import { HANDLER_RULES, type HandlerOptions } from '../bindings/options.js';
import { createHandler } from '../bindings/route.js';
import { checkOptions } from '../platform/check-options.js';
import type { Agent } from '../server/agent.js';
import { toWebHandler } from './fetch/web-handler.js';
import { requireAuth } from './requirements.js';

export type { CorsOptions, HandlerOptions, OwnRoute } from '../bindings/options.js';
export type { Agent } from '../server/agent.js';

declare module '../wire/http.js' {
  interface HostRequest {
    /** The Hono context, with the variables that middleware has set; absent on other hosts. */
    readonly hono?: Context;
  }
}

/**
 * A handler for `app.all('*', honoHandler(agent))`. Below a path, pass it as `basePath`: `app.all('/agent/*', honoHandler(agent, {
 * basePath: '/agent' }))`.
 */
export function honoHandler(agent: Agent, options: HandlerOptions = {}): (context: Context) => Promise<Response> {
  requireAuth(agent, 'A Hono app');
  checkOptions('honoHandler', options, HANDLER_RULES);
  const handle = toWebHandler(createHandler(agent, options));
  return (hono) => handle(hono.req.raw, { hono });
}
