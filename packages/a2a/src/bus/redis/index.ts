/** Moves over Redis' publish and subscribe. */
import { A2AError } from '../../protocol/errors.js';
import type { EventBus } from '../bus.js';

export interface RedisBusOptions {
  /** The channel that nodes share. Default `parley`. */
  readonly channel?: string;
}

/** A bus for `createAgent`, by the URL of a Redis. */
export function redis(_url: string, _options: RedisBusOptions = {}): EventBus {
  throw new A2AError('UNSUPPORTED_OPERATION', 'not built yet');
}
