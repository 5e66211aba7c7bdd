/** A real agent in this process, and the requests of its client. */
import type { ClientOptions } from '../../src/client/options.js';
import { createAgent } from '../../src/server/index.js';
import { createTestFetch, type TestFetchOptions } from '../../src/testing/test-fetch.js';

export type AgentOptions = Parameters<typeof createAgent>[0];

const ECHO: Pick<AgentOptions, 'execute'> = { execute: async (context) => context.text };

/** Options for a client of the agent at http://test. */
export function serve(agent: Partial<AgentOptions> = {}, how: TestFetchOptions = {}) {
  // A test can omit options that have a default here.
  const fetch = createTestFetch(createAgent({ name: 'echo', ...(agent.executor === undefined && ECHO), ...agent } as AgentOptions), how);
  const options: ClientOptions = { fetch, retry: false };
  return { options, requests: fetch.requests };
}

export const BINDINGS = ['jsonrpc', 'rest'] as const;
