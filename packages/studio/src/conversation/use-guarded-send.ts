/** What was typed as an answer is not sent as something else: another tab may have answered in the meantime. */
import { useAuiState } from '@assistant-ui/react';
import { useEffect, useRef, useState } from 'react';
import { useThisConversation } from '../app/session.js';

interface GuardedSend {
  /** For every way to send: prevents it once when the question is gone. */
  readonly guard: (event: { preventDefault(): void }) => void;
  readonly notice: string | undefined;
}

const ANSWERED = 'The question was answered in another tab. Send once more to send this as a new message.';
const RETURNED = 'It was not sent: the question was answered in another tab.';

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
    // What comes back as a whole was refused.
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
