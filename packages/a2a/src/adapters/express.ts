/** `@parley/a2a/express`: serves an agent inside an Express app, at its root or mounted at a path. */
import type { HandlerOptions } from '../bindings/options.js';
import { createHandler } from '../bindings/route.js';
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
    /** Declared by `@types/express` too, and extended by middleware: Passport adds `user`. */
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
    /** The request of Express; absent under another host. */
    readonly express?: ExpressRequest;
  }
}

/**
 * Middleware that answers everything below the path it is mounted at: `app.use('/agent', expressHandler(agent))`. Put it in
 * front of `express.json()` where you can: that one has limits and error pages of its own.
 */
export function expressHandler(agent: Agent, options: HandlerOptions = {}): (request: ExpressRequest, response: ExpressResponse) => void {
  requireAuth(agent, 'An Express app');
  const listener = createListener(agent, createHandler(agent, options));
  return (request, response) => {
    const { protocol = 'http', baseUrl = '', headers } = request;
    // Express has looked at the proxy's headers already, as far as the app trusts it.
    const origin = `${protocol}://${headers.host ?? 'localhost'}${baseUrl}`;
    listener(request, response, { origin, parsedBody: request.body, host: { node: request, express: request } });
  };
}
