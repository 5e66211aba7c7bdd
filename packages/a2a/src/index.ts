/** `@parley/a2a`: the protocol without a side. Every line below is public API. */

// For users: the shapes of A2A, errors, states, and the words for declaring security.

export {
  A2AError,
  type A2AErrorOptions,
  type BadRequest,
  ERRORS,
  type ErrorDetail,
  type ErrorInfo,
  type ErrorReason,
  type ErrorRow,
  type FieldViolation,
  type GrpcStatus,
  isA2AError,
  type RetryInfo,
  reasonOfCode,
  toA2AError,
} from './protocol/errors.js';
export { FAILURE_KEY } from './protocol/failure-key.js';
export {
  type AllOfSchemes,
  allOf,
  allOf as require,
  apiKey,
  bearer,
  http,
  mtls,
  type NamedScheme,
  oauth2,
  oidc,
  type SchemeOptions,
  type Security,
  withScopes,
} from './protocol/security.js';
export { isActive, isInterrupted, isTerminal, TASK_STATES } from './protocol/task-state.js';
export type {
  AgentCapabilities,
  AgentCard,
  AgentCardSignature,
  AgentExtension,
  AgentInterface,
  AgentProvider,
  AgentSkill,
  APIKeySecurityScheme,
  Artifact,
  AuthenticationInfo,
  AuthorizationCodeOAuthFlow,
  CancelTaskRequest,
  ClientCredentialsOAuthFlow,
  DeleteTaskPushNotificationConfigRequest,
  DeviceCodeOAuthFlow,
  Empty,
  GetExtendedAgentCardRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  HTTPAuthSecurityScheme,
  ImplicitOAuthFlow,
  JsonObject,
  JsonValue,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  MessageTypes,
  MutualTlsSecurityScheme,
  OAuth2SecurityScheme,
  OAuthFlows,
  OpenIdConnectSecurityScheme,
  Part,
  PasswordOAuthFlow,
  Role,
  SecurityRequirement,
  SecurityScheme,
  SendMessageConfiguration,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  StringList,
  SubscribeToTaskRequest,
  Task,
  TaskArtifactUpdateEvent,
  TaskPushNotificationConfig,
  TaskState,
  TaskStatus,
  TaskStatusUpdateEvent,
} from './protocol/types.js';

// For authors of bindings, stores, clients and tools: the tables and functions that the library itself is built on.

export { buildCard, type CardFacts, type CardOptions, type LogExtension } from './protocol/agent-card.js';
export {
  type ApplyOptions,
  type ArtifactDraft,
  applyEvent,
  createDraft,
  type TaskDraft,
  type TaskEvent,
} from './protocol/apply-event.js';
export type { Clock } from './protocol/clock.js';
export { EXTENSIONS_HEADER, LOG_EXTENSION_URI, negotiate, parseExtensions } from './protocol/extensions.js';
export {
  type HttpVerb,
  isMethodName,
  METHODS,
  type MethodCapability,
  type MethodName,
  type MethodRow,
  type RequestOf,
  type ResponseOf,
  type RestRoute,
} from './protocol/methods.js';
export { isValid, NESTING_LIMIT, parseAs } from './protocol/parse.js';
export { fromTaskText, type TaskJsonOptions, type TaskText, taskJson, toTaskText } from './protocol/task-text.js';
export { checkVersion, PROTOCOL_VERSION, parseVersion, VERSION_HEADER } from './protocol/version.js';
