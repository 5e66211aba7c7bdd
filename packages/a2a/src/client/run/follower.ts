/**
 * Converts what a peer sends to updates: each piece of the task once and in order, whether it arrives as an event, as a repeated event, or
 * inside a snapshot after a gap. It uses neither network nor time.
 */
import { isTerminal } from '../../protocol/task-state.js';
import type { Message, StreamResponse, Task, TaskArtifactUpdateEvent, TaskStatus, TaskStatusUpdateEvent } from '../../protocol/types.js';
import type { StreamedEvent } from '../call.js';
import { collectText, textOf } from '../reply.js';
import { ByteLimit, sizeOf, sizeOfChunk } from './byte-limit.js';
import { ContentCursor, toBlocks } from './content-cursor.js';
import { clears, isSameStatus, newArtifactParts, withWhatIsMissing } from './difference.js';
import type { TaskView } from './past-task.js';
import { Replays } from './replays.js';
import { isSameJson } from './same-json.js';
import { Spoken } from './spoken.js';
import { TaskCopy } from './task-copy.js';
import { type Moment, type ToldPiece, tellArtifact, tellMessage, tellState, tellTask } from './told.js';
import type { RunPlace, Update } from './update.js';

export interface FollowerOptions {
  /** True if the peer numbers its events over the whole task. An event with an old number is then a repetition. */
  readonly numbered: boolean;
  /** The id of an existing task to follow. The content of its first snapshot is marked as recovered. */
  readonly taskId?: string | undefined;
  /** Deliver only events after this number. */
  readonly after?: number | undefined;
  /** Content that was delivered before and is not delivered again. */
  readonly from?: RunPlace | undefined;
  /** Appended texts stay separate parts. */
  readonly keepParts?: boolean | undefined;
  /** Maximum size of the task. Default: no limit. */
  readonly maxBytes?: number | undefined;
}

/** The source of a snapshot: the beginning of a stream, a poll, or the last request after streams failed. */
export type SnapshotSource = 'stream' | 'poll' | 'look';

const NONE: readonly Update[] = [];

export class Follower {
  readonly #options: FollowerOptions;
  #copy: TaskCopy | undefined;
  #contextId: string | undefined;
  #seq: number | undefined;
  #news = 0;
  #isPartial = false;
  readonly #spoken = new Spoken();
  readonly #replays: Replays;
  readonly #limit: ByteLimit;

  constructor(options: FollowerOptions) {
    this.#options = options;
    const { from } = options;
    this.#limit = new ByteLimit(options.maxBytes);
    this.#replays = new Replays(from?.finished);
    this.#seq = options.numbered ? (from?.seq ?? options.after) : undefined;
    if (from !== undefined) this.#begin(from.task);
  }

  get taskId(): string | undefined {
    return this.#copy?.id ?? this.#options.taskId;
  }

  /** Taken from any event that contains one. */
  get contextId(): string | undefined {
    return this.#contextId;
  }

  get status(): TaskStatus | undefined {
    return this.#copy?.status;
  }

  /** The current task. */
  get task(): Task | undefined {
    return this.#copy?.view().task;
  }

  /** The same task, built on first access. */
  get view(): TaskView | undefined {
    return this.#copy?.view();
  }

  /** The number of the last event, if the peer numbers its events. */
  get seq(): number | undefined {
    return this.#seq;
  }

  /** Increases with every new piece of content. */
  get news(): number {
    return this.#news;
  }

  /** True if the copy began in the middle and lacks earlier content. */
  get isPartial(): boolean {
    return this.#isPartial;
  }

  /** True if the agent replied without a task. A message that names a task belongs to that task. */
  get isAnsweredByMessage(): boolean {
    return this.message !== undefined && !this.message.taskId;
  }

  /** The message of the agent, if there is no task. */
  get message(): Message | undefined {
    return this.#copy === undefined ? this.#spoken.messages.at(-1) : undefined;
  }

  /** The answer so far. */
  get text(): string {
    const { task } = this;
    return task === undefined ? this.#spoken.text : collectText(task, this.#spoken.messages);
  }

