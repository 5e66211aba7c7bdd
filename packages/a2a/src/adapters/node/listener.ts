/** Converts a WireHandler to a request listener for `node:http` and compatible frameworks. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toA2AError } from '../../protocol/errors.js';
import type { Agent } from '../../server/agent.js';
import type { WireHandler } from '../../wire/http.js';
import { BodyPace } from './body-pace.js';
import { sendReply } from './reply.js';
import { NodeRequest, type NodeRequestOptions } from './request.js';
import { Flusher } from './stream-writer.js';

/** The signature of a `node:http` request listener. */
export type NodeHandler = (message: IncomingMessage, response: ServerResponse) => void;

export type NodeListener = (message: IncomingMessage, response: ServerResponse, options?: NodeRequestOptions) => void;

export function createListener(agent: Agent, handler: WireHandler): NodeListener {
  const flusher = new Flusher();
  const pace = new BodyPace(agent.settings.clock, agent.settings.minBodyBytesPerSecond);
  return (message, response, options) => {
    handler(new NodeRequest(message, options, pace))
      .then((reply) => sendReply({ message, response, flusher }, reply))
      .catch((thrown: unknown) => {
        // The handler never rejects. But Node refuses malformed headers, which only a route of the host itself can produce.
        agent.report(toA2AError(thrown), {});
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end();
      });
  };
}
