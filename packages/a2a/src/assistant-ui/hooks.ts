/** Hooks for the agent's results, below an `AssistantRuntimeProvider`. A component renders again only if its own value changes. */
import { useAuiState } from '@assistant-ui/react';
import type { ConversationState } from '../client/conversation/conversation.js';
import { A2AError } from '../protocol/errors.js';
import type { A2AAgentCard } from './card-types.js';
import { originalCard } from './discovery.js';
import { toA2ACard, toA2ATask } from './translate.js';
import type { A2AArtifact, A2ATask } from './types.js';

/** The data that our runtimes attach to their thread. Values are computed on read, because a long task is costly to build. */
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
    // The same list object, so that its identity shows changes. Artifacts need no translation.
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
    'useA2ATask, useA2AArtifacts and useA2AAgentCard need a runtime made by useA2ARuntime or useConversationRuntime of @parley/a2a/assistant-ui',
  );
}

/** The task of the last answer, with the state names of react-a2a. */
export function useA2ATask(): A2ATask | undefined {
  return useAuiState(({ thread }) => read(thread.extras).task);
}

/** The artifacts of the last answer so far. The list keeps its identity until one of them changes. */
export function useA2AArtifacts(): readonly A2AArtifact[] {
  return useAuiState(({ thread }) => read(thread.extras).artifacts);
}

/** The agent's card; undefined until it is fetched, and when the fetch fails. */
export function useA2AAgentCard(): A2AAgentCard | undefined {
  return useAuiState(({ thread }) => read(thread.extras).agentCard);
}
