/** The checks of the operations, in the order of D26, and the tasks that a caller may read. */
import { CLIENT_TOOLS_TYPES, offersClientTools } from '../../protocol/client-tools.js';
import { A2AError } from '../../protocol/errors.js';
import { negotiate } from '../../protocol/extensions.js';
import { METHODS } from '../../protocol/methods.js';
import type { AgentCard, JsonObject, Message, Part, Task } from '../../protocol/types.js';
import { utf8Length } from '../../protocol/utf8-length.js';
import { DEFAULT_AGENT, type Scope, type TaskRef } from '../../stores/store.js';
import { type Call, shareOfCall } from '../call.js';
import type { Share } from '../limits/share-counter.js';
import { type TurnRequest, withTaskIds } from '../log/entries.js';
import { MAX_BYTES_PER_UNIT, taskTooLarge } from '../log/task-limit.js';
import { messageGrowth, newTaskBytes } from '../log/task-size.js';
import type { CurrentTask } from '../log/task-view.js';
import type { Settings } from '../options.js';
import type { Runtime } from './runtime.js';

/** The active extensions; throws when the client did not request a required one. The extended card announces them, so it requires none. */
export function checkExtensions(card: AgentCard, call: Call): readonly string[] {
  const declared = card.capabilities.extensions ?? [];
  if (call.method !== 'GetExtendedAgentCard') return negotiate(declared, call.extensions);
  const known = new Set(declared.map(({ uri }) => uri));
  return call.extensions.filter((uri) => known.has(uri));
}

export function checkCapability(card: AgentCard, call: Call): void {
  const { capability } = METHODS[call.method] as { capability?: keyof AgentCard['capabilities'] };
  if (capability === undefined || card.capabilities[capability] === true) return;
  if (capability === 'pushNotifications') throw pushNotSupported();
  throw new A2AError('UNSUPPORTED_OPERATION', `${call.method} needs the capability ${capability}, which this agent does not have`);
}

export const pushNotSupported = (): A2AError =>
  new A2AError('PUSH_NOTIFICATION_NOT_SUPPORTED', 'this agent does not send push notifications');

/** Refuses a part whose media type neither the card nor a skill accepts; parts without a media type pass. */
export function checkPartTypes(card: AgentCard, parts: readonly Part[]): void {
  for (const [index, { mediaType }] of parts.entries()) {
    if (mediaType === undefined || accepts(card, mediaType)) continue;
    const taken = inputModes(card).join(', ');
    throw new A2AError('CONTENT_TYPE_NOT_SUPPORTED', `parts[${index}] is ${mediaType}; this agent accepts ${taken}`, {
      violations: [{ field: `message.parts[${index}].mediaType`, description: `must be one of ${taken}` }],
    });
  }
}

function accepts(card: AgentCard, mediaType: string): boolean {
  const wanted = essence(mediaType);
  if (inputModes(card).some((mode) => matches(essence(mode), wanted))) return true;
  return CLIENT_TOOLS_TYPES.includes(wanted) && offersClientTools(card); // an agent that declares the extension accepts its types
}

const inputModes = (card: AgentCard): readonly string[] => [
  ...new Set([...card.defaultInputModes, ...card.skills.flatMap((skill) => skill.inputModes ?? [])]),
];

