import { ActionBarPrimitive } from '@assistant-ui/react';
import { FileRow } from '../artifacts/file-row.js';
import { filesOfParts } from '../artifacts/files.js';
import { CopyButton } from '../content/copy-button.js';
import { isPicture } from '../content/image-part.js';
import { MessageParts, textOf } from '../content/message-parts.js';
import { BranchPicker } from './branch-picker.js';
import { MessageFrame } from './message-frame.js';
import { UnknownDelivery } from './unknown-delivery.js';
import { useUserMessage } from './use-message.js';

const DELIVERIES = { sending: 'sending…', sent: '', unknown: '', failed: 'not sent', local: 'only in this browser' } as const;

export function UserMessageView() {
  const message = useUserMessage();
  if (!message) return null;
  const files = filesOfParts(
    message.id,
    message.parts.filter((part) => (part.filename !== undefined || part.raw !== undefined || part.url !== undefined) && !isPicture(part)),
  );
  return (
    <MessageFrame who="You" at={message.createdAt}>
      <div className="border-l-2 border-edge pl-3">
        <MessageParts parts={message.parts} />
        {files.length > 0 && (
          <ul className="mt-2 divide-y divide-line rounded-sm border border-line">
            {files.map((entry) => (
              <FileRow key={entry.key} entry={entry} isRunning={false} />
            ))}
          </ul>
        )}
      </div>
      {message.delivery === 'unknown' && <UnknownDelivery messageId={message.id} />}
      <footer className="mt-1 -ml-2 flex flex-wrap items-center gap-x-1">
        <ActionBarPrimitive.Root className="contents">
          <ActionBarPrimitive.Edit className="quiet">Edit</ActionBarPrimitive.Edit>
        </ActionBarPrimitive.Root>
        <CopyButton what={() => textOf(message.parts)} />
        <BranchPicker />
        {DELIVERIES[message.delivery] !== '' && <span className="label pl-2">{DELIVERIES[message.delivery]}</span>}
      </footer>
    </MessageFrame>
  );
}
