/** A store that fails as a network or a disk would, for tests of recovery. */
import { A2AError } from '../protocol/errors.js';
import type { CommitResult, TaskStore, TaskWrite } from '../stores/store.js';

/** When a commit fails: before anything is written, after the first half of the writes (rounded up), or after all of them. */
export type CommitFault = 'before' | 'middle' | 'after';

/** Faults by commit number, counted from 1; or a function that decides from the writes. */
export type FaultPlan = Readonly<Record<number, CommitFault>> | ((commit: number, writes: readonly TaskWrite[]) => CommitFault | undefined);

/** A store whose commits fail, or wait, as a test plans it. */
export interface FailingStore extends TaskStore {
  /** The number of commits so far, including held ones. */
  readonly commits: number;
  /** The number of commits that wait to be released. */
  readonly held: number;
  /** Holds all commits from now on. */
  hold(): void;
  /** Releases held commits in order: the first `count`, or all. Releasing all also stops holding. */
  release(count?: number): void;
}

/**
 * Forwards everything to `store`, but lets commits fail by plan, or holds them. The caller does not know the outcome of a failed commit.
 */
export function failingStore(store: TaskStore, plan: FaultPlan = {}): FailingStore {
  const faultOf = typeof plan === 'function' ? plan : (commit: number): CommitFault | undefined => plan[commit];
  const waiting: (() => void)[] = [];
  let commits = 0;
  let holding = false;

  const attempt = async (number: number, writes: readonly TaskWrite[]): Promise<readonly CommitResult[]> => {
    const fault = faultOf(number, writes);
    if (fault === undefined) return store.commit(writes);
    if (fault === 'after') await store.commit(writes);
    if (fault === 'middle') await store.commit(writes.slice(0, Math.ceil(writes.length / 2)));
    throw new A2AError('AGENT_UNAVAILABLE', `Commit ${number} failed by plan (${fault})`);
  };

  const commit = async (writes: readonly TaskWrite[]): Promise<readonly CommitResult[]> => {
    commits += 1;
    const number = commits;
    if (!holding) return attempt(number, writes);
    // `release` starts the commit itself, so that a later commit cannot overtake it.
    return new Promise((resolve) => waiting.push(() => resolve(attempt(number, writes))));
  };

  return {
    ...passOn(store),
    commit,
    get commits() {
      return commits;
    },
    get held() {
      return waiting.length;
    },
    hold() {
      holding = true;
    },
    release(count) {
      if (count === undefined) holding = false;
      for (const start of waiting.splice(0, count ?? waiting.length)) start();
    },
  };
}

/** Written out, because a store may be a class instance: its methods need their `this`, and a spread would lose them. */
function passOn(store: TaskStore): Omit<TaskStore, 'commit'> {
  return {
    lingerMs: store.lingerMs,
    ...(store.replayHours !== undefined && { replayHours: store.replayHours }),
    ...(store.isRemote !== undefined && { isRemote: store.isRemote }),
    load: (ref, historyLength) => store.load(ref, historyLength),
    messages: (ref, from, to) => store.messages(ref, from, to),
    readAfter: (ref, seq, maxBytes) => store.readAfter(ref, seq, maxBytes),
    entryAt: (ref, seq) => store.entryAt(ref, seq),
    positions: (refs) => store.positions(refs),
    list: (query) => store.list(query),
    conversation: (context, limit) => store.conversation(context, limit),
    post: (ref, kind, json, request) => store.post(ref, kind, json, request),
    inbox: (ref, after) => store.inbox(ref, after),
    beginRequest: (key, bodyHash, node) => store.beginRequest(key, bodyHash, node),
    endRequest: (key, replyJson) => store.endRequest(key, replyJson),
    dropRequest: (request) => store.dropRequest(request),
    beat: (node, incarnation, until) => store.beat(node, incarnation, until),
    ...(store.startHeartbeat && { startHeartbeat: store.startHeartbeat.bind(store) }),
    claim: (ref, node) => store.claim(ref, node),
    orphans: (agent, limit) => store.orphans(agent, limit),
    waitingSince: (agent, before, limit) => store.waitingSince(agent, before, limit),
    sweep: (policy, now) => store.sweep(policy, now),
    erase: (ref) => store.erase(ref),
    eraseContext: (context, limit) => store.eraseContext(context, limit),
    ...(store.canWrite && { canWrite: () => store.canWrite?.() ?? true }),
    ...(store.checkRoom && { checkRoom: (owner) => store.checkRoom?.(owner) }),
    now: () => store.now(),
    close: () => store.close(),
  };
}
