/** A conversation that a component creates for itself. It is closed after its last use. */
import type { Conversation } from '../client/conversation/conversation.js';
import { createConversation } from '../client/conversation/create-conversation.js';
import { createClient } from '../client/create-client.js';
import { inUse } from './in-use.js';
import {
  checkOwnOptions,
  keyOfOptions,
  type Latest,
  type OwnConversationOptions,
  toClientOptions,
  toConversationOptions,
} from './own-options.js';

export interface OwnedConversation {
  readonly conversation: Conversation;
  /** true: the conversation is closed and cannot be used any more. */
  readonly isClosed: boolean;
  /** Whether the options still describe this conversation. */
  fits(options: OwnConversationOptions): boolean;
  use(): () => void;
}

/**
 * Opens no connection, so that a render that React discards leaves nothing open. `closed` is the conversation to replace: the new one has
 * the same thread id and, without a storage or history, also its messages.
 */
export function createOwnedConversation(options: OwnConversationOptions, latest: Latest, closed?: Conversation): OwnedConversation {
  checkOwnOptions(options);
  const key = keyOfOptions(options);
  const { url = '', client: given } = options;
  const client = given ?? createClient(url, toClientOptions(options.clientOptions, latest));
  const conversation = createConversation(client, toConversationOptions({ ...options, ...idOf(options.id ?? closed?.state.id) }, latest));
  if (closed !== undefined && options.storage === undefined && options.history === undefined) conversation.import(closed.export());
  let isClosed = false;

  const close = (): void => {
    isClosed = true;
    conversation.close();
    if (client !== given) client.close().catch(() => undefined);
  };
  return {
    conversation,
    get isClosed() {
      return isClosed;
    },
    fits: (next) => next.client === given && keyOfOptions(next) === key,
    use: inUse(() => undefined, close),
  };
}

function idOf(id: string | undefined): { readonly id?: string } {
  return id === undefined ? {} : { id };
}
