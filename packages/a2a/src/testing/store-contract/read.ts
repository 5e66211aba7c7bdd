import assert from 'node:assert/strict';
import type { Entry, TaskRef, TaskStore } from '../../stores/store.js';
import {
  appended,
  asWritten,
  check,
  commitAll,
  counted,
  creation,
  entered,
  entry,
  kinds,
  readAll,
  ref,
  resulting,
  START,
  type StoreCheck,
  snapshot,
} from './samples.js';

/** Reads as a slow reader does: a few entries at a time. */
async function readInSteps(
  store: TaskStore,
  task: TaskRef,
  maxBytes: number,
): Promise<{ readonly seqs: readonly number[]; readonly reads: number }> {
  const seqs: number[] = [];
  for (let reads = 1; ; reads += 1) {
    const entries = await store.readAfter(task, seqs.at(-1) ?? 0, maxBytes);
    assert.ok(typeof entries !== 'string');
    if (entries.length === 0) return { seqs, reads };
    for (const { seq } of entries) seqs.push(seq);
  }
}

/** Reads of the log and of snapshots, also after compaction. */
export const readChecks: readonly StoreCheck[] = [
  check('D1: entries are returned as written, in order, after any seq', async (store) => {
    const task = ref('a');
    const noted: Entry = { ...entry(3, 'note', '{"note":{"kind":"attempt","text":"ä �� \\n"}}'), at: START + 99 };
    const entries = counted([noted, entry(4), entry(5)], 1);
    await commitAll(
      store,
      creation(task),
      appended(task, 3, 0, { entries: entries.slice(0, 2) }),
      appended(task, 5, 0, { entries: entries.slice(2) }),
    );
    assert.deepEqual(await readAll(store, task), [...creation(task).entries, ...entries]);
    assert.deepEqual(await readAll(store, task, 3), entries.slice(1));
    assert.deepEqual(await readAll(store, task, 5), []);
    assert.deepEqual(await readAll(store, task, 99), []);
  }),

  check('D4: a read returns at least one entry, then stops near its limit, so that a long log is read in steps', async (store) => {
    const task = ref('a');
    const long = `{"artifactUpdate":"${'x'.repeat(900)}"}`;
    const entries = Array.from({ length: 40 }, (_, index) => entry(index + 3, 'artifact', long));
    await commitAll(
      store,
      creation(task),
      appended(task, 3, 0, { entries: entries.slice(0, 25) }),
      appended(task, 28, 0, { entries: entries.slice(25) }),
    );
    const all = Array.from({ length: 42 }, (_, index) => index + 1);
    const tiny = await readInSteps(store, task, 1);
    assert.deepEqual(tiny.seqs, all);
    const some = await readInSteps(store, task, 5_000);
    assert.deepEqual(some.seqs, all);
    assert.ok(some.reads > 4, `a limit of 5,000 bytes must cut 37 kB, read in ${some.reads}`);
    assert.ok(some.reads < tiny.reads);
  }),

  check('D4: after a seq beyond the end of the log there is nothing', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task));
    await store.post(task, 'message', '{}');
    for (const far of [3, Number.MAX_SAFE_INTEGER, 1e20, Number.MAX_VALUE]) {
      assert.deepEqual(await store.readAfter(task, far, 1_000), []);
      assert.equal(await store.entryAt(task, far), undefined);
      assert.deepEqual(await store.inbox(task, far), []);
    }
    assert.equal((await readAll(store, task)).length, 2);
  }),

  check('D4: an unknown task is missing, also when other owners have a task with its id', async (store) => {
    await commitAll(store, creation(ref('a')));
    assert.equal(await store.readAfter(ref('b'), 0, 1_000), 'missing');
    assert.equal(await store.readAfter(ref('a', { owner: 'other' }), 0, 1_000), 'missing');
  }),

  check('D9: a task is its last snapshot and the entries after it', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task), appended(task, 3, 2));
    const early = await store.load(task);
    assert.deepEqual(asWritten(early?.tail ?? []), [entry(3), entry(4)]);
    assert.equal(early?.snapshot.seq, 2);
    const later = snapshot('a', { artifacts: ['{"n":3}'] }, 1);
    await commitAll(store, appended(task, 5, 1, { snapshot: later }), appended(task, 6));
    const late = await store.load(task);
    assert.deepEqual(late?.snapshot, resulting(5, creation(task).snapshot, later));
    assert.deepEqual(asWritten(late?.tail ?? []), [entry(6)]);
    assert.equal((await readAll(store, task)).length, 6);
  }),

  check('D9: an ended task has its whole text in the snapshot, no tail and no node, and its log can be replayed', async (store) => {
    const task = ref('a');
    const end = entered(task, 4, { artifacts: ['{"n":3}'] });
    await commitAll(store, creation(task), appended(task, 3), end);
    const stored = await store.load(task);
    assert.deepEqual(stored?.snapshot, resulting(4, creation(task).snapshot, end.snapshot));
    assert.deepEqual(stored?.tail, []);
    assert.equal(stored?.node, undefined);
    assert.deepEqual(
      (await readAll(store, task, 1)).map(({ seq }) => seq),
      [2, 3, 4],
    );
  }),

  check('P53: changes of the caller to its arrays and objects, before or after, do not reach the store', async (store) => {
    const task = ref('a');
    const entries = [entry(3)];
    await commitAll(store, creation(task), appended(task, 3, 0, { entries }));
    entries.push(entry(4));
    const stored = await store.load(task);
    assert.ok(stored);
    overwrite(stored);
    overwrite(await readAll(store, task));
    overwrite(await store.list({ agent: '', tenant: 'tenant', owner: 'owner', limit: 10, count: true }));
    const again = await store.load(task);
    assert.equal(again?.head.state, 'TASK_STATE_WORKING');
    assert.deepEqual(again?.snapshot, resulting(2, creation(task).snapshot));
    assert.deepEqual(asWritten(again?.tail ?? []), [entry(3)]);
    assert.deepEqual(await kinds(store.commit([appended(task, 4)])), ['ok']);
  }),

  check('D10: the entries of old ended tasks are compacted; the snapshot stays', async (store) => {
    const [old, young, running] = [ref('old'), ref('young'), ref('running')];
    await commitAll(
      store,
      creation(old),
      entered(old, 3, { statusAt: START }),
      creation(young),
      entered(young, 3, { statusAt: START + 5_000 }),
      creation(running),
    );
    assert.equal(await store.sweep({ agent: '', replayMs: 1_000, batch: 10 }, START + 1_000), 0);
    assert.equal(await store.sweep({ agent: '', replayMs: 1_000, batch: 10 }, START + 1_001), 1);
    assert.equal(await store.readAfter(old, 0, 1_000), 'compacted');
    assert.equal(await store.readAfter(old, 2, 1_000), 'compacted');
    assert.deepEqual(await store.readAfter(old, 3, 1_000), []);
    assert.deepEqual((await store.load(old))?.snapshot, resulting(3, creation(old).snapshot, entered(old, 3).snapshot));
    assert.equal((await readAll(store, young)).length, 3);
    assert.equal(await store.sweep({ agent: '', replayMs: 0, batch: 10 }, START + 1e9), 1);
    assert.equal((await readAll(store, running)).length, 2);
  }),

  check('D10: only ended tasks are deleted, the oldest first, at most one batch at a time', async (store) => {
    const ended = ['a', 'b', 'c'].map((id) => ref(id));
    await commitAll(store, ...ended.flatMap((task, index) => [creation(task), entered(task, 3, { statusAt: START + index })]));
    await commitAll(store, creation(ref('running'), { statusAt: START - 1e6 }));
    const policy = { agent: '', deleteFinalAfterMs: 1_000, replayMs: 1_000, batch: 2 };
    assert.equal(await store.sweep(policy, START + 1_000), 0);
    assert.equal(await store.sweep(policy, START + 1e9), 2);
    assert.deepEqual(await Promise.all(ended.map(async (task) => (await store.load(task)) === undefined)), [true, true, false]);
    assert.equal(await store.sweep(policy, START + 1e9), 1);
    assert.equal(await store.sweep(policy, START + 1e9), 0);
    assert.ok(await store.load(ref('running')));
    assert.equal(await store.readAfter(ref('a'), 0, 1_000), 'missing');
    const page = await store.list({ agent: '', tenant: 'tenant', owner: 'owner', limit: 10, count: true });
    assert.deepEqual([page.total, page.tasks.length], [1, 1]);
  }),
];

/** Mutates everything that a store returned, except for texts and entries, which are shared and immutable. */
function overwrite(value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) if (!isEntry(item)) overwrite(item);
    if (!Object.isFrozen(value)) value.length = 0;
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    overwrite(member);
    Reflect.set(value, name, 'changed');
  }
}

function isEntry(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'json' in value;
}
