/** `@parley/a2a/server/advanced`: the types that a store, an event bus or a host implements. Every line below is public API. */
export type { EventBus, Move } from '../bus/bus.js';
export type { IdGenerators } from '../platform/random-ids.js';
export type {
  ArtifactText,
  BegunRequest,
  ClaimedTask,
  CommitResult,
  ContextRef,
  Entry,
  EntryKind,
  Heartbeat,
  HeartbeatOptions,
  InboxRow,
  ListQuery,
  RequestKey,
  RequestState,
  Retention,
  Scope,
  Snapshot,
  SnapshotWrite,
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
