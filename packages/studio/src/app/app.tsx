import { AssistantRuntimeProvider } from '@assistant-ui/react';
import { useConversationRuntime } from '@parley/a2a/assistant-ui';
import { ConversationProvider } from '@parley/a2a/react';
import { attachFiles } from '../conversation/attach-files.js';
import { useThreads } from '../threads/use-threads.js';
import { Layout } from './layout.js';
import { SessionContext, sessionOf } from './session.js';

const OPTIONS = { adapters: { attachments: attachFiles } };

/** Provides the active thread to all components of the page. */
export function App() {
  const { active } = useThreads();
  const runtime = useConversationRuntime(active, OPTIONS);
  return (
    <ConversationProvider conversation={active}>
      <SessionContext.Provider value={sessionOf(active)}>
        <AssistantRuntimeProvider runtime={runtime}>
          <Layout />
        </AssistantRuntimeProvider>
      </SessionContext.Provider>
    </ConversationProvider>
  );
}
