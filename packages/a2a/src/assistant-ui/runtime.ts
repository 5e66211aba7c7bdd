/** Shows a conversation in assistant-ui. */
import {
  type AssistantRuntime,
  type ExternalStoreAdapter,
  type FeedbackAdapter,
  type ThreadMessage,
  useExternalStoreRuntime,
  useExternalStoreSharedOptions,
} from '@assistant-ui/react';
import { useInsertionEffect, useMemo, useRef } from 'react';
import type { Conversation, ConversationState } from '../client/conversation/conversation.js';
import { useConversationState } from '../react/use-conversation-state.js';
import { ThreadExtras } from './hooks.js';
import { createActions } from './runtime-actions.js';
import { MessageView, type ShownConversation } from './runtime-messages.js';
import type { ConversationRuntimeOptions } from './runtime-options.js';

/** A runtime for `AssistantRuntimeProvider` that shows this conversation. The caller closes the conversation. */
export function useConversationRuntime(conversation: Conversation, options: ConversationRuntimeOptions = {}): AssistantRuntime {
  const shown = useMemo<ShownConversation>(() => ({ conversation, view: new MessageView(), failed: ignore }), [conversation]);
  return useRuntimeOver(shown, options);
}

type InnerOptions = ConversationRuntimeOptions & {
  /** false: do not show the loading state of the conversation. Default true. */
  readonly showsLoading?: boolean;
  /** true: something outside the conversation is loading. */
  readonly isLoadingMore?: boolean;
};

/** The shared part of both hooks. */
export function useRuntimeOver(shown: ShownConversation, options: InnerOptions): AssistantRuntime {
  const { conversation, view } = shown;
  const state = useConversationState(whole, Object.is, conversation);
  const shared = useExternalStoreSharedOptions(options);
  const made = useRef<AssistantRuntime | undefined>(undefined);
  const actions = useMemo(() => createActions(shown, () => made.current?.thread.export()), [shown]);
  const adapters = useAdapters(options.adapters, view);
  const { messages, isRunning } = state;
  const { messageContent } = options;
  const isLoading = options.isLoadingMore === true || (options.showsLoading !== false && state.isLoading);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `messages` stands for the whole tree, which has changed when they have
  const messageRepository = useMemo(
    () => view.toRepository(conversation.export(), messageContent),
    [conversation, view, messages, messageContent],
  );
  const store = useMemo<ExternalStoreAdapter<ThreadMessage>>(
    () => ({ ...shared, ...actions, messageRepository, isRunning, isLoading, extras: new ThreadExtras(state), adapters }),
    [shared, actions, messageRepository, isRunning, isLoading, state, adapters],
  );
  const runtime = useExternalStoreRuntime(store);
  useInsertionEffect(() => {
    made.current = runtime;
  }, [runtime]);
  return runtime;
}

/** A ref with the value of the last render, for callbacks that were created earlier. */
export function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  useInsertionEffect(() => {
    latest.current = value;
  });
  return latest;
}

function useAdapters(given: ConversationRuntimeOptions['adapters'], view: MessageView): ExternalStoreAdapter['adapters'] {
  const { attachments, speech, dictation, voice, feedback, threadList } = given ?? {};
  return useMemo(
    () => ({ attachments, speech, dictation, voice, feedback: feedback && keepFeedback(feedback, view), threadList }),
    [attachments, speech, dictation, voice, feedback, threadList, view],
  );
}

/** assistant-ui stores feedback in its copy of a message, which our next update replaces. The view keeps it. */
function keepFeedback(adapter: FeedbackAdapter, view: MessageView): FeedbackAdapter {
  return {
    submit(feedback) {
      const { message, ...rating } = feedback;
      view.rate(message.id, rating);
      return adapter.submit(feedback);
    },
  };
}

function whole(state: ConversationState): ConversationState {
  return state;
}

/** Prevents an unhandled rejection in assistant-ui. The error is on the message and went to the conversation's `onError`. */
function ignore(): void {}
