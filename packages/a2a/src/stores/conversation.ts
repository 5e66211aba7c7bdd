/** What was said in one task, read from its texts; every store joins conversations from this, so all of them agree. */
import type { Entry, StoredTask } from './store.js';

interface Said extends Pick<StoredTask, 'snapshot'> {
  readonly tail: readonly Entry[];
}

/**
 * The newest `limit` messages of a task as JSON texts, newest first. In the order of the log they are: the history of the snapshot,
 * the message of its status, then those that the entries since brought, as `input` or in a `status`. That is the history that
 * folding the whole log would give, with the current status message at its end.
 */
export function newestMessages(task: Said, limit: number): readonly string[] {
  const { text } = task.snapshot;
  const found: string[] = [];
  for (let index = task.tail.length - 1; index >= 0 && found.length < limit; index -= 1) {
    const message = messageOf(task.tail[index]);
    if (message !== undefined) found.push(message);
  }
  if (found.length < limit) found.push(...statusMessage(text.head));
  return found.concat(newestLines(text.history, limit - found.length));
}

function messageOf(entry: Entry | undefined): string | undefined {
  if (entry?.kind === 'input') return textAt(entry.json, ['input', 'request', 'message']);
  if (entry?.kind === 'status') return textAt(entry.json, ['statusUpdate', 'status', 'message']);
  return undefined;
}

function statusMessage(head: string): readonly string[] {
  const message = textAt(head, ['status', 'message']);
  return message === undefined ? [] : [message];
}

/** The JSON of a member deep inside. Most texts have no message at all, and those are not parsed. */
function textAt(json: string, path: readonly string[]): string | undefined {
  if (!json.includes('"message":')) return undefined;
  let value: unknown = JSON.parse(json);
  for (const member of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, member);
  }
  return value === undefined ? undefined : JSON.stringify(value);
}

/** Walks back from the end: the cost depends on what is wanted and not on what is there. */
function newestLines(lines: string, limit: number): readonly string[] {
  const found: string[] = [];
  for (let end = lines.length; found.length < limit && end > 0; ) {
    const start = lines.lastIndexOf('\n', end - 1) + 1;
    found.push(lines.slice(start, end));
    end = start - 1;
  }
  return found;
}
