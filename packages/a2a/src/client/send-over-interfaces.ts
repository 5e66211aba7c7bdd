/** The innermost send: tries the first interface of a peer, and the next one if that cannot be reached or has another version. */
import type { Logger } from '../platform/logger.js';
import { promiseOf } from '../platform/promise-of.js';
import { type A2AError, A2AInvalidCardError, isTransportError } from '../protocol/errors.js';
import type { AgentInterface } from '../protocol/types.js';
import type { ClientCall, ClientReply, Send } from './call.js';
import { toCallError } from './call-error.js';
import type { Compat } from './compat.js';
import { isUnexecuted } from './refusal.js';
import { fetchAgentCard, isCardCall } from './transports/agent-card.js';
import type { Transport, TransportTools } from './transports/transport.js';
import type { VersionedCall } from './versioned-call.js';

/** Remembers the interface that worked last, so that broken ones are not tried first on every call. */
export interface InterfaceMemory {
  inOrder(interfaces: readonly AgentInterface[]): readonly AgentInterface[];
  worked(at: AgentInterface): void;
}

export interface OverInterfaces {
  readonly transports: readonly Transport[];
  readonly tools: TransportTools;
  readonly compat: Compat;
  readonly memory: InterfaceMemory;
  readonly logger: Logger;
}

/** Tries another interface only if the request was certainly not carried out. A request whose bytes may have left is not repeated here. */
export function sendOverInterfaces(over: OverInterfaces): Send {
  const transports = new Map(over.transports.map((transport) => [transport.binding.toLowerCase(), transport]));
  const sendAgain = async (refused: VersionedCall, error: A2AError): Promise<ClientReply> => {
    const reply = await over.compat.sendAgain(refused, error);
    const { requestId, method, peer } = refused.call;
    over.logger.warn({ requestId, method }, `${peer.name} does not speak the version on its card`);
    return reply;
  };
  /**
   * Sends to the n-th interface, then to the next ones. If all fail, it rejects with the error of the first, which is the preferred one.
   */
  const sendTo = (place: number, call: ClientCall, first?: A2AError): Promise<ClientReply> => {
    const at = call.peer.interfaces[place];
    if (at === undefined) return Promise.reject(first ?? unreachable(call));
    const transport = transports.get(at.protocolBinding.toLowerCase());
    if (transport === undefined) return Promise.reject(unreachable(call));
    const versioned: VersionedCall = { call, at, transport, version: over.compat.versionOf(at) };
    const keep = (reply: ClientReply): ClientReply => {
      over.memory.worked(at);
      return reply;
    };
    const isLast = place + 1 >= call.peer.interfaces.length;
    const goOn = (thrown: unknown): Promise<ClientReply> => {
      const error = toCallError(thrown, call.signal);
      if (!isElsewhereSafe(error) || call.signal?.aborted) throw error;
      const { requestId, method } = call;
      over.logger.warn(
        { requestId, method, reason: error.reason, cause: error },
        `The interface ${at.protocolBinding} at ${at.url} cannot be used`,
      );
      return sendTo(place + 1, call, first ?? error);
    };
    const recover = async (thrown: unknown): Promise<ClientReply> => {
      const error = toCallError(thrown, call.signal);
      const isOfVersion = over.compat.refuses(versioned, error);
      const mayGoOn = isOfVersion || (error.reason === 'VERSION_NOT_SUPPORTED' && !isLast);
      if (mayGoOn && !(await isUnexecuted(versioned, error, over.compat.send))) throw error;
      if (!isOfVersion) return goOn(error);
      // The first error is thrown again only if the second attempt was not executed either.
      return sendAgain(versioned, error).then(keep, (again: unknown) => {
        if (again !== error && !isTransportError(again)) throw toCallError(again, call.signal);
        return goOn(again);
      });
    };
    return promiseOf(over.compat.send, versioned).then(keep, recover);
  };
  return (call) => (isCardCall(call) ? fetchAgentCard(call, undefined, over.tools) : sendTo(0, call));
}

/** True if nothing of the call was carried out and another interface may work. */
function isElsewhereSafe(error: A2AError): boolean {
  return isTransportError(error) ? !error.sent : error.reason === 'VERSION_NOT_SUPPORTED';
}

function unreachable(call: ClientCall): A2AInvalidCardError {
  return new A2AInvalidCardError(`The card of ${call.peer.name} (${call.peer.key}) has no interface that this client can send to`);
}

export function interfaceMemory(): InterfaceMemory {
  let last: AgentInterface | undefined;
  return {
    worked(at) {
      last = at;
    },
    inOrder(interfaces) {
      // A card that was fetched again has new objects for the same interfaces.
      const known = interfaces.find((at) => isSame(at, last));
      if (known === undefined || known === interfaces[0]) return interfaces;
      return [known, ...interfaces.filter((at) => at !== known)];
    },
  };
}

/** An agent may serve two versions at one address. */
function isSame(one: AgentInterface, other: AgentInterface | undefined): boolean {
  return one.url === other?.url && one.protocolBinding === other.protocolBinding && one.protocolVersion === other.protocolVersion;
}
