import { AssistantRuntimeProvider } from '@assistant-ui/react';
import { useConversationRuntime } from '@parley/a2a/assistant-ui';
import { ConversationProvider } from '@parley/a2a/react';
import { useMemo } from 'react';
import { attachFiles } from '../conversation/attach-files.js';
import type { AgentStore } from '../state/agent-store.js';
import { SessionContext, sessionOf } from '../state/session.js';
import { useStudio } from '../state/studio.js';
import { useThreads } from '../threads/use-threads.js';
import type { AgentCard } from '../ui/types.js';
import { Layout } from './layout.js';

/** Provides the active thread to all components of the page. */
export function App() {
  const { active } = useThreads();
  const { agent } = useStudio();
  const options = useMemo(() => ({ adapters: { attachments: attachFiles(() => cardOf(agent)) } }), [agent]);
  const runtime = useConversationRuntime(active, options);
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

function cardOf({ view }: AgentStore): AgentCard | undefined {
  return view.state === 'ready' ? view.card : undefined;
}
