/** Random calls to a store, compared with the results of the naive store. Every store runs against this. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Clock } from '../src/protocol/clock.js';
import type { TaskState } from '../src/protocol/types.js';
import { type Entry, isSent, type SnapshotWrite, type TaskRef, type TaskStore, type TaskWrite } from '../src/stores/store.js';
import { manualClock } from '../src/testing/index.js';
import { type NaiveOptions, NaiveStore } from './naive-store.js';

const STATES = [
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
] as const;
const NODES = ['n1', 'n2'] as const;

// Few names, so that commands hit the same tasks. The first two scopes differ only in the position of the slash.
const agents = fc.constantFrom('', 'a');
const refs: fc.Arbitrary<TaskRef> = fc.record({
  agent: agents,
  tenant: fc.constantFrom('a', 'a/b'),
  owner: fc.constantFrom('b/c', 'c'),
  id: fc.constantFrom('t1', 't2', 't3', 't4', 't5'),
});
const scopes = fc.record({ agent: agents, tenant: fc.constantFrom('a', 'a/b'), owner: fc.constantFrom('b/c', 'c') });
const contexts = fc.constantFrom('c1', 'c2');
const states: fc.Arbitrary<TaskState> = fc.constantFrom(...STATES);
const nodes = fc.constantFrom(...NODES);
const keys = scopes.chain((scope) => fc.constantFrom('k1', 'k2').map((key) => ({ ...scope, key })));
/** Mostly a valid value, sometimes an invalid one. */
const rarely = <T>(usual: T, odd: T) => fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(odd) });

/** A write that does not depend on the state of the store; `toWrite` fills in the numbers. */
const drafts = fc.record({
  ref: refs,
  create: fc.option(nodes, { nil: undefined, freq: 1 }),
  request: fc.option(fc.constantFrom('k1', 'k2'), { nil: undefined }),
  contextId: contexts,
  stale: rarely(0, 1),
  gap: rarely(0, 1),
  skips: rarely(0, 1),
  entries: fc.array(fc.constantFrom('artifact', 'input', 'status', 'note'), { maxLength: 4 }),
  state: fc.option(states, { nil: undefined }),
  statusAt: fc.integer({ min: 0, max: 20 }),
  snapshot: rarely(true, false),
  said: fc.nat(2),
  repeats: rarely(0, 1),
  artifacts: fc.subarray([0, 1, 2]),
  long: rarely('', 'x'.repeat(3_000)),
  take: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  release: fc.boolean(),
});
type Draft = typeof drafts extends fc.Arbitrary<infer T> ? T : never;

type Call = (store: TaskStore) => Promise<unknown>;

const query = fc.record(
  {
    contextId: contexts,
    state: states,
    statusAtOrAfter: fc.integer({ min: 0, max: 20 }),
    after: fc.record({ statusAt: fc.integer({ min: 0, max: 20 }), id: fc.constantFrom('t1', 't3', 't5') }),
  },
  { requiredKeys: [] },
);

