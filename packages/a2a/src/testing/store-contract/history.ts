import assert from 'node:assert/strict';
import type { SnapshotWrite, TaskRef, TaskStore } from '../../stores/store.js';
import {
  appended,
  check,
  commitAll,
  commitOne,
  creation,
  entered,
  message,
  ref,
  resulting,
  START,
  type StoreCheck,
  snapshot,
  stop,
  wake,
} from './samples.js';

const said = (...ids: readonly string[]): readonly string[] => ids.map(message);

const lines = (...ids: readonly string[]): string => said(...ids).join('\n');

/** Texts that no store keeps beside the other columns of a task. */
const long = (id: string): string => `${id} ${'x'.repeat(20_000)}`;

/** Commits these snapshots one after another, each with one entry, and returns what must be stored. */
async function grow(store: TaskStore, task: TaskRef, first: SnapshotWrite, ...later: readonly SnapshotWrite[]) {
  await commitAll(store, { ...creation(task), snapshot: first });
  for (const [index, write] of later.entries()) await commitAll(store, appended(task, 3 + index, 1, { snapshot: write }));
  return resulting(2 + later.length, first, ...later);
}

/** A snapshot adds to the one before it. */
export const historyChecks: readonly StoreCheck[] = [
  check('F72: each snapshot adds its messages to the history, whatever their sizes', async (store) => {
    for (const [id, word] of [['short', (one: string) => one] as const, ['long', long] as const]) {
      const task = ref(id);
      const expected = await grow(
        store,
        task,
        snapshot(id, { history: said(word('1')) }),
        snapshot(id, { history: said(word('2'), word('3')) }, 1),
        snapshot(id, {}, 3),
        snapshot(id, { history: said('4') }, 3),
      );
      assert.deepEqual((await store.load(task))?.snapshot, expected);
      assert.equal(expected.messages, 4);
    }
  }),

  check('F72: load and list return as many of the newest messages as they are asked for', async (store) => {
    const task = ref('a');
    await grow(store, task, snapshot('a', { history: said('1', '2') }), snapshot('a', { history: said(long('3'), '4') }, 2));
    const all = said('1', '2', long('3'), '4');
    const list = { agent: '', tenant: 'tenant', owner: 'owner', limit: 10, count: false };
    for (const count of [0, 1, 2, 3, 4, 5]) {
      const expected = count === 0 ? '' : all.slice(-count).join('\n');
      const loaded = await store.load(task, count);
      assert.deepEqual([loaded?.snapshot.text.history, loaded?.snapshot.messages], [expected, 4]);
      assert.deepEqual((await store.list({ ...list, historyLength: count })).tasks, [loaded]);
    }
  }),

  check('F72: messages are read by their numbers', async (store) => {
    const task = ref('a');
    await grow(store, task, snapshot('a', { history: said('0', '1') }), snapshot('a', { history: said('2', long('3')) }, 2));
    await commitAll(store, entered(task, 4, { history: said('4'), messagesBefore: 4 }));
    const all = said('0', '1', '2', long('3'), '4');
    for (let from = 0; from <= 6; from += 1) {
      for (let to = 0; to <= 6; to += 1) assert.equal(await store.messages(task, from, to), all.slice(from, to).join('\n'));
    }
    assert.equal(await store.messages(ref('unknown'), 0, 9), '');
    assert.equal(await store.messages(ref('a', { owner: 'other' }), 0, 9), '');
  }),

  check('F72: a snapshot changes the artifacts that it has, and adds new ones at the end', async (store) => {
    for (const word of [(one: string) => one, long]) {
      const task = ref(word('a').slice(0, 3));
      const artifact = (id: string): string => JSON.stringify({ artifactId: word(id) });
      const expected = await grow(
        store,
        task,
        snapshot('a', { artifacts: [artifact('0'), artifact('1')] }),
        { ...snapshot('a'), artifacts: [{ n: 1, json: artifact('one') }] },
        {
          ...snapshot('a'),
          artifacts: [
            { n: 0, json: artifact('zero') },
            { n: 2, json: artifact('2') },
          ],
        },
      );
      assert.deepEqual((await store.load(task))?.snapshot, expected);
      assert.equal(expected.text.artifacts, [artifact('zero'), artifact('one'), artifact('2')].join('\n'));
    }
  }),

  check('F72: a snapshot that does not follow the stored messages fails and changes nothing', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task, { history: said('1', '2') }));
    const before = await store.load(task);
    for (const count of [0, 1, 3]) {
      const wrong = snapshot('a', { history: said('new') }, count);
      assert.equal((await commitOne(store, appended(task, 3, 1, { snapshot: wrong }))).kind, 'failed');
    }
    assert.equal((await commitOne(store, { ...creation(ref('b')), snapshot: snapshot('b', {}, 1) })).kind, 'failed');
    assert.deepEqual(await store.load(task), before);
  }),

  check('F72: a claim returns the artifacts and the number of messages, but no message', async (store) => {
    await wake(store, 'node-1', 'node-2');
    const task = ref('a');
    const expected = await grow(
      store,
      task,
      snapshot('a', { history: said('1'), artifacts: ['{"n":0}'] }),
      snapshot('a', { history: said(long('2')) }, 1),
    );
    await stop(store, 'node-1');
    await commitAll(store, appended(task, 4, 1, { release: true }));
    const claimed = await store.claim(task, 'node-2');
    assert.ok(typeof claimed === 'object');
    assert.deepEqual(claimed.snapshot, { ...expected, text: { ...expected.text, history: '' } });
    assert.equal(await store.messages(task, 0, claimed.snapshot.messages), lines('1', long('2')));
  }),

  check('F72: a deleted task leaves no messages and no artifacts to a task of the same name', async (store) => {
    const task = ref('a');
    await grow(store, task, snapshot('a', { history: said(long('1')) }), snapshot('a', { history: said('2'), artifacts: ['{"n":0}'] }, 1));
    await commitAll(store, entered(task, 4, { history: said('3'), messagesBefore: 2 }));
    await store.sweep({ agent: '', deleteFinalAfterMs: 0, replayMs: 0, batch: 10 }, START + 1e9);
    assert.equal(await store.load(task), undefined);
    assert.equal(await store.messages(task, 0, 9), '');
    const again = await grow(store, task, snapshot('a'), snapshot('a', { history: said('new') }));
    assert.deepEqual((await store.load(task))?.snapshot, again);
  }),
];
