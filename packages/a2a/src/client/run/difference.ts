/** What a snapshot has that its reader was not told yet. Pure: two states in, the pieces between them out. */
import type { Artifact, Message, Part, Task, TaskStatus } from '../../protocol/types.js';
import { textOf } from '../reply.js';
import { ContentCursor, toBlocks } from './content-cursor.js';

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

/** The content behind what was told, wherever either side cuts its texts. A text without characters is no content. */
function partsAfter(told: readonly Part[] | undefined, now: readonly Part[]): Omit<NewParts, 'artifactId'> | undefined {
  if (told === undefined) return { parts: now, append: false };
  const cursor = new ContentCursor(toBlocks(told));
  const rest = cursor.skip(now);
  if (rest === undefined || !cursor.isAtEnd) return { parts: now, append: false };
  return rest.length === 0 ? undefined : { parts: rest, append: true };
}
