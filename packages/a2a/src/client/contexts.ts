import { A2AError } from '../protocol/errors.js';
import type { Message } from '../protocol/types.js';
import { isParts } from './message.js';
import type { Input } from './run/run-options.js';

/** Which conversation each agent is in: two agents never share one. */
export interface ContextStore {
  get(agent: string): string | undefined;
  set(agent: string, contextId: string): void;
  delete(agent: string): void;
}

/** Conversations as long as the process lives. */
export function memoryContexts(): ContextStore {
  return new Map<string, string>();
}

/** Nothing is remembered: each message without a context begins a conversation. */
export const noContexts: ContextStore = { get: () => undefined, set: () => {}, delete: () => {} };

/** A store that fails keeps nobody from calling: the conversation is not remembered then, and `onError` is told. */
export function harmlessContexts(store: ContextStore, onError: (error: A2AError) => void): ContextStore {
  const guarded = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (cause) {
      onError(new A2AError('INTERNAL_ERROR', 'The store of contexts failed', { cause }));
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
  /** null: a new one. */
  readonly contextId?: string | null | undefined;
  readonly taskId?: string | undefined;
}

/** The conversation that a message goes to: what the caller says, else that of the task, else the one that the agent gave last. null: a new one. */
export function contextFor(contexts: ContextStore, agent: string, { input, contextId, taskId }: ContextWish): string | null | undefined {
  if (contextId === null) return null;
  if (contextId !== undefined && contextId !== '') return contextId;
  const own: Partial<Message> = typeof input === 'string' || isParts(input) ? {} : input;
  if (own.contextId) return own.contextId;
  // A task knows its conversation; another id beside it would be refused.
  if (taskId || own.taskId) return undefined;
  return contexts.get(agent) || undefined;
}

/** Empty ids are none: some servers send them. */
export function learnContext(contexts: ContextStore, agent: string, contextId: string | undefined): void {
  if (contextId !== undefined && contextId !== '') contexts.set(agent, contextId);
}
