/** Resolves the agent, completes and checks the parameters, and sends the call through all interceptors. */
import { A2AError, isTransportError, toA2AError } from '../protocol/errors.js';
import { isMethodName, isStreaming, type MethodName, type RequestOf, type ResponseOf, type UnaryMethod } from '../protocol/methods.js';
import type { AgentCard, JsonValue } from '../protocol/types.js';
import type { ClientCall, ClientMethod, ClientReply } from './call.js';
import type { CallOptions } from './call-options.js';
import type { Calling, OpenOptions } from './calling.js';
import { type CallMaker, takeValue } from './make-call.js';
import { checkParams, completeParams, idempotencyKeyOf, type Params, withDefaults } from './params.js';
import type { KnownPeer, PeerSource } from './peer.js';
import { reconcileExtensions } from './reconcile-extensions.js';
import { holdSignal } from './resilience/held-signal.js';
import { timeoutError } from './resilience/timeout-error.js';
import { resolveTimeouts } from './resilience/timeout-presets.js';
import type { ResolvedOptions } from './resolve-options.js';
import { BINDINGS } from './select-interface.js';
import { SingleEventStream } from './transports/event-stream.js';

export interface CallingParts {
  readonly options: ResolvedOptions;
  readonly peers: PeerSource;
  readonly calls: CallMaker;
  /** Sent on every call of this client. Headers of a call override them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Throws if the client is closed. */
  checkOpen(): void;
}

/** Adds the operations that only the client itself uses. */
export interface ClientCalling extends Calling {
  /** Rejects if a call would be rejected before anything is sent. */
  ready(): Promise<void>;
  /** Returns only the card, within the time limits of the call. */
  card(options?: CallOptions): Promise<AgentCard>;
  /** Calls a method that the protocol does not define, or one that must bypass all checks. */
  raw(method: string, params: JsonValue | undefined, options?: CallOptions): Promise<JsonValue>;
}

export function createCalling(parts: CallingParts): ClientCalling {
  const { options, calls } = parts;
  const { settings } = options;

  /** Runs before the caller receives the reply. A hook that throws must not fail the call. */
  const tellExtensions = ({ onExtensions }: CallOptions, reply: Promise<ClientReply>): void => {
    if (!onExtensions) return;
    const tell = ({ extensions }: ClientReply): void => {
      try {
        onExtensions(extensions);
      } catch (thrown) {
        settings.onError(toA2AError(thrown));
      }
    };
    reply.then(tell, () => {});
  };

  const sendTo = (peer: KnownPeer, { method, params, given, elapsedMs }: Sending): Promise<ClientReply> => {
    const full = withDefaults(method, params, { defaults: settings, card: peer.card });
    const idempotencyKey = given.idempotencyKey ?? (peer.log.idempotencyKey ? idempotencyKeyOf(params) : undefined);
    const extensions = extensionsFor(peer, given, parts);
    const reply = calls.reply(method, full, { peer, extensions, headers: parts.headers, options: given, idempotencyKey, elapsedMs });
    tellExtensions(given, reply);
    return reply;
  };

  /** If the card is cached, no await is needed. An error in the call itself is then thrown synchronously, not as a rejection. */
  const send = (method: MethodName, said: Params, given: OpenOptions = {}): Promise<ClientReply> => {
    const params = completeParams(said, { newId: settings.newId, tenant: given.tenant ?? options.tenant });
    checkParams(method, params);
    parts.checkOpen();
    const atHand = parts.peers.atHand(given);
    if (atHand !== undefined) return sendTo(atHand, { method, params, given, elapsedMs: 0 });
    const begunAt = settings.clock.now();
    return peerInTime(method, given, parts).then((peer) =>
      sendTo(peer, { method, params, given, elapsedMs: settings.clock.now() - begunAt }),
    );
  };

  return {
    settings,
    peer: (given = {}) => peerInTime('GetAgentCard', given, parts),
    async ready() {
      extensionsFor(await peerInTime('GetAgentCard', {}, parts), {}, parts);
    },
    card: async (given = {}) => inTime('GetAgentCard', { given, parts }, (signal) => parts.peers.card({ ...given, signal })),
    async value<M extends UnaryMethod>(method: M, params: RequestOf<M>, given?: OpenOptions): Promise<ResponseOf<M>> {
      // For protocol operations, ClientResponseOf is ResponseOf.
      return takeValue(method, await send(method, params, given)) as ResponseOf<M>;
    },
    async open(method, params, given) {
      const reply = await send(method, params, given);
      // An interceptor that replies itself may return a value instead of a stream.
      return reply.kind === 'stream' ? reply.events : new SingleEventStream(takeValue(method, reply));
    },
    async raw(method, params = {}, given = {}) {
      if (isStreaming(method)) throw new A2AError('INVALID_PARAMS', `${method} returns a stream: use the client method of that name`);
      if (typeof params !== 'object' || params === null)
        throw new A2AError('INVALID_PARAMS', `The params of ${method} must be an object or a list`);
      const begunAt = settings.clock.now();
      const known = await peerInTime(method, given, parts);
      const elapsedMs = settings.clock.now() - begunAt;
      const extensions = extensionsFor(known, given, parts);
      const details = { peer: overJsonRpc(method, known), extensions, headers: parts.headers, options: given, elapsedMs };
      // Transports pass on methods that they do not know. The types of params and result are defined by the extension.
      const reply = calls.reply(method as ClientMethod, params as unknown as ClientCall['params'], details);
      tellExtensions(given, reply);
      return takeValue(method as ClientMethod, await reply) as unknown as JsonValue;
    },
  };
}

interface Sending {
  readonly method: MethodName;
  readonly params: Params;
  readonly given: OpenOptions;
  /** Time spent on resolving the peer. */
  readonly elapsedMs: number;
}

function extensionsFor({ card }: KnownPeer, { extensions }: OpenOptions, { options }: CallingParts): readonly string[] {
  return reconcileExtensions(card, extensions === undefined ? options.extensions : [...options.extensions, ...extensions]);
}

async function peerInTime(method: string, given: CallOptions, parts: CallingParts): Promise<KnownPeer> {
  parts.checkOpen();
  const atHand = parts.peers.atHand(given);
  return atHand ?? inTime(method, { given, parts }, (signal) => parts.peers.get({ ...given, signal }));
}

interface LimitedCall {
  readonly given: CallOptions;
  readonly parts: CallingParts;
}

/** A card request may be shared and has limits of its own. The call waits for it only within the call's own total time. */
async function inTime<T>(method: string, { given, parts }: LimitedCall, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  parts.checkOpen();
  const { settings, timeouts } = parts.options;
  const { totalMs } = resolveTimeouts(method, given.timeouts, timeouts);
  const held = holdSignal(given.signal);
  const stop = typeof totalMs === 'number' ? settings.clock.after(totalMs, () => held.abort(timeoutError('total', totalMs))) : undefined;
  try {
    return await work(held.signal);
  } catch (error) {
    throw isTransportError(held.signal.reason) ? held.signal.reason : error;
  } finally {
    stop?.();
    held.release();
  }
}

/** Only JSON-RPC can carry methods that the protocol does not define. */
function overJsonRpc(method: string, peer: KnownPeer): KnownPeer {
  const interfaces = peer.interfaces.filter(({ protocolBinding }) => protocolBinding.toUpperCase() === BINDINGS.jsonrpc);
  if (interfaces.length > 0) return { ...peer, interfaces };
  if (isMethodName(method)) return peer;
  throw new A2AError('UNSUPPORTED_OPERATION', `${peer.name} has no JSON-RPC interface, and ${method} can only be called over JSON-RPC`);
}
