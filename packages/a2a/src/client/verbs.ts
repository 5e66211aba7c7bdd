/** What a client can do, over its inside. */
import type { CallOptions } from './call-options.js';
import type { Client } from './client.js';
import type { ClientCalling } from './create-calling.js';
import { toHeaders } from './headers.js';
import { createOperations } from './operations.js';
import type { PeerSource } from './peer.js';
import { createRun, createWatch } from './run/create-run.js';
import { sendOnce } from './send.js';
import { listAll } from './tasks.js';

export interface VerbParts {
  readonly url: string;
  readonly calling: ClientCalling;
  readonly peers: PeerSource;
  /** Of this client, on top of the options. */
  readonly headers: Readonly<Record<string, string>>;
  withHeaders(headers: Readonly<Record<string, string>>): Client;
  /** Throws when the client was closed. */
  checkOpen(): void;
  close(): Promise<void>;
}

export function createVerbs({ url, calling, peers, headers, withHeaders, checkOpen, close }: VerbParts): Client {
  const asked = (options: CallOptions | undefined): CallOptions => {
    checkOpen();
    return { ...options, headers: { ...headers, ...options?.headers } };
  };
  return {
    url,
    ...createOperations(calling),
    card: async (options) => peers.card(asked(options)),
    send: (input, options) => sendOnce(calling, input, options),
    run: (input, options) => createRun(calling, input, options),
    watch: (taskId, options) => createWatch(calling, taskId, options),
    tasks: (filter, options) => listAll(calling, filter, options),
    call: (method, params, options) => calling.raw(method, params, options),
    ping: async (options) => peers.ping(asked(options)),
    withHeaders: (more) => withHeaders({ ...headers, ...toHeaders(more) }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
