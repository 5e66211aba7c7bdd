import { ActionBarPrimitive } from '@assistant-ui/react';
import { CopyButton } from '../content/copy-button.js';
import { textOf } from '../content/message-parts.js';
import { visibleName } from '../content/visible-text.js';
import { formatDuration, shortId, shortState } from '../ui/format.js';
import type { AgentMessage } from '../ui/types.js';
import { BranchPicker } from './branch-picker.js';

/** Actions of an answer, and the state of its task. */
export function AgentFooter({ message }: { readonly message: AgentMessage }) {
  const isRunning = message.status.type === 'running';
  return (
    <footer className="mt-1 -ml-2 flex flex-wrap items-center gap-x-1">
      {!isRunning && (
        <>
          <ActionBarPrimitive.Root className="contents">
            <ActionBarPrimitive.Reload className="quiet">Try again</ActionBarPrimitive.Reload>
          </ActionBarPrimitive.Root>
          <CopyButton what={() => textOf(message.parts)} />
        </>
      )}
      <BranchPicker />
      <Facts message={message} />
    </footer>
  );
}

function Facts({ message: { task, seq, createdAt, status } }: { readonly message: AgentMessage }) {
  if (!task) return null;
  const ended = Date.parse(task.status.timestamp ?? '') - Date.parse(createdAt);
  const facts = [
    shortState(task.status.state),
    `task ${shortId(visibleName(task.id))}`,
    seq === undefined ? undefined : `seq ${seq}`,
    status.type === 'running' || !(ended > 0) ? undefined : formatDuration(ended),
  ];
  return (
    <span className="label flex min-w-0 flex-wrap gap-x-3 pl-2 tabular-nums">
      {facts.map((fact) => fact && <span key={fact.slice(0, 4)}>{fact}</span>)}
    </span>
  );
}
