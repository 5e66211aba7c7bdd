/** A conversation that a component makes for itself: closed after the last use of it. */
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

export interface Lease {
  readonly conversation: Conversation;
  /** Nothing can be done with it any more. */
  readonly isClosed: boolean;
  /** Whether it is still what these options ask for. */
  fits(options: OwnConversationOptions): boolean;
  use(): () => void;
}

/**
 * Opens nothing, so that a render that React throws away leaves nothing behind. `closed` is what stood in its place before: the new one is the
 * same thread, and where nothing keeps that, it takes over what was shown.
 */
export function createLease(options: OwnConversationOptions, latest: Latest, closed?: Conversation): Lease {
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
