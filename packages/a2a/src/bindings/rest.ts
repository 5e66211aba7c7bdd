/** HTTP+JSON: methods as paths and verbs, errors as HTTP statuses. */
import { A2AError } from '../protocol/errors.js';
import type { Reply } from '../server/call.js';
import type { HeldBytes, WireReply, WireRequest } from '../wire/http.js';
import { decodeBody } from '../wire/request-body.js';
import { encodeRestError, type RestMatch } from '../wire/rest.js';
import { decodeQuery } from '../wire/rest-query.js';
import { BARE_FRAME } from '../wire/sse.js';
import { type Binding, type BindingRequest, mediaTypeOf } from './binding-request.js';
import { STREAM_HEADERS, type StreamFormat } from './event-stream.js';
import { failureHeaders, wrongVerb } from './failure.js';
import { pieceBody } from './piece-stream.js';
import { checkCurrent, extensionHeader, perform, readBody, type Service } from './service.js';
import { shareOf } from './share.js';
import { CURRENT_REST, type RestVersion } from './wire-version.js';

const PLAIN = 'application/json';
const A2A = 'application/a2a+json';

export function createRest(service: Service): Binding {
  const refuse: Binding['refuse'] = (incoming, error, headers) => {
    const older = service.compat?.restError(incoming, error);
    return {
      status: error.httpStatus,
      headers: {
        'content-type': older === undefined ? replyType(incoming.request) : PLAIN,
        'x-content-type-options': 'nosniff',
        'x-request-id': incoming.requestId,
        ...failureHeaders(error, service.challenge),
        ...headers,
      },
      body: older ?? encodeRestError(error, incoming.requestId),
    };
  };

  return {
    refuse,
    async answer(incoming) {
      const { request, path } = incoming;
      const older = service.compat?.rest(incoming);
      const version = older === undefined ? CURRENT_REST : await older;
      const routing = version.route(request.method, path);
      if (routing.kind === 'unknown') throw new A2AError('METHOD_NOT_FOUND', 'There is nothing at this path');
      if (routing.kind === 'wrong-verb') return refuse(incoming, wrongVerb(routing.allow), { allow: routing.allow.join(', ') });
      // Not with a spread, which would cost more than the rest of a short call.
      const { method, body, variables } = routing;
      return run(service, incoming, { method, body, variables, version });
    },
  };
}

interface VersionMatch extends RestMatch {
  readonly version: RestVersion;
}

async function run(service: Service, incoming: BindingRequest, match: VersionMatch): Promise<WireReply> {
  const { request, requestId } = incoming;
  const { method, version } = match;
  if (version.isCurrent) checkCurrent(service, incoming, 'This path');
  const caller = await service.agent.authenticate(request, { requestId });
  const share = shareOf(request, caller, service.shares);
  const { value: members, turn } = match.body
    ? await readBody(service, { request, share }, (text, maxValues) => toMembers(request, text, maxValues))
    : { value: decodeQuery(request.query), turn: undefined };
  const held = service.bytes.replyTo(share);
  try {
    const params = version.paramsOf(method, join(members, match.variables));
    const extensions = version.extensionsOf(request);
    const made = version.replyOf(method, await perform(service, incoming, { method, params, extensions, caller, share, held, turn }));
    return toWireReply(service, { incoming, match, held }, made instanceof Promise ? await made : made);
  } catch (thrown) {
    held.set(0);
    throw thrown;
  } finally {
    turn?.end();
  }
}

interface Answered {
  readonly incoming: BindingRequest;
  readonly match: VersionMatch;
  readonly held: HeldBytes;
}

function toWireReply(service: Service, { incoming: { request, requestId }, match, held }: Answered, reply: Reply): WireReply {
  const { version } = match;
  const more = extensionHeader(version.extensionsHeader, reply.extensions);
  if (reply.kind === 'stream') {
    const body = service.streams(reply, formatOf(requestId, version));
    return { status: 200, headers: { ...STREAM_HEADERS, 'x-request-id': requestId, ...more }, body, held };
  }
  version.checkResult(match.method, reply);
  const headers: Record<string, string> = {
    'content-type': version.replyType ?? replyType(request),
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  };
  Object.assign(headers, cacheHeaders(match), more);
  if (reply.pieces === undefined || request.method === 'HEAD') return { status: 200, headers, body: reply.json, held };
  const { length, ...body } = pieceBody(reply.pieces, held);
  headers['content-length'] = String(length);
  return { status: 200, headers, ...body };
}

function formatOf(requestId: string, version: RestVersion): StreamFormat {
  return { wrap: BARE_FRAME, encodeError: (error) => version.encodeError(error, requestId), check: version.checkEvent };
}

/** An empty body is an empty object, for `:cancel` and `:subscribe`. */
function toMembers(request: WireRequest, text: string, maxValues: number): object {
  if (text.trim() === '') return {};
  const type = mediaTypeOf(request.header('content-type'));
  // Also a security check: a web page can send other content types across origins without a preflight.
  if (type !== PLAIN && type !== A2A)
    throw new A2AError('CONTENT_TYPE_NOT_SUPPORTED', `The body must have the content type ${A2A} or ${PLAIN}`);
  const value = decodeBody(text, maxValues) ?? {};
  if (typeof value !== 'object' || Array.isArray(value)) throw new A2AError('INVALID_REQUEST', 'The body must be a JSON object');
  return value;
}

/** The path takes precedence; a value in the body or the query may be absent, but not different. */
function join(members: object, variables: Readonly<Record<string, string>>): object {
  const named = Object.entries(variables);
  if (named.length === 0) return members;
  const given: Readonly<Record<string, unknown>> = { ...members };
  for (const [name, value] of named) {
    const other = given[name] ?? given[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
    if (other === undefined || other === null || other === '' || other === value) continue;
    const violations = [{ field: name, description: 'must be absent or equal to the value in the path' }];
    throw new A2AError('INVALID_PARAMS', `${name} differs from the value in the path`, { violations });
  }
  return { ...given, ...variables };
}

/** The media type from Accept, otherwise that of the request. */
function replyType(request: WireRequest): string {
  const accept = request.header('accept') ?? '';
  if (accept.includes(A2A)) return A2A;
  if (accept.includes(PLAIN)) return PLAIN;
  return mediaTypeOf(request.header('content-type')) === A2A ? A2A : PLAIN;
}

/** Replies depend on the caller: shared caches must not reuse them for other callers. */
function cacheHeaders({ method, body }: RestMatch): Record<string, string> | undefined {
  if (body) return undefined;
  return { 'cache-control': 'private, no-cache', ...(method === 'GetExtendedAgentCard' ? { vary: 'Authorization' } : undefined) };
}
