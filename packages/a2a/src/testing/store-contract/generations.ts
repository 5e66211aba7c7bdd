import assert from 'node:assert/strict';
import type { Entry, StoredEntry, TaskRef, TaskStore } from '../../stores/store.js';
import {
  appended,
  check,
  commitAll,
  commitOne,
  counted,
  creation,
  entered,
  entry,
  ref,
  START,
  type StoreCheck,
  snapshot,
  stop,
  wake,
} from './samples.js';

async function read(store: TaskStore, task: TaskRef): Promise<readonly StoredEntry[]> {
  const entries = await store.readAfter(task, 0, Number.MAX_SAFE_INTEGER);
  assert.ok(typeof entries !== 'string', `expected entries, got ${String(entries)}`);
  return entries;
}

const generations = (entries: readonly Entry[]): readonly number[] => entries.map(({ generation }) => generation);

/** Entries from seq 3 on, with notes at 4 and 6. */
const MIXED = counted([entry(3), entry(4, 'note'), entry(5, 'status'), entry(6, 'note'), entry(7)], 1);

/** Generations, which count the entries that readers get, and commit times. */
export const generationChecks: readonly StoreCheck[] = [
  check('D46: entries are returned with their generations, however they were gathered into commits', async (store) => {
    const [together, apart] = [ref('together'), ref('apart')];
    await commitAll(store, creation(together), creation(apart));
    await commitAll(store, appended(together, 3, 0, { entries: MIXED }));
    for (const one of MIXED) await commitAll(store, appended(apart, one.seq, 0, { entries: [one] }));
    for (const task of [together, apart]) {
      assert.deepEqual(generations(await read(store, task)), [0, 1, 2, 2, 3, 3, 4]);
      const stored = await store.load(task);
      assert.deepEqual([stored?.generation, generations(stored?.tail ?? [])], [4, [2, 2, 3, 3, 4]]);
      const { tasks } = await store.list({ agent: '', tenant: 'tenant', owner: 'owner', limit: 9, count: false });
      assert.deepEqual(
        tasks.map(({ generation }) => generation),
        [4, 4],
      );
    }
    const later = await store.readAfter(together, 4, 1);
    assert.ok(typeof later !== 'string');
    assert.deepEqual(generations(later), [3]);
  }),

  check('D46: a snapshot keeps the generation, also without entries, and a claim returns it', async (store) => {
    const task = ref('a');
    await wake(store, 'node-1', 'node-2');
    await commitAll(store, creation(task), appended(task, 3, 0, { entries: MIXED }));
    await commitAll(store, { ref: task, epoch: 1, firstSeq: 8, entries: [], snapshot: snapshot('a', {}, 1) });
    const stored = await store.load(task);
    assert.deepEqual([stored?.snapshot.seq, stored?.tail, stored?.generation], [7, [], 4]);
    await stop(store, 'node-1');
    const claimed = await store.claim(task, 'node-2');
    assert.ok(typeof claimed !== 'string');
    assert.equal(claimed.generation, 4);
    const last = counted([entry(8, 'status')], claimed.generation);
    await commitAll(store, { ...entered(task, 8, { epoch: 2 }), entries: last });
    assert.deepEqual([(await store.load(task))?.generation, (await read(store, task)).at(-1)?.generation], [5, 5]);
  }),

  check('D46: compaction keeps the generation of a task', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task), appended(task, 3, 4), entered(task, 7));
    assert.equal(await store.sweep({ agent: '', replayMs: 0, batch: 10 }, START + 1e9), 1);
    assert.equal(await store.readAfter(task, 0, 1_000), 'compacted');
    assert.equal((await store.load(task))?.generation, 6);
  }),

  check('D46: entries have a commit time by the clock of the store, and keep their time of acceptance', async (store) => {
    const task = ref('a');
    const before = await store.now();
    await commitAll(store, creation(task), appended(task, 3, 2), creation(ref('b')));
    const between = await store.now();
    await commitAll(store, appended(task, 5));
    const after = await store.now();
    const entries = await read(store, task);
    assert.deepEqual(
      entries.map(({ at }) => at),
      [1, 2, 3, 4, 5].map((seq) => START + seq),
    );
    const [first, ...rest] = entries.map(({ committedAt }) => committedAt);
    assert.ok(first !== undefined && Number.isSafeInteger(first));
    assert.deepEqual(rest.slice(0, 3), [first, first, first], 'one commit has one time');
    // Rounded to whole milliseconds.
    assert.ok(first >= before - 1 && first <= between + 1, `${before} ${first} ${between}`);
    const last = rest.at(-1) ?? 0;
    assert.ok(last >= between - 1 && last <= after + 1, `${between} ${last} ${after}`);
    const tail = (await store.load(task))?.tail ?? [];
    assert.deepEqual(tail, entries.slice(2), 'a tail equals the end of the log');
  }),

  check('D46: a write with a gap in its generations fails and changes nothing', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task));
    const before = await store.load(task);
    const wrong: readonly (readonly Entry[])[] = [
      [{ ...entry(3), generation: 0 }],
      [{ ...entry(3), generation: 1.5 }],
      [{ ...entry(3), generation: Number.NaN }],
      [entry(3), { ...entry(4), generation: 2 }],
      [entry(3), { ...entry(4), generation: 4 }],
      [entry(3), { ...entry(4, 'note'), generation: 3 }],
    ];
    for (const entries of wrong) assert.equal((await commitOne(store, appended(task, 3, 0, { entries }))).kind, 'failed');
    const [input, first] = creation(ref('b')).entries;
    assert.ok(input && first);
    const unborn = { ...creation(ref('b')), entries: [input, { ...first, generation: 2 }] };
    assert.equal((await commitOne(store, unborn)).kind, 'failed');
    assert.deepEqual([await store.load(task), await store.load(ref('b'))], [before, undefined]);
    await commitAll(store, appended(task, 3));
  }),
];
