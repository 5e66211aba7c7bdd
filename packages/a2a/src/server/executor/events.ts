/** The events of one turn: the helper methods over the writer, and the rules for raw events. */

import { toBase64 } from '../../platform/base64.js';
import { ignorable, refused } from '../../platform/ignorable.js';
import type { IdGenerators } from '../../platform/random-ids.js';
import { isLarge, nextIteration } from '../../platform/slices.js';
import { A2AError } from '../../protocol/errors.js';
import type { Artifact, JsonObject, Message, Part, Task, TaskState } from '../../protocol/types.js';
import { failureMetadata, readThrown } from '../failure.js';
import type { ArtifactPublication, Publication, TurnRequest } from '../log/entries.js';
import { checkSize } from '../log/log-head.js';
import { DONE } from '../log/pending.js';
import type { TaskWriter } from '../log/writer.js';
import type { EarlyTask } from './early-task.js';
import type { ArtifactInput, ArtifactNames, FileInput, TaskEvents } from './executor.js';
import { check, type RawEvent, take, toPublication, toUpdates } from './raw-event.js';

export interface TurnEventsParts {
  readonly writer: TaskWriter;
  readonly ids: IdGenerators;
  /** Returns the same ids on each run of the turn, so that a repeated artifact replaces the earlier one (D14). */
  newArtifactId(): string;
  readonly maxEventBytes: number;
  /** The agent's name, for the error that says that another agent failed. */
  readonly agent: string;
  /** The request of the turn; its message is the first in the history of a new Task. */
  readonly request: TurnRequest;
  /** A Task existed before the turn, or these are the events of `cancel`: then a direct Message is not allowed. */
  readonly continued: boolean;
  /** The Task that the runtime creates when the executor publishes nothing for a while. */
  readonly early: EarlyTask;
  /** Called for a legal but unusual event, such as a second Task. */
  warn(text: string): void;
  /** Called for an event that came too late: the task has ended, or `execute` has returned. */
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

  /** Hides a provisional Task: whether it exists depends on how long the executor took, and executors should not depend on that. */
  get state(): TaskState | undefined {
    return this.#parts.early.isProvisional && !this.#writer.isFinal ? undefined : this.#writer.state;
  }

  get isFinal(): boolean {
    return this.#reply !== undefined || this.#writer.isFinal;
  }

  /** The turn was aborted: canceled, timed out, or handed over. */
  get isAborted(): boolean {
    return this.#isAborted;
  }

  abort(): void {
    this.#isAborted = true;
  }

  /** The error of the first event that was refused. */
  get fault(): A2AError | undefined {
    return this.#writer.fault;
  }

  /** The direct reply of the turn, if it gave one. */
  get directReply(): Message | undefined {
    return this.#reply;
  }

  /** `execute` has returned: refuse all later events. */
  close(): void {
    this.#closed = true;
  }

  working(text?: string): Promise<void> {
    return this.status('TASK_STATE_WORKING', text);
  }

