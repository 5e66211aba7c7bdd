/** `@parley/a2a/redis`: an event bus over Redis, for many nodes with heavy streaming; needs `ioredis`. */
import type { Redis } from 'ioredis';
import type { EventBus } from './bus/bus.js';
import { type RedisBusOptions, redisBus } from './bus/redis/index.js';

export type { EventBus } from './bus/bus.js';
export type { RedisBusOptions } from './bus/redis/index.js';

/**
 * A bus for `createAgent`, by the URL of a Redis or with an ioredis of your own. That one only says how to connect: the bus makes two
 * connections like it, and yours stays yours.
 */
export function redis(server: string | Redis, options: RedisBusOptions = {}): EventBus {
  return redisBus(server, options);
}
