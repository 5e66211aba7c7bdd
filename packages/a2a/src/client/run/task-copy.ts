/**
 * A reader's copy of a task, with a view of its state after each event. The reducer's draft only appends to or replaces its arrays and
 * extends the last text of an artifact. So a view of the past is a few numbers: the number of messages, of artifacts and of parts per
 * artifact, and the length of the last text. A view costs the same for any length of the task. The Task itself is built when it is read,
 * and unchanged artifacts are the same objects.
 */
import { type ArtifactDraft, applyEvent, createDraft, type TaskDraft, type TaskEvent } from '../../protocol/apply-event.js';
import { isTerminal } from '../../protocol/task-state.js';
import { isTextPart } from '../../protocol/text-parts.js';
import type { Artifact, JsonObject, Message, Part, Task, TaskStatus } from '../../protocol/types.js';
import { textOf } from '../reply.js';
import { sizeOf } from './byte-limit.js';
import { type Mark, PastTask, type Slot, type TaskView } from './past-task.js';

export interface CopyOptions {
  /** Keeps appended texts as separate parts. Default false: each extends the text before it. */
  readonly keepParts?: boolean | undefined;
}

/** Below this number, old marks need little memory. */
const MAX_OLD_MARKS = 1_024;

export class TaskCopy {
  readonly #draft: TaskDraft;
  readonly #keepParts: boolean;
  #version = 0;
  #slots: Slot[] = [];
  #places = new Map<string, number>();
  /** The number of marks of earlier versions, weighted by what they keep in memory. */
  #oldMarks = 0;

  constructor(task: Task, options: CopyOptions = {}) {
    this.#keepParts = options.keepParts === true;
    this.#draft = createDraft(withoutCurrentWord(task));
    this.#markAll();
  }

  get id(): string {
    return this.#draft.id;
  }

  get contextId(): string | undefined {
    return this.#draft.contextId;
  }

  get status(): TaskStatus {
    return this.#draft.status;
  }

  get isFinal(): boolean {
    return isTerminal(this.#draft.status.state);
  }

  /** The current state: compare it immediately and do not keep it. */
  get artifacts(): readonly Artifact[] {
    return this.#draft.artifacts;
  }

  get history(): readonly Message[] {
    return this.#draft.history;
  }

  partsOf(artifactId: string): readonly Part[] | undefined {
    const place = this.#places.get(artifactId);
    return place === undefined ? undefined : this.#draft.artifacts[place]?.parts;
  }

  /** The estimated size of the task without one artifact. */
  sizeWithout(artifactId: string | undefined): number {
    const { artifacts, ...rest } = this.#draft;
    return sizeOf(rest) + sizeOf(artifactId === undefined ? artifacts : artifacts.filter((artifact) => artifact.artifactId !== artifactId));
  }

  /** A final task never changes. */
  apply(event: TaskEvent): void {
    if (this.isFinal) return;
    this.#version += 1;
    this.#keepMetadata(event);
    const own: TaskEvent = event.kind === 'task' ? { kind: 'task', task: withoutCurrentWord(event.task) } : event;
    applyEvent(this.#draft, own, { lenient: true, keepParts: this.#keepParts });
    if (event.kind === 'task') this.#markAll();
    if (event.kind === 'artifact') this.#mark(event.update.artifact, event.update.append === true);
  }

  /** Merges the metadata of an event that repeats the current status. The status and the history stay. */
  addMetadata(metadata: JsonObject | undefined): void {
    if (metadata === undefined || this.isFinal) return;
    this.#version += 1;
    this.#draft.metadata = { ...this.#draft.metadata, ...metadata };
  }

  view(): TaskView {
    return new PastTask(this.#draft, { slots: this.#slots, places: this.#places, version: this.#version });
  }

  /** The reducer merges metadata in place, but views of the past must keep the old values. */
  #keepMetadata(event: TaskEvent): void {
    const draft = this.#draft;
    if (event.kind === 'status' && event.update.metadata !== undefined && draft.metadata !== undefined) {
      draft.metadata = { ...draft.metadata };
    }
    if (event.kind !== 'artifact' || event.update.artifact.metadata === undefined) return;
    const known = draft.artifacts[this.#places.get(event.update.artifact.artifactId) ?? -1];
    if (known?.metadata !== undefined) known.metadata = { ...known.metadata };
  }

  #markAll(): void {
    const version = this.#version;
    this.#slots = this.#draft.artifacts.map((artifact) => {
      const { parts } = artifact;
      const whole = textOf(parts);
      const mark = { version, head: headOf(artifact), ...extentOf(parts), text: { whole }, length: whole.length, artifact: undefined };
      return [mark];
    });
    this.#oldMarks = 0;
    this.#places = new Map(this.#draft.artifacts.map(({ artifactId }, place) => [artifactId, place]));
  }

  #mark(chunk: Artifact, append: boolean): void {
    const place = this.#places.get(chunk.artifactId) ?? this.#slots.length;
    const artifact = this.#draft.artifacts[place];
    if (artifact === undefined) return; // cannot happen: the reducer has just added it
    const slot = this.#slots[place] ?? [];
    const last = slot.at(-1);
    const text = append && last !== undefined ? last.text : { whole: '' };
    text.whole += textOf(chunk.parts);
    if (last !== undefined) last.artifact = undefined;
    // Most chunks contain only parts.
    const head = append && last !== undefined && isBare(chunk) ? last.head : headOf(artifact);
    slot.push({
      version: this.#version,
      head,
      ...extentOf(artifact.parts),
      text,
      length: text.whole.length,
      artifact: undefined,
    });
    this.#slots[place] = slot;
    this.#places.set(chunk.artifactId, place);
    // A mark of replaced content counts more, because it keeps that content.
    if (last !== undefined) this.#oldMarks += append ? 1 : 1 + (sizeOf(last.parts) >> 8);
    if (this.#oldMarks > Math.max(MAX_OLD_MARKS, this.#slots.length, text.whole.length / 128)) this.#forgetOldMarks(text.whole);
  }

  /**
   * Views of earlier versions keep the old lists, so the marks live as long as those views. Otherwise each chunk would need memory until the
   * end of the task, also one that was replaced. A text that grew in small steps is a tree with a node per step, until it is read.
   */
  #forgetOldMarks(grown: string): void {
    this.#slots = this.#slots.map((slot) => slot.slice(-1));
    this.#oldMarks = 0;
    grown.charCodeAt(grown.length - 1);
  }
}

function extentOf(parts: readonly Part[]): Pick<Mark, 'parts' | 'count' | 'tail'> {
  const last = parts.at(-1);
  return { parts, count: parts.length, tail: isTextPart(last) ? last.text.length : undefined };
}

function isBare({ name, description, metadata, extensions }: Artifact): boolean {
  return name === undefined && description === undefined && metadata === undefined && extensions === undefined;
}

function headOf({ parts: _, ...head }: ArtifactDraft): Mark['head'] {
  return head;
}

/**
 * Some peers also store the current status message in the history. In the reducer it becomes history when the next status replaces it. With
 * both, it would be there twice, and a rebuilt task would differ from a watched one.
 */
function withoutCurrentWord(task: Task): Task {
  const id = task.status.message?.messageId ?? '';
  if (id === '' || !task.history?.some(({ messageId }) => messageId === id)) return task;
  return { ...task, history: task.history.filter(({ messageId }) => messageId !== id) };
}
