/**
 * Extracts the messages of one task from its stored texts. Every store builds conversations with it, so that all stores return the same.
 */
import type { TaskText } from '../protocol/task-text.js';
import type { Entry } from './store.js';

interface Said {
  readonly snapshot: { readonly text: Pick<TaskText, 'head' | 'history'> };
  readonly tail: readonly Entry[];
}

/**
 * The newest `limit` messages of a task as JSON texts, newest first. Their order in the log: the history of the snapshot, the message of
 * its status, then the messages of later entries (`input` or `status`). This equals the history that results from folding the whole log,
 * followed by the current status message.
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

/** The JSON of a nested member. Most texts contain no message, and those are not parsed. */
function textAt(json: string, path: readonly string[]): string | undefined {
  if (!json.includes('"message":')) return undefined;
  let value: unknown = JSON.parse(json);
  for (const member of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, member);
  }
  return value === undefined ? undefined : JSON.stringify(value);
}

/** Scans back from the end, so that the cost depends on `limit` and not on the length of the history. */
function newestLines(lines: string, limit: number): readonly string[] {
  const found: string[] = [];
  for (let end = lines.length; found.length < limit && end > 0; ) {
    const start = lines.lastIndexOf('\n', end - 1) + 1;
    found.push(lines.slice(start, end));
    end = start - 1;
  }
  return found;
}
