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
import type { A2ASendMessageConfiguration } from './types.js';

export type ConversationRuntimeOptions = ExternalStoreSharedOptions & {
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
  /** Of the message. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Earlier tasks worth looking at. */
  readonly referenceTaskIds?: readonly string[];
  /** Beside the conversation's. */
  readonly configuration?: A2ASendMessageConfiguration;
}
