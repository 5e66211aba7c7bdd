/** `@parley/a2a/server`: what agents are made of. Every line below is public API. */

// For those who write agents.

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
export { memory } from '../stores/memory.js';
export type { HostRequest, WireRequest } from '../wire/http.js';
export type { Agent, CloseOptions, Readiness, RunningTask } from './agent.js';
export type { Call, Caller, Handle, Interceptor, Reply } from './call.js';
export { type ClientTools, clientTools, type ToolRequest } from './client-tools.js';
export { createAgent } from './create-agent.js';
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
} from './executor.js';
export type { AgentOptions, Authenticate, Limits } from './options.js';
export {
  type BuildContext,
  type ContextAbilities,
  type ContextRequest,
  contextBuilder,
  createRequestContext,
  type RequestContextBuilder,
} from './request-context.js';

// For those who write stores, buses and hosts.

export type { EventBus, Move } from '../bus/bus.js';
export { memoryBus } from '../bus/memory.js';
export type { IdGenerators } from '../platform/random-ids.js';
export type {
  ClaimedTask,
  CommitAnswer,
  ContextRef,
  Entry,
  EntryKind,
  InboxRow,
  ListQuery,
  RequestKey,
  RequestState,
  Retention,
  Scope,
  StoredEntry,
  StoredTask,
  TaskHead,
  TaskPage,
  TaskPosition,
  TaskRef,
  TaskStore,
  TaskWrite,
} from '../stores/store.js';
export type { Frame, ReadEnd, Reading, Sink } from './call.js';
