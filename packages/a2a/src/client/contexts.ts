/** Chooses the context of a message. Only a conversation remembers one: a client may act for several people. */
import type { Message } from '../protocol/types.js';
import { isParts } from './message.js';
import type { Input } from './run/run-options.js';

/** The memory of one conversation. */
export interface ContextMemory {
  contextId: string | undefined;
}

export interface ContextWish {
  readonly input: Input;
  /** null: a new context. */
  readonly contextId?: string | null | undefined;
  readonly taskId?: string | undefined;
}

/**
 * Returns the context id of a message: the one that the caller gives, else that of the task, else the last one that the agent sent in the
 * conversation. null: a new context.
 */
export function contextFor(memory: ContextMemory | undefined, { input, contextId, taskId }: ContextWish): string | null | undefined {
  if (contextId === null) return null;
  if (contextId !== undefined && contextId !== '') return contextId;
  const own: Partial<Message> = typeof input === 'string' || isParts(input) ? {} : input;
  if (own.contextId) return own.contextId;
  // The task determines the context; the server would refuse a different id beside it.
  if (taskId || own.taskId) return undefined;
  return memory?.contextId;
}

/** Ignores empty ids, which some servers send. */
export function learnContext(memory: ContextMemory | undefined, contextId: string | undefined): void {
  if (memory !== undefined && contextId !== undefined && contextId !== '') memory.contextId = contextId;
}
