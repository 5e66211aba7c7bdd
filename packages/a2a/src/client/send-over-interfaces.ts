/** The innermost send: to the first interface of a peer, and to the next when that one can not be reached or speaks another version. */
import type { Logger } from '../platform/logger.js';
import { promiseOf } from '../platform/promise-of.js';
import { type A2AError, A2AInvalidCardError, isTransportError } from '../protocol/errors.js';
import type { AgentInterface } from '../protocol/types.js';
import type { ClientCall, ClientReply, Send } from './call.js';
import { toCallError } from './call-error.js';
import { fetchAgentCard, isCardCall } from './transports/agent-card.js';
import type { Transport, TransportTools } from './transports/transport.js';

/** The interface that worked last, so that those which do not are not tried first each time. */
export interface InterfaceMemory {
  inOrder(interfaces: readonly AgentInterface[]): readonly AgentInterface[];
  worked(at: AgentInterface): void;
}

export interface OverInterfaces {
  readonly transports: readonly Transport[];
  readonly tools: TransportTools;
  readonly memory: InterfaceMemory;
  readonly logger: Logger;
}

/** A send whose bytes may have left goes nowhere else: only what was certainly not carried out is tried again. */
export function sendOverInterfaces(over: OverInterfaces): Send {
  const transports = new Map(over.transports.map((transport) => [transport.binding.toLowerCase(), transport]));
  const sendOver = ({ call, at }: { readonly call: ClientCall; readonly at: AgentInterface }): Promise<ClientReply> => {
    const transport = transports.get(at.protocolBinding.toLowerCase());
    if (transport === undefined) throw unreachable(call);
    return transport.send(call, at, over.tools);
  };
  /** To the n-th interface, and on from there. When none can be used, what was wrong with the first is told: it is the one that was meant. */
  const sendTo = (place: number, call: ClientCall, first?: A2AError): Promise<ClientReply> => {
    const at = call.peer.interfaces[place];
    if (at === undefined) return Promise.reject(first ?? unreachable(call));
    return promiseOf(sendOver, { call, at }).then(
      (reply) => {
        over.memory.worked(at);
        return reply;
      },
      (thrown) => {
        const error = toCallError(thrown, call.signal);
        if (!isElsewhereSafe(error) || call.signal?.aborted) throw error;
        const { requestId, method } = call;
        over.logger.warn(
          { requestId, method, reason: error.reason, cause: error },
          `The interface ${at.protocolBinding} at ${at.url} can not be used`,
        );
        return sendTo(place + 1, call, first ?? error);
      },
    );
  };
  return (call) => (isCardCall(call) ? fetchAgentCard(call, undefined, over.tools) : sendTo(0, call));
}

/** Nothing of the call was carried out, and another interface may do better. */
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
      // A card that was fetched anew has other objects for the same places.
      const known = interfaces.find((at) => at.url === last?.url && at.protocolBinding === last.protocolBinding);
      if (known === undefined || known === interfaces[0]) return interfaces;
      return [known, ...interfaces.filter((at) => at !== known)];
    },
  };
}
