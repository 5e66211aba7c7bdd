/**
 * A reader's own copy of a task, and what it looked like after each event. The reducer's draft only ever grows or swaps its arrays, so a
 * view of the past is a few numbers: how many messages, how many artifacts, and how many parts of each. A view costs the same however long
 * the task is; the Task itself is built when somebody looks, and artifacts that did not change in between are the same objects.
 */
import { type ArtifactDraft, applyEvent, createDraft, type TaskDraft, type TaskEvent } from '../../protocol/apply-event.js';
import { isTerminal } from '../../protocol/task-state.js';
import type { Artifact, JsonObject, Message, Part, Task, TaskStatus } from '../../protocol/types.js';
import { textOf } from '../reply.js';

/**
 * The text of an artifact, from where it began on. Marks share it and say how much of it was theirs: each with a text of its own would be a
 * copy of the whole for every event, as soon as somebody reads them.
 */
interface GrowingText {
  whole: string;
}

/** One artifact as of one version. */
interface Mark {
  readonly version: number;
  readonly head: Omit<Artifact, 'parts'>;
  /** Shared with the draft, which only pushes to it. */
  readonly parts: readonly Part[];
  readonly count: number;
  readonly text: GrowingText;
  readonly length: number;
  /** Once somebody has looked. */
  artifact: Artifact | undefined;
}

/** What became of one artifact, oldest first. */
type Slot = Mark[];

/** The task as of one event. */
export interface TaskView {
  readonly task: Task;
  /** The text of all artifacts, in their order. */
  readonly text: string;
  /** undefined: this task had no such artifact. */
  artifact(id: string): Artifact | undefined;
}

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

/** Where the artifacts of a version are found. */
interface Shelf {
  readonly slots: readonly Slot[];
  readonly places: ReadonlyMap<string, number>;
  readonly version: number;
}

class PastTask implements TaskView {
  readonly #id: string;
  readonly #contextId: string | undefined;
  readonly #status: TaskStatus;
  readonly #metadata: JsonObject | undefined;
  readonly #history: readonly Message[];
  readonly #messages: number;
  readonly #shelf: Shelf;
  #task: Task | undefined;

  constructor(draft: TaskDraft, shelf: Shelf) {
    this.#id = draft.id;
    this.#contextId = draft.contextId;
    this.#status = draft.status;
    this.#metadata = draft.metadata;
    this.#history = draft.history;
    this.#messages = draft.history.length;
    this.#shelf = shelf;
  }

  get task(): Task {
    this.#task ??= this.#build();
    return this.#task;
  }

  get text(): string {
    let text = '';
    for (const slot of this.#shelf.slots) {
      const mark = this.#markIn(slot);
      if (mark !== undefined) text += mark.text.whole.slice(0, mark.length);
    }
    return text;
  }

  artifact(id: string): Artifact | undefined {
    const slot = this.#shelf.slots[this.#shelf.places.get(id) ?? -1];
    const mark = slot && this.#markIn(slot);
    return mark && toArtifact(slot, mark);
  }

  #build(): Task {
    const artifacts = this.#artifacts();
    return Object.freeze({
      id: this.#id,
      ...(this.#contextId !== undefined && { contextId: this.#contextId }),
      status: this.#status,
      ...(artifacts.length > 0 && { artifacts: Object.freeze(artifacts) }),
      ...(this.#messages > 0 && { history: Object.freeze(this.#history.slice(0, this.#messages)) }),
      ...(this.#metadata !== undefined && { metadata: this.#metadata }),
    });
  }

  #artifacts(): Artifact[] {
    const artifacts: Artifact[] = [];
    for (const slot of this.#shelf.slots) {
      const mark = this.#markIn(slot);
      if (mark !== undefined) artifacts.push(toArtifact(slot, mark));
    }
    return artifacts;
  }

  #markIn(slot: Slot): Mark | undefined {
    return markAt(slot, this.#shelf.version);
  }
}

/** The newest that is not younger than the version. */
function markAt(slot: Slot, version: number): Mark | undefined {
  const newest = slot.at(-1);
  if (newest !== undefined && newest.version <= version) return newest;
  let low = 0;
  let high = slot.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((slot[middle]?.version ?? 0) <= version) low = middle + 1;
    else high = middle;
  }
  return slot[low - 1];
}

/** Kept while it is the newest, so that views share what did not change; older ones are kept by whoever looked at them. */
function toArtifact(slot: Slot, mark: Mark): Artifact {
  if (mark.artifact !== undefined) return mark.artifact;
  const artifact = Object.freeze({ ...mark.head, parts: Object.freeze(mark.parts.slice(0, mark.count)) });
  if (slot.at(-1) === mark) mark.artifact = artifact;
  return artifact;
}
