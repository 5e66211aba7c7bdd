/** Serves an agent inside a Hono app. */
import type { HandlerOptions } from '../bindings/options.js';
import type { Agent } from '../server/agent.js';
import { fetchHandler } from './fetch.js';

export type { CorsOptions, HandlerOptions, OwnRoute } from '../bindings/options.js';

/** The one thing needed of Hono's context. */
export interface HonoContext {
  readonly req: { readonly raw: Request };
}

/**
 * A handler for `app.all('*', honoHandler(agent))`. Below a path, say which: `app.all('/agent/*', honoHandler(agent, { basePath:
 * '/agent' }))`.
 */
export function honoHandler(agent: Agent, options: HandlerOptions = {}): (context: HonoContext) => Promise<Response> {
  const handle = fetchHandler(agent, options);
  return (context) => handle(context.req.raw);
}
