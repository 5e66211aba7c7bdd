/**
 * Serializes the entries of one task's log. Constant parts are serialized once and reused: the ids are in every event, and the message that
 * started a task is in its input, in its Task and in its history.
 */
import type { TaskDraft } from '../../protocol/apply-event.js';
import { isTextPart } from '../../protocol/text-parts.js';
import type { Artifact, Message, Task, TaskArtifactUpdateEvent, TaskStatus, TaskStatusUpdateEvent } from '../../protocol/types.js';
import type { InputPublication, Note } from './entries.js';

export class EventText {
  readonly #taskId: string;
  readonly #contextId: string;
  readonly #node: string;
  /** Both ids as JSON members. */
  readonly #ids: string;
  // Caches of the last serialized message, status and id of an artifact.
  #message: Message | undefined;
  #messageText = '';
  #status: TaskStatus | undefined;
  #statusText = '';
  #artifactId: string | undefined;
  #artifactIdText = '';

  constructor(taskId: string, contextId: string, node: string) {
    this.#node = node;
    this.#taskId = JSON.stringify(taskId);
    this.#contextId = JSON.stringify(contextId);
    this.#ids = `"taskId":${this.#taskId},"contextId":${this.#contextId}`;
  }

  readonly ofMessage = (message: Message): string => {
    if (message !== this.#message) {
      this.#message = message;
      this.#messageText = JSON.stringify(message);
    }
    return this.#messageText;
  };

  /** `resumes`: the entry of the interrupted status that the message ends. */
  ofInput({ request, as, attempt = 1, provisional }: InputPublication, resumes?: number): string {
    const { message, caller, requestId, extensions, configuration, metadata, trace } = request;
    const rest = JSON.stringify({ caller, requestId, extensions, configuration, metadata, trace });
    const again = attempt > 1 ? `"attempt":${attempt},` : '';
    const mark = provisional ? '"provisional":true,' : '';
    const resumed = resumes === undefined ? '' : `"resumes":${resumes},`;
    const node = `"node":${JSON.stringify(this.#node)},`;
    const members = `${again}${mark}${resumed}${node}`;
    return `{"input":{"as":"${as}",${members}"request":{"message":${this.ofMessage(message)},${rest.slice(1)}}}`;
  }

  /** A note of kind `attempt` also records the node that runs `execute` again. */
  ofNote(note: Note): string {
    return JSON.stringify({ note: note.kind === 'attempt' ? { ...note, node: this.#node } : note });
  }

  /** The status comes before all members that may be long, so that `stateOf` finds the state without parsing. */
  ofTask({ status, artifacts, history, metadata }: Task): string {
    let json = `{"task":{"id":${this.#taskId},"contextId":${this.#contextId},"status":${this.#ofStatus(status)}`;
    if (artifacts !== undefined) json += `,"artifacts":${JSON.stringify(artifacts)}`;
    if (history !== undefined) json += `,"history":[${history.map(this.ofMessage).join(',')}]`;
    if (metadata !== undefined) json += `,"metadata":${JSON.stringify(metadata)}`;
    return `${json}}}`;
  }

  ofStatus({ status, metadata }: TaskStatusUpdateEvent): string {
    const json = `{"statusUpdate":{${this.#ids},"status":${this.#ofStatus(status)}`;
    return metadata === undefined ? `${json}}}` : `${json},"metadata":${JSON.stringify(metadata)}}}`;
  }

  ofArtifact({ artifact, append, lastChunk, metadata }: TaskArtifactUpdateEvent): string {
    let json = `{"artifactUpdate":{${this.#ids},"artifact":${this.#ofChunk(artifact)}`;
    if (append) json += ',"append":true';
    if (lastChunk) json += ',"lastChunk":true';
    if (metadata !== undefined) json += `,"metadata":${JSON.stringify(metadata)}`;
    return `${json}}}`;
  }

  /** The Task without history and artifacts. */
  ofHead({ status, metadata }: TaskDraft): string {
    const json = `{"id":${this.#taskId},"contextId":${this.#contextId},"status":${this.#ofStatus(status)}`;
    return metadata === undefined ? `${json}}` : `${json},"metadata":${JSON.stringify(metadata)}}`;
  }

  /** Most chunks are one text: its text is joined with the id, because serializing the whole artifact takes three times as long. */
  #ofChunk(artifact: Artifact): string {
    const { artifactId, name, description, parts, metadata, extensions } = artifact;
    const [part] = parts;
    const isBare = name === undefined && description === undefined && metadata === undefined && extensions === undefined;
    if (!isBare || parts.length !== 1 || part?.text === undefined || !isTextPart(part)) return JSON.stringify(artifact);
    if (artifactId !== this.#artifactId) {
      this.#artifactId = artifactId;
      this.#artifactIdText = JSON.stringify(artifactId);
    }
    return `{"artifactId":${this.#artifactIdText},"parts":[{"text":${JSON.stringify(part.text)}}]}`;
  }

  #ofStatus(status: TaskStatus): string {
    if (status !== this.#status) {
      this.#status = status;
      this.#statusText = toText(status);
    }
    return this.#statusText;
  }
}

/** `state` comes first, for `stateOf`. States and times need no escapes. */
function toText({ state, message, timestamp }: TaskStatus): string {
  const said = message === undefined ? '' : `"message":${JSON.stringify(message)},`;
  return timestamp === undefined ? JSON.stringify({ state, message }) : `{"state":"${state}",${said}"timestamp":"${timestamp}"}`;
}
