import { useMemo } from 'react';
import type { Conversation, ConversationState } from '../client/conversation/conversation.js';
import { useGivenConversation } from './given-conversation.js';
import { useConversationState } from './use-conversation-state.js';

type Verbs = Pick<Conversation, 'send' | 'edit' | 'reload' | 'cancel' | 'switchTo' | 'settle' | 'clear'>;

/** The state of a conversation and its commands. The functions keep their identity as long as the conversation is the same. */
export interface LiveConversation extends ConversationState, Verbs {}

const whole = (state: ConversationState): ConversationState => state;

/**
 * The whole state and all commands. The component renders again on every change; use a smaller hook for a part of the state.
 *
 * @example
 * ```tsx
 * import { useConversation } from '@parley/a2a/react';
 *
 * export function Chat() {
 *   const { messages, isRunning, send, cancel } = useConversation();
 *   return (
 *     <>
 *       {messages.map(({ id, text }) => <p key={id}>{text}</p>)}
 *       {isRunning ? <button onClick={() => cancel()}>Stop</button> : <button onClick={() => send('Hello')}>Greet</button>}
 *     </>
 *   );
 * }
 * ```
 */
export function useConversation(conversation?: Conversation): LiveConversation {
  const given = useGivenConversation(conversation);
  const state = useConversationState(whole, Object.is, given);
  const verbs = useMemo(() => verbsOf(given), [given]);
  return useMemo(() => together(verbs, state), [state, verbs]);
}

function verbsOf(conversation: Conversation): Verbs {
  return {
    send: (...args) => conversation.send(...args),
    edit: (...args) => conversation.edit(...args),
    reload: (...args) => conversation.reload(...args),
    cancel: () => conversation.cancel(),
    switchTo: (...args) => conversation.switchTo(...args),
    settle: (...args) => conversation.settle(...args),
    clear: () => conversation.clear(),
  };
}

/** `task` is a getter that builds the whole task. Spreading the state would call it, so the property descriptors are copied. */
function together(verbs: Verbs, state: ConversationState): LiveConversation {
  // The object has the fields of both.
  return Object.defineProperties({ ...verbs }, Object.getOwnPropertyDescriptors(state)) as LiveConversation;
}
