/** The context that an executor gets for its request, and its replaceable builder. */

import type { Logger } from '../../platform/logger.js';
import { type IdGenerators, randomIds } from '../../platform/random-ids.js';
import type { Clock } from '../../protocol/clock.js';
import { type DelegationScope, readDelegation } from '../../protocol/delegation-scope.js';
import { A2AError } from '../../protocol/errors.js';
import type { JsonObject, Message, Part, SendMessageConfiguration, Task, TaskStatus } from '../../protocol/types.js';
import type { Caller } from '../call.js';
import type { Ask } from '../questions/question.js';
import type { RequestContext } from './executor.js';

/** The member of a context with what only the library's own extensions use; not visible to executors. Copies of a context have it too. */
export const INSIDE: unique symbol = Symbol('parley.a2a.run');

export interface TurnInside {
  /** Asks a question through the log. A question that an earlier run of the turn asked is not asked again (D14, D44). */
  readonly ask: Ask;
  /** Id for a call of a caller's tool. `called` identifies the call by its content, `id` is the executor's own name for it. */
  newCallId(called: string, id?: string): string;
}

export function insideOf(context: RequestContext): TurnInside | undefined {
  return (context as { readonly [INSIDE]?: TurnInside })[INSIDE]; // present on contexts of the default builder
}

/** The parts of a context that only the runtime can provide. */
export type ContextAbilities = Pick<RequestContext, 'conversation' | 'requireInput' | 'requireAuth' | 'signal' | 'attempt'> & {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Deadline of the run, in milliseconds since the epoch. */
  readonly deadline?: number | undefined;
  /** For the library's own extensions; a context built by hand has none. */
  readonly [INSIDE]?: TurnInside | undefined;
};

/** The input for building a context. Without a message it is for a cancel. */
export interface ContextRequest {
  readonly abilities: ContextAbilities;
  readonly caller: Caller;
  readonly tenant: string;
  readonly requestedExtensions: readonly string[];
  readonly message?: Message;
  readonly configuration?: SendMessageConfiguration;
  readonly metadata?: JsonObject;
  /** The caller's `traceparent`. */
  readonly trace?: string;
  /** Missing ids are generated. */
  readonly taskId?: string;
  readonly contextId?: string;
  /** The interrupted status that the newest message of the turn ended. */
  readonly resumedFrom?: TaskStatus;
  /** The task as stored now; its ids must match the ones above. */
  readonly task?: Task;
  readonly relatedTasks?: readonly Task[];
  readonly ids?: Partial<IdGenerators>;
}

/** Builds the default context of a request; a RequestContextBuilder may call it. */
export type BuildContext = (request: ContextRequest) => Promise<RequestContext>;

/** Replaces how contexts are built: call `build` for the default context and add to it, or build your own. */
export type RequestContextBuilder = (request: ContextRequest, build: BuildContext) => Promise<RequestContext> | RequestContext;

/** Loads a task within the scope of the caller; undefined when there is none. */
export type LoadTask = (request: ContextRequest, taskId: string) => Promise<Task | undefined>;

/** The default of the option `maxRelatedTasks`. */
export const MAX_RELATED_TASKS = 32;

/**
 * The default builder. With `loadTask`, it loads the tasks that the message refers to, each once and at most `maxRelatedTasks` (default 32);
 * missing ones are left out.
 */
export function contextBuilder(options: { readonly loadTask?: LoadTask; readonly maxRelatedTasks?: number } = {}): BuildContext {
  const { loadTask, maxRelatedTasks = MAX_RELATED_TASKS } = options;
  return async (request) => {
    if (loadTask === undefined) return createRequestContext(request);
    const ids = [...new Set(request.message?.referenceTaskIds)].slice(0, maxRelatedTasks);
    const found = await Promise.all(ids.map((id) => loadTask(request, id)));
    const referred = found.filter((task) => task !== undefined);
    return createRequestContext({ ...request, relatedTasks: [...(request.relatedTasks ?? []), ...referred] });
  };
}

/** Creates the default context of a request, for a RequestContextBuilder or a test of your own. */
export function createRequestContext(request: ContextRequest): RequestContext {
  return new Context(request);
}

/** All members are own properties, so that a builder can copy it with `{ ...context }` and add to the copy. */
class Context implements RequestContext {
  readonly taskId: string;
  readonly contextId: string;
  readonly tenant: string;
  readonly caller: Caller;
  declare readonly message?: Message;
  readonly parts: readonly Part[];
  readonly text: string;
  declare readonly currentTask?: Task;
  declare readonly resumedFrom?: TaskStatus;
  readonly relatedTasks: readonly Task[];
  declare readonly configuration?: SendMessageConfiguration;
  readonly metadata: JsonObject;
  readonly requestedExtensions: readonly string[];
  readonly attempt: number;
  declare readonly signal: AbortSignal;
  declare readonly scope: DelegationScope;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly getUserInput: RequestContext['getUserInput'];
  readonly attachRelatedTask: RequestContext['attachRelatedTask'];
  readonly conversation: RequestContext['conversation'];
  readonly requireInput: RequestContext['requireInput'];
  readonly requireAuth: RequestContext['requireAuth'];
  readonly [INSIDE]: TurnInside | undefined;
  readonly #abilities: ContextAbilities;
  readonly #trace: string | undefined;

