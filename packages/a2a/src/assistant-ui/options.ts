/** The options of `useA2ARuntime`: every option of `@assistant-ui/react-a2a` 0.2.32, and `messageContent`. */
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

/** Lets the user switch between threads. */
export type UseA2AThreadListAdapter = {
  /** The id of the active thread. */
  threadId?: string;
  onSwitchToNewThread?: () => Promise<void> | void;
  /** Returns the messages of the thread. */
  onSwitchToThread?: (threadId: string) => Promise<{ messages: readonly ThreadMessage[] }>;
};

/** Options of `useA2ARuntime`: give a `client` or a `baseUrl`, and callbacks and adapters if you need them. */
export type UseA2ARuntimeOptions = ExternalStoreSharedOptions & {
  /** Your own client. Required if there is no `baseUrl`. Default: a client created for `baseUrl`. */
  client?: A2AClient;
  /** The URL of the agent; a client is created for it. Required if there is no `client`, so it has no default. */
  baseUrl?: string;
  /** With `baseUrl`: inserted before the path of every operation. Default: no prefix. */
  basePath?: string;
  /** With `baseUrl`: the tenant, for servers with several tenants. Default: no tenant. */
  tenant?: string;
  /** With `baseUrl`: sent with every request. Default: no additional headers. */
  headers?: A2AClientOptions['headers'];
  /** With `baseUrl`: URIs of extensions to request. Default: none. */
  extensions?: string[];
  /** With `baseUrl`: passed to every fetch. Default: none. */
  fetchOptions?: A2AClientOptions['fetchOptions'];
  /** The context to start in. Default: the agent creates a context. */
  contextId?: string;
  /** The configuration to send with every message. Default: none. */
  configuration?: A2ASendMessageConfiguration;
  /**
   * The content of an answer's message. Default 'everything': the agent's messages and artifacts, in the order of its events.
   * 'last-message': only its newest message, as in `@assistant-ui/react-a2a`; show artifacts with `useA2AArtifacts`.
   */
  messageContent?: MessageContent | undefined;
  /** Called when a run fails or a command is refused. Default: the error is shown only in the message. */
  onError?: (error: Error) => void;
  /** Called when the user stops an answer. Default: no callback. */
  onCancel?: () => void;
  /** Called when an artifact is complete. Default: no callback. */
  onArtifactComplete?: (artifact: A2AArtifact) => void;
  /** Adapters of assistant-ui, such as attachments, speech or thread lists. Default: none. */
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
