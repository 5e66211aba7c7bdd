/** The conversation that is open, and the log of what happens in it. */
import { createContext, useContext } from 'react';
import { createEventLog, type EventLog } from '../log/event-log.js';
import type { Conversation } from './types.js';

export interface Session {
  readonly conversation: Conversation;
  readonly log: EventLog;
}

export const SessionContext = createContext<Session | undefined>(undefined);

const sessions = new WeakMap<Conversation, Session>();

/** The same for the same conversation: its log goes on while another one is shown. */
export function sessionOf(conversation: Conversation): Session {
  const session = sessions.get(conversation) ?? { conversation, log: createEventLog(conversation, onFrame) };
  sessions.set(conversation, session);
  return session;
}

/** Rows are new in each frame of a fast stream, and nobody reads them then. A page in the background has no frames, and need not draw. */
const PAUSE_MS = 60;

function onFrame(run: () => void): void {
  setTimeout(() => requestAnimationFrame(run), PAUSE_MS);
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('There is no session above this component');
  return session;
}

/** For those who do something with it; what is shown of it comes from the hooks of `@parley/a2a/react`. */
export function useThisConversation(): Conversation {
  return useSession().conversation;
}
