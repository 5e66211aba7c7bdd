/** What an `A2AClient` can be told. */
import type { ClientOptions } from '../client/options.js';

export type A2AClientOptions = {
  /** Where the agent is; its card is looked for at `/.well-known/agent-card.json` below it. In a page it may be a path. */
  baseUrl: string;
  /** In front of the path of every operation, for example `/v1`. The card is looked for without it. */
  basePath?: string | undefined;
  /** Goes between the base path and the path of every operation. */
  tenant?: string | undefined;
  /** On every request; a function is asked each time. */
  headers?: Record<string, string> | (() => Record<string, string> | Promise<Record<string, string>>) | undefined;
  /** URIs to ask for with `A2A-Extensions`. */
  extensions?: string[] | undefined;
  /** Passed to every fetch, for example `{ credentials: 'include' }`. */
  fetchOptions?: Omit<RequestInit, 'headers' | 'body' | 'method' | 'signal'> | undefined;
};

/** What Parley's own client can be told besides. */
export type ParleyOptions = Omit<
  ClientOptions,
  'headers' | 'fetchOptions' | 'tenant' | 'extensions' | 'skipBadFrames' | 'cardPath' | 'prefer'
>;
