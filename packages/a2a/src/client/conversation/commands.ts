/** The commands of a conversation, as plain JSON: follower tabs send them to the leader. Their ids ensure that each command runs once. */
import type { JsonObject, Message, SendMessageConfiguration } from '../../protocol/types.js';
import type { ExportedConversation } from './conversation.js';
import type { ConversationMessage } from './message.js';

export interface SendCommand {
  readonly do: 'send';
  /** The id that the new answer gets. */
  readonly answerId: string;
  /** Without task id and context id: the leader adds them. */
  readonly message: Message;
  /** undefined: after the last visible message. */
  readonly parentId?: string | null;
  readonly startRun: boolean;
  readonly configuration?: SendMessageConfiguration;
  readonly metadata?: JsonObject;
  readonly answers?: string;
}

export interface ReloadCommand {
  readonly do: 'reload';
  readonly answerId: string;
  /** The message id for the repeated send. With the old id, a server that recognizes it would return the old answer. */
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
