/** The agent's card, or the error that says why the agent is unreachable. */
import { type A2AError, toA2AError } from '@parley/a2a';
import type { Client } from '@parley/a2a/client';
import type { AgentCard } from '../ui/types.js';

export type AgentView =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly card: AgentCard }
  | { readonly state: 'down'; readonly error: A2AError; readonly isRetrying: boolean };

export interface AgentStore {
  readonly view: AgentView;
  subscribe(listener: () => void): () => void;
  /** Fetches the card again. */
  retry(): Promise<void>;
}

const RETRY_MS = 5_000;

/** Fetches the card at once, and retries every `RETRY_MS` until it succeeds. */
export function createAgentStore(client: Pick<Client, 'card'>): AgentStore {
  const listeners = new Set<() => void>();
  let view: AgentView = { state: 'loading' };
  let timer: ReturnType<typeof setTimeout> | undefined;

  const show = (next: AgentView): void => {
    view = next;
    for (const listener of listeners) listener();
  };
  const retry = async (): Promise<void> => {
    clearTimeout(timer);
    if (view.state === 'down') show({ ...view, isRetrying: true });
    try {
      show({ state: 'ready', card: await client.card() });
    } catch (error) {
      show({ state: 'down', error: toA2AError(error), isRetrying: false });
      timer = setTimeout(() => void retry(), RETRY_MS);
    }
  };
  void retry();
  return {
    get view() {
      return view;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    retry,
  };
}
