import { A2AError } from '../protocol/errors.js';
import type { Message } from '../protocol/types.js';
import { isParts } from './message.js';
import type { Input } from './run/run-options.js';

/** Stores the current context id of each agent. Two agents never share one. */
export interface ContextStore {
  get(agent: string): string | undefined;
  set(agent: string, contextId: string): void;
  delete(agent: string): void;
}

/** Keeps context ids in memory until the process ends. */
export function memoryContexts(): ContextStore {
  return new Map<string, string>();
}

/** Stores nothing: each message without a context id starts a new conversation. */
export const noContexts: ContextStore = { get: () => undefined, set: () => {}, delete: () => {} };

/** Wraps a store so that its errors do not fail the call: the context is not remembered, and `onError` receives the error. */
export function harmlessContexts(store: ContextStore, onError: (error: A2AError) => void): ContextStore {
  const guarded = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (cause) {
      onError(new A2AError('INTERNAL_ERROR', 'The context store failed', { cause }));
      return undefined;
    }
  };
  return {
    get: (agent) => guarded(() => store.get(agent)),
    set: (agent, contextId) => guarded(() => store.set(agent, contextId)),
    delete: (agent) => guarded(() => store.delete(agent)),
  };
}

export interface ContextWish {
  readonly input: Input;
  /** null: a new context. */
  readonly contextId?: string | null | undefined;
  readonly taskId?: string | undefined;
}

/**
 * Returns the context id of a message: the one that the caller gives, else that of the task, else the last one that the agent sent. null: a
 * new context.
 */
export function contextFor(contexts: ContextStore, agent: string, { input, contextId, taskId }: ContextWish): string | null | undefined {
  if (contextId === null) return null;
  if (contextId !== undefined && contextId !== '') return contextId;
  const own: Partial<Message> = typeof input === 'string' || isParts(input) ? {} : input;
  if (own.contextId) return own.contextId;
  // The task determines the context; the server would refuse a different id beside it.
  if (taskId || own.taskId) return undefined;
  return contexts.get(agent) || undefined;
}

/** Ignores empty ids, which some servers send. */
export function learnContext(contexts: ContextStore, agent: string, contextId: string | undefined): void {
  if (contextId !== undefined && contextId !== '') contexts.set(agent, contextId);
}
