import { useAuiState } from '@assistant-ui/react';
import { useConversationState } from '@parley/a2a/react';
import type { AgentMessage, UserMessage } from '../ui/types.js';

/** The message that contains this component, as the conversation stores it, including task and parts. */
export function useUserMessage(): UserMessage | undefined {
  const id = useAuiState(({ message }) => message.id);
  return useConversationState(({ messages }) => {
    const found = messages.find((message) => message.id === id);
    return found?.role === 'ROLE_USER' ? found : undefined;
  });
}

export function useAgentMessage(): AgentMessage | undefined {
  const id = useAuiState(({ message }) => message.id);
  return useConversationState(({ messages }) => {
    const found = messages.find((message) => message.id === id);
    return found?.role === 'ROLE_AGENT' ? found : undefined;
  });
}
