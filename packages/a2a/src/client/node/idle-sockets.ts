/**
 * Closes connections that were idle for too long. Node closes an idle connection with a timer and learns from the event loop that the
 * server closed it. A process that was paused (a frozen function, a sleeping laptop, a long computation) does neither before its next
 * request. That request would use a dead connection and, if it is a send, could not be retried.
 */
import type { Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../protocol/clock.js';

export interface IdleSockets {
  /** Closes idle connections that are past their keep-alive time. Call it before a request takes a connection. */
  dropStale(): void;
}

// While requests come more often than this, the event loop runs and Node's own timers close old connections.
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
