/** A task as it looked after one event: a few numbers, and the Task itself once somebody looks. */
import type { TaskDraft } from '../../protocol/apply-event.js';
import type { Artifact, JsonObject, Message, Part, Task, TaskStatus } from '../../protocol/types.js';
import { joinTexts, type TextPiece } from '../answer-text.js';

/**
 * The text of an artifact, from where it began on. Marks share it and say how much of it was theirs: each with a text of its own would be a
 * copy of the whole for every event, as soon as somebody reads them.
 */
interface GrowingText {
  whole: string;
}

/** One artifact as of one version. */
export interface Mark {
  readonly version: number;
  readonly head: Omit<Artifact, 'parts'>;
  /** Shared with the draft, which pushes to it and replaces the last part when its text grows. */
  readonly parts: readonly Part[];
  readonly count: number;
  /** How long the text of the last part was; undefined: that part cannot grow. */
  readonly tail: number | undefined;
  readonly text: GrowingText;
  readonly length: number;
  /** Once somebody has looked. */
  artifact: Artifact | undefined;
}

/** What became of one artifact, oldest first. */
export type Slot = Mark[];

/** The task as of one event. */
export interface TaskView {
  readonly task: Task;
  /** The text of all artifacts, in their order. */
  readonly text: string;
  /** undefined: this task had no such artifact. */
  artifact(id: string): Artifact | undefined;
}

/** Where the artifacts of a version are found. */
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
  const artifact = Object.freeze({ ...mark.head, parts: Object.freeze(partsAt(mark)) });
  if (slot.at(-1) === mark) mark.artifact = artifact;
  return artifact;
}

/** The last text of an artifact is the end of its whole text, so an older one is cut from there. */
function partsAt({ parts, count, tail, text, length }: Mark): Part[] {
  const found = parts.slice(0, count);
  if (tail !== undefined && found[count - 1]?.text?.length !== tail) found[count - 1] = { text: text.whole.slice(length - tail, length) };
  return found;
}
