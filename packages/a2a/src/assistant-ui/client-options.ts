/** The options of an `A2AClient`. */
import type { ClientOptions } from '../client/options.js';

/** The options of an `A2AClient`: the address of the agent, and what to send with every request. */
export type A2AClientOptions = {
  /** The URL of the agent; its card is at `/.well-known/agent-card.json` below it. In a browser it may be relative to the page. */
  baseUrl: string;
  /** Inserted before the path of every operation, for example `/v1`. Not used for the card. Default: no prefix. */
  basePath?: string | undefined;
  /** Inserted between the base path and the path of every operation. Default: no tenant. */
  tenant?: string | undefined;
  /** Sent with every request; a function is called for each request. Default: no additional headers. */
  headers?: Record<string, string> | (() => Record<string, string> | Promise<Record<string, string>>) | undefined;
  /** URIs of extensions to request with `A2A-Extensions`. Default: none. */
  extensions?: string[] | undefined;
  /** Passed to every fetch, for example `{ credentials: 'include' }`. Default: none. */
  fetchOptions?: Omit<RequestInit, 'headers' | 'body' | 'method' | 'signal'> | undefined;
};

/** Further options of Parley's own client. */
export type ParleyOptions = Omit<
  ClientOptions,
  'headers' | 'fetchOptions' | 'tenant' | 'extensions' | 'skipBadFrames' | 'cardPath' | 'prefer'
>;
