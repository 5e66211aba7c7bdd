/**
 * The rule for events that come again after a gap, from peers that do not number their events. Artifacts are compared by content, because
 * a peer may cut the same text into other parts.
 *
 * - An artifact that begins again with known content is a repetition as long as its content matches. What lies behind the known content is
 *   new. At the first difference the artifact has begun anew, and everything held back since its first part is new.
 * - An artifact whose last chunk came before the gap stays settled: an appended chunk that is in it already is a repetition.
 * - A chunk appended to an unfinished artifact is new. Equal chunks in a row cannot be told from a repeated one, and dropping content is
 *   worse than repeating it.
 * - A status is a repetition if it is older than the newest one, or if its state, time and message were seen before it. A question that is
 *   older is one only if it or its message was seen before.
 */
import { isInterrupted, isTerminal } from '../../protocol/task-state.js';
import type { JsonObject, Part, TaskArtifactUpdateEvent, TaskStatus, TaskStatusUpdateEvent } from '../../protocol/types.js';
import { type Block, ContentCursor, contains, toBlocks } from './content-cursor.js';
import { isSameStatus } from './difference.js';
import { isSameJson } from './same-json.js';

/** An artifact that has begun again and has not differed so far. */
interface Repetition {
  readonly cursor: ContentCursor;
  /** New after all if the content differs later. */
  readonly held: TaskArtifactUpdateEvent[];
}

const NONE: readonly TaskArtifactUpdateEvent[] = [];

export class Replays {
  /** Artifacts whose last event was their last chunk. */
  readonly #finished: Set<string>;
  /** Artifacts that got new content since the gap. */
  readonly #renewed = new Set<string>();
  readonly #repetitions = new Map<string, Repetition>();
  /** Known content, built once per artifact and gap. */
  readonly #contents = new Map<string, readonly Block[]>();
  readonly #statuses = new Set<string>();
  /** Metadata that came with statuses which have neither a time nor a message. */
  readonly #metadata = new Set<string>();
  #newest: TaskStatus | undefined;
  #hasGap = false;

  constructor(finished: readonly string[] = []) {
    this.#finished = new Set(finished);
  }

  /** Artifacts whose last chunk has come. */
  get finished(): readonly string[] {
    return [...this.#finished];
  }

  /** Events from here on may have come before. */
  markGap(): void {
    this.#hasGap = true;
    this.#renewed.clear();
    this.#contents.clear();
  }

  /** Events from here on belong to another stream without a gap: all are new. */
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

  /** What is new in an event: nothing, the event or its rest, or the event and those that were held back before it. */
  newIn(update: TaskArtifactUpdateEvent, told: readonly Part[] | undefined): readonly TaskArtifactUpdateEvent[] {
    const { artifactId } = update.artifact;
    const mayRepeat = this.#hasGap && told !== undefined && !this.#renewed.has(artifactId);
    const events = mayRepeat ? this.#compare(update, told) : [update];
    for (const event of events) this.note(event);
    return events;
  }

  /** For events that are known to be new. */
  note({ artifact: { artifactId }, lastChunk }: TaskArtifactUpdateEvent): void {
    if (this.#hasGap) this.#renewed.add(artifactId);
    this.#repetitions.delete(artifactId);
    this.#contents.delete(artifactId);
    if (lastChunk === true) this.#finished.add(artifactId);
    else this.#finished.delete(artifactId);
  }

  /** The repetition is over, as a new status or the end of the task shows: artifacts that are still shorter than before have begun anew. */
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

  /** After a gap, the current status with its time or the id of its message is a repetition, whatever metadata comes with it. */
  isRepeated(status: TaskStatus, current: TaskStatus): boolean {
    if (!this.#hasGap || !isIdentifiable(status) || status.state !== current.state) return false;
    const isSameTime = status.timestamp === current.timestamp;
    return (isSameTime || Boolean(status.message?.messageId)) && isSameJson(status.message, current.message);
  }

  /** Whether a status that equals the current one brings metadata that did not come before the gap. */
  hasNewMetadata({ status, metadata }: TaskStatusUpdateEvent): boolean {
    return metadata !== undefined && !(this.#hasGap && this.#metadata.has(JSON.stringify([status.state, metadata])));
  }

  /** Never true for the end of a task. `isHeard`: its message came before, for example in the history of a snapshot. */
  hasStatus(status: TaskStatus, isHeard: boolean): boolean {
    const newest = this.#newest;
    if (!this.#hasGap || newest === undefined || isTerminal(status.state) || !isIdentifiable(status)) return false;
    const order = compareTimes(status, newest);
    if (order > 0 || isSameStatus(newest, status)) return false;
    // A question that is dropped would never be answered, and the clock of another node may be behind: its time alone says nothing.
    if (this.#statuses.has(keyOf(status))) return true;
    return isInterrupted(status.state) ? isHeard && order < 0 : isHeard || order < 0;
  }

  /** Whether a status cannot be a repetition. */
  isNewer(status: TaskStatus): boolean {
    if (isTerminal(status.state) || this.#newest === undefined) return true;
    return compareTimes(status, this.#newest) > 0 || (!this.#statuses.has(keyOf(status)) && status.message !== undefined);
  }

  /** A snapshot with this status is older than what is known. `current`: the status that is known. */
  isOlder(status: TaskStatus, current: TaskStatus): boolean {
    if (!this.#hasGap || isTerminal(status.state) || isSameStatus(current, status)) return false;
    if (isIdentifiable(status)) return this.#statuses.has(keyOf(status));
    // A task is submitted once, before everything else.
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

/** Below 0: the first is older. 0: their times say nothing. */
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
