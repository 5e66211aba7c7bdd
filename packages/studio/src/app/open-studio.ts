/** Creates the shared objects, once per page. */
import { createClient } from '@parley/a2a/client';
import { createThreads } from '@parley/a2a/conversation';
import { pacedFetch } from '../connection/paced-fetch.js';
import { sharePlug } from '../connection/share-plug.js';
import { createSwitchableFetch } from '../connection/switchable-fetch.js';
import { createAgentStore } from '../state/agent-store.js';
import { createNotices } from '../state/notices.js';
import type { Studio } from '../state/studio.js';
import { openStorage } from './open-storage.js';

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