const commands: fc.Arbitrary<{ readonly drafts?: readonly Draft[]; readonly call?: Call; readonly tick?: number }> = fc.oneof(
  { weight: 8, arbitrary: fc.array(drafts, { minLength: 1, maxLength: 3 }).map((list) => ({ drafts: list })) },
  { weight: 1, arbitrary: fc.constantFrom(1, 50, 86_400_000).map((tick) => ({ tick })) },
  ...[
    fc.tuple(refs, fc.constantFrom(undefined, 0, 1, 2, 5)).map(
      ([ref, historyLength]): Call =>
        (store) =>
          store.load(ref, historyLength),
    ),
    fc.tuple(refs, fc.nat(6), fc.nat(6)).map(
      ([ref, from, to]): Call =>
        (store) =>
          store.messages(ref, from, to),
    ),
    fc.tuple(refs, fc.nat(8), fc.constantFrom(1, 60, 1e6)).map(
      ([ref, seq, max]): Call =>
        (store) =>
          store.readAfter(ref, seq, max),
    ),
    fc.tuple(refs, fc.nat(8)).map(
      ([ref, seq]): Call =>
        (store) =>
          store.entryAt(ref, seq),
    ),
    fc.array(refs, { maxLength: 3 }).map(
      (list): Call =>
        (store) =>
          store.positions(list),
    ),
    fc.tuple(scopes, query, fc.integer({ min: 1, max: 4 }), fc.boolean(), fc.constantFrom(undefined, 0, 1, 3)).map(
      ([scope, more, limit, count, historyLength]): Call =>
        (store) =>
          store.list({ ...scope, ...more, limit, count, historyLength }),
    ),
    fc.tuple(scopes, contexts, fc.nat(9)).map(
      ([scope, contextId, limit]): Call =>
        (store) =>
          store.conversation({ ...scope, contextId }, limit),
    ),
    fc.tuple(refs, fc.constantFrom('message' as const, 'cancel' as const)).map(
      ([ref, kind]): Call =>
        (store) =>
          store.post(ref, kind, '{}'),
    ),
    fc.tuple(refs, keys, nodes).map(
      ([ref, key, node]): Call =>
        (store) =>
          store.post(ref, 'message', '{}', { key: { ...key, agent: ref.agent, tenant: ref.tenant, owner: ref.owner }, node }),
    ),
    fc.tuple(agents, fc.nat(40)).map(
      ([agent, before]): Call =>
        async (store) =>
          new Set((await store.waitingSince(agent, before, 100)).map((ref) => JSON.stringify(ref))),
    ),
    fc.tuple(refs, fc.nat(3)).map(
      ([ref, after]): Call =>
        (store) =>
          store.inbox(ref, after),
    ),
    fc.tuple(keys, fc.constantFrom('h1', 'h1', 'h1', 'h2'), nodes).map(
      ([key, hash, node]): Call =>
        (store) =>
          store.beginRequest(key, hash, node),
    ),
    keys.map(
      (key): Call =>
        (store) =>
          store.endRequest(key, '{"contextId":"c1"}'),
    ),
    refs.map(
      (ref): Call =>
        (store) =>
          store.erase(ref),
    ),
    fc.tuple(scopes, contexts, fc.constantFrom(2, 100)).map(
      ([scope, contextId, limit]): Call =>
        async (store) =>
          new Set((await store.eraseContext({ ...scope, contextId }, limit)).map((ref) => JSON.stringify(ref))),
    ),
    fc.tuple(keys, nodes).map(
      ([key, node]): Call =>
        (store) =>
          store.dropRequest({ key, node }),
    ),
    fc.tuple(nodes, rarely('i1', 'i2'), fc.constantFrom(-1, 20, 100)).map(
      ([node, incarnation, ms]): Call =>
        async (store) =>
          store.beat(node, incarnation, (await store.now()) + ms),
    ),
    fc.tuple(refs, nodes).map(
      ([ref, node]): Call =>
        (store) =>
          store.claim(ref, node),
    ),
    agents.map(
      (agent): Call =>
        async (store) =>
          new Set((await store.orphans(agent, 100)).map((ref) => JSON.stringify(ref))),
    ),
    fc.tuple(agents, fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }), fc.nat(20), fc.nat(3), fc.nat(40)).map(
      ([agent, deleteFinalAfterMs, replayMs, batch, now]): Call =>
        (store) =>
          store.sweep({ agent, ...(deleteFinalAfterMs !== undefined && { deleteFinalAfterMs }), replayMs, batch }, now),
    ),
  ].map((arbitrary) => ({ weight: 1, arbitrary: arbitrary.map((call) => ({ call })) })),
);

const message = (text: string): string => `{"messageId":"${text}"}`;

function toEntry(seq: number, kind: Entry['kind'], { label, generation }: { label: string; generation: number }): Entry {
  const json = {
    input: `{"input":{"request":{"message":${message(`in ${label}`)}}}}`,
    status: `{"statusUpdate":{"status":{"message":${message(`out ${label}`)}}}}`,
    artifact: `{"artifactUpdate":{"n":${seq}}}`,
    task: '{"task":{}}',
    note: '{"note":{"message":"none"}}',
  }[kind];
  return { seq, kind, at: seq, json, generation };
}

