/** What `useA2ARuntime` can be told: every option of `@assistant-ui/react-a2a` 0.2.32, and `messageContent`. */
import type {
  AttachmentAdapter,
  DictationAdapter,
  ExternalStoreSharedOptions,
  FeedbackAdapter,
  RealtimeVoiceAdapter,
  SpeechSynthesisAdapter,
  ThreadHistoryAdapter,
  ThreadMessage,
} from '@assistant-ui/react';
import type { A2AClient } from './client.js';
import type { A2AClientOptions } from './client-options.js';
import type { MessageContent } from './runtime-messages.js';
import type { A2AArtifact, A2ASendMessageConfiguration } from './types.js';

/** Lets the user of a page switch between conversations. */
export type UseA2AThreadListAdapter = {
  /** The conversation that is shown. */
  threadId?: string;
  onSwitchToNewThread?: () => Promise<void> | void;
  /** Gives what was said in it. */
  onSwitchToThread?: (threadId: string) => Promise<{ messages: readonly ThreadMessage[] }>;
};

export type UseA2ARuntimeOptions = ExternalStoreSharedOptions & {
  /** A client of your own; this or `baseUrl`. */
  client?: A2AClient;
  /** Where the agent is: a client is made for it. */
  baseUrl?: string;
  /** With `baseUrl`: in front of the path of every operation. */
  basePath?: string;
  /** With `baseUrl`: for servers with several tenants. */
  tenant?: string;
  /** With `baseUrl`: on every request. */
  headers?: A2AClientOptions['headers'];
  /** With `baseUrl`: URIs of extensions to ask for. */
  extensions?: string[];
  /** With `baseUrl`: passed to every fetch. */
  fetchOptions?: A2AClientOptions['fetchOptions'];
  /** The conversation to begin in. */
  contextId?: string;
  /** For every message that is sent. */
  configuration?: A2ASendMessageConfiguration;
  /**
   * What the message of an answer contains. Default 'everything': what the agent said and made, in the order of its events. 'last-message':
   * only its newest message, as in `@assistant-ui/react-a2a`; show artifacts with `useA2AArtifacts`.
   */
  messageContent?: MessageContent | undefined;
  onError?: (error: Error) => void;
  onCancel?: () => void;
  /** Called when an artifact has come to its end. */
  onArtifactComplete?: (artifact: A2AArtifact) => void;
  adapters?: {
    attachments?: AttachmentAdapter;
    speech?: SpeechSynthesisAdapter;
    dictation?: DictationAdapter;
    voice?: RealtimeVoiceAdapter;
    feedback?: FeedbackAdapter;
    history?: ThreadHistoryAdapter;
    threadList?: UseA2AThreadListAdapter;
  };
};
