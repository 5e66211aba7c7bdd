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

// While requests come more often than this, the event loop runs, and Node's own timers close what is too old.
const PAUSE_MS = 1_000;

export function createIdleSockets(
  agent: Agent,
  { clock, keepAliveMs }: { readonly clock: Clock; readonly keepAliveMs: number },
): IdleSockets {
  const idleSince = new WeakMap<Duplex, number>();
  const pauseMs = Math.min(PAUSE_MS, keepAliveMs);
  let lookedAt = clock.now();
  agent.on('free', (socket: Duplex) => idleSince.set(socket, clock.now()));
  const isStale = (socket: Duplex & { readonly timeout?: number | undefined }, now: number): boolean =>
    now - (idleSince.get(socket) ?? now) >= (socket.timeout ?? keepAliveMs);
  return {
    dropStale() {
      const now = clock.now();
      const isPaused = now - lookedAt >= pauseMs;
      lookedAt = now;
      if (!isPaused) return;
      for (const sockets of Object.values(agent.freeSockets)) {
        for (const socket of sockets ?? []) {
          if (isStale(socket, now)) socket.destroy();
        }
      }
    },
  };
}
