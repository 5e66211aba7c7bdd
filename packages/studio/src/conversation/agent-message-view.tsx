import { useConversationState } from '@parley/a2a/react';
import { memo } from 'react';
import { ArtifactList } from '../artifacts/artifact-list.js';
import { filesOf } from '../artifacts/files.js';
import { MessageParts } from '../content/message-parts.js';
import { useAgentName } from '../state/use-agent-name.js';
import type { AgentMessage, ConversationState } from '../ui/types.js';
import { AgentFooter } from './agent-footer.js';
import { MessageFrame } from './message-frame.js';
import { MessageProblem } from './message-problem.js';
import { useAgentMessage } from './use-message.js';

export function AgentMessageView() {
  const message = useAgentMessage();
  const name = useAgentName();
  const isUndecided = useConversationState(({ messages }) => isUnknown(messages.find(({ id }) => id === message?.parentId)));
  if (!message || (isUndecided && message.parts.length === 0)) return null; // hidden until the user decides whether to resend the message
  const isRunning = message.status.type === 'running';
  return (
    <MessageFrame who={name} at={message.createdAt}>
      <div aria-busy={isRunning}>
        <MessageParts parts={message.parts} />
        {isRunning && message.parts.length === 0 && <Waiting />}
      </div>
      <MessageProblem status={message.status} parts={message.parts} />
      <Files artifacts={message.artifacts} said={message.said} isRunning={isRunning} />
      <AgentFooter message={message} />
    </MessageFrame>
  );
}

function isUnknown(message: ConversationState['messages'][number] | undefined): boolean {
  return message?.role === 'ROLE_USER' && message.delivery === 'unknown';
}

/** Placeholder until the first event arrives. */
function Waiting() {
  return (
    <p className="flex h-6 items-center gap-2 text-sm text-muted">
      <span aria-hidden="true" className="inline-block h-4 w-2 bg-accent" />
      Waiting for the first event…
    </p>
  );
}

const Files = memo(({ artifacts, said, isRunning }: Pick<AgentMessage, 'artifacts' | 'said'> & { readonly isRunning: boolean }) => (
  <ArtifactList entries={filesOf({ artifacts, said })} isRunning={isRunning} />
));
