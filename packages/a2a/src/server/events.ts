/** How one turn speaks: the word list over the writer, and the rules that raw events have to keep. */

import { toBase64 } from '../platform/base64.js';
import type { IdGenerators } from '../platform/random-ids.js';
import { A2AError } from '../protocol/errors.js';
import type { Artifact, JsonObject, Message, Part, Task, TaskState } from '../protocol/types.js';
import type { EarlyTask } from './early-task.js';
import type { TurnRequest } from './entries.js';
import type { ArtifactInput, ArtifactNames, FileInput, TaskEvents } from './executor.js';
import { failureMetadata, readThrown } from './failure.js';
import { ignorable, refused } from './ignorable.js';
import { checkSize } from './log-head.js';
import { toUpdates } from './merge-task.js';
import type { ArtifactPublication, Publication } from './publication.js';
import { check, type RawEvent, take, toPublication } from './raw-event.js';
import type { TaskWriter } from './writer.js';

export interface TurnEventsParts {
  readonly writer: TaskWriter;
  readonly ids: IdGenerators;
  /** The same each time that the turn is entered: what it then says again replaces what it said before (D14). */
  newArtifactId(): string;
  readonly maxEventBytes: number;
  /** The agent's name, for saying that another one failed it. */
  readonly agent: string;
  /** The request of the turn; its message opens the history of a new Task. */
  readonly request: TurnRequest;
  /** Whether a Task existed before the turn, or these are the events of `cancel`: then a Message is no answer. */
  readonly continued: boolean;
  /** The Task that the runtime creates when the executor publishes nothing for a while. */
  readonly early: EarlyTask;
  /** Told of a legal but odd thing, such as a second Task. */
  warn(text: string): void;
  /** Told of an event that came too late: the task has ended, or `execute` has returned. */
  tooLate(error: A2AError): void;
}

export class TurnEvents implements TaskEvents {
  readonly #parts: TurnEventsParts;
  readonly #writer: TaskWriter;
  readonly #started = new Set<string>();
  #reply: Message | undefined;
  #closed = false;
  #isAborted = false;

  constructor(parts: TurnEventsParts) {
    this.#parts = parts;
    this.#writer = parts.writer;
  }

  /** A provisional Task is not the executor's: whether it exists depends on how long the executor took, and no executor should. */
  get state(): TaskState | undefined {
    return this.#parts.early.isProvisional && !this.#writer.isFinal ? undefined : this.#writer.state;
  }

  get isFinal(): boolean {
    return this.#reply !== undefined || this.#writer.isFinal;
  }

  /** The turn was aborted: canceled, out of time, or handed over. */
  get isAborted(): boolean {
    return this.#isAborted;
  }

  abort(): void {
    this.#isAborted = true;
  }

  /** The direct reply of the turn, if it chose to give one. */
  get directReply(): Message | undefined {
    return this.#reply;
  }

  /** `execute` has returned: whoever kept these events can say nothing more. */
  close(): void {
    this.#closed = true;
  }

  working(text?: string): Promise<void> {
    return this.status('TASK_STATE_WORKING', text);
  }