  /** The position for a later `watch`. Undefined while there is no task, or only the end of one. */
  get place(): RunPlace | undefined {
    const task = this.#isPartial ? undefined : this.task;
    const { finished } = this.#replays;
    return task && { task, ...(this.#seq !== undefined && { seq: this.#seq }), ...(finished.length > 0 && { finished }) };
  }

  /** From now on, events may be repetitions. */
  markGap(): void {
    this.#replays.markGap();
  }

  /** From now on, events belong to another stream without a gap: all are new. */
  endGap(): void {
    this.#replays.endGap();
  }

  /** A subscription that begins with the Task restarts the numbering, even below the last seen number: the log is a different one. */
  beginSubscription({ response }: StreamedEvent): void {
    if (response.task !== undefined && !this.#isForeign(response)) this.#seq = undefined;
  }

  /**
   * A peer that numbers its events numbers all of them. An event without a number has lost the end of its frame. Its content is readable,
   * but the stream cannot resume after it, and the event would be sent again.
   */
  isTorn({ seq, response }: StreamedEvent): boolean {
    if (seq !== undefined || this.#seq === undefined || response.message !== undefined) return false;
    return response.task === undefined || !isTerminal(response.task.status.state);
  }

  /** Throws if the task becomes too large. */
  accept({ seq, response }: StreamedEvent): readonly Update[] {
    const { numbered } = this.#options;
    if (this.#isForeign(response)) return NONE;
    this.#checkSize(response);
    if (numbered && seq !== undefined) {
      if (this.#seq !== undefined && seq <= this.#seq) return NONE;
      this.#seq = seq;
    }
    const { task, statusUpdate, artifactUpdate, message } = response;
    this.#learn(task ?? statusUpdate ?? artifactUpdate ?? message);
    if (task !== undefined) return this.#snapshot(task, 'stream');
    if (statusUpdate !== undefined) return this.#status(statusUpdate);
    if (artifactUpdate !== undefined) return this.#artifact(artifactUpdate);
    return message === undefined ? NONE : this.#message(message);
  }

  /** Processes a requested task and returns the updates for its new content. */
  look(task: Task, from: Exclude<SnapshotSource, 'stream'>): readonly Update[] {
    if (this.#isForeign({ task })) return NONE;
    this.#checkSize({ task });
    this.#learn(task);
    return this.#snapshot(task, from);
  }

  /** Completes a partial copy. Yields no updates, because the added content is older than the start. */
  complete(task: Task): void {
    if (this.#isForeign({ task }) || !isTerminal(task.status.state)) return;
    this.#copy = new TaskCopy(task, this.#options);
    this.#isPartial = false;
  }

  #checkSize({ task, statusUpdate, artifactUpdate, message }: StreamResponse): void {
    const size = artifactUpdate === undefined ? sizeOf(task ?? statusUpdate ?? message) : sizeOfChunk(artifactUpdate);
    if (this.#limit.add(size)) return;
    const replaced = artifactUpdate?.append === true ? undefined : artifactUpdate?.artifact.artifactId;
    const kept = task === undefined ? (this.#copy?.sizeWithout(replaced) ?? 0) : 0;
    this.#limit.reset(size + kept + sizeOf(this.#spoken.messages) + this.#replays.size);
  }

  #snapshot(task: Task, from: SnapshotSource): readonly Update[] {
    const known = this.#copy;
    if (known?.isFinal) return NONE;
    if (from === 'stream' && known !== undefined && this.#isOld(known, task)) return NONE;
    const changed = newArtifactParts(known, task);
    this.#replays.replaced(
      task.status,
      changed.map(({ artifactId }) => artifactId),
    );
    const pieces = changed.map(({ artifactId, parts, append }) => ({
      chunk: { ...task.artifacts?.findLast((artifact) => artifact.artifactId === artifactId), artifactId, parts },
      append,
      cleared: clears(append, known?.partsOf(artifactId)),
    }));
    const heard = this.#spoken.hearAll(task);
    // Messages from before the start are not new.
    const unheard = known === undefined ? [] : heard;
    const hasMoved = known === undefined || !isSameStatus(known.status, task.status);
    const news = pieces.length + unheard.length + (hasMoved ? 1 : 0);
    this.#news += news;
    const word = this.#replaceCopy(task);
    if (news === 0 && from !== 'stream') return NONE;
    const recovered = from !== 'poll' && (known !== undefined || this.#options.taskId !== undefined);
    const moment = { ...this.#moment(this.#copy), recovered };
    const { view } = moment;
    const updates: Update[] = view !== undefined && (known === undefined || from !== 'poll') ? [tellTask(view, moment)] : [];
    for (const message of unheard) updates.push(...tellMessage(message, moment, ''));
    const last = isTerminal(task.status.state);
    for (const piece of pieces) updates.push(...tellPiece({ ...piece, last }, moment));
    if (hasMoved) updates.push(...tellState({ status: task.status }, moment, word));
    return updates;
  }

  /** Returns the final message text, if there is one. */
  #replaceCopy(task: Task): string {
    if (this.#copy === undefined) this.#copy = new TaskCopy(task, this.#options);
    else this.#copy.apply({ kind: 'task', task: withWhatIsMissing(this.#copy, task) });
    this.#isPartial = false;
    return this.#spoken.addLastWord(this.#copy);
  }

  /** A peer that repeats its whole log begins with an old version of the task, in which nothing is new. */
  #isOld(known: TaskCopy, { status, artifacts = [] }: Task): boolean {
    if (this.#seq !== undefined || !this.#replays.isOlder(status, known.status)) return false;
    return artifacts.every(({ artifactId, parts }) => {
      const told = known.partsOf(artifactId);
      return told !== undefined && new ContentCursor(toBlocks(told)).skip(parts)?.length === 0;
    });
  }

  #status(update: TaskStatusUpdateEvent): readonly Update[] {
    const { status } = update;
    const copy = this.#copyFor(update);
    if (copy.isFinal) return NONE;
    if (this.#seq === undefined && this.#replays.isRepeated(status, copy.status)) {
      copy.addMetadata(update.metadata);
      return NONE;
    }
    const isRepeated = this.#seq === undefined && isSameJson(copy.status, status) && !this.#replays.hasNewMetadata(update);
    // Without a time, two equal statuses may be two separate events: the second is delivered, but does not count as progress.
    if (isRepeated && status.timestamp !== undefined) return NONE;
    const isHeard = status.message !== undefined && this.#spoken.hasHeard(status.message);
    if (this.#seq === undefined && !isSameStatus(copy.status, status) && this.#replays.hasStatus(status, isHeard)) return NONE;
    const released = this.#replays.isNewer(status) ? this.#apply(copy, this.#replays.release()) : NONE;
    if (this.#seq === undefined) this.#replays.noteStatus(status, update.metadata);
    copy.apply({ kind: 'status', update });
    if (status.message !== undefined) this.#spoken.hear(status.message);
    if (!isRepeated) this.#news += 1;
    const word = this.#spoken.addLastWord(copy);
    return [...released, ...tellState(update, this.#moment(copy), word)];
  }

  #artifact(update: TaskArtifactUpdateEvent): readonly Update[] {
    const copy = this.#copyFor(update);
    if (copy.isFinal) return NONE;
    if (this.#seq === undefined) return this.#apply(copy, this.#replays.newIn(update, copy.partsOf(update.artifact.artifactId)));
    this.#replays.note(update);
    return this.#apply(copy, [update]);
  }

  #apply(copy: TaskCopy, events: readonly TaskArtifactUpdateEvent[]): readonly Update[] {
    const updates: Update[] = [];
    for (const update of events) {
      const { artifact, append = false, lastChunk: last = false, metadata } = update;
      const told = copy.partsOf(artifact.artifactId);
      // A caller with `after` has already received the beginning of the artifact.
      const isFurther = append && (told !== undefined || this.#options.after !== undefined);
      const cleared = clears(isFurther, told);
      copy.apply({ kind: 'artifact', update });
      this.#news += 1;
      updates.push(...tellPiece({ chunk: artifact, append: isFurther, last, cleared, metadata }, this.#moment(copy)));
    }
    return updates;
  }

  #message(message: Message): readonly Update[] {
    if (!this.#spoken.hear(message)) return NONE;
    const delta = this.#spoken.add(message);
    this.#news += 1;
    return tellMessage(message, this.#moment(this.#copy), delta);
  }

  #moment(copy: TaskCopy | undefined): Moment {
    return { view: copy?.view(), spoken: this.#spoken.text, seq: this.#seq };
  }

  /** Some peers begin with an update instead of the Task: the copy then starts empty. */
  #copyFor({ taskId: id, contextId }: { readonly taskId: string; readonly contextId: string }): TaskCopy {
    if (this.#copy === undefined) {
      this.#isPartial = true;
      const task: Task = { id, ...(contextId !== '' && { contextId }), status: { state: 'TASK_STATE_UNSPECIFIED' } };
      this.#copy = new TaskCopy(task, this.#options);
    }
    return this.#copy;
  }

  #begin(task: Task): void {
    this.#learn(task);
    this.#spoken.hearAll(task);
    this.#replays.noteStatus(task.status);
    this.#copy = new TaskCopy(task, this.#options);
  }

  #learn(named: { readonly contextId?: string } | undefined): void {
    if (named?.contextId) this.#contextId = named.contextId;
  }

  /** True for an event of another task, which must not change ours. */
  #isForeign({ task, statusUpdate, artifactUpdate, message }: StreamResponse): boolean {
    // A message may belong to no task, and some peers send an empty id for that.
    const id = task?.id ?? statusUpdate?.taskId ?? artifactUpdate?.taskId ?? (message?.taskId || undefined);
    return id !== undefined && this.taskId !== undefined && id !== this.taskId;
  }
}

function tellPiece(piece: ToldPiece, moment: Moment): Update[] {
  return tellArtifact(piece, moment, textOf(piece.chunk.parts));
}
