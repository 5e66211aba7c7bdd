import { ThreadPrimitive } from '@assistant-ui/react';
import { useConversationState } from '@parley/a2a/react';
import { AgentDown } from '../connection/agent-down.js';
import { ConnectionNote } from '../connection/connection-note.js';
import { AgentMessageView } from './agent-message-view.js';
import { Composer } from './composer.js';
import { EditComposer } from './edit-composer.js';
import { NoticeLine } from './notice-line.js';
import { QuestionPanel } from './question-panel.js';
import { UserMessageView } from './user-message-view.js';
import { Welcome } from './welcome.js';

const COMPONENTS = { UserMessage: UserMessageView, AssistantMessage: AgentMessageView, UserEditComposer: EditComposer };

export function ConversationView() {
  const isEmpty = useConversationState(({ messages }) => messages.length === 0);
  return (
    <ThreadPrimitive.Root className="flex h-full min-h-0 flex-col">
      {isEmpty ? <Beginning /> : <Messages />}
      <div className="shrink-0 pt-2">
        <NoticeLine />
        <ConnectionNote />
        <QuestionPanel />
        <Composer />
      </div>
    </ThreadPrimitive.Root>
  );
}

/** Starts at the top: an empty conversation has no end to scroll to. */
function Beginning() {
  const isLoading = useConversationState((state) => state.isLoading);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section tabIndex={0} aria-label="Introduction" className="min-h-0 flex-1 overflow-y-auto -outline-offset-2">
      <AgentDown />
      {isLoading ? <Kept /> : <Welcome />}
    </section>
  );
}

function Messages() {
  return (
    <ThreadPrimitive.Viewport
      className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain -outline-offset-2"
      tabIndex={0}
      aria-label="Messages"
      role="region"
    >
      <AgentDown />
      <div className="mx-auto max-w-[calc(72ch+152px)] py-2">
        <ThreadPrimitive.Messages components={COMPONENTS} />
      </div>
      <ThreadPrimitive.ViewportFooter className="sticky bottom-0 flex justify-center">
        <ThreadPrimitive.ScrollToBottom className="boxed mb-2 h-6 text-xs disabled:hidden">Jump to end</ThreadPrimitive.ScrollToBottom>
      </ThreadPrimitive.ViewportFooter>
    </ThreadPrimitive.Viewport>
  );
}

function Kept() {
  return (
    <p role="status" className="px-4 py-8 text-center text-muted">
      Loading the conversation…
    </p>
  );
}
