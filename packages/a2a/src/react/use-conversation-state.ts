import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { Conversation, ConversationState } from '../client/conversation/conversation.js';
import { useGivenConversation } from './given-conversation.js';

/** Compares two selected values; the component renders again only if it returns false. */
export type IsEqual<T> = (a: T, b: T) => boolean;

/**
 * Selects a part of the conversation's state, for example `useConversationState((state) => state.messages.length)`. The component renders
 * again only if the selected value changes, compared with `isEqual` (default `Object.is`). The selector may be written inline.
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

/** Subscribes and loads: a component that shows a conversation needs its saved messages. */
export function listenAndLoad(conversation: Conversation, listener: () => void): () => void {
  const stop = conversation.subscribe(listener);
  // The conversation reports load errors to its `onError`.
  conversation.load().catch(() => undefined);
  return stop;
}

/** Returns the previous selection while the new one is equal to it, so that a selector may build a new value each time. */
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
