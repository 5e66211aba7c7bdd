/**
 * The end of a task's log, including accepted entries: everything needed to check, number and serialize the next event. Every event of
 * every task passes through here, so it does nothing else.
 */
import type { TaskEvent } from '../../protocol/apply-event.js';
import type { Clock } from '../../protocol/clock.js';
import { A2AError } from '../../protocol/errors.js';
import { toIsoTime } from '../../protocol/iso-time.js';
import { isInterrupted } from '../../protocol/task-state.js';
import type { TaskState, TaskStatus } from '../../protocol/types.js';
import { utf8Length } from '../../protocol/utf8-length.js';
import { type Entry, isSent, type StoredTask, type TaskHead, type TaskRef } from '../../stores/store.js';
import type { ArtifactPublication, InputPublication, NotePublication, Publication, StatusPublication, TaskPublication } from './entries.js';
import { EventText } from './event-text.js';
import type { TaskLimit } from './task-limit.js';

/** An entry that waits for its commit, the event that it applies to the draft, and the inbox row that it takes. */
export interface Queued {
  readonly entry: Entry;
  readonly event: TaskEvent | undefined;
  readonly take: number | undefined;
}

/** A serialized publication before it gets its seq. */
interface Said {
  readonly json: string;
  readonly event: TaskEvent | undefined;
  readonly take: number | undefined;
  /** The new state, if it changes the status. */
  readonly state: TaskState | undefined;
}

interface HeadSettings {
  readonly clock: Clock;
  /** The node that writes the log. */
  readonly node: string;
  readonly limit: TaskLimit;
}

export class LogHead {
  seq = 0;
  /** Generation of the last event that readers get; 0 before the first. */
  generation = 0;
  /** Undefined while no Task exists. */
  state: TaskState | undefined;
  statusAt = 0;
  statusSeq = 0;
  readonly artifacts = new Set<string>();
  /** Serializes this task's events. */
  readonly text: EventText;
  readonly #ref: TaskRef;
  readonly #contextId: string;
  readonly #clock: Clock;
  readonly #limit: TaskLimit;

  constructor(ref: TaskRef, contextId: string, { clock, node, limit }: HeadSettings) {
    this.text = new EventText(ref.id, contextId, node);
    this.#ref = ref;
    this.#contextId = contextId;
    this.#clock = clock;
    this.#limit = limit;
  }

  restore({ seq, generation, head: { state, statusAt, statusSeq } }: StoredTask): void {
    this.seq = seq;
    this.generation = generation;
    this.state = state;
    this.statusAt = statusAt;
    this.statusSeq = statusSeq;
  }

  /** The status, as stores keep it beside the log. */
  toHead(): TaskHead {
    const { state = 'TASK_STATE_SUBMITTED', statusAt, statusSeq } = this;
    return { contextId: this.#contextId, state, statusAt, statusSeq };
  }

  /** Checks, timestamps, serializes and appends. Throws an A2AError and changes nothing when the event is illegal or too large. */
  append(publication: Publication, maxBytes: number): Queued {
    const at = this.#clock.now();
    return this.#number(publication, this.#check(publication, at, maxBytes), at);
  }

  /** The input and the Task that begin a log. If the Task is refused, the input is not appended either. */
  appendFirst(input: InputPublication, task: TaskPublication, maxBytes: number): readonly [Queued, Queued] {
    const at = this.#clock.now();
    const checked = this.#check(task, at, maxBytes);
    return [this.#number(input, this.#check(input, at, Number.POSITIVE_INFINITY), at), this.#number(task, checked, at)];
  }

  #check(publication: Publication, at: number, maxBytes: number): Said {
    // Status times increase by at least one millisecond, even if the clock does not, so that lists have one order (D11).
    const said = this.#say(publication, Math.max(at, this.statusAt + 1));
    checkSize(said.json, maxBytes);
    if (said.event !== undefined) this.#limit.admit(said.event, said.json, publication);
    return said;
  }

  #number(publication: Publication, { json, event, take, state }: Said, at: number): Queued {
    this.seq += 1;
    if (isSent(publication.kind)) this.generation += 1;
    if (state !== undefined) {
      this.state = state;
      this.statusAt = Math.max(at, this.statusAt + 1);
      this.statusSeq = this.seq;
    }
    this.#noteArtifacts(publication);
    return { entry: { seq: this.seq, kind: publication.kind, at, json, generation: this.generation }, event, take };
  }

