import { useMemo } from 'react';
import type { Conversation, ConversationState } from '../client/conversation/conversation.js';
import { useGivenConversation } from './given-conversation.js';
import { useConversationState } from './use-conversation-state.js';

type Verbs = Pick<Conversation, 'send' | 'edit' | 'reload' | 'cancel' | 'switchTo' | 'settle' | 'clear'>;

/** The state of a conversation, and what can be done with it. The functions stay the same as long as the conversation does. */
export interface LiveConversation extends ConversationState, Verbs {}

const whole = (state: ConversationState): ConversationState => state;

/** Everything about the conversation: the component renders again whenever anything of it changed. For a part of it there are smaller hooks. */
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

/** The task in the state is built when somebody looks at it, so it must not be looked at here, as spreading the state would. */
function together(verbs: Verbs, state: ConversationState): LiveConversation {
  // It has the fields of both.
  return Object.defineProperties({ ...verbs }, Object.getOwnPropertyDescriptors(state)) as LiveConversation;
}
