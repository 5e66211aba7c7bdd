/**
 * The reducer: the only code that changes a task, on servers, in clients and in user interfaces. It changes a draft that the caller owns
 * and never copies existing data, so a stream of n chunks costs n steps and not n².
 */
import { A2AError } from './errors.js';
import { isTerminal } from './task-state.js';
import { isTextPart } from './text-parts.js';
import type {
  Artifact,
  JsonObject,
  JsonValue,
  Message,
  Part,
  Task,
  TaskArtifactUpdateEvent,
  TaskStatus,
  TaskStatusUpdateEvent,
} from './types.js';

type MutableJson = Record<string, JsonValue>;

/** An artifact that `applyEvent` changes in place. */
export interface ArtifactDraft {
  artifactId: string;
  name?: string;
  description?: string;
  parts: Part[];
  metadata?: MutableJson;
  extensions?: readonly string[];
}

/** A mutable task. Everything below its arrays may be shared with events: change it only through applyEvent. */
export interface TaskDraft {
  id: string;
  contextId?: string;
  status: TaskStatus;
  artifacts: ArtifactDraft[];
  history: Message[];
  metadata?: MutableJson;
}

/** One event of a task's log, as `applyEvent` takes it; check its `kind`. */
export type TaskEvent =
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'status'; readonly update: TaskStatusUpdateEvent }
  | { readonly kind: 'artifact'; readonly update: TaskArtifactUpdateEvent }
  | { readonly kind: 'input'; readonly message: Message };

/** Options of `applyEvent`: which events are accepted, and how texts are joined. */
export interface ApplyOptions {
  /** For readers of other agents' tasks: accepts events that a strict writer refuses. Default false. */
  readonly lenient?: boolean;
  /** Keeps each appended text as a separate part, as received. Default false: it extends the previous text. */
  readonly keepParts?: boolean;
}

/** Creates a draft with its own arrays; the given task is not changed. */
export function createDraft(task: Task): TaskDraft {
  const { id, contextId, status, metadata } = task;
  const draft: TaskDraft = { id, status, artifacts: artifactDrafts(task), history: historyOf(task) };
  if (contextId !== undefined) draft.contextId = contextId;
  if (metadata !== undefined) draft.metadata = { ...metadata };
  return draft;
}

/** Applies one event to the draft. Strict: throws and leaves the draft unchanged when the event is not legal. Lenient: never throws. */
export function applyEvent(draft: TaskDraft, event: TaskEvent, options?: ApplyOptions): void {
  const lenient = options?.lenient === true;
  if (isTerminal(draft.status.state)) {
    if (lenient) return;
    throw afterTheEnd(draft, event);
  }
  switch (event.kind) {
    case 'task':
      if (!lenient) throw new A2AError('INVALID_AGENT_RESPONSE', `Task ${draft.id} already exists; publish status or artifact updates`);
      replaceContent(draft, event.task);
      break;
    case 'status':
      applyStatus(draft, event.update);
      break;
    case 'artifact':
      applyArtifact(draft, event.update, options);
      break;
    case 'input':
      applyInput(draft, event.message);
      break;
  }
}

function replaceContent(draft: TaskDraft, task: Task): void {
  draft.id = task.id;
  draft.status = task.status;
  draft.artifacts = artifactDrafts(task);
  draft.history = historyOf(task);
  delete draft.contextId;
  delete draft.metadata;
  if (task.contextId !== undefined) draft.contextId = task.contextId;
  if (task.metadata !== undefined) draft.metadata = { ...task.metadata };
}

const artifactDrafts = ({ artifacts }: Task): ArtifactDraft[] => artifacts?.map(createArtifactDraft) ?? [];

const historyOf = ({ history }: Task): Message[] => history?.slice() ?? [];

function applyStatus(draft: TaskDraft, update: TaskStatusUpdateEvent): void {
  moveStatusMessage(draft);
  if (update.metadata !== undefined) draft.metadata = merged(draft.metadata, update.metadata);
  draft.status = update.status;
}

function applyInput(draft: TaskDraft, message: Message): void {
  moveStatusMessage(draft);
  if (draft.status.message !== undefined) {
    const { message: _moved, ...rest } = draft.status;
    draft.status = rest;
  }
  draft.history.push(message);
}