const essence = (mediaType: string): string => (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();

function matches(mode: string, wanted: string): boolean {
  if (mode === '*/*' || mode === '*' || mode === wanted) return true;
  return mode.endsWith('/*') && wanted.startsWith(mode.slice(0, -1));
}

interface WithMetadata {
  readonly metadata?: JsonObject;
  readonly message?: Message;
}

/** Metadata is kept with the task and copied for each run, so that its limit is much smaller than that of the body. */
export function checkMetadata({ maxMetadataBytes }: Pick<Settings, 'maxMetadataBytes'>, { metadata, message }: WithMetadata): void {
  if (metadata !== undefined) checkBytes('metadata', metadata, maxMetadataBytes);
  if (message === undefined) return;
  if (message.metadata !== undefined) checkBytes('message.metadata', message.metadata, maxMetadataBytes);
  for (const [index, part] of message.parts.entries()) {
    if (part.metadata !== undefined) checkBytes(`message.parts[${index}].metadata`, part.metadata, maxMetadataBytes);
  }
}

/** Counts the bytes only near the limit: a UTF-16 unit is at most three bytes. */
function checkBytes(field: string, value: JsonObject, maxBytes: number): void {
  const json = JSON.stringify(value);
  if (json.length * 3 <= maxBytes) return;
  const bytes = new TextEncoder().encode(json).length;
  if (bytes <= maxBytes) return;
  const description = `has ${bytes} bytes, the limit is ${maxBytes} (maxMetadataBytes): send the data as a part`;
  throw new A2AError('CONTENT_TOO_LARGE', `${field} ${description}`, { violations: [{ field, description }] });
}

/** Each related task is loaded and parsed for the context, so that a short message could cost much. */
export function checkRelatedTasks({ maxRelatedTasks }: Pick<Settings, 'maxRelatedTasks'>, { referenceTaskIds = [] }: Message): void {
  if (referenceTaskIds.length <= maxRelatedTasks) return;
  const count = new Set(referenceTaskIds).size;
  if (count <= maxRelatedTasks) return;
  const field = 'message.referenceTaskIds';
  const description = `names ${count} different tasks, the limit is ${maxRelatedTasks} (maxRelatedTasks)`;
  throw new A2AError('INVALID_PARAMS', `${field} ${description}`, { violations: [{ field, description }] });
}

interface Ids {
  readonly taskId: string;
  readonly contextId: string;
}

/** The ids that the runtime adds to a message, and the task around it, are shorter than this. */
const ADDED_BYTES = 64 * 1024;

/** Throws CONTENT_TOO_LARGE when a new task would be too large with its first message (D58). */
export function checkNewTask({ settings }: Runtime, request: TurnRequest, { taskId, contextId }: Ids): void {
  const { maxTaskBytes, maxBodyBytes } = settings;
  if (maxBodyBytes + ADDED_BYTES <= maxTaskBytes) return;
  const bytes = newTaskBytes(withTaskIds(request, taskId, contextId).message, taskId, contextId);
  if (bytes > maxTaskBytes) throw taskTooLarge(bytes, maxTaskBytes);
}

/** Throws CONTENT_TOO_LARGE when the task would be too large with this message. Nothing is measured while the task is far from the limit. */
export function checkTaskRoom({ settings }: Runtime, request: TurnRequest, current: CurrentTask): void {
  const { maxTaskBytes, maxBodyBytes } = settings;
  const { text, messages, historyBytes } = current;
  const bound = historyBytes + messages + (text.head.length + text.artifacts.length) * MAX_BYTES_PER_UNIT;
  if (bound + maxBodyBytes + ADDED_BYTES <= maxTaskBytes) return;
  const { id, contextId = '', status }: Task = JSON.parse(text.head);
  const { message } = withTaskIds(request, id, contextId);
  const bytes = currentBytes(current) + messageGrowth(message, messages, status.message !== undefined);
  if (bytes > maxTaskBytes) throw taskTooLarge(bytes, maxTaskBytes);
}

/** The size of the Task as GetTask returns it. Lines and the members of an array have the same separators. */
function currentBytes({ text, messages, historyBytes }: CurrentTask): number {
  const artifacts = text.artifacts === '' ? 0 : ',"artifacts":[]'.length + utf8Length(text.artifacts);
  const history = messages === 0 ? 0 : ',"history":[]'.length + historyBytes + messages - 1;
  return utf8Length(text.head) + artifacts + history;
}

/** The task's key in the store. In a tenant that the caller may not use, every task is unknown. */
export function scoped(call: Call, id: string): TaskRef {
  if (!mayUseTenant(call)) throw taskNotFound(id);
  return { ...scopeFrom(call), id };
}

/** The same for calls without a task id. */
export function scopeOf(call: Call): Scope {
  if (!mayUseTenant(call)) throw new A2AError('TASK_NOT_FOUND', 'no such task');
  return scopeFrom(call);
}

function scopeFrom({ params, caller }: Call): Scope {
  return { agent: DEFAULT_AGENT, tenant: params.tenant ?? '', owner: caller.id };
}

const mayUseTenant = ({ caller, params }: Call): boolean => caller.tenants?.includes(params.tenant ?? '') ?? true;

/** Anonymous callers beyond loopback share one owner: each may see a conversation only if it knows the context id. */
export function checkAnonymous({ caller, exposed, params }: Call<'ListTasks'>): void {
  if (caller.id !== '' || !exposed || params.contextId !== undefined) return;
  throw new A2AError('INVALID_PARAMS', 'anonymous callers can list tasks only by contextId', {
    violations: [{ field: 'contextId', description: 'is required to list tasks without authentication' }],
  });
}

/** With at least `historyLength` of the newest messages; absent: all. */
export async function loadTask(runtime: Runtime, ref: TaskRef, historyLength?: number): Promise<CurrentTask> {
  const current = await runtime.log.current(ref, historyLength);
  if (current === undefined) throw taskNotFound(ref.id);
  return current;
}

/** One text for absent, deleted and other callers' tasks: a caller must not be able to tell them apart. */
export const taskNotFound = (id: string): A2AError => new A2AError('TASK_NOT_FOUND', `no task ${id}`, { metadata: { taskId: id } });

/** Throws when this caller, or all callers together, have too many streams for one more. */
export function checkReadersOf({ log }: Runtime, share: Share): void {
  log.hub.streams.check(share, 'open streams');
}

/** Throws RATE_LIMITED when this task has too many streams for one more. */
export function checkReadersAt({ log, settings }: Runtime, ref: TaskRef): void {
  const { maxReadersPerTask } = settings;
  if (log.hub.countStreams(ref) < maxReadersPerTask) return;
  const text = `task ${ref.id} has ${maxReadersPerTask} open streams, which is the limit; retry later`;
  throw new A2AError('RATE_LIMITED', text, { retryAfterMs: 1_000 });
}

/** Counts a call that waits for an answer; call the result when it is answered. Throws when there are too many. */
export const enterCall = ({ calls }: Runtime, call: Call): (() => void) => calls.enter(shareOfCall(call), 'calls without an answer');
