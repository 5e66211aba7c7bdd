/**
 * `@parley/a2a/assistant-ui`: the exports of `@assistant-ui/react-a2a`, implemented with Parley's client; needs `react` and
 * `@assistant-ui/react`. Every line below is public API.
 */
export type { Conversation } from '../client/conversation/conversation.js';
export { A2AError } from './a2a-error.js';
export type {
  A2AAgentCapabilities,
  A2AAgentCard,
  A2AAgentCardSignature,
  A2AAgentInterface,
  A2AAgentSkill,
  A2AApiKeySecurityScheme,
  A2AAuthorizationCodeOAuthFlow,
  A2AClientCredentialsOAuthFlow,
  A2ADeviceCodeOAuthFlow,
  A2AHttpAuthSecurityScheme,
  A2AImplicitOAuthFlow,
  A2AMutualTlsSecurityScheme,
  A2AOAuth2SecurityScheme,
  A2AOAuthFlows,
  A2AOpenIdConnectSecurityScheme,
  A2APasswordOAuthFlow,
  A2ASecurityRequirement,
  A2ASecurityScheme,
} from './card-types.js';
export { A2AClient } from './client.js';
export type { A2AClientOptions, ParleyOptions } from './client-options.js';
export {
  a2aMessageToContent,
  a2aPartsToContent,
  a2aPartToContent,
  contentPartsToA2AParts,
  isInterruptedTaskState,
  isTerminalTaskState,
  taskStateToMessageStatus,
} from './conversions.js';
export { useA2AAgentCard, useA2AArtifacts, useA2ATask } from './hooks.js';
export type { UseA2ARuntimeOptions, UseA2AThreadListAdapter } from './options.js';
export { useConversationRuntime } from './runtime.js';
export { useA2ARuntime } from './runtime-managed.js';
export type { A2ARunConfig, ConversationRuntimeOptions } from './runtime-options.js';
export {
  A2A_PROTOCOL_VERSION,
  type A2AArtifact,
  type A2AAuthenticationInfo,
  type A2AErrorInfo,
  type A2AListTaskPushNotificationConfigsResponse,
  type A2AListTasksRequest,
  type A2AListTasksResponse,
  type A2AMessage,
  type A2APart,
  type A2ARole,
  type A2ASendMessageConfiguration,
  type A2AStreamEvent,
  type A2ATask,
  type A2ATaskArtifactUpdateEvent,
  type A2ATaskPushNotificationConfig,
  type A2ATaskState,
  type A2ATaskStatus,
  type A2ATaskStatusUpdateEvent,
} from './types.js';
