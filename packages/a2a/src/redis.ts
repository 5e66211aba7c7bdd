/** `@parley/a2a/redis`: a bus for many nodes that stream a lot. */
export { type RedisBusOptions, redis } from './bus/redis/index.js';
