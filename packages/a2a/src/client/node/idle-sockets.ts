/**
 * Connections that were kept for too long. Node closes an unused connection by a timer, and learns from the event loop that its server
 * has closed it. A process that was paused (a frozen function, a sleeping laptop, a long computation) comes to neither before its next
 * request, which would go to a dead connection and, if it is a send, could not be repeated.
 */
import type { Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../protocol/clock.js';

export interface IdleSockets {
  /** Closes the unused connections whose time is over. Call it before a request takes one of them. */
  dropStale(): void;
}

export function createIdleSockets(agent: Agent, clock: Clock): IdleSockets {
  const idleSince = new WeakMap<Duplex, number>();
  agent.on('free', (socket: Duplex) => idleSince.set(socket, clock.now()));
  const isStale = (socket: Duplex & { readonly timeout?: number | undefined }, now: number): boolean => {
    const { timeout = 0 } = socket;
    return timeout > 0 && now - (idleSince.get(socket) ?? now) >= timeout;
  };
  return {
    dropStale() {
      const now = clock.now();
      for (const origin in agent.freeSockets) {
        for (const socket of agent.freeSockets[origin] ?? []) {
          if (isStale(socket, now)) socket.destroy();
        }
      }
    },
  };
}
