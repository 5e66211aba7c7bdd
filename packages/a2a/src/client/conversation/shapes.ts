/**
 * Whether a value that was kept somewhere has the shape that it must have. Looser than what may be sent: agents say things without an id or
 * without parts, and what was taken from them has to come back.
 */
import { isObject } from '../../protocol/is-object.js';
import { isDeep } from '../../protocol/nesting.js';
import { TASK_STATES } from '../../protocol/task-state.js';
import type { Artifact, JsonObject, Message, Part, SendMessageConfiguration, Task } from '../../protocol/types.js';

const TEXTS = ['text', 'raw', 'url', 'filename', 'mediaType'];
const STATES: readonly unknown[] = TASK_STATES;
const ROLES: readonly unknown[] = ['ROLE_UNSPECIFIED', 'ROLE_USER', 'ROLE_AGENT'];

export function isPart(value: unknown): value is Part {
  if (!isObject(value) || !TEXTS.every((name) => isText(value[name]))) return false;
  return isFree(value.metadata) && !isDeep(value.data);
}

export function isMessage(value: unknown): value is Message {
  if (!isObject(value) || typeof value.messageId !== 'string' || !ROLES.includes(value.role)) return false;
  const { contextId, taskId, parts, metadata, extensions, referenceTaskIds } = value;
  return (
    isText(contextId) && isText(taskId) && isListOf(isPart, parts) && isFree(metadata) && isTexts(extensions) && isTexts(referenceTaskIds)
  );
}

export function isArtifact(value: unknown): value is Artifact {
  if (!isObject(value) || typeof value.artifactId !== 'string') return false;
  const { name, description, parts, metadata, extensions } = value;
  return isText(name) && isText(description) && isListOf(isPart, parts) && isFree(metadata) && isTexts(extensions);
}

export function isTask(value: unknown): value is Task {
  if (!isObject(value) || typeof value.id !== 'string' || !isObject(value.status)) return false;
  const { contextId, status, artifacts, history, metadata } = value;
  if (!STATES.includes(status.state) || !isText(status.timestamp) || !isOptional(isMessage, status.message)) return false;
  const hasLists = (artifacts === undefined || isListOf(isArtifact, artifacts)) && (history === undefined || isListOf(isMessage, history));
  return hasLists && isText(contextId) && isFree(metadata);
}

/** What is said about a request or an event. */
export function isMetadata(value: unknown): value is JsonObject {
  return isObject(value) && !isDeep(value);
}

/** What is sent beside a message. */
export function isConfiguration(value: unknown): value is SendMessageConfiguration {
  if (!isObject(value)) return false;
  const { acceptedOutputModes, historyLength, taskPushNotificationConfig: hook } = value;
  return (
    isTexts(acceptedOutputModes) &&
    isSeq(historyLength) &&
    (hook === undefined || (isObject(hook) && isFree(hook) && typeof hook.url === 'string'))
  );
}

export function isListOf<T>(is: (value: unknown) => value is T, value: unknown): value is readonly T[] {
  return Array.isArray(value) && value.every(is);
}

export function isOptional<T>(is: (value: unknown) => value is T, value: unknown): value is T | undefined {
  return value === undefined || is(value);
}

/** The number of an event. */
export function isSeq(value: unknown): value is number | undefined {
  return value === undefined || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0);
}

/** A text, or none. */
export function isText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

export function isTexts(value: unknown): value is readonly string[] | undefined {
  return value === undefined || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
}

function isFree(value: unknown): boolean {
  return value === undefined || isMetadata(value);
}
