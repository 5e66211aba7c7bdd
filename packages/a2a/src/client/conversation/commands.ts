/** What a conversation can be told to do, as plain JSON: tabs that follow ask the one that leads. Ids make sure that each is done once. */
import type { JsonObject, Message, SendMessageConfiguration } from '../../protocol/types.js';
import type { ExportedConversation } from './conversation.js';
import type { ConversationMessage } from './message.js';

export interface SendCommand {
  readonly do: 'send';
  /** Of the answer that is to come. */
  readonly answerId: string;
  /** Without the ids of task and context: where it goes is known to the one that leads. */
  readonly message: Message;
  /** undefined: behind the last that is shown. */
  readonly parentId?: string | null;
  readonly startRun: boolean;
  readonly configuration?: SendMessageConfiguration;
  readonly metadata?: JsonObject;
  readonly answers?: string;
}

export interface ReloadCommand {
  readonly do: 'reload';
  readonly answerId: string;
  /** The id that the message has when it is sent again: with its old one, a server that knows it would give the old answer. */
  readonly sendAs: string;
  readonly messageId: string;
}

export type Command =
  | SendCommand
  | ReloadCommand
  | { readonly do: 'settle'; readonly answerId: string; readonly messageId: string; readonly choice: 'resend' | 'discard' }
  | { readonly do: 'cancel' }
  | { readonly do: 'switch'; readonly messageId: string }
  | { readonly do: 'set'; readonly messages: readonly ConversationMessage[] }
  | { readonly do: 'import'; readonly exported: ExportedConversation }
  | { readonly do: 'clear' };
