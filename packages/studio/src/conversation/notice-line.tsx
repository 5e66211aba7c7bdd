import { useConversationState } from '@parley/a2a/react';
import { visibleText } from '../content/visible-text.js';
import { useNotice, useStudio } from '../state/studio.js';
import { Icon } from '../ui/icons.js';
import type { ConversationState } from '../ui/types.js';

/** One line above the composer. Hidden when a message already shows the same error. */
export function NoticeLine() {
  const { notices } = useStudio();
  const notice = useNotice();
  const told = useConversationState(errorsOnMessages, isSameList);
  if (!notice || told.includes(notice.message)) return null;
  return (
    <div className="column pb-2">
      <p role="alert" className="flex items-start gap-2 text-sm">
        <span className="alarm mt-0.5">{notice.reason}</span>
        <bdi className="min-w-0 flex-1 [overflow-wrap:anywhere]">{visibleText(notice.message.slice(0, 500))}</bdi>
        <button type="button" className="quiet px-1" aria-label="Dismiss" onClick={notices.dismiss}>
          <Icon name="close" />
        </button>
      </p>
    </div>
  );
}

function errorsOnMessages({ messages }: ConversationState): readonly string[] {
  return messages.flatMap((message) =>
    message.role === 'ROLE_AGENT' && message.status.type === 'incomplete' && message.status.reason === 'error'
      ? message.status.error.message
      : [],
  );
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
