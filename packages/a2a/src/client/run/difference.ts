/** Computes what a snapshot contains beyond what was already delivered. Pure: two states in, the difference out. */
import type { Artifact, Message, Part, Task, TaskStatus } from '../../protocol/types.js';
import { textOf } from '../reply.js';
import { ContentCursor, toBlocks } from './content-cursor.js';

/** Parts that were not delivered yet. `append` false: the artifact is new, or differs from what was delivered. */
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

/** Returns each artifact that has grown, is new or was replaced, in the order of the snapshot. */
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
 * Adds delivered content that the snapshot lacks. The protocol never removes an artifact, so a missing artifact was only omitted, and so
 * was a missing history.
 */
export function withWhatIsMissing(known: KnownTask | undefined, snapshot: Task): Task {
  if (known === undefined) return snapshot;
  const present = new Set((snapshot.artifacts ?? []).map(({ artifactId }) => artifactId));
  const missing = known.artifacts.filter(({ artifactId }) => !present.has(artifactId));
  const history = snapshot.history ?? known.history;
  if (missing.length === 0) return { ...snapshot, history };
  return { ...snapshot, history, artifacts: [...missing, ...(snapshot.artifacts ?? [])] };
}

/** True if a piece discards delivered text, because it starts its artifact again. */
export function clears(append: boolean, told: readonly Part[] | undefined): boolean {
  return !append && told !== undefined && textOf(told) !== '';
}

/** True if two statuses are equal as far as can be seen: by state, time and message. */
export function isSameStatus(one: TaskStatus | undefined, other: TaskStatus): boolean {
  if (one === other) return true;
  if (one === undefined || one.state !== other.state) return false;
  return one.timestamp === other.timestamp && one.message?.messageId === other.message?.messageId;
}

/** Returns the content after what was delivered, regardless of how either side splits its texts. An empty text is not content. */
function partsAfter(told: readonly Part[] | undefined, now: readonly Part[]): Omit<NewParts, 'artifactId'> | undefined {
  if (told === undefined) return { parts: now, append: false };
  const cursor = new ContentCursor(toBlocks(told));
  const rest = cursor.skip(now);
  if (rest === undefined || !cursor.isAtEnd) return { parts: now, append: false };
  return rest.length === 0 ? undefined : { parts: rest, append: true };
}
