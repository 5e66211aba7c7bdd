/** The options of `useConversationRuntime`, and of a single message. */
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

/** Options of `useConversationRuntime`: the content of messages, and adapters of assistant-ui. */
export type ConversationRuntimeOptions = ExternalStoreSharedOptions & {
  /**
   * The content of an answer's message. Default 'everything': the agent's messages and artifacts, in the order of its events.
   * 'last-message': only its newest message, as in `@assistant-ui/react-a2a`; show artifacts with `useA2AArtifacts`.
   */
  messageContent?: MessageContent | undefined;
  /** Adapters of assistant-ui, passed on unchanged. To switch threads, pass another conversation. Default: none. */
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

/** Options of one message. Pass them to assistant-ui as `runConfig: { custom: { a2a: … } }`. */
export interface A2ARunConfig {
  /** Metadata of the request. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Metadata of the message. */
  readonly messageMetadata?: Readonly<Record<string, unknown>>;
  /** Ids of earlier tasks that the agent should consider. */
  readonly referenceTaskIds?: readonly string[];
  /** Overrides fields of the conversation's configuration. */
  readonly configuration?: A2ASendMessageConfiguration;
}
