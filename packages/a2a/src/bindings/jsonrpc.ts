/** JSON-RPC over HTTP. After the envelope was read, every answer is HTTP 200; a request refused before that keeps its HTTP status. */
import { A2AError } from '../protocol/errors.js';
import { isMethodName, type MethodName } from '../protocol/methods.js';
import { VERSION_HEADER } from '../protocol/version.js';
import type { Caller, Reply } from '../server/call.js';
import type { LargeTurn } from '../server/limits/large-work.js';
import type { Share } from '../server/limits/share-counter.js';
import type { HeldBytes, WireReply } from '../wire/http.js';
import { decodeRequest, encodeObjectError, encodeResult, type RpcId, type RpcRequest, resultFrame, resultPieces } from '../wire/jsonrpc.js';
import { errorFrame } from '../wire/sse.js';
import { type Binding, type BindingRequest, mediaTypeOf } from './binding-request.js';
import { type Compat, isForV03 } from './compat.js';
import { STREAM_HEADERS, type StreamFormat } from './event-stream.js';
import { failureHeaders, toFailure } from './failure.js';
import { pieceBody } from './piece-stream.js';
import { checkCurrent, extensionHeader, perform, type Request, readBody, SERVED, type Service } from './service.js';
import { shareOf } from './share.js';
import { currentRpc, type RpcVersion } from './wire-version.js';

export function createJsonRpc(service: Service): Binding {
  const { agent } = service;

  const current = currentRpc(({ method }) => methodOf(method, service.compat));

  const isOlder = (incoming: BindingRequest): boolean => service.compat !== undefined && isForV03(incoming);

  const errorReply = (incoming: BindingRequest, error: A2AError, envelope: { readonly id: RpcId; readonly status: number }): WireReply => ({
    status: envelope.status,
    headers: { ...JSON_HEADERS, 'x-request-id': incoming.requestId, ...failureHeaders(error, service.challenge) },
    // The caller's version is known from the header, before the method is.
    body: isOlder(incoming) ? encodeObjectError(envelope.id, error) : current.encodeError(envelope.id, error, incoming.requestId),
  });

  /** The error of an operation, in the version of the request. */
  const failure = ({ incoming, rpc, version }: RpcCall, error: A2AError): WireReply => {
    const body = version.encodeError(rpc.id, error, incoming.requestId);
    const headers = { 'x-request-id': incoming.requestId, ...failureHeaders(error, service.challenge) };
    if (!version.streamsErrors(rpc)) return { status: 200, headers: { ...JSON_HEADERS, ...headers }, body };
    return { status: 200, headers: { ...STREAM_HEADERS, ...headers }, body: errorFrame(body) };
  };

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
      let call: RpcCall = { incoming, caller, share, held, rpc: decoded, turn, version: current };
      try {
        const older = service.compat?.rpc(incoming, decoded);
        if (older !== undefined) call = { ...call, version: await older };
        const request = toRequest(service, call);
        const made = call.version.replyOf(request.method, await perform(service, incoming, request));
        return toWireReply(service, call, request.method, made instanceof Promise ? await made : made);
      } catch (thrown) {
        held.set(0);
        return failure(call, toFailure(agent, thrown, { requestId: incoming.requestId, caller: caller.id, method: decoded.method }));
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
  readonly version: RpcVersion;
}

function toRequest(service: Service, { incoming, caller, share, held, rpc, turn, version }: RpcCall): Request {
  // An unknown version is reported before an unknown method.
  if (version.isCurrent) checkCurrent(service, incoming, rpc.method);
  const method = version.methodOf(rpc);
  const params = version.paramsOf(method, rpc.params);
  return { method, params, extensions: version.extensionsOf(incoming.request), caller, share, held, turn };
}

function toWireReply(service: Service, { incoming, held, rpc, version }: RpcCall, method: MethodName, reply: Reply): WireReply {
  const { requestId } = incoming;
  const more = extensionHeader(version.extensionsHeader, reply.extensions);
  if (reply.kind === 'stream') {
    const body = service.streams(reply, formatOf(rpc.id, requestId, version));
    return { status: 200, headers: { ...STREAM_HEADERS, 'x-request-id': requestId, ...more }, body, held };
  }
  version.checkResult(method, reply);
  // Not with a spread, which would cost more than the rest of a short call.
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

function formatOf(id: RpcId, requestId: string, version: RpcVersion): StreamFormat {
  return {
    wrap: resultFrame(id),
    encodeError: (error) => version.encodeError(id, error, requestId),
    check: version.checkEvent,
  };
}

/** A2A 0.3 used other method names: the error then contains the 1.0 name, or the version to ask for. */
function methodOf(method: string, compat: Compat | undefined): MethodName {
  if (isMethodName(method)) return method;
  const name = OLD_NAMES[method];
  if (name === undefined) throw new A2AError('METHOD_NOT_FOUND', 'Method not found');
  if (compat === undefined || name === 'ListTasks') throw new A2AError('METHOD_NOT_FOUND', `Method not found: A2A 1.0 calls it ${name}`);
  throw new A2AError('VERSION_NOT_SUPPORTED', `${method} belongs to A2A 0.3: call ${name}, or send the header "${VERSION_HEADER}: 0.3"`, {
    metadata: { supportedVersions: SERVED.join(',') },
  });
}

const JSON_HEADERS = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' } as const;

const OLD_NAMES: Readonly<Record<string, MethodName | undefined>> = Object.assign(Object.create(null), {
  'message/send': 'SendMessage',
  'message/stream': 'SendStreamingMessage',
  'tasks/get': 'GetTask',
  'tasks/list': 'ListTasks',
  'tasks/cancel': 'CancelTask',
  'tasks/resubscribe': 'SubscribeToTask',
  'tasks/pushNotificationConfig/set': 'CreateTaskPushNotificationConfig',
  'tasks/pushNotificationConfig/get': 'GetTaskPushNotificationConfig',
  'tasks/pushNotificationConfig/list': 'ListTaskPushNotificationConfigs',
  'tasks/pushNotificationConfig/delete': 'DeleteTaskPushNotificationConfig',
  'agent/getAuthenticatedExtendedCard': 'GetExtendedAgentCard',
});

/** Also a security check: a web page can send other content types across origins without a preflight. */
function checkContentType({ request }: BindingRequest): void {
  const type = mediaTypeOf(request.header('content-type'));
  if (type === 'application/json' || type === 'application/a2a+json') return;
  throw new A2AError('CONTENT_TYPE_NOT_SUPPORTED', 'The request must have Content-Type: application/json', { httpStatus: 415 });
}
