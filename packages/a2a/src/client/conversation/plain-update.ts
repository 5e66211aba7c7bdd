/** Converts an update of a run to the update that a conversation records. */
import type { JsonObject } from '../../protocol/types.js';
import type { Update } from '../run/update.js';
import type { PlainUpdate } from './conversation.js';

/**
 * undefined: the update is recorded in another way, or the previous update contains it. Do not read `task` of other updates here: that
 * would build the whole task for each.
 */
export function toPlainUpdate(update: Update, inTask: boolean): PlainUpdate | undefined {
  const { seq, recovered } = update;
  const marks = { ...(seq !== undefined && { seq }), ...(recovered && { recovered }), ...(inTask && { inTask: true as const }) };
  switch (update.kind) {
    case 'task':
      return { kind: 'task', task: update.task, ...marks };
    case 'state': {
      const { state, message, timestamp } = update;
      const status = { state, ...(message && { message }), ...(timestamp !== undefined && { timestamp }) };
      return { kind: 'state', status, ...metadataOf(update), ...marks };
    }
    case 'artifact': {
      const { chunk, append, last } = update;
      return { kind: 'artifact', chunk, append, last, ...metadataOf(update), ...marks };
    }
    case 'message':
      return { kind: 'message', message: update.message, ...marks };
    default:
      return undefined;
  }
}

function metadataOf({ metadata }: Extract<Update, { kind: 'state' | 'artifact' }>): { readonly metadata?: JsonObject } {
  return metadata === undefined ? {} : { metadata };
}
