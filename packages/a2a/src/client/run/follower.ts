/**
 * Turns what a peer sends into updates: each piece of the task once and in order, whether it comes as an event, again, or inside a snapshot
 * after a gap. It knows no network and no time.
 */
import { isTerminal } from '../../protocol/task-state.js';
import type { Message, StreamResponse, Task, TaskArtifactUpdateEvent, TaskStatus, TaskStatusUpdateEvent } from '../../protocol/types.js';
import type { StreamedEvent } from '../call.js';
import { collectText, textOf } from '../reply.js';
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
  /** The peer numbers its events over the whole task: a number that is not new is an event that is not new. */
  readonly numbered: boolean;
  /** The task that is followed, where it was there before; what its first snapshot holds is told as recovered. */
  readonly taskId?: string | undefined;
  /** Only what is behind this event is asked for. */
  readonly after?: number | undefined;
  /** What was seen before: it is not told again. */
  readonly from?: RunPlace | undefined;
  /** Appended texts stay parts of their own. */
  readonly keepParts?: boolean | undefined;
}

/** Where a snapshot comes from: a stream that begins with it, a poll, or a last look when streams failed. */
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

  constructor(options: FollowerOptions) {
    this.#options = options;
    const { from } = options;
    this.#replays = new Replays(from?.finished);
    this.#seq = options.numbered ? (from?.seq ?? options.after) : undefined;
    if (from !== undefined) this.#begin(from.task);
  }

  get taskId(): string | undefined {
    return this.#copy?.id ?? this.#options.taskId;
  }

  /** Learned from whatever names one. */
  get contextId(): string | undefined {
    return this.#contextId;
  }

  get status(): TaskStatus | undefined {
    return this.#copy?.status;
  }

  /** The task as it is now. */
  get task(): Task | undefined {
    return this.#copy?.view().task;
  }

  /** The same, built when somebody looks. */
  get view(): TaskView | undefined {
    return this.#copy?.view();
  }

  /** The last event seen, where the peer numbers them. */
  get seq(): number | undefined {
    return this.#seq;
  }

  /** Grows with everything that had not been told. */
  get news(): number {
    return this.#news;
  }

  /** The copy was begun in the middle and lacks what was before. */
  get isPartial(): boolean {
    return this.#isPartial;
  }

  /** The agent has answered without a task. A message that names a task is said beside it. */
  get isAnsweredByMessage(): boolean {
    return this.message !== undefined && !this.message.taskId;
  }

  /** What the agent said where there is no task. */
  get message(): Message | undefined {
    return this.#copy === undefined ? this.#spoken.messages.at(-1) : undefined;
  }

  /** The answer so far. */
  get text(): string {
    const { task } = this;
    return task === undefined ? this.#spoken.text : collectText(task, this.#spoken.messages);
  }

  /** Where to go on, for those who come back; undefined as long as there is no task, or only the end of one. */
  get place(): RunPlace | undefined {
    const task = this.#isPartial ? undefined : this.task;
    const { finished } = this.#replays;
    return task && { task, ...(this.#seq !== undefined && { seq: this.#seq }), ...(finished.length > 0 && { finished }) };
  }

  /** Events from here on may have come before. */
  markGap(): void {
    this.#replays.markGap();
  }

  /** Events from here on belong to another stream without a gap: all are new. */
  endGap(): void {
    this.#replays.endGap();
  }

  /** A subscription that begins with the Task counts from there, also where that is behind what was seen: the log is not the one it was. */
  beginSubscription({ response }: StreamedEvent): void {
    if (response.task !== undefined && !this.#isForeign(response)) this.#seq = undefined;
  }

  /**
   * Who numbers its events numbers all of them. One without a number has lost the end of its frame: it can be read, but not be resumed
   * from, and would come again.
   */
  isTorn({ seq, response }: StreamedEvent): boolean {
    if (seq !== undefined || this.#seq === undefined || response.message !== undefined) return false;
    return response.task === undefined || !isTerminal(response.task.status.state);
  }

  accept({ seq, response }: StreamedEvent): readonly Update[] {
    const { numbered } = this.#options;
    if (this.#isForeign(response)) return NONE;
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

  /** Takes a task that was asked for, and tells what is new in it. */
  look(task: Task, from: Exclude<SnapshotSource, 'stream'>): readonly Update[] {
    if (this.#isForeign({ task })) return NONE;
    this.#learn(task);
    return this.#snapshot(task, from);
  }

  /** Completes a copy that was begun in the middle. Nothing is told: what comes in was before the beginning. */
  complete(task: Task): void {
    if (this.#isForeign({ task }) || !isTerminal(task.status.state)) return;
    this.#copy = new TaskCopy(task, this.#options);
    this.#isPartial = false;
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
    // What was said before the beginning is no news.
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

  /** Gives the last word, where there is one. */
  #replaceCopy(task: Task): string {
    if (this.#copy === undefined) this.#copy = new TaskCopy(task, this.#options);
    else this.#copy.apply({ kind: 'task', task: withWhatIsMissing(this.#copy, task) });
    this.#isPartial = false;
    return this.#spoken.addLastWord(this.#copy);
  }

  /** A peer that repeats its whole log begins with the task as it was then: nothing in it is new. */
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
    // Without a time, two equal statuses may be two: the second is told, but it is no progress.
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
      // A caller that asked for what is behind an event has had the beginning.
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

  /** Some peers begin with an update instead of the Task: the copy grows from there. */
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

  /** Of another task: nothing of it may get into ours. */
  #isForeign({ task, statusUpdate, artifactUpdate, message }: StreamResponse): boolean {
    // A message may belong to no task, and some peers say so by an empty id.
    const id = task?.id ?? statusUpdate?.taskId ?? artifactUpdate?.taskId ?? (message?.taskId || undefined);
    return id !== undefined && this.taskId !== undefined && id !== this.taskId;
  }
}

function tellPiece(piece: ToldPiece, moment: Moment): Update[] {
  return tellArtifact(piece, moment, textOf(piece.chunk.parts));
}
