/** The objects that all components share, and the hooks that read them. */
import type { A2AError } from '@parley/a2a';
import type { Client } from '@parley/a2a/client';
import type { Threads } from '@parley/a2a/conversation';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { SwitchableFetch } from '../connection/switchable-fetch.js';
import type { AgentStore, AgentView } from './agent-store.js';
import type { Notices } from './notices.js';

export interface Studio {
  readonly client: Client;
  readonly agent: AgentStore;
  readonly plug: SwitchableFetch;
  readonly threads: Threads;
  readonly notices: Notices;
}

export const StudioContext = createContext<Studio | undefined>(undefined);

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (!studio) throw new Error('useStudio() needs a <StudioContext.Provider> above it');
  return studio;
}

export function useAgent(): AgentView {
  const { agent } = useStudio();
  return useSyncExternalStore(agent.subscribe, () => agent.view);
}

export function useNotice(): A2AError | undefined {
  const { notices } = useStudio();
  return useSyncExternalStore(notices.subscribe, () => notices.last);
}
