/** JSON-RPC over HTTP. After the envelope was read, every answer is HTTP 200; a request refused before that keeps its HTTP status. */
import { checkOutput } from '#output-check';
import { A2AError } from '../protocol/errors.js';
import { isMethodName, METHODS, type MethodName } from '../protocol/methods.js';
import { checkVersion } from '../protocol/version.js';
import type { Caller } from '../server/call.js';
import type { LargeTurn } from '../server/large-work.js';
import type { Share } from '../server/share-counter.js';
import type { HeldBytes, WireReply } from '../wire/http.js';
import { decodeRequest, encodeError, encodeResult, type RpcId, type RpcRequest, resultFrame, resultPieces } from '../wire/jsonrpc.js';
import { type Binding, type BindingRequest, mediaTypeOf, versionOf } from './binding-request.js';
import { STREAM_HEADERS, type StreamFormat } from './event-stream.js';
import { failureHeaders, toFailure } from './failure.js';
import { pieceBody } from './piece-stream.js';
import { extensionHeader, perform, readBody, SERVED_VERSIONS, type Service } from './service.js';
import { shareOf } from './share.js';

export function createJsonRpc(service: Service): Binding {
  const { agent } = service;

  const errorReply = (incoming: BindingRequest, error: A2AError, envelope: { readonly id: RpcId; readonly status: number }): WireReply => ({
    status: envelope.status,
    headers: {
      'content-type': 'application/json',
      'x-content-type-options': 'nosniff',
      'x-request-id': incoming.requestId,
      ...failureHeaders(error, service.challenge),
    },
    body: encodeError(envelope.id, error, incoming.requestId),
  });

  return {
    refuse(incoming, error, headers) {
      const reply = errorReply(incoming, error, { id: null, status: error.httpStatus });
      return headers === undefined ? reply : { ...reply, headers: { ...reply.headers, ...headers } };
    },
    async answer(incoming) {
      const caller = await agent.authenticate(incoming.request, { requestId: incoming.requestId });
      const share = shareOf(incoming.request, caller, service.shares);
      checkContentType(incoming);
      const { value: decoded, turn } = await readBody(service, { request: incoming.request, share }, decodeRequest);
      if (decoded.kind === 'refused') {
        turn?.end();
        return errorReply(incoming, decoded.error, { id: decoded.id, status: decoded.readable ? 200 : decoded.error.httpStatus });
      }
      const held = service.bytes.replyTo(share);
      try {
        return await run(service, { incoming, caller, share, held, rpc: decoded, turn });
      } catch (thrown) {
        held.set(0);
        const error = toFailure(agent, thrown, { requestId: incoming.requestId, caller: caller.id, method: decoded.method });
        return errorReply(incoming, error, { id: decoded.id, status: 200 });
      } finally {
        turn?.end();
      }
    },
  };
}

interface RpcCall {
  readonly incoming: BindingRequest;
  readonly caller: Caller;
  readonly share: Share;
  readonly held: HeldBytes;
  readonly rpc: RpcRequest;
  /** As `readBody` gave it for its body. */
  readonly turn: LargeTurn | undefined;
}

async function run(service: Service, { incoming, caller, share, held, rpc, turn }: RpcCall): Promise<WireReply> {
  const { requestId } = incoming;
  checkVersion(versionOf(incoming.request), SERVED_VERSIONS);
  const { method } = rpc;
  if (!isMethodName(method)) throw unknownMethod(method);
  const reply = await perform(service, incoming, { method, params: rpc.params, caller, share, held, turn });
  const more = extensionHeader(reply.extensions);
  if (reply.kind === 'value') {
    checkOutput(METHODS[method].response, reply.json);
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
    };
    if (more !== undefined) Object.assign(headers, more);
    if (reply.pieces === undefined) return { status: 200, headers, body: encodeResult(rpc.id, reply.json), held };
    const { length, ...body } = pieceBody(resultPieces(rpc.id, reply.pieces), held);
    headers['content-length'] = String(length);
    return { status: 200, headers, ...body };
  }
  const body = service.streams(reply, formatOf(rpc.id, requestId));
  return { status: 200, headers: { ...STREAM_HEADERS, 'x-request-id': requestId, ...more }, body, held };
}

function formatOf(id: RpcId, requestId: string): StreamFormat {
  return { wrap: resultFrame(id), encodeError: (error) => encodeError(id, error, requestId) };
}

/** A2A 0.3 used other method names: the error then contains the 1.0 name. */
function unknownMethod(method: string): A2AError {
  const name = OLD_NAMES[method];
  const hint = name === undefined ? '' : `: A2A 1.0 calls it ${name}`;
  return new A2AError('METHOD_NOT_FOUND', `Method not found${hint}`);
}

const OLD_NAMES: Readonly<Record<string, MethodName | undefined>> = Object.assign(Object.create(null), {
  'message/send': 'SendMessage',
  'message/stream': 'SendStreamingMessage',
  'tasks/get': 'GetTask',
  'tasks/list': 'ListTasks',
  'tasks/cancel': 'CancelTask',
  'tasks/resubscribe': 'SubscribeToTask',
  'agent/getAuthenticatedExtendedCard': 'GetExtendedAgentCard',
});

/** Also a security check: a web page can send other content types across origins without a preflight. */
function checkContentType({ request }: BindingRequest): void {
  const type = mediaTypeOf(request.header('content-type'));
  if (type === 'application/json' || type === 'application/a2a+json') return;
  throw new A2AError('CONTENT_TYPE_NOT_SUPPORTED', 'The request must have Content-Type: application/json', { httpStatus: 415 });
}
