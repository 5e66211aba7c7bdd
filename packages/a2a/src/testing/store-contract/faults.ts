import assert from 'node:assert/strict';
import type { TaskStore, TaskWrite } from '../../stores/store.js';
import { failingStore } from '../failing-store.js';
import { appended, check, commitAll, commitOne, creation, entry, kinds, ref, type StoreCheck } from './samples.js';

/** How a writer finds out whether its commit succeeded. */
async function wasCommitted(store: TaskStore, { ref: task, epoch, entries }: TaskWrite): Promise<boolean> {
  const last = entries.at(-1);
  if (last === undefined) return false;
  const found = await store.entryAt(task, last.seq);
  return found?.epoch === epoch && found.json === last.json;
}

/** Commits with an unknown outcome, and slow commits. */
export const faultChecks: readonly StoreCheck[] = [
  check('D12: a commit that failed before the store got it left nothing, and can be repeated', async (inner) => {
    const store = failingStore(inner, { 2: 'before' });
    await commitAll(store, creation(ref('a')));
    const write = appended(ref('a'), 3, 2);
    await assert.rejects(store.commit([write]));
    assert.equal(await wasCommitted(store, write), false);
    await commitAll(store, write);
    assert.equal(await wasCommitted(store, write), true);
  }),

  check('D12: a commit that failed after the store got it is recognized by epoch and bytes', async (inner) => {
    const store = failingStore(inner, { 1: 'after', 2: 'after' });
    const writes = [creation(ref('a')), appended(ref('a'), 3, 2)];
    for (const write of writes) {
      await assert.rejects(store.commit([write]));
      assert.equal(await wasCommitted(store, write), true);
    }
    assert.equal((await store.load(ref('a')))?.seq, 4);
  }),

  check('D12: after a commit that failed halfway, the outcome of each task can be read', async (inner) => {
    const store = failingStore(inner, { 1: 'middle' });
    const writes = ['a', 'b', 'c', 'd'].map((id) => creation(ref(id)));
    await assert.rejects(store.commit(writes));
    assert.deepEqual(await Promise.all(writes.map((write) => wasCommitted(store, write))), [true, true, false, false]);
    assert.deepEqual(await kinds(store.commit(writes)), ['exists', 'exists', 'ok', 'ok']);
  }),

  check('D12: the same seq by another epoch, or with other bytes, is not mistaken for ours', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task));
    assert.notEqual(typeof (await store.claim(task, 'node-2')), 'string');
    await commitAll(store, appended(task, 3, 1, { epoch: 2 }));
    assert.equal(await wasCommitted(store, appended(task, 3, 1, { epoch: 1 })), false);
    assert.equal(await wasCommitted(store, appended(task, 3, 0, { epoch: 2, entries: [entry(3, 'artifact', '{"other":1}')] })), false);
    assert.equal(await wasCommitted(store, appended(task, 3, 1, { epoch: 2 })), true);
    assert.deepEqual(await store.entryAt(task, 2), { epoch: 1, json: '{"task":{"id":"a"}}' });
    assert.equal(await store.entryAt(task, 4), undefined);
    assert.equal(await store.entryAt(ref('b'), 1), undefined);
  }),

  check('D12: held commits are applied in order when they are released', async (inner) => {
    const store = failingStore(inner);
    await commitAll(store, creation(ref('a')));
    store.hold();
    const answers = [3, 4, 5].map((seq) => commitOne(store, appended(ref('a'), seq)));
    assert.equal(store.held, 3);
    assert.equal((await inner.load(ref('a')))?.seq, 2);
    for (const [index, answer] of answers.entries()) {
      store.release(1);
      assert.equal((await answer).kind, 'ok');
      assert.equal(store.held, 2 - index);
    }
    store.release();
    assert.equal((await commitOne(store, appended(ref('a'), 6))).kind, 'ok');
    assert.equal((await inner.load(ref('a')))?.seq, 6);
  }),
];