  constructor(request: ContextRequest) {
    const { abilities, tenant, caller, task, configuration, metadata, requestedExtensions } = request;
    const { taskId, contextId } = resolveIds(request);
    const message = request.message && withIds(request.message, taskId, contextId);
    const parts = message?.parts ?? [];
    const relatedTasks: Task[] = request.relatedTasks === undefined ? [] : [...request.relatedTasks];
    this.taskId = taskId;
    this.contextId = contextId;
    this.tenant = tenant;
    this.caller = caller;
    if (message !== undefined) this.message = message;
    this.parts = parts;
    this.text = textOf(parts, '\n');
    if (task !== undefined) this.currentTask = task;
    if (request.resumedFrom !== undefined) this.resumedFrom = request.resumedFrom;
    this.relatedTasks = relatedTasks;
    if (configuration !== undefined) this.configuration = configuration;
    this.metadata = metadata ?? {};
    this.requestedExtensions = requestedExtensions;
    this.attempt = abilities.attempt;
    this.clock = abilities.clock;
    this.logger = abilities.logger;
    // Named first, because V8 allocates a function literal that is assigned to a property in old space (decision 11).
    const getUserInput: RequestContext['getUserInput'] = (delimiter = '\n') => textOf(parts, delimiter);
    const attachRelatedTask: RequestContext['attachRelatedTask'] = (task) => void relatedTasks.push(task);
    this.getUserInput = getUserInput;
    this.attachRelatedTask = attachRelatedTask;
    this.conversation = abilities.conversation;
    this.requireInput = abilities.requireInput;
    this.requireAuth = abilities.requireAuth;
    this[INSIDE] = abilities[INSIDE];
    this.#abilities = abilities;
    this.#trace = request.trace;
    Object.defineProperty(this, 'signal', Context.#SIGNAL);
    Object.defineProperty(this, 'scope', Context.#SCOPE);
  }

  // Created on first access: most turns end before the signal is read, and creating it costs more than the rest of a context. All instances
  // share one getter, because a getter per context would give each context a new hidden class.
  static readonly #SIGNAL: PropertyDescriptor & ThisType<Context> = {
    enumerable: true,
    configurable: true,
    get() {
      return this.#abilities.signal;
    },
  };

  static readonly #SCOPE: PropertyDescriptor & ThisType<Context> = {
    enumerable: true,
    configurable: true,
    get(): DelegationScope {
      const { signal, deadline } = this.#abilities;
      const { depth, rootTaskId = this.taskId } = readDelegation(this.message ?? {});
      return { signal, deadline, trace: this.#trace, depth, rootTaskId };
    },
  };
}

/** The message of a turn already has the ids. */
function withIds(message: Message, taskId: string, contextId: string): Message {
  return message.taskId === taskId && message.contextId === contextId ? message : { ...message, taskId, contextId };
}

interface TaskIds {
  readonly taskId: string;
  readonly contextId: string;
}

function resolveIds(request: ContextRequest): TaskIds {
  const { task, message } = request;
  const taskId = request.taskId ?? message?.taskId ?? task?.id;
  const contextId = request.contextId ?? message?.contextId ?? task?.contextId;
  if (task) checkIds(task, taskId, contextId);
  if (taskId !== undefined && contextId !== undefined) return { taskId, contextId };
  return generateIds({ ...randomIds, ...request.ids }, taskId, contextId);
}

function checkIds(task: Task, taskId: string | undefined, contextId: string | undefined): void {
  if (taskId !== task.id) throw new A2AError('INVALID_PARAMS', `bad task id: the task has the id ${task.id}, not ${taskId}`);
  if (task.contextId === undefined || contextId === task.contextId) return;
  throw new A2AError('INVALID_PARAMS', `bad context id: the task belongs to context ${task.contextId}, not ${contextId}`);
}

function generateIds(ids: IdGenerators, known: string | undefined, given: string | undefined): TaskIds {
  const contextId = given ?? ids.contextId(known === undefined ? {} : { taskId: known });
  return { contextId, taskId: known ?? ids.taskId({ contextId }) };
}

/** Joins the text parts. */
export function textOf(parts: readonly Part[], delimiter: string): string {
  let text: string | undefined;
  for (const part of parts) {
    if (part.text !== undefined) text = text === undefined ? part.text : text + delimiter + part.text;
  }
  return text ?? '';
}
