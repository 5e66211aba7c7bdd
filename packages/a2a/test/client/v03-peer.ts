/** A scripted agent of A2A 0.3, or one that contradicts its card, and a client of it. */
import { createClient } from '../../src/client/create-client.js';
import type { ClientOptions } from '../../src/client/options.js';
import { scriptedFetch } from './scripted-fetch.js';

export type Json = Record<string, unknown>;

/** The card of an agent of 0.3. */
export const CARD_V03 = {
  name: 'Old',
  description: 'd',
  version: '1',
  protocolVersion: '0.3.0',
  url: 'http://old.test/rpc',
  preferredTransport: 'JSONRPC',
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
};
export const TASK = { kind: 'task', id: 't', contextId: 'c', status: { state: 'completed' } };

/** An error in a JSON-RPC response. */
export const wrong = (code: number, message = 'no'): Json => ({ error: { code, message } });

export interface Peer {
  readonly client: ReturnType<typeof createClient>;
  /** The method and the version of each call. */
  readonly asked: string[];
  readonly bodies: Json[];
  /** The address of each call. */
  readonly urls: string[];
  /** The idempotency key of each call. */
  readonly keys: (string | null)[];
}

/** An agent that answers each JSON-RPC method as `answers` says, and every other one with -32601. */
export function peerOf(
  answers: Record<string, (params: Json, id: number) => Json | Response>,
  card: Json = CARD_V03,
  options: ClientOptions = {},
): Peer {
  const asked: string[] = [];
  const bodies: Json[] = [];
  const urls: string[] = [];
  const keys: (string | null)[] = [];
  const script = scriptedFetch(
    ({ body, headers, url }) => {
      const { id, method, params } = body as { id: number; method: string; params: Json };
      asked.push(`${method} ${headers.get('a2a-version')}`);
      bodies.push(params);
      urls.push(url);
      keys.push(headers.get('idempotency-key'));
      const answer = answers[method]?.(params, id) ?? wrong(-32601, 'Method not found');
      return answer instanceof Response ? answer : Response.json({ jsonrpc: '2.0', id, ...answer });
    },
    () => Response.json(card),
  );
  return {
    client: createClient('http://old.test', { fetch: script.fetch, retry: false, reconnect: { maxRetries: 0 }, ...options }),
    asked,
    bodies,
    urls,
    keys,
  };
}
