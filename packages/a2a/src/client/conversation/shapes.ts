/**
 * Checks the shape of values that were stored. Less strict than the checks before a send: some agents send messages without an id or parts,
 * and these must survive a reload.
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

/** Whether the value can be the metadata of a request or an event. */
export function isMetadata(value: unknown): value is JsonObject {
  return isObject(value) && !isDeep(value);
}

/** Whether the value can be the configuration of a send. */
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

/** Whether the value is the seq of an event, or undefined. */
export function isSeq(value: unknown): value is number | undefined {
  return value === undefined || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0);
}

/** Whether the value is a string, or undefined. */
export function isText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

export function isTexts(value: unknown): value is readonly string[] | undefined {
  return value === undefined || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
}

function isFree(value: unknown): boolean {
  return value === undefined || isMetadata(value);
}