  #say(publication: Publication, statusAt: number): Said {
    switch (publication.kind) {
      case 'input':
        return this.#sayInput(publication);
      case 'note':
        return this.#sayNote(publication);
      case 'task':
        return this.#sayTask(publication, statusAt);
      case 'status':
        return this.#sayStatus(publication, statusAt);
      case 'artifact':
        return this.#sayArtifact(publication);
    }
  }

  /** The message that starts a task is already in the history of the Task that follows: folding it too would duplicate it. */
  #sayInput(input: InputPublication): Said {
    const event: TaskEvent | undefined = this.state === undefined ? undefined : { kind: 'input', message: input.request.message };
    const resumes = this.state !== undefined && isInterrupted(this.state) ? this.statusSeq : undefined;
    return { json: this.text.ofInput(input, resumes), event, take: input.row, state: undefined };
  }

  #sayNote({ note }: NotePublication): Said {
    return { json: this.text.ofNote(note), event: undefined, take: undefined, state: undefined };
  }

  #sayTask({ task, maxBytes, added }: TaskPublication, at: number): Said {
    const { id, contextId, artifacts, history, metadata } = task;
    const { state, message } = task.status;
    const status: TaskStatus = { state, message, timestamp: toIsoTime(at) };
    const stamped = { id, contextId, status, artifacts, history, metadata };
    const json = this.text.ofTask(stamped);
    if (maxBytes !== undefined) checkSize(json, maxBytes, added && this.text.ofMessage(added));
    return { json, event: { kind: 'task', task: stamped }, take: undefined, state };
  }

  #sayStatus({ state, message, metadata, row }: StatusPublication, at: number): Said {
    const status: TaskStatus = { state, message, timestamp: toIsoTime(at) };
    const update = { taskId: this.#ref.id, contextId: this.#contextId, status, metadata };
    return { json: this.text.ofStatus(update), event: { kind: 'status', update }, take: row, state };
  }

  #sayArtifact({ artifact, append, lastChunk, metadata }: ArtifactPublication): Said {
    if (append && !this.artifacts.has(artifact.artifactId)) {
      throw new A2AError('INVALID_AGENT_RESPONSE', `cannot append to artifact ${artifact.artifactId}: it does not exist yet`);
    }
    const update = {
      taskId: this.#ref.id,
      contextId: this.#contextId,
      artifact,
      append: append || undefined,
      lastChunk: lastChunk || undefined,
      metadata,
    };
    return { json: this.text.ofArtifact(update), event: { kind: 'artifact', update }, take: undefined, state: undefined };
  }

  #noteArtifacts(publication: Publication): void {
    if (publication.kind === 'artifact' && !publication.append) this.artifacts.add(publication.artifact.artifactId);
    if (publication.kind !== 'task') return;
    for (const { artifactId } of publication.task.artifacts ?? []) this.artifacts.add(artifactId);
  }
}

/** Counts the bytes only near the limit: a UTF-16 unit is at most three bytes. `free`: a part of the text that does not count. */
export function checkSize(json: string, maxBytes: number, free = ''): void {
  if (json.length * 3 <= maxBytes) return;
  const bytes = utf8Length(json) - utf8Length(free);
  if (bytes <= maxBytes) return;
  throw new A2AError(
    'CONTENT_TOO_LARGE',
    `an event of ${bytes} bytes exceeds the limit of ${maxBytes}: send a url part, or append smaller parts`,
  );
}
