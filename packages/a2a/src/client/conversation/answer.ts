/** One answer of the agent while it grows: its task, the agent's messages, and the content to display. */
import { isInterrupted, isTerminal } from '../../protocol/task-state.js';
import type { Artifact, Message, Part, Task, TaskStatus, TaskStatusUpdateEvent } from '../../protocol/types.js';
import { textBeside, textWith } from '../answer-text.js';
import { newArtifactParts } from '../run/difference.js';
import type { TaskView } from '../run/past-task.js';
import { isSameJson } from '../run/same-json.js';
import { type CopyOptions, TaskCopy } from '../run/task-copy.js';
import { Content, type KeptBlock, textOfBlocks } from './content.js';
import type { PlainStatus, PlainUpdate } from './conversation.js';
import type { AgentMessage, MessageStatus } from './message.js';
import { RUNNING, toPlainStatus, toStatus } from './status.js';

/** The data that an answer is rebuilt from. */
export interface AnswerParts {
  readonly status: PlainStatus;
  readonly task?: Task | undefined;
  readonly seq?: number | undefined;
  readonly said?: readonly Message[] | undefined;
  /** The displayed content, in display order. */
  readonly blocks?: readonly KeptBlock[] | undefined;
  /** Ids of the artifacts whose last chunk has arrived. */
  readonly whole?: readonly string[] | undefined;
  /** Displayed instead of `blocks` until the first update adds content. */
  readonly parts?: readonly Part[] | undefined;
  /** The text of `parts`. Default: the texts of the parts, with a blank line between two parts. */
  readonly text?: string | undefined;
  readonly artifacts?: readonly Artifact[] | undefined;
}

const NONE: readonly never[] = Object.freeze([]);

/** A value that is computed on the first read and then cached. */
interface Lazy<T> {
  readonly value: T;
}

function lazy<T>(make: () => T): Lazy<T> {
  // The computed value replaces `make`, so that whatever the closure references can be collected.
  let state: { readonly make: () => T } | { readonly value: T } = { make };
  return {
    get value() {
      if ('make' in state) state = { value: state.make() };
      return state.value;
    },
  };
}

export class Answer {
  readonly #options: CopyOptions;
  #status: PlainStatus;
  #shownStatus: MessageStatus;
  #copy: TaskCopy | undefined;
  #seq: number | undefined;
  readonly #said: Message[] = [];
  readonly #heardIds = new Set<string>();
  readonly #content = new Content();
  readonly #whole: Set<string>;
  /** The content of a message that was added complete; undefined once an update changes the content. */
  #given: readonly Part[] | undefined;
  #givenText: string | undefined;
  #givenArtifacts: readonly Artifact[] | undefined;
  #before: Answer | undefined;
  // Cached values for readers; undefined after a change. Computed on demand, because chunks arrive far more often than readers read.
  #task: Lazy<Task | undefined> | undefined;
  #artifacts: Lazy<readonly Artifact[]> | undefined;
  #saidNow: Lazy<readonly Message[]> | undefined;

  constructor(parts: AnswerParts = { status: RUNNING }, options: CopyOptions = {}) {
    const { status, task, seq, said = NONE, blocks, artifacts } = parts;
    this.#options = options;
    this.#status = status;
    this.#copy = task && new TaskCopy(task, options);
    this.#seq = seq;
    this.#whole = new Set(parts.whole);
    for (const message of said) this.#note(message);
    for (const block of blocks ?? defaultBlocks(said, artifacts ?? NONE)) this.#restore(block);
    this.#given = parts.parts;
    this.#givenText = parts.text;
    this.#givenArtifacts = artifacts;
    this.#shownStatus = toStatus(status, () => task);
  }

  get status(): MessageStatus {
    return this.#shownStatus;
  }

  get plainStatus(): PlainStatus {
    return this.#status;
  }

  set plainStatus(status: PlainStatus) {
    this.#status = status;
    this.#shownStatus = toStatus(status, () => this.task);
    if (status.type === 'complete' || status.type === 'incomplete') this.#settleCopy();
  }

  get taskId(): string | undefined {
    return this.#copy?.id;
  }

  get taskStatus(): TaskStatus | undefined {
    return this.#copy?.status;
  }

  get task(): Task | undefined {
    return this.#lookAtTask().value;
  }

  get seq(): number | undefined {
    return this.#seq;
  }

