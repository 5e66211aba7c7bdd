/** An endless sequence of store calls as a busy agent makes them. Each step returns what the store confirmed. */
import type { Entry, TaskRef, TaskStore, TaskWrite } from '../src/stores/store.js';

/** What the store confirmed: the committed entries and the state of the task. */
export interface Fact {
  readonly id: string;
  readonly seq?: number;
  readonly ended?: boolean;
  readonly posted?: number;
}

const STREAMS = 8;
const TURNS = 12;

export const refOf = (id: string): TaskRef => ({ agent: '', tenant: 'tenant', owner: 'owner', id });

/** The entry is determined by its number, so that a reader can verify it. */
export function entryAt(id: string, seq: number): Entry {
  return {
    seq,
    kind: seq === 1 ? 'task' : 'artifact',
    at: 1_000 + seq,
    json: `{"entry":"${id}.${seq}","text":"${'x'.repeat((seq * 37) % 700)}"}`,
    generation: seq,
  };
}

function entries(id: string, from: number, to: number): readonly Entry[] {
  return Array.from({ length: to - from + 1 }, (_, index) => entryAt(id, from + index));
}

function creation(id: string): TaskWrite {
  return {
    ref: refOf(id),
    epoch: 1,
    firstSeq: 1,
    entries: entries(id, 1, 2),
    create: { node: 'node' },
    head: { contextId: `context of ${id}`, state: 'TASK_STATE_WORKING', statusAt: 1_001, statusSeq: 1 },
    snapshot: { head: '{}', history: '', messagesBefore: 0, messages: 0, historyBytes: 0, artifacts: [] },
    durable: true,
  };
}

function chunk(id: string, firstSeq: number, count: number): TaskWrite {
  return { ref: refOf(id), epoch: 1, firstSeq, entries: entries(id, firstSeq, firstSeq + count - 1) };
}

function end(id: string, seq: number): TaskWrite {
  return {
    ...chunk(id, seq, 1),
    head: { contextId: `context of ${id}`, state: 'TASK_STATE_COMPLETED', statusAt: 1_000 + seq, statusSeq: seq },
    snapshot: {
      head: '{"ended":true}',
      history: '',
      messagesBefore: 0,
      messages: 0,
      historyBytes: 0,
      artifacts: [{ n: 0, json: 'a'.repeat(seq * 40) }],
    },
    durable: true,
  };
}

type Step = (store: TaskStore) => Promise<readonly Fact[]>;

async function commit(store: TaskStore, writes: readonly TaskWrite[]): Promise<readonly Fact[]> {
  const answers = await store.commit(writes);
  return writes.map(({ ref, firstSeq, entries: { length }, head }, index) => {
    const answer = answers[index];
    if (answer?.kind !== 'ok') throw new Error(`the commit of task ${ref.id} returned ${answer?.kind}`);
    return { id: ref.id, seq: firstSeq + length - 1, ended: head?.state === 'TASK_STATE_COMPLETED' };
  });
}

/** Rounds of tasks that are created, get a message, get chunks and end together. */
export function* steps(name: string): Generator<Step> {
  for (let round = 0; ; round += 1) {
    const ids = Array.from({ length: STREAMS }, (_, stream) => `${name}.${round}.${stream}`);
    yield (store) => commit(store, ids.map(creation));
    yield (store) => Promise.all(ids.map(async (id) => ({ id, posted: Number(await store.post(refOf(id), 'message', `{"to":"${id}"}`)) })));
    let seq = 3;
    for (let turn = 0; turn < TURNS; turn += 1) {
      const count = 1 + (turn % 4);
      const first = seq;
      yield (store) =>
        commit(
          store,
          ids.map((id) => chunk(id, first, count)),
        );
      yield (store) =>
        commit(
          store,
          ids.slice(0, 1).map((id) => chunk(id, first + count, 1)),
        );
      // The first stream is now one entry ahead; the others catch up.
      yield (store) =>
        commit(
          store,
          ids.slice(1).map((id) => chunk(id, first + count, 1)),
        );
      seq += count + 1;
    }
    const last = seq;
    yield (store) =>
      commit(
        store,
        ids.slice(0, STREAMS / 2).map((id) => end(id, last)),
      );
  }
}
