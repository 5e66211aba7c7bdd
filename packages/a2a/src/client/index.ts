/** `@parley/a2a/client`: what calls agents. Every line below is public API. */

// For those who call agents.

export type { LogFields, Logger } from '../platform/logger.js';
export { contextUpdate, readContextUpdate } from '../protocol/client-tools.js';
export { type HistoryEvent, type HistoryInput, type HistoryResult, toHistoryPart } from '../protocol/client-tools-history.js';
export type { DelegationScope } from '../protocol/delegation-scope.js';
export { type ApiKeyOptions, apiKey } from './auth/api-key.js';
export { type CachedCredentials, type CacheOptions, cached, type Token, type TokenSource } from './auth/cached.js';
export { chooseCredentials, credentialsFor } from './auth/choose.js';
export type { AuthMaterial, AuthRequest, Credentials, DeclaredScheme } from './auth/credentials.js';
export { basic, bearerToken } from './auth/http-auth.js';
export type { CallOptions } from './call-options.js';
export { type ConnectivityOptions, checkConnectivity } from './check-connectivity.js';
export type { Client, Run, SendOptions, WatchOptions } from './client.js';
export { type ContextStore, memoryContexts } from './contexts.js';
export type {
  Connection,
  Conversation,
  ConversationEvent,
  ConversationState,
  ExportedConversation,
  PendingQuestion,
  PlainError,
  PlainStatus,
  PlainUpdate,
  TurnOptions,
} from './conversation/conversation.js';
export { createConversation } from './conversation/create-conversation.js';
export { createThreads } from './conversation/create-threads.js';
export { type IndexedDbOptions, indexedDb } from './conversation/indexed-db.js';
export type { IdbFactory } from './conversation/indexed-db-types.js';
export { memoryStorage } from './conversation/memory-storage.js';
export type { AgentMessage, ConversationMessage, MessageStatus, UserMessage } from './conversation/message.js';
export type { ConversationOptions, HistoryAdapter } from './conversation/options.js';
export type { ConversationStorage } from './conversation/storage.js';
export type { TabMember, TabSeat, Tabs } from './conversation/tabs.js';
export { soloTabs } from './conversation/tabs-solo.js';
export type { Threads, ThreadsOptions, ThreadsState } from './conversation/threads.js';
export type { ThreadSummary } from './conversation/threads-entry.js';
export { type WebStorage, webStorage } from './conversation/web-storage.js';
export { type TabLocks, type WebTabsOptions, webTabs } from './conversation/web-tabs.js';
export type { TabChannel } from './conversation/web-tabs-seat.js';
export {
  type Coordinator,
  type CoordinatorOptions,
  createCoordinator,
} from './coordinator/create-coordinator.js';
export type { DelegateOptions, FanOutOptions, Target } from './coordinator/fan-out.js';
export { all, first, type JoinPolicy, quorum } from './coordinator/join.js';
export type { DoneOutcome, FailedOutcome, FanOutResult, Outcome, SkippedOutcome } from './coordinator/outcome.js';
export type { AgentSource } from './coordinator/team.js';
export { connect, createClient } from './create-client.js';
export type { BindingName, ClientOptions, HeaderSource } from './options.js';
export { type ActivationOptions, backoffForAttempt, keda } from './resilience/activation-policy.js';
export { type AgentHealth, type BreakerOptions, type Breakers, createBreakers } from './resilience/circuit-breaker.js';
export { isRetriableError, isRetriableStatus } from './resilience/cold-start.js';
export { type CoolDownOptions, type CoolDowns, createCoolDowns } from './resilience/cool-down.js';
export type { RetryEvent, RetryOptions } from './resilience/retry.js';
export {
  type ActivationTools,
  type CallWithActivationOptions,
  callWithActivation,
  idempotencyKey,
  type NamedCall,
  retryWithActivation,
} from './resilience/retry-with-activation.js';
export { activationOf, type TimeoutPolicy, timeouts } from './resilience/timeout-presets.js';
export type { Input, Question, ReconnectOptions, RunOptions } from './run/run-options.js';
export type { FinishReason, Reply, RunPlace, Update } from './run/update.js';
export { type Selection, type SelectOptions, selectInterface } from './select-interface.js';
export { type StreamEvent, toStreamEvent } from './stream-event.js';
export type { ClientTool } from './tools/client-tool.js';

// For those who write transports and interceptors.

export { type ObjectRpcError, type RpcError, type RpcErrorOptions, toJsonRpcError } from '../wire/jsonrpc.js';
export type { LegacyCodes } from '../wire/legacy-codes.js';
export { type HttpFailure, type ReadErrorOptions, readHttpFailure, readRestError, readRpcError } from '../wire/read-error.js';
export type { ClientCall, ClientInterceptor, ClientMethod, ClientReply, EventStream, Peer, Send, StreamedEvent } from './call.js';
export type { Exchange, HttpRequest, HttpResponse, Timeouts } from './transports/exchange.js';
export { type FetchExchangeOptions, fetchExchange } from './transports/fetch-exchange.js';
export { jsonRpc } from './transports/jsonrpc.js';
export { rest } from './transports/rest.js';
export type { Transport, TransportTools } from './transports/transport.js';
