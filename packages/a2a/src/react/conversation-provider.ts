import { createElement, type ReactElement, type ReactNode, useEffect, useInsertionEffect, useRef, useState } from 'react';
import type { Conversation } from '../client/conversation/conversation.js';
import { A2AError } from '../protocol/errors.js';
import { ConversationContext } from './given-conversation.js';
import type { OwnConversationOptions } from './own-options.js';
import { createOwnedConversation } from './owned-conversation.js';

/** Properties of `ConversationProvider`: a `conversation` of your own, or a `client` or `url` with the options of one. */
export type ConversationProviderProps = (
  | (OwnConversationOptions & { readonly conversation?: undefined })
  /** A conversation that you created; you also close it. */
  | ({ readonly conversation: Conversation } & { readonly [Name in keyof OwnConversationOptions]?: undefined })
) & { readonly children?: ReactNode };

/**
 * Provides a conversation to the hooks below it. Pass a `conversation` that you created, or a `client` or `url`: the provider then creates
 * a conversation, and closes it on unmount while the task continues. Options that are plain data may be written inline, because only a
 * different value creates a new conversation. Functions and headers are always those of the last render. All other objects, such as the
 * storage, stay those of the first render.
 *
 * @example
 * ```tsx
 * import { ConversationProvider, useMessages } from '@parley/a2a/react';
 *
 * export function App() {
 *   return (
 *     <ConversationProvider url="https://agent.example">
 *       <Count />
 *     </ConversationProvider>
 *   );
 * }
 *
 * function Count() {
 *   return <p>{useMessages().length} messages</p>;
 * }
 * ```
 */
export function ConversationProvider({ conversation, children, ...options }: ConversationProviderProps): ReactElement {
  if (conversation === undefined) return createElement(OwnConversation, { options, children });
  if (options.client !== undefined || options.url !== undefined)
    throw new A2AError('INVALID_PARAMS', 'conversation was given together with client or url: pass only one of them');
  return createElement(ConversationContext.Provider, { value: conversation }, children);
}

function OwnConversation({ options, children }: { readonly options: OwnConversationOptions; readonly children: ReactNode }): ReactElement {
  const conversation = useOwnConversation(options);
  return createElement(ConversationContext.Provider, { value: conversation }, children);
}

function useOwnConversation(options: OwnConversationOptions): Conversation {
  const given = useRef(options);
  // Insertion effects run first, so that a message sent in another effect has the headers of this render.
  useInsertionEffect(() => {
    given.current = options;
  });
  const [owned, setOwned] = useState(() => createOwnedConversation(options, () => given.current));
  useEffect(() => {
    if (!owned.isClosed) return owned.use();
    // React may unmount the effects of a page and restore them later (Activity). The closed conversation is then created again.
    setOwned(createOwnedConversation(given.current, () => given.current, owned.conversation));
    return undefined;
  }, [owned]);
  if (owned.fits(options)) return owned.conversation;
  const next = createOwnedConversation(options, () => given.current);
  setOwned(next);
  return next.conversation;
}
