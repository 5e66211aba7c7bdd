/** The options of a conversation and of threads by name. */
import type { OptionRules } from '../../platform/check-options.js';
import { anObject, anything } from '../../platform/option-rules.js';
import { CLIENT_RULES } from '../client-option-rules.js';
import type { ConversationOptions } from './options.js';
import type { ThreadsOptions } from './threads.js';

const run: OptionRules<NonNullable<ConversationOptions['run']>> = {
  extensions: anything,
  headers: anything,
  keepParts: anything,
  metadata: anything,
  mode: anything,
  reconnect: CLIENT_RULES.reconnect,
  pollingIntervalMs: anything,
  timeouts: CLIENT_RULES.timeouts,
  tools: anything,
};

const shared: OptionRules<Omit<ConversationOptions, 'id' | 'history'>> = {
  storage: anything,
  tabs: anything,
  contextId: anything,
  configuration: anything,
  run: anObject(run),
  onError: anything,
  onCancel: anything,
  onArtifactComplete: anything,
  frameMs: anything,
  clock: anything,
  newId: anything,
};

/** An option without a rule does not compile. */
export const CONVERSATION_RULES: OptionRules<ConversationOptions> = { ...shared, id: anything, history: anything };

export const THREADS_RULES: OptionRules<ThreadsOptions> = { ...shared, name: anything, channel: anything };
