/** Wraps the store for the runtime: an error of the driver is reported once, here, and the caller gets a retryable error. */

import type { ErrorContext } from '../../platform/logger.js';
import { A2AError, isA2AError } from '../../protocol/errors.js';
import type { TaskRef, TaskStore } from '../../stores/store.js';

type Report = (error: A2AError, where: ErrorContext) => void;

/** `commit` is not wrapped: the committer must see that an outcome is unknown. */
export function steady(store: TaskStore, report: Report): TaskStore {
  const { lingerMs, replayHours, isRemote } = store;
  const fail = (cause: unknown, ref: TaskRef | undefined): never => {
    if (isA2AError(cause)) throw cause;
    const error = new A2AError('AGENT_UNAVAILABLE', 'task store unavailable; retry later', { cause, retryAfterMs: 1_000 });
    report(error, ref ? { taskId: ref.id } : {});
    throw error;
  };
  // A store in JavaScript may return a value, or a promise of another library.
  const tried = <T>(answer: Promise<T>, ref?: TaskRef): Promise<T> => Promise.resolve(answer).catch((cause) => fail(cause, ref));
  return {
    lingerMs,
    ...(replayHours !== undefined && { replayHours }),
    ...(isRemote !== undefined && { isRemote }),
    commit: (writes) => store.commit(writes),
    load: (ref, historyLength) => tried(store.load(ref, historyLength), ref),
    messages: (ref, from, to) => tried(store.messages(ref, from, to), ref),
    readAfter: (ref, seq, maxBytes) => tried(store.readAfter(ref, seq, maxBytes), ref),
    entryAt: (ref, seq) => tried(store.entryAt(ref, seq), ref),
    positions: (refs) => tried(store.positions(refs)),
    list: (query) => tried(store.list(query)),
    conversation: (context, limit) => tried(store.conversation(context, limit)),
    post: (ref, kind, json, request) => tried(store.post(ref, kind, json, request), ref),
    inbox: (ref, after) => tried(store.inbox(ref, after), ref),
    beginRequest: (key, bodyHash, node) => tried(store.beginRequest(key, bodyHash, node)),
    endRequest: (key, replyJson) => tried(store.endRequest(key, replyJson)),
    dropRequest: (request) => tried(store.dropRequest(request)),
    beat: (node, incarnation, until) => tried(store.beat(node, incarnation, until)),
    ...(store.startHeartbeat && { startHeartbeat: store.startHeartbeat.bind(store) }),
    claim: (ref, node) => tried(store.claim(ref, node), ref),
    orphans: (agent, limit) => tried(store.orphans(agent, limit)),
    waitingSince: (agent, before, limit) => tried(store.waitingSince(agent, before, limit)),
    sweep: (policy, now) => tried(store.sweep(policy, now)),
    erase: (ref) => tried(store.erase(ref), ref),
    eraseContext: (context, limit) => tried(store.eraseContext(context, limit)),
    ...(store.canWrite && { canWrite: () => store.canWrite?.() ?? true }),
    ...(store.checkRoom && { checkRoom: (owner) => store.checkRoom?.(owner) }),
    now: () => tried(store.now()),
    close: () => tried(store.close()),
  };
}
