/**
 * Detects repeated events after a gap, for peers that do not number their events. Artifacts are compared by content, because a peer may
 * split the same text into different parts.
 *
 * - An artifact that starts again with known content is a repetition as long as its content matches. Content after the known content is
 *   new. At the first difference the artifact has started again, and everything held back since its first part is new.
 * - An artifact whose last chunk came before the gap stays finished: an appended chunk that it already contains is a repetition.
 * - A chunk appended to an unfinished artifact is new. Consecutive equal chunks cannot be distinguished from a repeated one, and losing
 *   content is worse than repeating it.
 * - A status is a repetition if it is older than the newest one, or if its state, time and message were seen before it. An older question
 *   is a repetition only if the question or its message was seen before.
 */
import { isInterrupted, isTerminal } from '../../protocol/task-state.js';
import type { JsonObject, Part, TaskArtifactUpdateEvent, TaskStatus, TaskStatusUpdateEvent } from '../../protocol/types.js';
import { sizeOf } from './byte-limit.js';
import { type Block, ContentCursor, contains, toBlocks } from './content-cursor.js';
import { isSameStatus } from './difference.js';
import { isSameJson } from './same-json.js';

/** An artifact that has started again and has matched so far. */
interface Repetition {
  readonly cursor: ContentCursor;
  /** These events are new if the content differs later. */
  readonly held: TaskArtifactUpdateEvent[];
}

const NONE: readonly TaskArtifactUpdateEvent[] = [];

export class Replays {
  /** Artifacts whose last event was their last chunk. */
  readonly #finished: Set<string>;
  /** Artifacts with new content since the gap. */
  readonly #renewed = new Set<string>();
  readonly #repetitions = new Map<string, Repetition>();
  /** Known content, built once per artifact and gap. */
  readonly #contents = new Map<string, readonly Block[]>();
  readonly #statuses = new Set<string>();
  /** Metadata of statuses that have neither a time nor a message. */
  readonly #metadata = new Set<string>();
  #newest: TaskStatus | undefined;
  #hasGap = false;

  constructor(finished: readonly string[] = []) {
    this.#finished = new Set(finished);
  }

