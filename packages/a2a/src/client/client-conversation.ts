/** Implements `client.conversation()`: the same calls, with a memory for the context. */
import type { Calling } from './calling.js';
import type { ClientConversation } from './client.js';
import type { ContextMemory } from './contexts.js';
import { createRun } from './run/create-run.js';
import { sendOnce } from './send.js';

export function openConversation(calling: Calling, contextId: string | undefined): ClientConversation {
  const memory: ContextMemory = { contextId: contextId || undefined };
  const remembering: Calling = { ...calling, settings: { ...calling.settings, memory } };
  return {
    get contextId() {
      return memory.contextId;
    },
    send: (input, options) => sendOnce(remembering, input, options),
    run: (input, options) => createRun(remembering, input, options),
  };
}
