/** What the agent made, for components below an `AssistantRuntimeProvider`. Each renders only when its own value changed. */
import { useAuiState } from '@assistant-ui/react';
import type { ConversationState } from '../client/conversation/conversation.js';
import { A2AError } from '../protocol/errors.js';
import type { A2AAgentCard } from './card-types.js';
import { originalCard } from './discovery.js';
import { toA2ACard, toA2ATask } from './translate.js';
import type { A2AArtifact, A2ATask } from './types.js';

/** What a runtime of ours leaves with its thread. A long task is built only when somebody looks. */
export class ThreadExtras {
  readonly #state: ConversationState;

  constructor(state: ConversationState) {
    this.#state = state;
  }

  get task(): A2ATask | undefined {
    const { task } = this.#state;
    return task && toA2ATask(task);
  }

  get artifacts(): readonly A2AArtifact[] {
    // The very list, so that it is the same as long as none of it changed: artifacts hold no words that differ.
    return this.#state.artifacts as readonly A2AArtifact[];
  }

  get agentCard(): A2AAgentCard | undefined {
    const { card } = this.#state;
    const original = card && originalCard(card);
    return original && toA2ACard(original);
  }
}

function read(extras: unknown): ThreadExtras {
  if (extras instanceof ThreadExtras) return extras;
  throw new A2AError(
    'INVALID_REQUEST',
    'useA2ATask, useA2AArtifacts and useA2AAgentCard work below a runtime of useA2ARuntime or useConversationRuntime of @parley/a2a/assistant-ui',
  );
}

/** The task of the last answer, in the drop-in's words. */
export function useA2ATask(): A2ATask | undefined {
  return useAuiState(({ thread }) => read(thread.extras).task);
}

/** What the last answer has made so far; the same list as long as none of it changed. */
export function useA2AArtifacts(): readonly A2AArtifact[] {
  return useAuiState(({ thread }) => read(thread.extras).artifacts);
}

/** The agent's card; undefined until it is there, and when it can not be had. */
export function useA2AAgentCard(): A2AAgentCard | undefined {
  return useAuiState(({ thread }) => read(thread.extras).agentCard);
}
