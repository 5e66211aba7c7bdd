/** Moves over LISTEN and NOTIFY. */
import type { Pool } from 'pg';
import { A2AError } from '../../protocol/errors.js';
import type { EventBus } from '../bus.js';

export interface PostgresBusOptions {
  /** Names the channel: nodes whose tasks are in one schema hear each other. Default `parley`. */
  readonly schema?: string | undefined;
}

/** A bus on a connection of its own; with a Pool, made as that pool makes its own. */
export function postgresBus(_database: string | Pool, _options: PostgresBusOptions = {}): EventBus {
  throw new A2AError('UNSUPPORTED_OPERATION', 'not built yet');
}
