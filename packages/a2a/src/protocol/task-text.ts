/**
 * A task as text: what stores keep and readers cut from. History and artifacts hold one JSON per line, so a shorter answer is a
 * matter of finding newlines; nothing is parsed.
 */
import type { ArtifactDraft, TaskDraft } from './apply-event.js';
import type { Message } from './types.js';

export interface TaskText {
  /** JSON of the task without history and artifacts. */
  readonly head: string;
  /** One message per line, oldest first; empty when there is none. */
  readonly history: string;
  /** One artifact per line; empty when there is none. */
  readonly artifacts: string;
}

export interface TaskJsonOptions {
  /** At most that many of the newest messages; 0 leaves the member out. Default: all. */
  readonly historyLength?: number | undefined;
  /** false leaves the member out; 'always' writes it even when there is none. Default true. */
  readonly artifacts?: boolean | 'always' | undefined;
}

export function toTaskText(draft: TaskDraft): TaskText {
  const { id, contextId, status, metadata, history, artifacts } = draft;
  return { head: JSON.stringify({ id, contextId, status, metadata }), history: toLines(history), artifacts: toLines(artifacts) };
}

/** A draft of its own, made by parsing. */
export function fromTaskText(text: TaskText): TaskDraft {
  return {
    // What toTaskText wrote; stores hand it back unchanged.
    ...(JSON.parse(text.head) as Omit<TaskDraft, 'artifacts' | 'history'>),
    artifacts: JSON.parse(toArray(text.artifacts)) as ArtifactDraft[],
    history: JSON.parse(toArray(text.history)) as Message[],
  };
}

/** The JSON of the Task, joined from its texts. */
export function taskJson(text: TaskText, options: TaskJsonOptions = {}): string {
  const { historyLength, artifacts = true } = options;
  const history = historyLength === undefined ? text.history : lastLines(text.history, historyLength);
  let json = text.head.slice(0, -1);
  if (artifacts === 'always' || (artifacts && text.artifacts !== '')) json += `,"artifacts":${toArray(text.artifacts)}`;
  if (history !== '') json += `,"history":${toArray(history)}`;
  return `${json}}`;
}

/** One JSON per line. */
export function toLines(items: readonly unknown[]): string {
  let lines = '';
  for (const item of items) lines = addLine(lines, JSON.stringify(item));
  return lines;
}

export function addLine(lines: string, line: string): string {
  return lines === '' ? line : `${lines}\n${line}`;
}

/** JSON escapes newlines inside strings, so each one found here stands between two items. */
function toArray(lines: string): string {
  return `[${lines.replaceAll('\n', ',')}]`;
}

/** Walks back from the end, so the cost depends on what is wanted and not on what is there. */
function lastLines(lines: string, count: number): string {
  if (count <= 0) return '';
  let start = lines.length + 1;
  for (let found = 0; found < count; found += 1) {
    start = start < 2 ? 0 : lines.lastIndexOf('\n', start - 2) + 1;
    if (start === 0) return lines;
  }
  return lines.slice(start);
}
