/** `@parley/a2a/protocol`: the tables, validators and types of A2A for authors of bindings, stores, clients and tools. Every line below is public API. */
export { buildCard, type CardFacts, type CardOptions, type LogExtension } from './agent-card.js';
export {
  type ApplyOptions,
  type ArtifactDraft,
  applyEvent,
  createDraft,
  type TaskDraft,
  type TaskEvent,
} from './apply-event.js';
export type { Clock, TimerOptions } from './clock.js';
export { type ErrorRow, reasonOfCode } from './errors.js';
export { EXTENSIONS_HEADER, LOG_EXTENSION_URI, negotiate, parseExtensions } from './extensions.js';
export { FAILURE_KEY } from './failure-key.js';
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
} from './methods.js';
export { type FindFaults, isValid, NESTING_LIMIT, parseAs } from './parse.js';
export { fromTaskText, type TaskJsonOptions, type TaskText, taskJson, toTaskText } from './task-text.js';
export type {
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  Empty,
  GetExtendedAgentCardRequest,
  GetTaskPushNotificationConfigRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  MessageTypes,
  StringList,
  SubscribeToTaskRequest,
} from './types.js';
export { checkVersion, PROTOCOL_VERSION, parseVersion, VERSION_HEADER } from './version.js';
