/** Implements the public methods of a client. */
import type { Client } from './client.js';
import { openConversation } from './client-conversation.js';
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
  /** Headers of this client, in addition to those of the options. */
  readonly headers: Readonly<Record<string, string>>;
  withHeaders(headers: Readonly<Record<string, string>>): Client;
  /** Throws if the client is closed. */
  checkOpen(): void;
  close(): Promise<void>;
}

export function createVerbs({ url, calling, peers, headers, withHeaders, checkOpen, close }: VerbParts): Client {
  return {
    url,
    ...createOperations(calling),
    card: (options) => calling.card(options),
    send: (input, options) => sendOnce(calling, input, options),
    run: (input, options) => createRun(calling, input, options),
    conversation: (contextId) => openConversation(calling, contextId),
    watch: (taskId, options) => createWatch(calling, taskId, options),
    tasks: (filter, options) => listAll(calling, filter, options),
    call: (method, params, options) => calling.raw(method, params, options),
    async ping(options) {
      checkOpen();
      await peers.ping(options);
    },
    withHeaders: (more) => withHeaders({ ...headers, ...toHeaders(more) }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
