/**
 * The UTF-8 size of a task as JSON, counted event by event: no event measures the whole task. Exact, except that metadata which replaces
 * other metadata is counted in addition.
 */
import type { TaskDraft, TaskEvent } from '../../protocol/apply-event.js';
import { isTextPart } from '../../protocol/text-parts.js';
import type { Artifact, JsonObject, Message, Part, Task, TaskArtifactUpdateEvent, TaskStatus } from '../../protocol/types.js';
import { utf8Length } from '../../protocol/utf8-length.js';

/** The size of one artifact, and what decides how its next chunk is added. */
interface ArtifactSize {
  readonly bytes: number;
  readonly isEmpty: boolean;
  readonly endsInText: boolean;
}

/** The messages of a claimed task that its draft does not have. */
export interface EarlierMessages {
  readonly messages: number;
  readonly bytes: number;
}

/** `"message":` and a comma. */
const MESSAGE_MEMBER = 11;
/** `,"history":[]`, `,"artifacts":[]`, `,"metadata":` */
const HISTORY_MEMBER = 13;
const ARTIFACTS_MEMBER = 15;
const METADATA_MEMBER = 12;
/** `{"text":""}` */
const EMPTY_TEXT = 11;

export class TaskSize {
  readonly #artifacts = new Map<string, ArtifactSize>();
  /** The task without content, except for the name of its state. */
  readonly #frame: number;
  #state = 0;
  #statusMessage = 0;
  #metadata = 0;
  #messages = 0;
  #historyBytes = 0;
  #artifactBytes = 0;

  constructor(id: string, contextId: string) {
    this.#frame = emptyTaskBytes(id, contextId);
  }

  get bytes(): number {
    const history = this.#messages === 0 ? 0 : HISTORY_MEMBER + this.#historyBytes + this.#messages - 1;
    const artifacts = this.#artifacts.size === 0 ? 0 : ARTIFACTS_MEMBER + this.#artifactBytes + this.#artifacts.size - 1;
    const message = this.#statusMessage === 0 ? 0 : this.#statusMessage + MESSAGE_MEMBER;
    return this.#frame + this.#state + message + this.#metadata + history + artifacts;
  }

  /** The size of a task whose draft may lack its earlier messages. */
  static of(draft: TaskDraft, contextId: string, earlier: EarlierMessages): TaskSize {
    const size = new TaskSize(draft.id, contextId);
    size.#addTask(draft);
    size.#messages += earlier.messages;
    size.#historyBytes += earlier.bytes;
    return size;
  }

  add(event: TaskEvent): void {
    switch (event.kind) {
      case 'task':
        this.#addTask(event.task);
        break;
      case 'status':
        this.#addStatus(event.update.status, event.update.metadata);
        break;
      case 'artifact':
        this.#addArtifact(event.update);
        break;
      case 'input':
        this.#moveStatusMessage();
        this.#addMessage(sizeOf(event.message));
        break;
    }
  }

  #addTask({ status, history = [], artifacts = [], metadata }: Task): void {
    this.#setStatus(status);
    if (metadata !== undefined) this.#metadata = METADATA_MEMBER + sizeOf(metadata);
    for (const message of history) this.#addMessage(sizeOf(message));
    for (const artifact of artifacts) this.#setArtifact(artifact);
  }

  #addStatus(status: TaskStatus, metadata: JsonObject | undefined): void {
    this.#moveStatusMessage();
    this.#setStatus(status);
    if (metadata !== undefined) this.#metadata += sizeOf(metadata) + (this.#metadata === 0 ? METADATA_MEMBER : -1);
  }

  #addArtifact({ artifact, append }: TaskArtifactUpdateEvent): void {
    const known = append === true ? this.#artifacts.get(artifact.artifactId) : undefined;
    if (known === undefined) this.#setArtifact(artifact);
    else this.#extendArtifact(artifact, known);
  }

  #extendArtifact(chunk: Artifact, known: ArtifactSize): void {
    const { parts, artifactId } = chunk;
    const growth = growthBy(chunk, known);
    const bytes = known.bytes + growth;
    this.#artifacts.set(artifactId, parts.length === 0 ? { ...known, bytes } : { bytes, ...endOf(parts) });
    this.#artifactBytes += growth;
  }

  #setArtifact(artifact: Artifact): void {
    const bytes = sizeOf(artifact);
    this.#artifactBytes += bytes - (this.#artifacts.get(artifact.artifactId)?.bytes ?? 0);
    this.#artifacts.set(artifact.artifactId, { bytes, ...endOf(artifact.parts) });
  }

  #setStatus({ state, message }: TaskStatus): void {
    this.#state = state.length;
    this.#statusMessage = message === undefined ? 0 : sizeOf(message);
  }

  #moveStatusMessage(): void {
    if (this.#statusMessage > 0) this.#addMessage(this.#statusMessage);
    this.#statusMessage = 0;
  }

  #addMessage(bytes: number): void {
    this.#messages += 1;
    this.#historyBytes += bytes;
  }
}

function endOf(parts: readonly Part[]): Omit<ArtifactSize, 'bytes'> {
  return { isEmpty: parts.length === 0, endsInText: isTextPart(parts.at(-1)) };
}

/** A chunk adds its parts, and the members that the artifact did not have. A text is joined to a text before it. */
function growthBy(chunk: Artifact, { isEmpty, endsInText }: ArtifactSize): number {
  const { artifactId, parts } = chunk;
  const added = sizeOf(chunk) - sizeOf({ artifactId, parts: [] });
  if (parts.length === 1 && endsInText && isTextPart(parts[0])) return added - EMPTY_TEXT;
  return parts.length === 0 || isEmpty ? added : added + 1;
}

/** The size of a new task with one message in its history. */
export function newTaskBytes(message: Message, taskId: string, contextId: string): number {
  return emptyTaskBytes(taskId, contextId) + 'TASK_STATE_SUBMITTED'.length + HISTORY_MEMBER + sizeOf(message);
}

/** By how much a task grows with a message of its caller. The message of its status moves to the history. */
export function messageGrowth(message: Message, messages: number, hasStatusMessage: boolean): number {
  const moved = hasStatusMessage ? 1 - MESSAGE_MEMBER : 0;
  return sizeOf(message) + 1 + moved + (messages === 0 ? HISTORY_MEMBER - 1 : 0);
}

function emptyTaskBytes(id: string, contextId: string): number {
  return sizeOf({ id, contextId, status: { state: '', timestamp: '2000-01-01T00:00:00.000Z' } });
}

function sizeOf(value: unknown): number {
  return utf8Length(JSON.stringify(value));
}