  /** Links the earlier answer of the same task on the same branch. Content of the earlier answer is not shown again. */
  goesOnFrom(before: Answer | undefined): void {
    this.#before = before === this ? undefined : before;
  }

  /** Applies one update. If `inTask` is set, the task copy already contains the update and only the displayed content changes. */
  apply(update: PlainUpdate): void {
    if (update.seq !== undefined) this.#seq = update.seq;
    switch (update.kind) {
      case 'task':
        this.#copy = new TaskCopy(update.task, this.#options);
        this.#artifacts = undefined;
        break;
      case 'state':
        if (!update.inTask) this.#copy?.apply({ kind: 'status', update: { ...this.#ids(), ...statusOf(update) } });
        this.#hear(update.status);
        break;
      case 'artifact':
        this.#add(update);
        break;
      case 'message':
        this.#hear({ state: 'TASK_STATE_WORKING', message: update.message });
        break;
    }
    this.#task = undefined;
  }

  /** The message as readers see it, at the given place of the tree. Costly values are computed when they are read. */
  view(place: Pick<AgentMessage, 'id' | 'parentId' | 'siblings' | 'createdAt'>): AgentMessage {
    const task = this.#lookAtTask();
    const artifacts = this.#lookAtArtifacts();
    const said = this.#lookAtSaid();
    const text = this.#lookAtText();
    return Object.freeze({
      ...place,
      role: 'ROLE_AGENT' as const,
      status: this.#shownStatus,
      parts: this.#given ?? this.#content.parts,
      seq: this.#seq,
      get text() {
        return text.value;
      },
      get said() {
        return said.value;
      },
      get task() {
        return task.value;
      },
      get artifacts() {
        return artifacts.value;
      },
    });
  }

