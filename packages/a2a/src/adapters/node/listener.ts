/** Converts a WireHandler to a request listener for `node:http` and compatible frameworks. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toA2AError } from '../../protocol/errors.js';
import type { Agent } from '../../server/agent.js';
import type { WireHandler, WireReply } from '../../wire/http.js';
import { BodyPace } from './body-pace.js';
import { Pipeline } from './pipeline.js';
import { type NodeExchange, type NodeOutput, sendReply } from './reply.js';
import { ReplyQueue } from './reply-queue.js';
import { NodeRequest, type NodeRequestOptions } from './request.js';
import { Flusher } from './stream-writer.js';
import { WriteDeadline } from './write-deadline.js';

/** The signature of a `node:http` request listener. */
export type NodeHandler = (message: IncomingMessage, response: ServerResponse) => void;

export type NodeListener = (message: IncomingMessage, response: ServerResponse, options?: NodeRequestOptions) => void;

const WRITE_TIMEOUT_MS = 30_000;

export function createListener(agent: Agent, handler: WireHandler, writeTimeoutMs = WRITE_TIMEOUT_MS): NodeListener {
  const output = createOutput(agent, writeTimeoutMs);
  const pipeline = new Pipeline();
  const pace = new BodyPace(agent.settings.clock, agent.settings.minBodyBytesPerSecond);
  const replies = new ReplyQueue();
  // Node refuses malformed headers, which only a route of the host itself can produce.
  const fail = (response: ServerResponse, thrown: unknown): void => {
    agent.report(toA2AError(thrown), {});
    if (response.headersSent) response.destroy();
    else response.writeHead(500, { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }).end();
  };
  const send = (exchange: NodeExchange, reply: WireReply): void => {
    try {
      sendReply(exchange, reply);
    } catch (thrown) {
      fail(exchange.response, thrown);
    }
  };
  const start: NodeListener = (message, response, options) => {
    const began = replies.begin();
    handler(new NodeRequest(message, options, pace)).then(
      (reply) => {
        const exchange = { message, response, output };
        if (typeof reply.body === 'string') replies.add(began, () => send(exchange, reply));
        else send(exchange, reply); // a stream gathers its text by itself
      },
      (thrown) => fail(response, thrown),
    );
  };
  return (message, response, options) => {
    if (response.socket !== null) start(message, response, options);
    // Otherwise a middleware has answered, or the client has left: no socket follows.
    else if (!response.writableEnded && !response.destroyed) pipeline.add(message, response, () => start(message, response, options));
  };
}

function createOutput({ settings }: Agent, timeoutMs: number): NodeOutput {
  const { clock, logger } = settings;
  const onEnd = (): void => logger.info({}, `ended a connection: bytes waited, and its client read none for ${timeoutMs} ms`);
  return { flusher: new Flusher(), deadline: new WriteDeadline({ clock, timeoutMs, onEnd }) };
}
