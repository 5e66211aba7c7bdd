/** From a WireHandler to what `node:http` and everything built on it call for each request. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toA2AError } from '../../protocol/errors.js';
import type { Agent } from '../../server/agent.js';
import type { WireHandler } from '../../wire/http.js';
import { sendReply } from './reply.js';
import { NodeRequest, type NodeRequestOptions } from './request.js';
import { Flusher } from './stream-writer.js';

/** What `node:http` calls for each request. */
export type NodeHandler = (message: IncomingMessage, response: ServerResponse) => void;

export type NodeListener = (message: IncomingMessage, response: ServerResponse, options?: NodeRequestOptions) => void;

export function createListener(agent: Agent, handler: WireHandler): NodeListener {
  const flusher = new Flusher();
  return (message, response, options) => {
    handler(new NodeRequest(message, options))
      .then((reply) => sendReply({ message, response, flusher }, reply))
      .catch((thrown: unknown) => {
        // The handler never rejects; Node refuses headers that are no text, which only a page of the host's own can bring.
        agent.report(toA2AError(thrown), {});
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end();
      });
  };
}
