import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { Conversation, ConversationState } from '../client/conversation/conversation.js';
import { useGivenConversation } from './given-conversation.js';

export type IsEqual<T> = (a: T, b: T) => boolean;

/**
 * A part of the conversation, for example `useConversationState((state) => state.messages.length)`. The component renders again only when what
 * the selector gives has changed, by `isEqual` (default `Object.is`). The selector may be written in place.
 */
export function useConversationState<T>(
  selector: (state: ConversationState) => T,
  isEqual: IsEqual<T> = Object.is,
  conversation?: Conversation,
): T {
  const given = useGivenConversation(conversation);
  const shown = useRef<{ readonly selection: T } | undefined>(undefined);
  const select = useMemo(() => keepEqual(selector, isEqual, () => shown.current), [selector, isEqual]);
  const subscribe = useCallback((listener: () => void) => listenAndLoad(given, listener), [given]);
  const getSelection = () => select(given.state);
  const selection = useSyncExternalStore(subscribe, getSelection, getSelection);
  useEffect(() => {
    shown.current = { selection };
  }, [selection]);
  return selection;
}

/** Whoever shows a conversation wants what was kept of it, so the first listener loads it. */
export function listenAndLoad(conversation: Conversation, listener: () => void): () => void {
  const stop = conversation.subscribe(listener);
  // What can not be loaded is told to the conversation's `onError`.
  conversation.load().catch(() => undefined);
  return stop;
}

/** Gives the selection that is shown as long as the new one is equal to it, so that a selector may build a new value each time. */
function keepEqual<T>(
  selector: (state: ConversationState) => T,
  isEqual: IsEqual<T>,
  shown: () => { readonly selection: T } | undefined,
): (state: ConversationState) => T {
  let last: { readonly state: ConversationState; readonly selection: T } | undefined;
  return (state) => {
    if (last?.state === state) return last.selection;
    const selection = selector(state);
    const before = last ?? shown();
    const kept = before !== undefined && isEqual(before.selection, selection) ? before.selection : selection;
    last = { state, selection: kept };
    return kept;
  };
}
