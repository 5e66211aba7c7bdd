import { useContext, useMemo, useSyncExternalStore } from 'react';
import type { Client } from '../client/client.js';
import type { Conversation } from '../client/conversation/conversation.js';
import { A2AError } from '../protocol/errors.js';
import type { AgentCard } from '../protocol/types.js';
import { ConversationContext } from './given-conversation.js';
import { createSignal } from './signal.js';
import { listenAndLoad } from './use-conversation-state.js';

interface CardStore {
  readonly card: () => AgentCard | undefined;
  readonly subscribe: (listener: () => void) => () => void;
}

/** The card of the client's agent, or of the agent of the conversation above; undefined until it is fetched, and when the fetch fails. */
export function useAgentCard(client?: Client): AgentCard | undefined {
  const conversation = useContext(ConversationContext);
  const store = useMemo(() => (client === undefined ? cardOfConversation(conversation) : cardOfClient(client)), [client, conversation]);
  return useSyncExternalStore(store.subscribe, store.card, store.card);
}

function cardOfConversation(conversation: Conversation | undefined): CardStore {
  if (conversation === undefined)
    throw new A2AError(
      'INVALID_PARAMS',
      'There is no agent: pass a client to useAgentCard, or put a <ConversationProvider> above the component',
    );
  return {
    card: () => conversation.state.card,
    subscribe: (listener) => listenAndLoad(conversation, listener),
  };
}

function cardOfClient(client: Client): CardStore {
  let card: AgentCard | undefined;
  let leaving = new AbortController();

  const fetchCard = async ({ signal }: AbortController): Promise<void> => {
    const fetched = await client.card({ signal });
    if (signal.aborted) return;
    card = fetched;
    readers.tell();
  };
  const open = (): void => {
    leaving = new AbortController();
    // A failed fetch only means that no card is shown. An application that needs the error calls `client.card()`.
    fetchCard(leaving).catch(() => undefined);
  };
  const readers = createSignal(open, () => leaving.abort());
  return { card: () => card, subscribe: readers.subscribe };
}
