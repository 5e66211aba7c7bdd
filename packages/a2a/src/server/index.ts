/** `@parley/a2a/server`: creates agents, with the types that an executor and its options use. Every line below is public API. */
export type { EventBus } from '../bus/bus.js';
export { memoryBus } from '../bus/memory.js';
export type { ErrorContext, LogFields, Logger } from '../platform/logger.js';
export {
  CLIENT_TOOLS,
  contextUpdate,
  readContextUpdate,
  type ToolCall,
  type ToolResult,
  type ToolSchema,
  toolResults,
} from '../protocol/client-tools.js';
export type { HistoryEvent, HistoryInput, HistoryResult } from '../protocol/client-tools-history.js';
export type { DelegationScope } from '../protocol/delegation-scope.js';
export { type MemoryStoreOptions, memoryStore } from '../stores/memory.js';
export type { TaskStore } from '../stores/store.js';
export type { HostRequest, WireRequest } from '../wire/http.js';
export type { Agent, AgentTasks, CloseOptions, ContextName, Readiness, RunningTask, TaskName } from './agent.js';
export type { Call, Caller, Handle, Interceptor, Reply } from './call.js';
export { createAgent } from './create-agent.js';
export { type ClientTools, clientTools, type ToolRequest } from './executor/client-tools.js';
export type {
  AgentExecutor,
  Answer,
  ArtifactInput,
  ArtifactNames,
  ConversationQuery,
  EarlierMessage,
  EarlierText,
  Execute,
  FileInput,
  Pieces,
  QuestionOptions,
  RequestContext,
  StandardResult,
  StandardSchema,
  TaskEvents,
} from './executor/executor.js';
export {
  type BuildContext,
  type ContextAbilities,
  type ContextRequest,
  contextBuilder,
  createRequestContext,
  type LoadTask,
  type RequestContextBuilder,
} from './executor/request-context.js';
export type { AgentOptions, Authenticate, CompatOptions, Limits } from './options.js';
