import { useConversationState } from '@parley/a2a/react';
import type { ConversationState } from '../ui/types.js';

/** Announces the end of an answer to screen readers, once per answer and not per chunk. */
export function Announcer() {
  const words = useConversationState(announcement);
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {words}
    </p>
  );
}

function announcement({ messages }: ConversationState): string {
  const last = messages.at(-1);
  if (last?.role !== 'ROLE_AGENT' || last.status.type === 'running') return '';
  if (last.status.type === 'complete') return 'The answer is complete.';
  if (last.status.type === 'requires-action') return `The agent asks: ${last.status.prompt.slice(0, 300)}`;
  return last.status.reason === 'cancelled' ? 'The answer was stopped.' : `The answer failed: ${last.status.error.message.slice(0, 300)}`;
}
