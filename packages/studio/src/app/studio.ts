/** What the whole page works with, made once. */
import type { Client } from '@parley/a2a/client';
import { createContext, useContext } from 'react';
import type { SwitchableFetch } from '../connection/switchable-fetch.js';
import type { AgentStore } from './agent-store.js';

export interface Studio {
  readonly client: Client;
  readonly agent: AgentStore;
  readonly plug: SwitchableFetch;
}

export const StudioContext = createContext<Studio | undefined>(undefined);

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (!studio) throw new Error('There is no studio above this component');
  return studio;
}
