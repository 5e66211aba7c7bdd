/**
 * A task as text, as stores keep it. History and artifacts have one JSON value per line, so a shorter answer only needs to find newlines;
 * nothing is parsed.
 */
import type { ArtifactDraft, TaskDraft } from './apply-event.js';
import type { Message, Task } from './types.js';

/** A task as three pieces of JSON text, so that a list can leave out its history or artifacts without parsing it. */
export interface TaskText {
  /** JSON of the task without history and artifacts. */
  readonly head: string;
  /** One message per line, oldest first; empty when there is none. */
  readonly history: string;
  /** One artifact per line; empty when there is none. */
  readonly artifacts: string;
}

/** Options of `taskJson`: how much of the history and of the artifacts is written. */
export interface TaskJsonOptions {
  /** Maximum number of newest messages; 0 omits the member. Default: all. */
  readonly historyLength?: number | undefined;
  /** false omits the member; 'always' writes it even if there are none. Default true. */
  readonly artifacts?: boolean | 'always' | undefined;
}

/** Converts a task to text, as stores keep it; `fromTaskText` reads it again. */
export function toTaskText(draft: TaskDraft): TaskText {
  const { id, contextId, status, metadata, history, artifacts } = draft;
  return { head: JSON.stringify({ id, contextId, status, metadata }), history: toLines(history), artifacts: toLines(artifacts) };
}

/** Parses the text into a new draft. */
export function fromTaskText(text: TaskText): TaskDraft {
  return {
    // Written by toTaskText; stores return it unchanged.
    ...(JSON.parse(text.head) as Omit<TaskDraft, 'artifacts' | 'history'>),
    artifacts: JSON.parse(toArray(text.artifacts)) as ArtifactDraft[],
    history: JSON.parse(toArray(text.history)) as Message[],
  };
}

/** The JSON of the Task, concatenated from its texts. */
export function taskJson(text: TaskText, options: TaskJsonOptions = {}): string {
  const { historyLength, artifacts = true } = options;
  const history = historyLength === undefined ? text.history : lastLines(text.history, historyLength);
  let json = text.head.slice(0, -1);
  if (artifacts === 'always' || (artifacts && text.artifacts !== '')) json += `,"artifacts":${toArray(text.artifacts)}`;
  if (history !== '') json += `,"history":${toArray(history)}`;
  return `${json}}`;
}

/** The same JSON in pieces that are not copied: for a long task, one text would be a second copy of it. */
export function taskPieces(text: TaskText, options: TaskJsonOptions = {}): readonly string[] {
  const { historyLength, artifacts = true } = options;
  const history = historyLength === undefined ? text.history : lastLines(text.history, historyLength);
  const pieces = [text.head.slice(0, -1)];
  if (artifacts === 'always' || (artifacts && text.artifacts !== '')) addArray(pieces, ',"artifacts":[', text.artifacts);
  if (history !== '') addArray(pieces, ',"history":[', history);
  pieces.push('}');
  return pieces;
}

/** Lines shorter than this share a piece. */
const MIN_PIECE_CHARS = 64 * 1024;

function addArray(pieces: string[], open: string, lines: string): void {
  pieces.push(open);
  for (let start = 0; start < lines.length; ) {
    const newline = lines.indexOf('\n', start + MIN_PIECE_CHARS);
    const end = newline === -1 ? lines.length : newline;
    // A single line stays a part of the long text; only several short ones are copied.
    pieces.push(lines.slice(start, end).replaceAll('\n', ','));
    if (newline !== -1) pieces.push(',');
    start = end + 1;
  }
  pieces.push(']');
}

/** About the length of `taskJson` with these options, without creating it. */
export function taskJsonLength({ head, history, artifacts }: TaskText, options: TaskJsonOptions = {}): number {
  const withArtifacts = options.artifacts === false ? 0 : artifacts.length;
  const shown = options.historyLength === undefined ? history : lastLines(history, options.historyLength);
  return head.length + withArtifacts + shown.length;
}

/** One JSON value per line. */
function toLines(items: readonly unknown[]): string {
  let lines = '';
  for (const item of items) lines = addLine(lines, JSON.stringify(item));
  return lines;
}

export function addLine(lines: string, line: string): string {
  return lines === '' ? line : `${lines}\n${line}`;
}

/** JSON escapes newlines inside strings, so every newline here is between two items. */
function toArray(lines: string): string {
  return `[${lines.replaceAll('\n', ',')}]`;
}

export function countLines(lines: string): number {
  if (lines === '') return 0;
  let count = 1;
  for (let at = lines.indexOf('\n'); at !== -1; at = lines.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** The lines with numbers from `from` on and below `to`, counted from 0. */
export function sliceLines(lines: string, from: number, to: number): string {
  const start = startOf(lines, from);
  return to <= from || start > lines.length ? '' : lines.slice(start, startOf(lines, to) - 1);
}

/** Where line `n` begins. The line after the last one begins after its missing newline. */
function startOf(lines: string, n: number): number {
  let start = 0;
  for (let found = 0; found < n; found += 1) {
    start = lines.indexOf('\n', start) + 1;
    if (start === 0) return lines.length + 1;
  }
  return start;
}

/** Two texts of lines, one after the other. */
export function joinLines(first: string, second: string): string {
  return second === '' ? first : addLine(first, second);
}

/** Searches from the end, so the cost depends on `count` and not on the length of the history. */
export function lastLines(lines: string, count: number): string {
  if (count <= 0) return '';
  let start = lines.length + 1;
  for (let found = 0; found < count; found += 1) {
    start = start < 2 ? 0 : lines.lastIndexOf('\n', start - 2) + 1;
    if (start === 0) return lines;
  }
  return lines.slice(start);
}

/** A task whose history and artifacts are parsed when they are read for the first time: most turns read neither, and they may be long. */
export function lazyTask({ head, history, artifacts }: TaskText): Task {
  const task: Task = JSON.parse(head);
  if (artifacts !== '') defineLazily(task, 'artifacts', artifacts);
  if (history !== '') defineLazily(task, 'history', history);
  return task;
}

/** Enumerable and writable like a plain member, so that copies, JSON and changes by the executor work. */
function defineLazily(task: Task, name: 'artifacts' | 'history', lines: string): void {
  let parsed: { readonly value: unknown } | undefined;
  const define = (value: unknown): void => {
    Object.defineProperty(task, name, { value, enumerable: true, configurable: true, writable: true });
  };
  const read = (): unknown => {
    parsed ??= { value: JSON.parse(toArray(lines)) };
    // The accessor of a frozen or sealed task cannot be replaced, so that it is called for each read.
    if (Object.getOwnPropertyDescriptor(task, name)?.configurable) define(parsed.value);
    return parsed.value;
  };
  Object.defineProperty(task, name, { get: read, set: define, enumerable: true, configurable: true });
}
