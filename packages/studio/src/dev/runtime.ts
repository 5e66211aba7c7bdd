import { type ThreadMessageLike, useExternalStoreRuntime } from '@assistant-ui/react';
import { useConversationState } from '@parley/a2a/react';
import type { Conversation, ConversationMessage } from '../app/types.js';
import { attachFiles } from '../conversation/attach-files.js';

export function useStandInRuntime(conversation: Conversation) {
  const messages = useConversationState((state) => state.messages, Object.is, conversation);
  const isRunning = useConversationState((state) => state.isRunning, Object.is, conversation);
  return useExternalStoreRuntime<ConversationMessage>({
    messages,
    isRunning,
    convertMessage: (message): ThreadMessageLike => ({
      id: message.id,
      role: message.role === 'ROLE_USER' ? 'user' : 'assistant',
      content: message.parts.map((part) => ({ type: 'text', text: part.text ?? '' })),
    }),
    onNew: async (message) =>
      void (await conversation.send(message.content.map((part) => (part.type === 'text' ? part.text : '')).join(''))),
    onEdit: async (message) =>
      void (await conversation.send(message.content.map((part) => (part.type === 'text' ? part.text : '')).join(''))),
    onReload: async () => void (await conversation.reload(null)),
    onCancel: () => conversation.cancel(),
    adapters: { attachments: attachFiles },
  });
}
