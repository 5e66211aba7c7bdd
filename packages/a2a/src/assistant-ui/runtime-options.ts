/** What `useConversationRuntime` can be told, and what a single message can. */
import type {
  AttachmentAdapter,
  DictationAdapter,
  ExternalStoreSharedOptions,
  ExternalStoreThreadListAdapter,
  FeedbackAdapter,
  RealtimeVoiceAdapter,
  SpeechSynthesisAdapter,
} from '@assistant-ui/react';
import type { MessageContent } from './runtime-messages.js';
import type { A2ASendMessageConfiguration } from './types.js';

export type ConversationRuntimeOptions = ExternalStoreSharedOptions & {
  /**
   * What the message of an answer contains. Default 'everything': what the agent said and made, in the order of its events. 'last-message':
   * only its newest message, as in `@assistant-ui/react-a2a`; show artifacts with `useA2AArtifacts`.
   */
  messageContent?: MessageContent | undefined;
  /** assistant-ui's own, which are handed on as they are. Threads are yours: give another conversation for another thread. */
  adapters?:
    | {
        attachments?: AttachmentAdapter | undefined;
        speech?: SpeechSynthesisAdapter | undefined;
        dictation?: DictationAdapter | undefined;
        voice?: RealtimeVoiceAdapter | undefined;
        feedback?: FeedbackAdapter | undefined;
        threadList?: ExternalStoreThreadListAdapter | undefined;
      }
    | undefined;
};

/** What goes along with one message: give it to assistant-ui as `runConfig: { custom: { a2a: … } }`. */
export interface A2ARunConfig {
  /** Of the request. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Of the message. */
  readonly messageMetadata?: Readonly<Record<string, unknown>>;
  /** Earlier tasks worth looking at. */
  readonly referenceTaskIds?: readonly string[];
  /** Beside the conversation's. */
  readonly configuration?: A2ASendMessageConfiguration;
}
