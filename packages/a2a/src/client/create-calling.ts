/** The inside of a client: resolves the agent, completes and checks what is sent, and sends it through all interceptors. */
import { A2AError } from '../protocol/errors.js';
import { METHODS, type MethodName, type RequestOf, type ResponseOf } from '../protocol/methods.js';
import { findViolations } from '../protocol/parse.js';
import type { SendMessageRequest } from '../protocol/types.js';
import { toSentence } from '../protocol/violations.js';
import type { ClientReply } from './call.js';
import type { CallOptions } from './call-options.js';
import type { Calling, OpenOptions } from './calling.js';
import type { UnaryMethod } from './client.js';
import { type CallDetails, type CallMaker, takeValue } from './make-call.js';
import { completeSend, toConfiguration, type Wishes } from './message.js';
import type { KnownPeer, PeerSource } from './peer.js';
import { reconcileExtensions } from './reconcile-extensions.js';
import type { ResolvedOptions } from './resolve-options.js';
import { singleEvent } from './single-event.js';

export interface CallingParts {
  readonly options: ResolvedOptions;
  readonly peers: PeerSource;
  readonly calls: CallMaker;
  /** On every call of this client, below what a call says itself. */
  readonly headers: Readonly<Record<string, string>>;
  /** Throws when the client was closed. */
  checkOpen(): void;
}

export function createCalling({ options, peers, calls, headers, checkOpen }: CallingParts): Calling {
  const { settings } = options;

  const withOwn = <O extends CallOptions>(given: O | undefined): O =>
    // Only members that CallOptions has are added.
    ({ ...given, headers: { ...headers, ...given?.headers } }) as O;

  const prepare = async (method: MethodName, params: RequestOf<MethodName>, given?: OpenOptions): Promise<Prepared> => {
    checkOpen();
    const wanted = withOwn<OpenOptions>(given);
    const said = completed(method, params, { newId: settings.newId, tenant: wanted.tenant ?? options.tenant });
    checkParams(method, said);
    const peer = await peers.get(wanted);
    const extensions = reconcileExtensions(peer.card, [...options.extensions, ...(wanted.extensions ?? [])]);
    const idempotencyKey = wanted.idempotencyKey ?? keyOf(said);
    return {
      params: withWishes(method, said, { wishes: settings, peer }),
      details: { peer, extensions, options: { ...wanted, idempotencyKey } },
    };
  };

  const send = async (method: MethodName, params: RequestOf<MethodName>, given?: OpenOptions): Promise<ClientReply> => {
    const prepared = await prepare(method, params, given);
    const reply = await calls.reply(method, prepared.params, prepared.details);
    given?.onExtensions?.(reply.extensions);
    return reply;
  };

  return {
    settings,
    async peer(given) {
      checkOpen();
      const peer = await peers.get(withOwn(given));
      reconcileExtensions(peer.card, [...options.extensions, ...(given?.extensions ?? [])]);
      return peer;
    },
    async value<M extends UnaryMethod>(method: M, params: RequestOf<M>, given?: CallOptions): Promise<ResponseOf<M>> {
      // Of an operation of the protocol the client's response is the protocol's.
      return takeValue(method, await send(method, params, given)) as ResponseOf<M>;
    },
    async open(method, params, given) {
      const reply = await send(method, params, given);
      // An interceptor that answers by itself need not make a stream of it.
      return reply.kind === 'stream' ? reply.events : singleEvent(takeValue(method, reply));
    },
  };
}

interface Prepared {
  readonly params: RequestOf<MethodName>;
  readonly details: CallDetails;
}

interface Completing {
  readonly newId: () => string;
  readonly tenant: string | undefined;
}

function completed(method: MethodName, params: RequestOf<MethodName>, { newId, tenant }: Completing): RequestOf<MethodName> {
  const complete = isSend(params) ? completeSend(params, newId) : params;
  return tenant === undefined || method === undefined ? complete : { ...complete, tenant };
}

/** Wrong values are told here, by the name of the member, before anything is sent. */
function checkParams(method: MethodName, params: RequestOf<MethodName>): void {
  const type = METHODS[method].request;
  const violations = findViolations(type, params);
  if (violations.length === 0) return;
  throw new A2AError('INVALID_PARAMS', `${method}: ${toSentence(type, violations)}`, { violations });
}

function withWishes(
  method: MethodName,
  params: RequestOf<MethodName>,
  { wishes, peer }: { readonly wishes: Wishes; readonly peer: KnownPeer },
): RequestOf<MethodName> {
  if (isSend(params)) return { ...params, configuration: toConfiguration(params.configuration, wishes, peer.card) };
  const { historyLength } = wishes;
  if (method === 'GetTask' && historyLength !== undefined) return { historyLength, ...params };
  return params;
}

function isSend(params: RequestOf<MethodName>): params is SendMessageRequest {
  return typeof params === 'object' && params !== null && 'message' in params;
}

// What a header can hold; other ids travel escaped.
const PLAIN_KEY = /^[\x21-\x7e]{1,256}$/;

/** One key per logical send, whatever is tried: the message's own id. */
function keyOf(params: RequestOf<MethodName>): string | undefined {
  if (!isSend(params)) return undefined;
  const { messageId } = params.message;
  return PLAIN_KEY.test(messageId) ? messageId : encodeURIComponent(messageId).slice(0, 256);
}