  progress(fraction: number, text?: string): Promise<void> {
    return this.#attempt(() => {
      if (!(fraction >= 0 && fraction <= 1)) throw illegal(`progress must be a fraction from 0 to 1, got ${fraction}`);
      const metadata: JsonObject = text === undefined ? { progress: fraction } : { progress: fraction, progressText: text };
      return this.#say({ kind: 'status', state: 'TASK_STATE_WORKING', metadata });
    });
  }

  status(state: TaskState, message?: string | readonly Part[] | Message): Promise<void> {
    return this.#attempt(() => {
      const said = { state, message: message === undefined ? undefined : this.#toMessage(message) };
      // A text becomes a message of our own, to which no other code has a reference, so it needs no copy.
      const legal = typeof message === 'object' ? take('TaskStatus', said) : check('TaskStatus', said);
      return this.#say({ kind: 'status', state: legal.state, message: legal.message });
    });
  }

  appendText(artifactId: string, text: string, options: { readonly name?: string; readonly last?: boolean } = {}): Promise<void> {
    return this.#attempt(() => {
      const { name, last = false } = options;
      const append = this.#started.has(artifactId);
      const artifact: Artifact = { artifactId, name, parts: [{ text }] };
      // Chunks are many and small: once their artifact exists, there is little left to check.
      const isPlain = append && name === undefined && typeof text === 'string';
      return this.#artifact({ kind: 'artifact', artifact: isPlain ? artifact : check('Artifact', artifact), append, lastChunk: last });
    });
  }

  artifact(input: ArtifactInput, options: { readonly append?: boolean; readonly last?: boolean } = {}): Promise<void> {
    return this.#attempt(() => {
      const artifactId = input.artifactId ?? this.#parts.newArtifactId();
      // The first chunk of a run starts the artifact again, so that a repeated run replaces it and never doubles it (D14).
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

  task(fields: { readonly metadata?: JsonObject } = NO_FIELDS): Promise<void> {
    return this.#attempt(() => {
      const isProvisional = this.#parts.early.adopt();
      if (this.#writer.exists && !isProvisional) return DONE;
      // Without fields, all parts of the Task belong to the runtime, so it needs no copy.
      const task = fields === NO_FIELDS ? this.#newTask() : take('Task', { ...this.#newTask(), ...fields });
      return isProvisional ? this.#merge(task) : this.#publish({ kind: 'task', task });
    });
  }

  reply(message: string | readonly Part[] | Message): Promise<void> {
    return this.#attempt(() => {
      const { continued, early } = this.#parts;
      if (early.isProvisional && !continued) return this.#end('TASK_STATE_COMPLETED', this.#toMessage(message));
      if (continued || this.#writer.exists) throw illegal('a turn that has a Task cannot answer with a Message');
      if (this.#reply) throw illegal('a turn can answer with only one Message');
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

  /** Entry point of all publish methods: refuses events after the end of the turn, and an illegal event fails the run. */
  #attempt(speak: () => Promise<void>): Promise<void> {
    if (this.#closed) return this.#refuse(illegal('execute has returned; no more events can be published'));
    try {
      return speak();
    } catch (thrown) {
      return this.#writer.breakWith(readThrown(thrown, this.#parts.agent).error);
    }
  }

  /** Executors need not await, and then no caller sees the rejection: report it to the developer instead. */
  #refuse(error: A2AError): Promise<never> {
    this.#parts.tooLate(error);
    return refused(error);
  }

  #publishRaw(publication: Publication): Promise<void> {
    if (publication.kind === 'task') {
      if (this.#parts.early.adopt()) return this.#mergeTask(publication.task);
      if (!this.#writer.exists) return this.#publishTask(publication.task);
      this.#parts.warn('a second Task was published; it is ignored');
      return Promise.resolve();
    }
    // Do not ask the writer: whether the runtime has created a Task by now depends on the time that the executor took.
    if (publication.kind === 'status' && !this.#parts.continued && this.state === undefined) {
      throw illegal('publish a Task before its first status update');
    }
    if (publication.kind === 'artifact') this.#started.add(publication.artifact.artifactId);
    return this.#say(publication);
  }

  /** Adds the caller's message to the history if the executor left it out. */
  #publishTask(task: Task): Promise<void> {
    const { maxEventBytes: maxBytes } = this.#parts;
    const { message } = this.#parts.request;
    const history = task.history ?? [];
    if (history.some(({ messageId }) => messageId === message.messageId)) return this.#publish({ kind: 'task', task, maxBytes });
    return this.#publish({ kind: 'task', task: { ...task, history: [...history, message] }, maxBytes, added: message });
  }

  #mergeTask(task: Task): Promise<void> {
    checkSize(JSON.stringify(task), this.#parts.maxEventBytes);
    return this.#merge(task);
  }

  /** Turns the Task that the runtime created into this one, in one commit: after a crash the log has all of it or nothing. */
  #merge(task: Task): Promise<void> {
    const [first, ...rest] = toUpdates(task, this.#parts.request);
    for (const { artifactId } of task.artifacts ?? []) this.#started.add(artifactId);
    return first === undefined ? DONE : this.#publish(first, rest);
  }

  #end(state: TaskState, message: string | Message | undefined): Promise<void> {
    const said = this.status(state, message);
    return ignorable(said === DONE ? this.#writer.flush() : said.then(() => this.#writer.flush()));
  }

  #artifact(publication: ArtifactPublication): Promise<void> {
    this.#started.add(publication.artifact.artifactId);
    return this.#say(publication);
  }

  /** Creates the Task if there is none, then publishes the event. */
  #say(publication: Publication): Promise<void> {
    if (!this.#writer.exists) void this.#publish({ kind: 'task', task: this.#newTask() });
    return this.#publish(publication);
  }

  #publish(publication: Publication, rest?: readonly Publication[]): Promise<void> {
    if (this.#reply) throw illegal('a turn that answered with a Message cannot have a Task');
    this.#parts.early.adopt();
    if (this.#writer.isFinal) this.#parts.tooLate(illegal(`task ${this.#writer.ref.id} has ended; no more events can be published`));
    const accepted = this.#writer.publish(publication, rest);
    // Without a store that waits, an executor that publishes large chunks in a loop would block the event loop until its end.
    return isLargeChunk(publication) ? ignorable(accepted.then(nextIteration)) : accepted;
  }

  #newTask(): Task {
    return newTask(this.#writer, this.#parts.request);
  }

  /** Sets the ids of this task, also on a message that came from elsewhere. */
  #toMessage(content: string | readonly Part[] | Message): Message {
    const { ref, contextId } = this.#writer;
    const about = { contextId, taskId: ref.id };
    if (typeof content === 'object' && 'messageId' in content) return { ...content, ...about };
    const parts: readonly Part[] = typeof content === 'string' ? [{ text: content }] : content;
    return { messageId: this.#parts.ids.messageId(), role: 'ROLE_AGENT', parts, ...about };
  }
}

/** A new Task that contains only the caller's message. */
export function newTask({ ref, contextId }: Pick<TaskWriter, 'ref' | 'contextId'>, { message }: TurnRequest): Task {
  return { id: ref.id, contextId, status: { state: 'TASK_STATE_SUBMITTED' }, history: [message] };
}

function contentOf({ bytes, text, base64, url }: FileInput): Part {
  const given = [bytes, text, base64, url].filter((content) => content !== undefined);
  if (given.length !== 1) throw illegal('a file needs exactly one of bytes, text, base64 and url');
  if (url !== undefined) return { url };
  if (base64 !== undefined) return { raw: base64 };
  const content = bytes ?? new TextEncoder().encode(text);
  if (!(content instanceof Uint8Array)) throw illegal('the bytes of a file must be a Uint8Array; pass text as `text`');
  return { raw: toBase64(content) };
}

const NO_FIELDS = {};

const illegal = (text: string): A2AError => new A2AError('INVALID_AGENT_RESPONSE', text);

function isLargeChunk(publication: Publication): boolean {
  if (publication.kind !== 'artifact') return false;
  const { text, raw } = publication.artifact.parts[0] ?? {};
  return isLarge(text ?? raw ?? '');
}
