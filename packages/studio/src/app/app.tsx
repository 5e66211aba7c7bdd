import { AssistantRuntimeProvider } from '@assistant-ui/react';
import { ConversationProvider } from '@parley/a2a/react';
import { useMemo, useState } from 'react';
import { useStandInRuntime } from '../dev/runtime.js';
import { standIn } from '../dev/stand-in.js';
import { ThreadsContext } from '../threads/use-threads.js';
import { Layout } from './layout.js';
import { createSession, type Session, SessionContext } from './session.js';
import { useStudio } from './studio.js';

export function App() {
  const { client } = useStudio();
  const [session, setSession] = useState(() => createSession(standIn(client, 'first')));
  const threads = useMemo(
    () => ({
      entries: [
        {
          id: session.conversation.state.id,
          title: 'A conversation with a rather long first message',
          updatedAt: new Date().toISOString(),
        },
      ],
      currentId: session.conversation.state.id,
      open: () => undefined,
      begin: () => setSession(createSession(standIn(client, crypto.randomUUID()))),
      remove: () => undefined,
    }),
    [session, client],
  );
  return (
    <ThreadsContext.Provider value={threads}>
      <SessionView key={session.conversation.state.id} session={session} />
    </ThreadsContext.Provider>
  );
}

function SessionView({ session }: { readonly session: Session }) {
  const runtime = useStandInRuntime(session.conversation);
  return (
    <ConversationProvider conversation={session.conversation}>
      <SessionContext.Provider value={session}>
        <AssistantRuntimeProvider runtime={runtime}>
          <Layout />
        </AssistantRuntimeProvider>
      </SessionContext.Provider>
    </ConversationProvider>
  );
}
