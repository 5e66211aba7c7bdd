import { createElement, type ReactElement, type ReactNode, useEffect, useInsertionEffect, useRef, useState } from 'react';
import type { Conversation } from '../client/conversation/conversation.js';
import { A2AError } from '../protocol/errors.js';
import { ConversationContext } from './given-conversation.js';
import { createLease } from './lease.js';
import type { OwnConversationOptions } from './own-options.js';

export type ConversationProviderProps = (
  | (OwnConversationOptions & { readonly conversation?: undefined })
  /** One that you made; you close it, too. */
  | ({ readonly conversation: Conversation } & { readonly [Name in keyof OwnConversationOptions]?: undefined })
) & { readonly children?: ReactNode };

/**
 * Gives a conversation to the hooks below it: one that you made (`conversation`), or one that it makes with a `client` or for a `url`, and
 * closes when it is taken from the page; the task goes on. Options that are data may be written in place: only another value makes another
 * conversation. Functions and headers are those of the last render. A storage, and what else is no data, stays the one given first.
 */
export function ConversationProvider({ conversation, children, ...options }: ConversationProviderProps): ReactElement {
  if (conversation === undefined) return createElement(OwnConversation, { options, children });
  if (options.client !== undefined || options.url !== undefined)
    throw new A2AError('INVALID_PARAMS', 'A conversation, and a client or url to make one with, were both given');
  return createElement(ConversationContext.Provider, { value: conversation }, children);
}

function OwnConversation({ options, children }: { readonly options: OwnConversationOptions; readonly children: ReactNode }): ReactElement {
  const conversation = useOwnConversation(options);
  return createElement(ConversationContext.Provider, { value: conversation }, children);
}

function useOwnConversation(options: OwnConversationOptions): Conversation {
  const given = useRef(options);
  // Before any other effect, so that whoever sends in one has the headers of this render.
  useInsertionEffect(() => {
    given.current = options;
  });
  const [lease, setLease] = useState(() => createLease(options, () => given.current));
  useEffect(() => {
    if (!lease.isClosed) return lease.use();
    // React may take a page away and bring it back (Activity): what was closed then has to be made again.
    setLease(createLease(given.current, () => given.current, lease.conversation));
    return undefined;
  }, [lease]);
  if (lease.fits(options)) return lease.conversation;
  const next = createLease(options, () => given.current);
  setLease(next);
  return next.conversation;
}
