/** What a snapshot has that its reader was not told yet. Pure: two states in, the pieces between them out. */
import { isTextPart } from '../../protocol/text-parts.js';
import type { Artifact, Message, Part, Task, TaskStatus } from '../../protocol/types.js';
import { textOf } from '../reply.js';

/** Parts that are new to the reader; `append` false: the artifact is new, or is no longer the one that was told. */
export interface NewParts {
  readonly artifactId: string;
  readonly parts: readonly Part[];
  readonly append: boolean;
}

export interface KnownTask {
  readonly artifacts: readonly Artifact[];
  readonly history: readonly Message[];
  partsOf(artifactId: string): readonly Part[] | undefined;
}

/** Each artifact that has grown, is new or was replaced, in the snapshot's order. */
export function newArtifactParts(known: KnownTask | undefined, snapshot: Task): NewParts[] {
  const last = new Map((snapshot.artifacts ?? []).map((artifact) => [artifact.artifactId, artifact]));
  const pieces: NewParts[] = [];
  for (const { artifactId, parts } of last.values()) {
    const rest = partsAfter(known?.partsOf(artifactId), parts);
    if (rest !== undefined) pieces.push({ artifactId, ...rest });
  }
  return pieces;
}

/**
 * The snapshot, with what the reader was told and the snapshot does not have: the protocol takes no artifact back, so one that is missing
 * was left out, as was a history that is not there at all.
 */
export function withWhatIsMissing(known: KnownTask | undefined, snapshot: Task): Task {
  if (known === undefined) return snapshot;
  const present = new Set((snapshot.artifacts ?? []).map(({ artifactId }) => artifactId));
  const missing = known.artifacts.filter(({ artifactId }) => !present.has(artifactId));
  const history = snapshot.history ?? known.history;
  if (missing.length === 0) return { ...snapshot, history };
  return { ...snapshot, history, artifacts: [...missing, ...(snapshot.artifacts ?? [])] };
}

/** Whether a piece takes text back that was told: it begins its artifact anew. */
export function clears(append: boolean, told: readonly Part[] | undefined): boolean {
  return !append && told !== undefined && textOf(told) !== '';
}

/** Whether two statuses say the same, as far as can be seen: by state, time and message. */
export function isSameStatus(one: TaskStatus | undefined, other: TaskStatus): boolean {
  if (one === other) return true;
  if (one === undefined || one.state !== other.state) return false;
  return one.timestamp === other.timestamp && one.message?.messageId === other.message?.messageId;
}

/** Whether both lists have the same content, wherever their texts are cut. */
export function isSameContent(one: readonly Part[] | undefined, other: readonly Part[]): boolean {
  return partsAfter(one, other) === undefined;
}

/**
 * What comes behind the parts told. Texts are compared across parts: one side may keep the pieces of a text apart, and the other one may
 * join them. A text without characters is no content.
 */
function partsAfter(told: readonly Part[] | undefined, now: readonly Part[]): Omit<NewParts, 'artifactId'> | undefined {
  if (told === undefined) return { parts: now, append: false };
  const cursor = { part: 0, offset: 0 };
  for (const part of told) {
    const matches = part.text === undefined ? skipPart(now, cursor, part) : skipText(now, cursor, part.text);
    if (!matches) return { parts: now, append: false };
  }
  const cut = cursor.offset > 0 ? now[cursor.part] : undefined;
  const rest = now.slice(cut === undefined ? cursor.part : cursor.part + 1);
  if (cut?.text !== undefined && cursor.offset < cut.text.length) rest.unshift({ ...cut, text: cut.text.slice(cursor.offset) });
  return rest.every(isEmptyText) ? undefined : { parts: rest, append: true };
}

interface Cursor {
  part: number;
  offset: number;
}

function skipPart(now: readonly Part[], cursor: Cursor, part: Part): boolean {
  finishText(now, cursor);
  while (cursor.offset === 0 && isEmptyText(now[cursor.part])) cursor.part += 1;
  const here = now[cursor.part];
  if (cursor.offset > 0 || here === undefined || !isSameJson(part, here)) return false;
  cursor.part += 1;
  return true;
}

function skipText(now: readonly Part[], cursor: Cursor, text: string): boolean {
  if (cursor.offset === 0 && now[cursor.part]?.text === text) {
    cursor.part += 1;
    return true;
  }
  let at = 0;
  while (at < text.length) {
    const here = now[cursor.part]?.text;
    if (here === undefined) return false;
    const length = Math.min(here.length - cursor.offset, text.length - at);
    if (here.slice(cursor.offset, cursor.offset + length) !== text.slice(at, at + length)) return false;
    at += length;
    cursor.offset += length;
    if (at < text.length) finishText(now, cursor);
  }
  return true;
}

function isEmptyText(part: Part | undefined): boolean {
  return isTextPart(part) && part.text === '';
}

/** Steps over a part of which all text was matched. */
function finishText(now: readonly Part[], cursor: Cursor): void {
  if (cursor.offset < (now[cursor.part]?.text?.length ?? Number.POSITIVE_INFINITY)) return;
  cursor.part += 1;
  cursor.offset = 0;
}

export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const ours = Object.entries(one);
  const theirs = new Map<string, unknown>(Object.entries(other));
  return ours.length === theirs.size && ours.every(([name, value]) => theirs.has(name) && isSameJson(value, theirs.get(name)));
}
