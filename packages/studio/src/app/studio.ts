/** What the whole page works with, made once. */
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

/** An artifact of this size still fits into a page; the client's own limit is made for servers. */
const MAX_EVENT_BYTES = 128 * 1024 * 1024;

/** Thirty times a second is fluent, and leaves time for everything else. */
const FRAME_MS = 32;

export async function openStudio(): Promise<Studio> {
  const plug = createSwitchableFetch(pacedFetch(globalThis.fetch.bind(globalThis)));
  sharePlug(plug);
  const client = createClient(location.origin, { fetch: plug.fetch, contexts: false, maxResponseBytes: MAX_EVENT_BYTES });
  const agent = createAgentStore(client);
  const storage = await openStorage();
  const notices = createNotices();
  const threads = createThreads(client, { name: 'studio', frameMs: FRAME_MS, onError: notices.put, ...(storage && { storage }) });
  return { client, agent, plug, threads, notices };
}

export const StudioContext = createContext<Studio | undefined>(undefined);

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (!studio) throw new Error('There is no studio above this component');
  return studio;
}
