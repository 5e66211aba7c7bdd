/** The open conversation and its event log. */
import { createContext, useContext } from 'react';
import type { Conversation } from '../ui/types.js';
import { createEventLog, type EventLog } from './event-log.js';

export interface Session {
  readonly conversation: Conversation;
  readonly log: EventLog;
}

export const SessionContext = createContext<Session | undefined>(undefined);

const sessions = new WeakMap<Conversation, Session>();

/** Returns the same session for the same conversation, so its log continues while another conversation is shown. */
export function sessionOf(conversation: Conversation): Session {
  const session = sessions.get(conversation) ?? { conversation, log: createEventLog(conversation, onFrame) };
  sessions.set(conversation, session);
  return session;
}

/**
 * Limits how often the log redraws during a fast stream. A page in the background gets no animation frames, so it does not redraw at all.
 */
const PAUSE_MS = 60;

function onFrame(run: () => void): void {
  setTimeout(() => requestAnimationFrame(run), PAUSE_MS);
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession() needs a <SessionContext.Provider> above it');
  return session;
}

/** For commands such as send and cancel. To display state, use the hooks of `@parley/a2a/react`. */
export function useThisConversation(): Conversation {
  return useSession().conversation;
}
