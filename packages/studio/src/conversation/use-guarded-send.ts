/** Prevents that a reply to a question is sent as a new message: another tab may have answered the question while the user was typing. */
import { useAuiState } from '@assistant-ui/react';
import { useEffect, useRef, useState } from 'react';
import { useThisConversation } from '../state/session.js';

interface GuardedSend {
  /** Call it on every way to send. It prevents the first attempt after the question is gone. */
  readonly guard: (event: { preventDefault(): void }) => void;
  readonly notice: string | undefined;
}

const ANSWERED = 'The question was answered in another tab. Send again to send this as a new message.';
const RETURNED = 'Not sent: the question was answered in another tab.';

export function useGuardedSend(): GuardedSend {
  const conversation = useThisConversation();
  const text = useAuiState(({ composer }) => composer.text);
  const [notice, setNotice] = useState<string>();
  const typed = useRef({ before: '', for: undefined as string | undefined, sent: '' });
  useEffect(() => {
    const { before, sent } = typed.current;
    typed.current.before = text;
    if (text === '') typed.current.for = undefined;
    if (before !== '' || text === '') return;
    typed.current.for = conversation.state.question?.messageId;
    // If the complete text returns to the composer, the conversation refused it.
    setNotice(text === sent ? RETURNED : undefined);
  }, [text, conversation]);
  const guard: GuardedSend['guard'] = (event) => {
    const wasFor = typed.current.for;
    typed.current.for = undefined;
    if (wasFor !== undefined && conversation.state.question?.messageId !== wasFor) {
      event.preventDefault();
      setNotice(ANSWERED);
      return;
    }
    typed.current.sent = text;
    setNotice(undefined);
  };
  return { guard, notice };
}
