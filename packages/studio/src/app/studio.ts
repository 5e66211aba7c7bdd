/** The objects that all components share, created once per page. */
import { type Client, createClient } from '@parley/a2a/client';
import { createThreads, type Threads } from '@parley/a2a/conversation';
import { createContext, useContext } from 'react';
import { pacedFetch } from '../connection/paced-fetch.js';
import { sharePlug } from '../connection/share-plug.js';
import { createSwitchableFetch, type SwitchableFetch } from '../connection/switchable-fetch.js';
import { type AgentStore, createAgentStore } from './agent-store.js';
import { createNotices, type Notices } from './notices.js';
import { openStorage } from './open-storage.js';

export interface Studio {
  readonly client: Client;
  readonly agent: AgentStore;
  readonly plug: SwitchableFetch;
  readonly threads: Threads;
  readonly notices: Notices;
}

/** Studio must display large artifacts; the client's default limit is meant for servers. */
const MAX_EVENT_BYTES = 128 * 1024 * 1024;

/** About 30 updates per second look smooth and leave time for input and layout. */
const FRAME_MS = 32;

export async function openStudio(): Promise<Studio> {
  const plug = createSwitchableFetch(pacedFetch(globalThis.fetch.bind(globalThis)));
  sharePlug(plug);
  const client = createClient(location.origin, { fetch: plug.fetch, maxResponseBytes: MAX_EVENT_BYTES });
  const agent = createAgentStore(client);
  const storage = await openStorage();
  const notices = createNotices();
  const threads = createThreads(client, { name: 'studio', frameMs: FRAME_MS, onError: notices.put, ...(storage && { storage }) });
  return { client, agent, plug, threads, notices };
}

export const StudioContext = createContext<Studio | undefined>(undefined);

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (!studio) throw new Error('useStudio() needs a <StudioContext.Provider> above it');
  return studio;
}