  /** The data to save; the constructor rebuilds the answer from it. */
  keep(): AnswerParts {
    const parts = this.#given;
    return {
      status: this.#status,
      task: this.task,
      seq: this.#seq,
      said: this.#lookAtSaid().value,
      ...(this.#whole.size > 0 && { whole: [...this.#whole] }),
      ...(parts === undefined
        ? { blocks: this.#content.keep() }
        : { parts, text: textBeside(parts, this.#givenText), artifacts: this.#lookAtArtifacts().value }),
    };
  }

  /** Ids of the artifacts in this answer that may still receive chunks. */
  get openArtifacts(): readonly string[] {
    return [...this.#content.artifactIds].filter((id) => !this.#whole.has(id));
  }

  /** Whether the message belongs to this answer, not to an earlier answer of the task. */
  hasSaid(messageId: string | undefined): boolean {
    return messageId !== undefined && this.#heardIds.has(messageId);
  }

  /** Whether the task waits for the caller with a question that the earlier answer of the task has not asked already. */
  get isAsking(): boolean {
    const { taskStatus } = this;
    if (taskStatus === undefined || !isInterrupted(taskStatus.state)) return false;
    if (taskStatus.message !== undefined) return this.hasSaid(taskStatus.message.messageId);
    return this.#before?.taskStatus === undefined || !isSameJson(this.#before.taskStatus, taskStatus);
  }

  hasHeard(messageId: string): boolean {
    return this.#heardIds.has(messageId) || this.#before?.hasHeard(messageId) === true;
  }

  /** All parts of an artifact, as of the end of this answer. */
  partsOf(artifactId: string): readonly Part[] | undefined {
    return this.#copy?.partsOf(artifactId) ?? this.#before?.partsOf(artifactId);
  }

  /** A task copy stores a mark for each chunk. After the end no reader needs these marks, so a fresh copy replaces it and frees them. */
  #settleCopy(): void {
    const { task } = this;
    if (task === undefined) return;
    void this.#lookAtArtifacts().value;
    this.#copy = new TaskCopy(task, this.#options);
  }

  #ids(): { readonly taskId: string; readonly contextId: string } {
    return { taskId: this.#copy?.id ?? '', contextId: this.#copy?.contextId ?? '' };
  }

  #add({ chunk, append, last, inTask }: Extract<PlainUpdate, { kind: 'artifact' }>): void {
    this.#given = undefined;
    if (last) this.#whole.add(chunk.artifactId);
    else if (this.#whole.size > 0) this.#whole.delete(chunk.artifactId);
    if (!inTask) {
      this.#copy?.apply({ kind: 'artifact', update: { ...this.#ids(), artifact: chunk, append, lastChunk: last } });
      this.#content.add(chunk.artifactId, chunk.parts, append);
    } else {
      this.#addFurther(chunk, append);
    }
    this.#givenArtifacts = undefined;
    this.#artifacts = undefined;
  }

  /** A full task repeats each artifact from its start. Only the parts that the earlier answer does not show are added. */
  #addFurther(chunk: Artifact, append: boolean): void {
    const before = append ? undefined : this.#before;
    if (before === undefined) {
      this.#content.add(chunk.artifactId, chunk.parts, append);
      return;
    }
    const known = { artifacts: NONE, history: NONE, partsOf: (id: string) => before.partsOf(id) };
    const [rest] = newArtifactParts(known, { id: '', status: { state: 'TASK_STATE_WORKING' }, artifacts: [chunk] });
    if (rest !== undefined) this.#content.add(chunk.artifactId, rest.parts, rest.append);
  }

  #hear({ state, message }: TaskStatus): void {
    if (message === undefined || message.role === 'ROLE_USER') return;
    if (message.messageId !== '' && this.hasHeard(message.messageId)) return;
    this.#given = undefined;
    this.#note(message);
    this.#saidNow = undefined;
    // Many agents repeat the artifact's text in the final status message.
    if (isTerminal(state) && this.#content.repeats(message.parts)) return;
    this.#content.say(message);
  }

  #note(message: Message): void {
    this.#said.push(message);
    if (message.messageId !== '') this.#heardIds.add(message.messageId);
  }

  #restore(block: KeptBlock): void {
    if ('artifactId' in block) {
      const { artifactId, parts } = block;
      this.#content.add(artifactId, parts ?? this.#copy?.partsOf(artifactId) ?? NONE, parts !== undefined);
      return;
    }
    const from = this.#content.said;
    for (const message of this.#said.slice(from, from + block.said)) this.#content.say(message);
  }

  #lookAtTask(): Lazy<Task | undefined> {
    const view = this.#task === undefined ? this.#copy?.view() : undefined;
    this.#task ??= lazy(() => view?.task);
    return this.#task;
  }

  #lookAtText(): Lazy<string> {
    const given = this.#given;
    const text = this.#givenText;
    if (given !== undefined) return lazy(() => textWith(given, text));
    const { parts, layout } = this.#content;
    return lazy(() => textOfBlocks(parts, layout));
  }

  #lookAtSaid(): Lazy<readonly Message[]> {
    const count = this.#said.length;
    this.#saidNow ??= lazy(() => Object.freeze(this.#said.slice(0, count)));
    return this.#saidNow;
  }

  #lookAtArtifacts(): Lazy<readonly Artifact[]> {
    if (this.#artifacts !== undefined) return this.#artifacts;
    const given = this.#givenArtifacts;
    const view = this.#copy?.view();
    const count = this.#content.artifactCount;
    this.#artifacts = lazy(() => given ?? this.#listArtifacts(view, count));
    return this.#artifacts;
  }

  /** The artifacts of this answer, as they were when `view` was taken. */
  #listArtifacts(view: TaskView | undefined, count: number): readonly Artifact[] {
    if (view === undefined || count === 0) return NONE;
    const list: Artifact[] = [];
    for (const id of this.#content.artifactIds) {
      if (list.length === count) break;
      const artifact = view.artifact(id);
      if (artifact !== undefined) list.push(artifact);
    }
    return Object.freeze(list);
  }
}

function statusOf({ status, metadata }: Extract<PlainUpdate, { kind: 'state' }>): Pick<TaskStatusUpdateEvent, 'status' | 'metadata'> {
  return { status, ...(metadata !== undefined && { metadata }) };
}

function defaultBlocks(said: readonly Message[], artifacts: readonly Artifact[]): KeptBlock[] {
  const messages = said.length > 0 ? [{ said: said.length }] : [];
  return [...messages, ...artifacts.map(({ artifactId, parts }) => ({ artifactId, parts }))];
}

/** Creates an answer from a complete message that the caller, a history or another tab provides. */
export function fromMessage({ status, task, seq, said, parts, text, artifacts }: AgentMessage, options?: CopyOptions): Answer {
  return new Answer({ status: toPlainStatus(status), task, seq, said, parts, text, artifacts }, options);
}
