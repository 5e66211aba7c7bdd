/** What a client of the plain dialect sends and reads. */
import { isObject, type Members } from '../../protocol/is-object.js';
import type { MethodName } from '../../protocol/methods.js';
import type { SendMessageRequest } from '../../protocol/types.js';
import { roleToSchema } from './enums.js';
import { given, partToSchema } from './parts.js';

/** The parameters of a send: the message, and the configuration only if it differs from what such agents do anyway. */
export function toPlainRequest({ message, configuration = {}, metadata }: SendMessageRequest): Members {
  const { parts, role, ...rest } = message;
  const { historyLength, returnImmediately } = configuration;
  const plain = { ...rest, role: roleToSchema(role), parts: parts.map((part) => toPlainPart({ ...part })) };
  const asked = given({ historyLength, blocking: returnImmediately === true ? false : undefined });
  return { message: plain, ...(Object.keys(asked).length > 0 && { configuration: asked }), ...given({ metadata }) };
}

function toPlainPart(part: Members): Members {
  const { kind: type, ...rest } = partToSchema(part);
  return { type, ...rest };
}

/** A question of a task, whose content does not tell it from an earlier one. */
export interface Question {
  readonly taskId: string;
  readonly content: string;
}

/** The names for what has no id of its own. */
export interface PlainNames {
  /** Of the answer. */
  readonly id: string;
  /** How often the task had asked the question before. */
  timesBefore(question: Question): number;
}

/** Any result is an answer: a task or a message, whose ids may be missing, a text, or other data. */
export function fromPlainResult(method: MethodName, result: unknown, names: PlainNames): unknown {
  const { id } = names;
  const isSend = method === 'SendMessage' || method === 'SendStreamingMessage';
  if (!isObject(result)) return isSend ? toMessage([typeof result === 'string' ? { text: result } : { data: result }], id) : result;
  const { task, message, statusUpdate, artifactUpdate } = result;
  if (isObject(task)) return { task: withIds(task, names) };
  if (isObject(message)) return { message: withId(message, id) };
  if (isObject(statusUpdate)) return { statusUpdate: withIds(statusUpdate, names) };
  if (isObject(artifactUpdate)) return { artifactUpdate: withIds(artifactUpdate, names) };
  if (isObject(result.status) || isObject(result.artifact)) return withIds(result, names);
  if (!isSend) return result;
  return Array.isArray(result.parts) ? withId(result, id) : toMessage([{ data: result }], id);
}

function toMessage(parts: readonly Members[], messageId: string): Members {
  return { messageId, role: 'agent', parts };
}

function withId({ messageId, role = 'agent', ...rest }: Members, id: string): Members {
  return { ...rest, role, messageId: isText(messageId) ? messageId : id };
}

/** A task, or an update of one, in which every message and artifact has an id. */
function withIds(value: Members, { id, timesBefore }: PlainNames): Members {
  const { status, artifact, artifacts } = value;
  const isTask = isObject(status) && !isText(value.taskId);
  const taskId = [value.taskId, value.id].find(isText) ?? id;
  const history = Array.isArray(value.history) ? value.history : undefined;
  return {
    ...value,
    ...(isTask && { id: taskId }),
    ...(isObject(status) &&
      isObject(status.message) && { status: withStatusId(status, history, (content) => timesBefore({ taskId, content })) }),
    ...(history && { history: withHistoryIds(history) }),
    ...(isObject(artifact) && { artifact: isText(artifact.artifactId) ? artifact : { ...artifact, artifactId: artifactIdAt(0) } }),
    ...(Array.isArray(artifacts) && { artifacts: withArtifactIds(artifacts) }),
  };
}

/** The same message has the same id in each answer of the agent, in the status and in the history: its content, and the place among equal ones. */
function withStatusId(status: Members, history: readonly unknown[] = [], timesBefore: (content: string) => number): Members {
  const message = isObject(status.message) ? status.message : {};
  const content = contentOf(message);
  const past = history.filter(isObject);
  const isInHistory = past.length > 0 && contentOf(past.at(-1) ?? {}) === content;
  const shown = past.filter((one) => contentOf(one) === content).length - (isInHistory ? 1 : 0);
  const isQuestion = typeof status.state === 'string' && /(?:input|auth).required$/i.test(status.state);
  // The history may be missing or cut.
  return { ...status, message: withId(message, toId(content, isQuestion ? Math.max(shown, timesBefore(content)) : shown)) };
}

function withHistoryIds(history: readonly unknown[]): readonly unknown[] {
  const counts = new Map<string, number>();
  return history.map((one) => {
    if (!isObject(one)) return one;
    const content = contentOf(one);
    const before = counts.get(content) ?? 0;
    counts.set(content, before + 1);
    return withId(one, toId(content, before));
  });
}

function contentOf({ role, parts }: Members): string {
  return hashOf(JSON.stringify([role, parts]));
}

function toId(content: string, before: number): string {
  return `plain-${content}${before === 0 ? '' : `-${before}`}`;
}

function withArtifactIds(artifacts: readonly unknown[]): readonly unknown[] {
  const taken = new Set(artifacts.map((one) => (isObject(one) ? one.artifactId : undefined)));
  let next = 0;
  return artifacts.map((one) => {
    if (!isObject(one) || isText(one.artifactId)) return one;
    while (taken.has(artifactIdAt(next))) next += 1;
    return { ...one, artifactId: artifactIdAt(next++) };
  });
}

/** The pieces of a stream without an id belong to the first artifact. */
const artifactIdAt = (index: number): string => `artifact-${index}`;

/** FNV-1a. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
