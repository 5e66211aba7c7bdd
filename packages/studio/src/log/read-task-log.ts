/** Reads all events of a task from the agent's log, for example those that this page missed because it was reloaded. */
import type { Client, Update } from '@parley/a2a/client';
import type { PlainUpdate } from '@parley/a2a/conversation';
import type { ConversationEvent } from '../ui/types.js';

interface TaskLog {
  readonly taskId: string;
  readonly messageId: string;
  /** The last seq to read. A task that waits for input has no end yet. */
  readonly lastSeq: number;
}

export async function* readTaskLog(
  client: Pick<Client, 'watch'>,
  { taskId, messageId, lastSeq }: TaskLog,
): AsyncGenerator<ConversationEvent> {
  for await (const update of client.watch(taskId, { after: 0, throwOn: 'never' })) {
    const plain = toPlain(update);
    if (plain) yield { at: timeOf(plain), kind: 'update', messageId, update: plain };
    if (update.seq !== undefined && update.seq >= lastSeq) return;
  }
}

/** Only state updates carry a time; for other events it is unknown. */
function timeOf(update: PlainUpdate): string {
  return update.kind === 'state' ? (update.status.timestamp ?? '') : '';
}

function toPlain(update: Update): PlainUpdate | undefined {
  const seq = update.seq === undefined ? {} : { seq: update.seq };
  switch (update.kind) {
    case 'task':
      return { kind: 'task', task: update.task, ...seq };
    case 'state': {
      const { state, message, timestamp } = update;
      return { kind: 'state', status: { state, ...(message && { message }), ...(timestamp !== undefined && { timestamp }) }, ...seq };
    }
    case 'artifact':
      return { kind: 'artifact', chunk: update.chunk, append: update.append, last: update.last, ...seq };
    case 'message':
      return { kind: 'message', message: update.message, ...seq };
    default:
      return undefined;
  }
}
