/** A bus over Redis publish and subscribe. */
import { emitWarning } from 'node:process';
import type { Redis } from 'ioredis';
import { requirePackage } from '../../platform/require-package.js';
import { A2AError } from '../../protocol/errors.js';
import type { EventBus } from '../bus.js';
import { linkedBus } from '../linked.js';
import { type Connect, type Pace, RedisLink } from './link.js';

/** Options of `redis`: the channel, and a function that receives warnings. */
export interface RedisBusOptions {
  /** The channel of all nodes that share a store, and of no others. Default `parley`. */
  readonly channel?: string;
  /** Called with warnings for the operator, for example that Redis is unreachable. Default: `process.emitWarning`. */
  readonly onWarning?: (text: string) => void;
}

const MAX_CHARS = 64 * 1024;

/**
 * Creates a bus for `createAgent`, from a Redis URL or an ioredis instance of your own. The instance serves only as a template: the bus
 * opens two connections with its options, and never closes yours. `pace` is for tests.
 */
export function redisBus(server: string | Redis, options: RedisBusOptions = {}, pace: Partial<Pace> = {}): EventBus {
  const { channel = 'parley', onWarning = warnProcess } = options;
  if (typeof channel !== 'string' || channel === '') throw misuse(`channel must be a non-empty string, got ${JSON.stringify(channel)}`);
  if (typeof onWarning !== 'function') throw misuse('onWarning must be a function');
  const connect = typeof server === 'string' ? fromUrl(server) : fromInstance(server);
  return linkedBus({ maxChars: MAX_CHARS, onWarning, open: (events) => new RedisLink({ connect, channel, pace, events }) });
}

function fromUrl(url: string): Connect {
  const protocol = URL.canParse(url) ? new URL(url).protocol : undefined;
  // The message omits the value, because it may contain a password.
  if (protocol !== 'redis:' && protocol !== 'rediss:')
    throw misuse('redis() takes a URL that begins with redis:// or rediss://, or an ioredis instance');
  // Uses the default export, because not every 5.x exports the name `Redis`.
  const Driver = requirePackage<typeof Redis>('ioredis', '@parley/a2a/redis');
  return (options) => new Driver(url, options);
}

function fromInstance(instance: Redis): Connect {
  if (typeof instance?.duplicate !== 'function')
    throw misuse('redis() takes a URL that begins with redis:// or rediss://, or an ioredis instance');
  return (options) => instance.duplicate(options);
}

function warnProcess(text: string): void {
  emitWarning(text, { type: 'ParleyWarning', code: 'PARLEY_BUS' });
}

function misuse(text: string): A2AError {
  return new A2AError('INVALID_PARAMS', text);
}
