/**
 * A reader's own copy of a task, and what it looked like after each event. The reducer's draft only ever grows or swaps its arrays, so a
 * view of the past is a few numbers: how many messages, how many artifacts, and how many parts of each. A view costs the same however long
 * the task is; the Task itself is built when somebody looks, and artifacts that did not change in between are the same objects.
 */
import { type ArtifactDraft, applyEvent, createDraft, type TaskDraft, type TaskEvent } from '../../protocol/apply-event.js';
import { isTerminal } from '../../protocol/task-state.js';
import type { Artifact, Message, Part, Task, TaskStatus } from '../../protocol/types.js';
import { textOf } from '../reply.js';
import { type Mark, PastTask, type Slot, type TaskView } from './past-task.js';

export class TaskCopy {
  readonly #draft: TaskDraft;
  #version = 0;
  #slots: Slot[] = [];
  #places = new Map<string, number>();

  constructor(task: Task) {
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

  /** As they are now: to be compared at once and not to be kept. */
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

  /** Nothing changes a task that is final. */
  apply(event: TaskEvent): void {
    if (this.isFinal) return;
    this.#version += 1;
    this.#keepMetadata(event);
    applyEvent(this.#draft, event.kind === 'task' ? { kind: 'task', task: withoutCurrentWord(event.task) } : event, { lenient: true });
    if (event.kind === 'task') this.#markAll();
    if (event.kind === 'artifact') this.#mark(event.update.artifact, event.update.append === true);
  }

  view(): TaskView {
    return new PastTask(this.#draft, { slots: this.#slots, places: this.#places, version: this.#version });
  }

  /** The reducer merges metadata in place, and views of the past hold what was there. */
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
      const { length } = whole;
      return [{ version, head: headOf(artifact), parts, count: parts.length, text: { whole }, length, artifact: undefined }];
    });
    this.#places = new Map(this.#draft.artifacts.map(({ artifactId }, place) => [artifactId, place]));
  }

  #mark(chunk: Artifact, append: boolean): void {
    const place = this.#places.get(chunk.artifactId) ?? this.#slots.length;
    const artifact = this.#draft.artifacts[place];
    if (artifact === undefined) return; // can not be: the reducer has just put it there
    const slot = this.#slots[place] ?? [];
    const last = slot.at(-1);
    const text = append && last !== undefined ? last.text : { whole: '' };
    text.whole += textOf(chunk.parts);
    if (last !== undefined) last.artifact = undefined;
    // Most chunks bring parts and nothing else.
    const head = append && last !== undefined && isBare(chunk) ? last.head : headOf(artifact);
    slot.push({
      version: this.#version,
      head,
      parts: artifact.parts,
      count: artifact.parts.length,
      text,
      length: text.whole.length,
      artifact: undefined,
    });
    this.#slots[place] = slot;
    this.#places.set(chunk.artifactId, place);
  }
}

function isBare({ name, description, metadata, extensions }: Artifact): boolean {
  return name === undefined && description === undefined && metadata === undefined && extensions === undefined;
}

function headOf({ parts: _, ...head }: ArtifactDraft): Mark['head'] {
  return head;
}

/**
 * Some peers keep what the status says in the history as well. In the reducer it becomes history when something newer takes its place: kept
 * in both it would be there twice by then, and a task that was rebuilt would differ from one that was watched.
 */
function withoutCurrentWord(task: Task): Task {
  const id = task.status.message?.messageId ?? '';
  if (id === '' || !task.history?.some(({ messageId }) => messageId === id)) return task;
  return { ...task, history: task.history.filter(({ messageId }) => messageId !== id) };
}
