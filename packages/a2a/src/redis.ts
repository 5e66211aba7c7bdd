/** `@parley/a2a/redis`: an event bus over Redis, for many nodes with heavy streaming; needs `ioredis`. */
import type { Redis } from 'ioredis';
import type { EventBus } from './bus/bus.js';
import { type RedisBusOptions, redisBus } from './bus/redis/index.js';

export type { EventBus } from './bus/bus.js';
export type { RedisBusOptions } from './bus/redis/index.js';

/**
 * Creates a bus for `createAgent`, from a Redis URL or an ioredis instance of your own. The instance serves only as a template: the bus
 * opens two connections with its options, and never closes yours.
 *
 * @example
 * ```ts
 * import { postgres } from '@parley/a2a/postgres';
 * import { redis } from '@parley/a2a/redis';
 * import { createAgent } from '@parley/a2a/server';
 *
 * export const agent = createAgent({
 *   name: 'Echo',
 *   store: postgres('postgres://localhost/agents'),
 *   bus: redis('redis://localhost:6379'),
 *   execute: async (context) => context.text,
 * });
 * ```
 */
export function redis(server: string | Redis, options: RedisBusOptions = {}): EventBus {
  return redisBus(server, options);
}