/** The message of the old status moves to the history when a newer status or message replaces it. */
function moveStatusMessage(draft: TaskDraft): void {
  if (draft.status.message !== undefined) draft.history.push(draft.status.message);
}

function applyArtifact(draft: TaskDraft, update: TaskArtifactUpdateEvent, options: ApplyOptions = {}): void {
  const { artifact } = update;
  const index = artifactIndex(draft.artifacts, artifact.artifactId);
  const known = draft.artifacts[index];
  if (known === undefined) {
    if (update.append === true && options.lenient !== true) throw firstChunkAppends(artifact);
    draft.artifacts.push(createArtifactDraft(artifact));
  } else if (update.append === true) {
    extendArtifact(known, artifact, options.keepParts === true);
  } else {
    draft.artifacts[index] = createArtifactDraft(artifact);
  }
}

const FEW = 16;
const indexes = new WeakMap<ArtifactDraft[], Map<string, number>>();

/** The place of an artifact; −1 if there is none. Scans a short list and uses an index for a long one, so that the cost of an event does not depend on the number of artifacts. */
export function artifactIndex(artifacts: ArtifactDraft[], id: string): number {
  if (artifacts.length <= FEW) return artifacts.findLastIndex(({ artifactId }) => artifactId === id);
  const index = indexes.get(artifacts) ?? new Map<string, number>();
  indexes.set(artifacts, index);
  for (let at = index.size; at < artifacts.length; at += 1) index.set(artifacts[at]?.artifactId ?? '', at);
  return index.get(id) ?? -1;
}

function extendArtifact(draft: ArtifactDraft, chunk: Artifact, keepParts: boolean): void {
  if (keepParts || !extendLastText(draft.parts, chunk.parts)) for (const part of chunk.parts) draft.parts.push(part);
  if (chunk.name !== undefined) draft.name = chunk.name;
  if (chunk.description !== undefined) draft.description = chunk.description;
  if (chunk.metadata !== undefined) draft.metadata = merged(draft.metadata, chunk.metadata);
  if (chunk.extensions !== undefined) draft.extensions = [...new Set([...(draft.extensions ?? []), ...chunk.extensions])];
}

/**
 * An answer of 2,000 tokens is one text, not 2,000 parts. The last part is replaced and never changed, because events and copies share it.
 * Appending to a string takes constant time, because the engine copies the characters only when the text is read.
 */
function extendLastText(parts: Part[], added: readonly Part[]): boolean {
  const [piece] = added;
  const last = parts.at(-1);
  if (added.length !== 1 || !isTextPart(piece) || !isTextPart(last)) return false;
  parts[parts.length - 1] = { text: last.text + piece.text };
  return true;
}

function createArtifactDraft(artifact: Artifact): ArtifactDraft {
  const { artifactId, name, description, parts, metadata, extensions } = artifact;
  const draft: ArtifactDraft = { artifactId, parts: parts.slice() };
  if (name !== undefined) draft.name = name;
  if (description !== undefined) draft.description = description;
  if (metadata !== undefined) draft.metadata = { ...metadata };
  if (extensions !== undefined) draft.extensions = extensions;
  return draft;
}

/** Changes the target in place; the first merge creates a copy. */
function merged(target: MutableJson | undefined, source: JsonObject): MutableJson {
  if (target === undefined) return { ...source };
  for (const [key, value] of Object.entries(source)) {
    // Assigning to `__proto__` would change the prototype instead of adding a member.
    if (key === '__proto__') Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
    else target[key] = value;
  }
  return target;
}

function afterTheEnd(draft: TaskDraft, event: TaskEvent): A2AError {
  const reason = event.kind === 'input' ? 'UNSUPPORTED_OPERATION' : 'INVALID_AGENT_RESPONSE';
  return new A2AError(reason, `Task ${draft.id} is ${draft.status.state} and cannot change any more`);
}

function firstChunkAppends({ artifactId }: Artifact): A2AError {
  return new A2AError('INVALID_AGENT_RESPONSE', `Artifact ${artifactId} does not exist yet; send its first chunk without append`);
}
