/** Moves over Redis' publish and subscribe. */
import { emitWarning } from 'node:process';
import type { Redis } from 'ioredis';
import { requirePackage } from '../../platform/require-package.js';
import { A2AError } from '../../protocol/errors.js';
import type { EventBus } from '../bus.js';
import { linkedBus } from '../linked.js';
import { type Connect, type Pace, RedisLink } from './link.js';

export interface RedisBusOptions {
  /** The channel that nodes share: those of one store, and no others. Default `parley`. */
  readonly channel?: string;
  /** Told what somebody who runs this should know, such as that Redis cannot be reached. Default: `process.emitWarning`. */
  readonly onWarning?: (text: string) => void;
}

const MAX_CHARS = 64 * 1024;

/**
 * A bus for `createAgent`, by the URL of a Redis or with an ioredis of your own. That one only says how to connect: the bus makes two
 * connections like it, and yours stays yours. `pace` is for tests.
 */
export function redisBus(server: string | Redis, options: RedisBusOptions = {}, pace: Partial<Pace> = {}): EventBus {
  const { channel = 'parley', onWarning = warnProcess } = options;
  if (typeof channel !== 'string' || channel === '') throw misuse(`channel must be a name, got ${JSON.stringify(channel)}`);
  if (typeof onWarning !== 'function') throw misuse('onWarning must be a function');
  const connect = typeof server === 'string' ? fromUrl(server) : fromInstance(server);
  return linkedBus({ maxChars: MAX_CHARS, onWarning, open: (events) => new RedisLink({ connect, channel, pace, events }) });
}

function fromUrl(url: string): Connect {
  const protocol = URL.canParse(url) ? new URL(url).protocol : undefined;
  // Said without the value: it may have a password in it.
  if (protocol !== 'redis:' && protocol !== 'rediss:')
    throw misuse('redis() takes a URL that begins with redis:// or rediss://, or an ioredis');
  // The whole module: the name `Redis` is not exported by every 5.x.
  const Driver = requirePackage<typeof Redis>('ioredis', '@parley/a2a/redis');
  return (options) => new Driver(url, options);
}

function fromInstance(instance: Redis): Connect {
  if (typeof instance?.duplicate !== 'function') throw misuse('redis() takes a URL that begins with redis:// or rediss://, or an ioredis');
  return (options) => instance.duplicate(options);
}

function warnProcess(text: string): void {
  emitWarning(text, { type: 'ParleyWarning', code: 'PARLEY_BUS' });
}

function misuse(text: string): A2AError {
  return new A2AError('INVALID_PARAMS', text);
}
