/** A task as it was after one event: a few numbers, and the Task itself once it is read. */
import type { TaskDraft } from '../../protocol/apply-event.js';
import type { Artifact, JsonObject, Message, Part, Task, TaskStatus } from '../../protocol/types.js';
import { joinTexts, type TextPiece } from '../answer-text.js';

/**
 * The text of an artifact from its start. Marks share it and store only their length. A separate string per mark would copy the whole text
 * for every event that is read.
 */
interface GrowingText {
  whole: string;
}

/** One artifact at one version. */
export interface Mark {
  readonly version: number;
  readonly head: Omit<Artifact, 'parts'>;
  /** Shared with the draft, which appends to it and replaces the last part when its text grows. */
  readonly parts: readonly Part[];
  readonly count: number;
  /** Length of the text of the last part. undefined: that part cannot grow. */
  readonly tail: number | undefined;
  readonly text: GrowingText;
  readonly length: number;
  /** Cached after the first read. */
  artifact: Artifact | undefined;
}

/** The versions of one artifact, oldest first. */
export type Slot = Mark[];

/** The task after one event. */
export interface TaskView {
  readonly task: Task;
  /** The text of all artifacts, in order. */
  readonly text: string;
  /** Returns undefined if the task had no such artifact. */
  artifact(id: string): Artifact | undefined;
}

/** The index of the artifacts of one version. */
interface Shelf {
  readonly slots: readonly Slot[];
  readonly places: ReadonlyMap<string, number>;
  readonly version: number;
}

export class PastTask implements TaskView {
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
    const pieces: TextPiece[] = [];
    for (const slot of this.#shelf.slots) {
      const mark = this.#markIn(slot);
      if (mark !== undefined) pieces.push({ text: mark.text.whole.slice(0, mark.length), isArtifact: true });
    }
    return joinTexts(pieces);
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

/** Returns the newest mark that is not newer than the version. */
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

/** Cached only while it is the newest, so that views share unchanged artifacts. Older ones are kept alive only by their readers. */
function toArtifact(slot: Slot, mark: Mark): Artifact {
  if (mark.artifact !== undefined) return mark.artifact;
  const artifact = Object.freeze({ ...mark.head, parts: Object.freeze(partsAt(mark)) });
  if (slot.at(-1) === mark) mark.artifact = artifact;
  return artifact;
}

/** The last text part is the end of the whole text, so an older version of it is cut from there. */
function partsAt({ parts, count, tail, text, length }: Mark): Part[] {
  const found = parts.slice(0, count);
  if (tail !== undefined && found[count - 1]?.text?.length !== tail) found[count - 1] = { text: text.whole.slice(length - tail, length) };
  return found;
}