  progress(fraction: number, text?: string): Promise<void> {
    return this.#attempt(() => {
      if (!(fraction >= 0 && fraction <= 1)) throw illegal(`progress is a fraction from 0 to 1, not ${fraction}`);
      const metadata: JsonObject = text === undefined ? { progress: fraction } : { progress: fraction, progressText: text };
      return this.#say({ kind: 'status', state: 'TASK_STATE_WORKING', metadata });
    });
  }

  status(state: TaskState, message?: string | readonly Part[] | Message): Promise<void> {
    return this.#attempt(() => {
      const said = { state, message: message === undefined ? undefined : this.#toMessage(message) };
      // A text becomes a message of our own, which nobody else holds.
      const legal = typeof message === 'object' ? take('TaskStatus', said) : check('TaskStatus', said);
      return this.#say({ kind: 'status', state: legal.state, message: legal.message });
    });
  }

  appendText(artifactId: string, text: string, options: { readonly name?: string; readonly last?: boolean } = {}): Promise<void> {
    return this.#attempt(() => {
      const { name, last = false } = options;
      const append = this.#started.has(artifactId);
      const artifact: Artifact = { artifactId, name, parts: [{ text }] };
      // Chunks are many and small: once their artifact has begun there is little left to check.
      const isPlain = append && name === undefined && typeof text === 'string';
      return this.#artifact({ kind: 'artifact', artifact: isPlain ? artifact : check('Artifact', artifact), append, lastChunk: last });
    });
  }

  artifact(input: ArtifactInput, options: { readonly append?: boolean; readonly last?: boolean } = {}): Promise<void> {
    return this.#attempt(() => {
      const artifactId = input.artifactId ?? this.#parts.newArtifactId();
      // The first piece of a run starts the artifact anew, so that a run that is entered again replaces and never doubles (D14).
      const append = options.append === true && (this.#started.has(artifactId) || !this.#writer.hasArtifact(artifactId));
      const artifact = take('Artifact', { ...input, artifactId });
      return this.#artifact({ kind: 'artifact', artifact, append, lastChunk: options.last ?? false });
    });
  }

  file(file: FileInput): Promise<void> {
    return this.#attempt(() => {
      const { filename, mediaType } = file;
      const part: Part = { ...contentOf(file), filename, ...(mediaType !== undefined && { mediaType }) };
      return this.#named({ name: filename, ...file }, part);
    });
  }

  data(value: unknown, names: ArtifactNames = {}): Promise<void> {
    return this.#attempt(() => this.#named(names, { data: value ?? null, mediaType: 'application/json' }));
  }

  #named(names: ArtifactNames, part: Part): Promise<void> {
    const { id, name, description, metadata } = names;
    return this.artifact({
      ...(id !== undefined && { artifactId: id }),
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(metadata !== undefined && { metadata }),
      parts: [part],
    });
  }

  task(fields: { readonly metadata?: JsonObject } = {}): Promise<void> {
    return this.#attempt(() => {
      const task = (): Task => take('Task', { ...this.#newTask(), ...fields });
      if (this.#parts.early.adopt()) return this.#merge(task());
      return this.#writer.exists ? DONE : this.#publish({ kind: 'task', task: task() });
    });
  }

  reply(message: string | readonly Part[] | Message): Promise<void> {
    return this.#attempt(() => {
      const { continued, early } = this.#parts;
      if (early.isProvisional && !continued) return this.#end('TASK_STATE_COMPLETED', this.#toMessage(message));
      if (continued || this.#writer.exists) throw illegal('a turn that has a Task cannot answer with a Message');
      if (this.#reply) throw illegal('a turn answers with one Message, not two');
      const { taskId: _noTask, ...direct } = take('Message', this.#toMessage(message));
      this.#reply = direct;
      early.stop();
      return DONE;
    });
  }

  complete(text?: string): Promise<void> {
    return this.#end('TASK_STATE_COMPLETED', text);
  }

  fail(reason: string | A2AError): Promise<void> {
    if (typeof reason === 'string') return this.#end('TASK_STATE_FAILED', reason);
    const { error } = readThrown(reason, this.#parts.agent);
    return this.#end('TASK_STATE_FAILED', { ...this.#toMessage(error.message), metadata: failureMetadata(error) });
  }

  reject(text?: string): Promise<void> {
    return this.#end('TASK_STATE_REJECTED', text);
  }

  canceled(text?: string): Promise<void> {
    return this.#end('TASK_STATE_CANCELED', text);
  }

  publish(event: RawEvent): Promise<void> {
    return this.#attempt(() => {
      const { ref, contextId } = this.#writer;
      const publication = toPublication(event, { taskId: ref.id, contextId });
      if (publication.kind === 'message') return this.reply(publication.message);
      return this.#publishRaw(publication);
    });
  }

  flush(): Promise<void> {
    return ignorable(this.#writer.flush());
  }

  /** The way in for all that is said: nothing after the end of the turn, and what is illegal fails the run. */
  #attempt(speak: () => Promise<void>): Promise<void> {
    if (this.#closed) return this.#refuse(illegal('execute has returned: nothing can be published any more'));
    try {
      return speak();
    } catch (thrown) {
      return this.#writer.breakWith(readThrown(thrown, this.#parts.agent).error);
    }
  }

  /** Not awaiting is legal, and then no caller sees the refusal: the developer is told instead. */
  #refuse(error: A2AError): Promise<never> {
    this.#parts.tooLate(error);
    return refused(error);
  }

  #publishRaw(publication: Publication): Promise<void> {
    if (publication.kind === 'task') {
      if (this.#parts.early.adopt()) return this.#mergeTask(publication.task);
      if (!this.#writer.exists) return this.#publishTask(publication.task);
      this.#parts.warn('a second Task was published; the first one stays');
      return Promise.resolve();
    }
    // Not asked of the writer: whether the runtime has created a Task by now depends on the time that the executor took.
    if (publication.kind === 'status' && !this.#parts.continued && this.state === undefined) {
      throw illegal('a status update needs a Task before it');
    }
    if (publication.kind === 'artifact') this.#started.add(publication.artifact.artifactId);
    return this.#say(publication);
  }

  /** Measured before the caller's message is added: that was measured when it came. */
  #publishTask(task: Task): Promise<void> {
    checkSize(JSON.stringify(task), this.#parts.maxEventBytes);
    return this.#publish({ kind: 'task', task: this.#withMessage(task) });
  }

  #mergeTask(task: Task): Promise<void> {
    checkSize(JSON.stringify(task), this.#parts.maxEventBytes);
    return this.#merge(task);
  }

  /** The Task that the runtime created becomes this one, in one commit: a crash leaves all of it or nothing, as with a Task. */
  #merge(task: Task): Promise<void> {
    const [first, ...rest] = toUpdates(task, this.#parts.request);
    for (const { artifactId } of task.artifacts ?? []) this.#started.add(artifactId);
    return first === undefined ? DONE : this.#publish(first, rest);
  }

  #end(state: TaskState, message: string | Message | undefined): Promise<void> {
    return ignorable(this.status(state, message).then(() => this.#writer.flush()));
  }

  #artifact(publication: ArtifactPublication): Promise<void> {
    this.#started.add(publication.artifact.artifactId);
    return this.#say(publication);
  }

  /** Makes the Task if there is none, then says it. */
  #say(publication: Publication): Promise<void> {
    if (!this.#writer.exists) void this.#publish({ kind: 'task', task: this.#newTask() });
    return this.#publish(publication);
  }

  #publish(publication: Publication, rest?: readonly Publication[]): Promise<void> {
    if (this.#reply) throw illegal('a turn that answered with a Message has no Task');
    this.#parts.early.adopt();
    if (this.#writer.isFinal) this.#parts.tooLate(illegal(`task ${this.#writer.ref.id} has ended: nothing can be published any more`));
    return this.#writer.publish(publication, rest);
  }

  #newTask(): Task {
    return newTask(this.#writer, this.#parts.request);
  }

  /** The history of a task holds what its caller said, also when the executor forgot it. */
  #withMessage(task: Task): Task {
    const { message } = this.#parts.request;
    const history = task.history ?? [];
    if (history.some(({ messageId }) => messageId === message.messageId)) return task;
    return { ...task, history: [...history, message] };
  }

  /** A message that somebody else wrote is ours once we say it. */
  #toMessage(content: string | readonly Part[] | Message): Message {
    const { ref, contextId } = this.#writer;
    const about = { contextId, taskId: ref.id };
    if (typeof content === 'object' && 'messageId' in content) return { ...content, ...about };
    const parts: readonly Part[] = typeof content === 'string' ? [{ text: content }] : content;
    return { messageId: this.#parts.ids.messageId(), role: 'ROLE_AGENT', parts, ...about };
  }
}

/** A Task that holds what its caller said, and nothing else yet. */
export function newTask({ ref, contextId }: Pick<TaskWriter, 'ref' | 'contextId'>, { message }: TurnRequest): Task {
  return { id: ref.id, contextId, status: { state: 'TASK_STATE_SUBMITTED' }, history: [message] };
}

function contentOf({ bytes, text, base64, url }: FileInput): Part {
  const given = [bytes, text, base64, url].filter((content) => content !== undefined);
  if (given.length !== 1) throw illegal('a file has exactly one of bytes, text, base64 and url');
  if (url !== undefined) return { url };
  if (base64 !== undefined) return { raw: base64 };
  const content = bytes ?? new TextEncoder().encode(text);
  if (!(content instanceof Uint8Array)) throw illegal('the bytes of a file are a Uint8Array; give text as `text`');
  return { raw: toBase64(content) };
}

const DONE = Promise.resolve();

const illegal = (text: string): A2AError => new A2AError('INVALID_AGENT_RESPONSE', text);
