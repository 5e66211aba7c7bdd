/** From what somebody wants to say to a numbered, serialised entry of the log. */
import type { TaskEvent } from '../protocol/apply-event.js';
import type { Clock } from '../protocol/clock.js';
import { A2AError } from '../protocol/errors.js';
import type { Artifact, JsonObject, Message, Task, TaskState } from '../protocol/types.js';
import type { Entry, TaskRef } from '../stores/store.js';
import { eventJson, type InputAs, inputJson, type Note, noteJson, type SentEvent, type TurnRequest } from './entries.js';

/** Ours as a whole: what an executor may still hold was copied at the door (`take`). */
export type Publication =
  | { readonly kind: 'task'; readonly task: Task }
  | StatusPublication
  | ArtifactPublication
  | { readonly kind: 'input'; readonly request: TurnRequest; readonly as: InputAs; readonly attempt?: number; readonly row?: number }
  | { readonly kind: 'note'; readonly note: Note };

export interface StatusPublication {
  readonly kind: 'status';
  readonly state: TaskState;
  readonly message?: Message;
  readonly metadata?: JsonObject;
  /** The inbox row that asked for it. */
  readonly row?: number;
}

interface ArtifactPublication {
  readonly kind: 'artifact';
  readonly artifact: Artifact;
  readonly append?: boolean;
  readonly lastChunk?: boolean;
  readonly metadata?: JsonObject;
}

/** All that is needed to check the next event and to number it. */
export interface LogHead {
  seq: number;
  /** Undefined while there is no Task. */
  state: TaskState | undefined;
  statusAt: number;
  statusSeq: number;
  readonly artifacts: Set<string>;
}

export interface LogFacts {
  readonly ref: TaskRef;
  readonly contextId: string;
  readonly settings: { readonly clock: Clock };
}

/** An entry that waits to be committed, what it does to the draft, and the inbox row that it takes. */
export interface Queued {
  readonly entry: Entry;
  readonly event: TaskEvent | undefined;
  readonly take: number | undefined;
}

/** What a publication comes to, before it is numbered. */
interface Said {
  readonly kind: Entry['kind'];
  readonly json: string;
  readonly event?: TaskEvent;
  readonly take?: number | undefined;
  readonly status?: { readonly state: TaskState; readonly at: number };
  readonly artifacts?: readonly Artifact[];
}

/** Checks, stamps, serialises, and moves the head forward; throws an A2AError and moves nothing when the event is illegal or too large. */
export function append(publication: Publication, head: LogHead, facts: LogFacts, maxBytes: number): Queued {
  const at = facts.settings.clock.now();
  const { kind, json, event, take, status, artifacts } = say(publication, head, facts, at);
  checkSize(json, maxBytes);
  head.seq += 1;
  if (status) {
    head.state = status.state;
    head.statusAt = status.at;
    head.statusSeq = head.seq;
  }
  if (artifacts) for (const { artifactId } of artifacts) head.artifacts.add(artifactId);
  return { entry: { seq: head.seq, kind, at, json }, event, take };
}

function say(publication: Publication, head: LogHead, facts: LogFacts, at: number): Said {
  switch (publication.kind) {
    case 'input':
      return sayInput(publication, head);
    case 'note':
      return { kind: 'note', json: noteJson(publication.note) };
    case 'task':
      return sayTask(publication, nextStatusAt(head, at));
    case 'status':
      return sayStatus(publication, facts, nextStatusAt(head, at));
    case 'artifact':
      return sayArtifact(publication, head, facts);
  }
}

/** The message that starts a task is in the history of the Task that follows: folding it too would double it. */
function sayInput(publication: Extract<Publication, { kind: 'input' }>, head: LogHead): Said {
  const said: Said = { kind: 'input', json: inputJson(publication), take: publication.row };
  return head.state === undefined ? said : { ...said, event: { kind: 'input', message: publication.request.message } };
}

function sayTask({ task }: Extract<Publication, { kind: 'task' }>, at: number): Said {
  const { state } = task.status;
  const event: SentEvent = { kind: 'task', task: { ...task, status: { ...task.status, timestamp: iso(at) } } };
  return { ...serialise(event), status: { state, at }, artifacts: task.artifacts ?? [] };
}

function sayStatus({ state, message, metadata, row }: StatusPublication, facts: LogFacts, at: number): Said {
  // `state` comes first: it is found there without parsing (`stateOf`).
  const status = message ? { state, message, timestamp: iso(at) } : { state, timestamp: iso(at) };
  const about = { taskId: facts.ref.id, contextId: facts.contextId };
  const event: SentEvent = { kind: 'status', update: metadata ? { ...about, status, metadata } : { ...about, status } };
  return { ...serialise(event), status: { state, at }, take: row };
}

function sayArtifact(publication: ArtifactPublication, head: LogHead, facts: LogFacts): Said {
  const { artifact, append: isAppend, lastChunk, metadata } = publication;
  if (isAppend && !head.artifacts.has(artifact.artifactId)) {
    throw new A2AError('INVALID_AGENT_RESPONSE', `artifact ${artifact.artifactId} cannot be appended to: it does not exist yet`);
  }
  const update = {
    taskId: facts.ref.id,
    contextId: facts.contextId,
    artifact,
    ...(isAppend && { append: true }),
    ...(lastChunk && { lastChunk: true }),
    ...(metadata && { metadata }),
  };
  const said = serialise({ kind: 'artifact', update });
  return isAppend ? said : { ...said, artifacts: [artifact] };
}

const serialise = (event: SentEvent): Said => ({ kind: event.kind, json: eventJson(event), event });

/** Counting bytes is only worth it near the limit: a UTF-16 unit is at most three. */
export function checkSize(json: string, maxBytes: number): void {
  if (json.length * 3 <= maxBytes) return;
  const bytes = new TextEncoder().encode(json).length;
  if (bytes <= maxBytes) return;
  throw new A2AError('CONTENT_TOO_LARGE', `an event of ${bytes} bytes is over ${maxBytes}: send a url part, or append smaller parts`);
}

/** Status times rise by at least a millisecond, whatever the clock does, so that lists have one order (D11). */
const nextStatusAt = (head: LogHead, at: number): number => Math.max(at, head.statusAt + 1);

const iso = (at: number): string => new Date(at).toISOString();