  /** Artifacts whose last chunk has arrived. */
  get finished(): readonly string[] {
    return [...this.#finished];
  }

  /** The estimated size of the statuses that were seen. */
  get size(): number {
    return sizeOf([...this.#statuses, ...this.#metadata]);
  }

  /** From now on, events may be repetitions. */
  markGap(): void {
    this.#hasGap = true;
    this.#renewed.clear();
    this.#contents.clear();
  }

  /** From now on, events belong to another stream without a gap: all are new. */
  endGap(): void {
    this.#hasGap = false;
    this.#repetitions.clear();
  }

  /** A snapshot has replaced the content. Artifacts that it changed were not finished. */
  replaced(status: TaskStatus, changed: Iterable<string>): void {
    this.noteStatus(status);
    this.#repetitions.clear();
    this.#contents.clear();
    for (const artifactId of changed) this.#finished.delete(artifactId);
  }

  /** Returns what is new in an event: nothing, the event or its rest, or the event and those that were held back before it. */
  newIn(update: TaskArtifactUpdateEvent, told: readonly Part[] | undefined): readonly TaskArtifactUpdateEvent[] {
    const { artifactId } = update.artifact;
    const mayRepeat = this.#hasGap && told !== undefined && !this.#renewed.has(artifactId);
    const events = mayRepeat ? this.#compare(update, told) : [update];
    for (const event of events) this.note(event);
    return events;
  }

  /** Records an event that is known to be new. */
  note({ artifact: { artifactId }, lastChunk }: TaskArtifactUpdateEvent): void {
    if (this.#hasGap) this.#renewed.add(artifactId);
    this.#repetitions.delete(artifactId);
    this.#contents.delete(artifactId);
    if (lastChunk === true) this.#finished.add(artifactId);
    else this.#finished.delete(artifactId);
  }

  /** A new status or the end of the task ends the repetition: artifacts that are still shorter than before have started again. */
  release(): readonly TaskArtifactUpdateEvent[] {
    if (this.#repetitions.size === 0) return NONE;
    const events = [...this.#repetitions.values()].flatMap(({ held }) => held);
    for (const event of events) this.note(event);
    return events;
  }

  noteStatus(status: TaskStatus, metadata?: JsonObject): void {
    this.#newest = status;
    if (isIdentifiable(status)) this.#statuses.add(keyOf(status));
    else if (metadata !== undefined) this.#metadata.add(JSON.stringify([status.state, metadata]));
  }

  /** After a gap, the current status with its time or message id is a repetition, regardless of its metadata. */
  isRepeated(status: TaskStatus, current: TaskStatus): boolean {
    if (!this.#hasGap || !isIdentifiable(status) || status.state !== current.state) return false;
    const isSameTime = status.timestamp === current.timestamp;
    return (isSameTime || Boolean(status.message?.messageId)) && isSameJson(status.message, current.message);
  }

  /** True if a status that equals the current one has metadata that was not seen before the gap. */
  hasNewMetadata({ status, metadata }: TaskStatusUpdateEvent): boolean {
    return metadata !== undefined && !(this.#hasGap && this.#metadata.has(JSON.stringify([status.state, metadata])));
  }

  /** Never true for the end of a task. `isHeard`: its message was seen before, for example in the history of a snapshot. */
  hasStatus(status: TaskStatus, isHeard: boolean): boolean {
    const newest = this.#newest;
    if (!this.#hasGap || newest === undefined || isTerminal(status.state) || !isIdentifiable(status)) return false;
    const order = compareTimes(status, newest);
    if (order > 0 || isSameStatus(newest, status)) return false;
    // A dropped question would never be answered, and the clock of another node may be behind, so the time alone is not sufficient.
    if (this.#statuses.has(keyOf(status))) return true;
    return isInterrupted(status.state) ? isHeard && order < 0 : isHeard || order < 0;
  }

  /** True if a status cannot be a repetition. */
  isNewer(status: TaskStatus): boolean {
    if (isTerminal(status.state) || this.#newest === undefined) return true;
    return compareTimes(status, this.#newest) > 0 || (!this.#statuses.has(keyOf(status)) && status.message !== undefined);
  }

  /** True if a snapshot with this status is older than the known state. `current` is the known status. */
  isOlder(status: TaskStatus, current: TaskStatus): boolean {
    if (!this.#hasGap || isTerminal(status.state) || isSameStatus(current, status)) return false;
    if (isIdentifiable(status)) return this.#statuses.has(keyOf(status));
    // A task is SUBMITTED only once, before all other states.
    return status.state === 'TASK_STATE_SUBMITTED' && current.state !== 'TASK_STATE_UNSPECIFIED';
  }

  #compare(update: TaskArtifactUpdateEvent, told: readonly Part[]): readonly TaskArtifactUpdateEvent[] {
    const { artifact, append, lastChunk } = update;
    const { artifactId, parts } = artifact;
    const isFinished = this.#finished.has(artifactId);
    const repetition =
      append === true ? this.#repetitions.get(artifactId) : { cursor: new ContentCursor(this.#contentOf(artifactId, told)), held: [] };
    if (repetition === undefined) return isFinished && contains(this.#contentOf(artifactId, told), parts) ? NONE : [update];
    const { cursor, held } = repetition;
    const rest = cursor.skip(parts);
    if (rest === undefined || (lastChunk === true && !cursor.isAtEnd)) return [...held, update];
    const further = { ...update, append: true, artifact: { ...artifact, parts: rest } };
    if (rest.length > 0) return [further];
    if (!cursor.isAtEnd) {
      held.push(update);
      this.#repetitions.set(artifactId, repetition);
      return NONE;
    }
    this.#repetitions.delete(artifactId);
    return lastChunk === true && !isFinished ? [further] : NONE;
  }

  #contentOf(artifactId: string, told: readonly Part[]): readonly Block[] {
    const known = this.#contents.get(artifactId) ?? toBlocks(told);
    this.#contents.set(artifactId, known);
    return known;
  }
}

/** Negative: the first is older. 0: the times give no order. */
function compareTimes({ timestamp: one }: TaskStatus, { timestamp: other }: TaskStatus): number {
  if (one === undefined || other === undefined) return 0;
  const order = Date.parse(one) - Date.parse(other);
  return Number.isNaN(order) ? 0 : order;
}

function isIdentifiable({ timestamp, message }: TaskStatus): boolean {
  return timestamp !== undefined || (message !== undefined && message.messageId !== '');
}

function keyOf({ state, timestamp = '', message }: TaskStatus): string {
  return `${state} ${timestamp} ${message?.messageId ?? ''}`;
}