/** Every snapshot has all artifacts up to the last one that it has: a store need not know which are missing. */
function toSnapshot({ said, repeats, artifacts, long }: Draft, label: string, before: number): SnapshotWrite {
  const lines = Array.from({ length: said }, (_, index) => message(`${label}.${before + index}${long}`));
  const written = before === 0 ? [0, 1, 2] : artifacts;
  return {
    head: `{"status":{"message":${message(`now ${label}`)}}}`,
    history: lines.join('\n'),
    messagesBefore: before + repeats,
    messages: before + repeats + said,
    historyBytes: (before + said) * 10,
    artifacts: written.map((n) => ({ n, json: `{"artifactId":"${n} as of ${label}${long}"}` })),
  };
}

/** The write of a writer that knows the task, with the faults of the draft. */
async function toWrite(store: TaskStore, draft: Draft): Promise<TaskWrite> {
  const { ref, create, request, contextId, stale, gap, skips, state, statusAt, snapshot, take, release } = draft;
  const known = await store.load(ref);
  const isNew = known === undefined || create !== undefined;
  const firstSeq = (isNew ? 0 : known.seq) + 1 + gap;
  const label = `${ref.id}.${firstSeq}`;
  const kinds: readonly Entry['kind'][] = isNew ? ['input', 'task', ...draft.entries] : draft.entries;
  const last = firstSeq + kinds.length - 1;
  let generation = isNew ? 0 : known.generation;
  const entries = kinds.map((kind, index) => {
    generation += (isSent(kind) ? 1 : 0) + (index === 1 ? skips : 0);
    return toEntry(firstSeq + index, kind, { label: `${label}.${index}`, generation });
  });
  return {
    ref,
    epoch: (isNew ? 1 : known.epoch) + stale,
    firstSeq,
    entries,
    ...(isNew && {
      create: {
        node: create ?? 'n1',
        ...(request && { request: { agent: ref.agent, tenant: ref.tenant, owner: ref.owner, key: request } }),
      },
    }),
    ...((isNew || state) && {
      head: { contextId: known?.head.contextId ?? contextId, state: state ?? 'TASK_STATE_SUBMITTED', statusAt, statusSeq: last },
    }),
    ...(snapshot && { snapshot: toSnapshot(draft, label, isNew ? 0 : known.snapshot.messages) }),
    ...(take !== undefined && !isNew && { take: [{ n: take, seq: last }] }),
    ...(release && { release }),
  };
}

/** A failed write is compared by its kind, because each store has its own error messages. */
function comparable(answer: unknown): unknown {
  if (!Array.isArray(answer)) return answer;
  return answer.map((one: unknown) => (typeof one === 'object' && one !== null && 'cause' in one ? { kind: 'failed' } : one));
}

export interface ModelRun {
  /** Creates an empty store that uses this clock. */
  readonly create: (clock: Clock) => TaskStore | Promise<TaskStore>;
  /** Closes the store and opens its data again. Called whenever time passes. */
  readonly reopen?: (store: TaskStore, clock: Clock) => Promise<TaskStore>;
  readonly numRuns: number;
  /** Limits of the naive store. */
  readonly limits?: Omit<NaiveOptions, 'now'>;
}

/** Fails if a result of the store differs from that of the naive store. */
export async function compareWithNaive({ create, reopen, numRuns, limits = {} }: ModelRun): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(commands, { minLength: 20, maxLength: 120 }), async (script) => {
      const clock = manualClock(0);
      const reference = new NaiveStore({ now: clock.now, ...limits });
      let store = await create(clock);
      for (const { drafts: list, call, tick } of script) {
        if (tick !== undefined) {
          await clock.tick(tick);
          if (reopen !== undefined) {
            store = await reopen(store, clock);
            reference.endAllLeases(); // a file belongs to one process, so every earlier process is dead
          }
        }
        const writes: TaskWrite[] = [];
        for (const draft of list ?? []) writes.push(await toWrite(reference, draft));
        const act: Call = call ?? ((target) => target.commit(writes));
        expect(comparable(await act(store))).toEqual(comparable(await act(reference)));
      }
      await store.close();
    }),
    { numRuns },
  );
}
