/** What an executor is told of its request, and the builder that may be replaced. */

import { type IdGenerators, randomIds } from '../platform/random-ids.js';
import type { Clock } from '../protocol/clock.js';
import { A2AError } from '../protocol/errors.js';
import type { JsonObject, Message, Part, SendMessageConfiguration, Task } from '../protocol/types.js';
import type { Caller } from './call.js';
import type { RequestContext } from './executor.js';
import type { Logger } from './logger.js';

/** The abilities that only the runtime can give. */
export type ContextAbilities = Pick<RequestContext, 'conversation' | 'requireInput' | 'requireAuth' | 'signal' | 'attempt'> & {
  readonly clock: Clock;
  readonly logger: Logger;
};

/** All that is known when a context is built. Without a message it is for a cancel. */
export interface ContextRequest {
  readonly abilities: ContextAbilities;
  readonly caller: Caller;
  readonly tenant: string;
  readonly requestedExtensions: readonly string[];
  readonly message?: Message;
  readonly configuration?: SendMessageConfiguration;
  readonly metadata?: JsonObject;
  /** Missing ids are generated. */
  readonly taskId?: string;
  readonly contextId?: string;
  /** The task as stored now; its ids must be the ones above. */
  readonly task?: Task;
  readonly relatedTasks?: readonly Task[];
  readonly ids?: Partial<IdGenerators>;
}

export type BuildContext = (request: ContextRequest) => Promise<RequestContext>;

/** Replaces how contexts are built: call `build` for the usual one, then add to it; or make your own. */
export type RequestContextBuilder = (request: ContextRequest, build: BuildContext) => Promise<RequestContext> | RequestContext;

/** Reads a task within the scope of the caller; undefined when there is none. */
export type LoadTask = (request: ContextRequest, taskId: string) => Promise<Task | undefined>;

/** The usual builder. With `loadTask`, the tasks that the message refers to are fetched; missing ones are left out. */
export function contextBuilder(options: { readonly loadTask?: LoadTask } = {}): BuildContext {
  const { loadTask } = options;
  return async (request) => {
    if (loadTask === undefined) return createRequestContext(request);
    const ids = request.message?.referenceTaskIds ?? [];
    const found = await Promise.all(ids.map((id) => loadTask(request, id)));
    const referred = found.filter((task) => task !== undefined);
    return createRequestContext({ ...request, relatedTasks: [...(request.relatedTasks ?? []), ...referred] });
  };
}

export function createRequestContext(request: ContextRequest): RequestContext {
  const { taskId, contextId } = resolveIds(request);
  const message = request.message && { ...request.message, taskId, contextId };
  const relatedTasks: Task[] = [...(request.relatedTasks ?? [])];
  const getUserInput = (delimiter = '\n'): string => textOf(message?.parts ?? [], delimiter);
  const { abilities } = request;
  return {
    taskId,
    contextId,
    tenant: request.tenant,
    caller: request.caller,
    ...(message && { message }),
    parts: message?.parts ?? [],
    text: getUserInput(),
    ...(request.task && { currentTask: request.task }),
    relatedTasks,
    ...(request.configuration && { configuration: request.configuration }),
    metadata: request.metadata ?? {},
    requestedExtensions: request.requestedExtensions,
    attempt: abilities.attempt,
    get signal() {
      return abilities.signal;
    },
    clock: abilities.clock,
    logger: abilities.logger,
    conversation: abilities.conversation,
    requireInput: abilities.requireInput,
    requireAuth: abilities.requireAuth,
    getUserInput,
    attachRelatedTask: (task) => {
      relatedTasks.push(task);
    },
  };
}

function resolveIds(request: ContextRequest): { readonly taskId: string; readonly contextId: string } {
  const { task, message } = request;
  const ids = { ...randomIds, ...request.ids };
  const givenTaskId = request.taskId ?? message?.taskId;
  const givenContextId = request.contextId ?? message?.contextId;
  if (task && givenTaskId !== undefined && givenTaskId !== task.id) {
    throw new A2AError('INVALID_PARAMS', `bad task id: the task is ${task.id}, not ${givenTaskId}`);
  }
  if (task?.contextId !== undefined && givenContextId !== undefined && givenContextId !== task.contextId) {
    throw new A2AError('INVALID_PARAMS', `bad context id: the task belongs to ${task.contextId}, not ${givenContextId}`);
  }
  const knownTaskId = givenTaskId ?? task?.id;
  const contextId = givenContextId ?? task?.contextId ?? ids.contextId(knownTaskId === undefined ? {} : { taskId: knownTaskId });
  return { contextId, taskId: knownTaskId ?? ids.taskId({ contextId }) };
}

/** The text parts alone, joined. */
export function textOf(parts: readonly Part[], delimiter: string): string {
  return parts.flatMap((part) => (part.text === undefined ? [] : [part.text])).join(delimiter);
}
