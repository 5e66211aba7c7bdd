/** A bus over LISTEN and NOTIFY. */
import { createHash } from 'node:crypto';
import { emitWarning } from 'node:process';
import type { Pool } from 'pg';
import { A2AError } from '../../protocol/errors.js';
import type { EventBus } from '../bus.js';
import { linkedBus } from '../linked.js';
import { toClientConfig } from './connection.js';
import { type Pace, PostgresLink } from './link.js';

export interface PostgresBusOptions {
  /** Determines the channel: nodes whose tasks are in the same schema share it. Default `parley`. */
  readonly schema?: string | undefined;
  /** Called with warnings for the operator, for example that no notifications arrive. Default: `process.emitWarning`. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

/** PostgreSQL payloads must be shorter than 8,000 bytes. */
const MAX_CHARS = 7_999;

/** PostgreSQL channel names must be shorter than 64 bytes. */
const MAX_CHANNEL_BYTES = 63;

/** Creates a bus on its own connection; for a Pool, with the options of that pool. `pace` is for tests. */
export function postgresBus(database: string | Pool, options: PostgresBusOptions = {}, pace: Partial<Pace> = {}): EventBus {
  const { schema = 'parley', onWarning = warnProcess } = options;
  if (typeof schema !== 'string' || schema === '') throw misuse(`schema must be a non-empty string, got ${JSON.stringify(schema)}`);
  if (typeof onWarning !== 'function') throw misuse('onWarning must be a function');
  const config = toClientConfig(database);
  const channel = channelOf(schema);
  return linkedBus({ maxChars: MAX_CHARS, onWarning, open: (events) => new PostgresLink({ config, channel, pace, events }) });
}

/** Long names are replaced by a hash, because names with the same beginning must stay different. */
function channelOf(schema: string): string {
  const channel = `parley:${schema}`;
  if (new TextEncoder().encode(channel).length <= MAX_CHANNEL_BYTES) return channel;
  return `parley:${createHash('sha256').update(schema).digest('hex').slice(0, 48)}`;
}

function warnProcess(text: string): void {
  emitWarning(text, { type: 'ParleyWarning', code: 'PARLEY_BUS' });
}

function misuse(text: string): A2AError {
  return new A2AError('INVALID_PARAMS', text);
}
