/** `@parley/a2a/express`: serves an agent inside an Express app, at its root or mounted at a path. */
import { HANDLER_RULES, type HandlerOptions } from '../bindings/options.js';
import { createHandler } from '../bindings/route.js';
import { checkOptions } from '../platform/check-options.js';
import type { Agent } from '../server/agent.js';
import { createListener, type NodeListener } from './node/listener.js';
import { requireAuth } from './requirements.js';

export type { CorsOptions, HandlerOptions, OwnRoute } from '../bindings/options.js';
export type { Agent } from '../server/agent.js';

type NodeMessage = Parameters<NodeListener>[0];
/** The response of Express 4 and 5. */
export type ExpressResponse = Parameters<NodeListener>[1];

declare global {
  namespace Express {
    /** `@types/express` declares it too, and middleware extends it: Passport adds `user`. */
    interface Request {}
  }
}

/** The request of Express 4 and 5, with the members that middleware declares. */
export type ExpressRequest = NodeMessage &
  Express.Request & {
    /** The path this handler is mounted at. */
    readonly baseUrl?: string;
    readonly protocol?: string;
    readonly body?: unknown;
  };

declare module '../wire/http.js' {
  interface HostRequest {
    /** The Express request; absent on other hosts. */
    readonly express?: ExpressRequest;
  }
}

/**
 * Middleware that serves everything below its mount path: `app.use('/agent', expressHandler(agent))`. Mount it before `express.json()` if
 * possible, because that has its own limits and error pages.
 *
 * @example
 * ```ts
 * import { expressHandler } from '@parley/a2a/express';
 * import { createAgent } from '@parley/a2a/server';
 * import express from 'express';
 *
 * const agent = createAgent({
 *   name: 'Echo',
 *   auth: 'none', // a gateway in front of this app checks callers
 *   execute: async (context) => context.text,
 * });
 * express().use('/agent', expressHandler(agent)).listen(4000);
 * ```
 */
export function expressHandler(agent: Agent, options: HandlerOptions = {}): (request: ExpressRequest, response: ExpressResponse) => void {
  requireAuth(agent, 'An Express app');
  checkOptions('expressHandler', options, HANDLER_RULES);
  const listener = createListener(agent, createHandler(agent, options));
  return (request, response) => {
    const { protocol = 'http', baseUrl = '', headers } = request;
    // Express has already applied the proxy's headers, if the app trusts the proxy.
    const origin = `${protocol}://${headers.host ?? 'localhost'}${baseUrl}`;
    listener(request, response, { origin, parsedBody: request.body, host: { node: request, express: request } });
  };
}
