import assert from 'node:assert/strict';
import type { RequestKey, RequestState, TaskRef, TaskStore } from '../../stores/store.js';
import { appended, check, commitAll, commitOne, creation, entered, message, NODE, ref, type StoreCheck, wake } from './samples.js';

const KEY: RequestKey = { agent: '', tenant: 'tenant', owner: 'owner', key: 'key' };
const CONTEXT = { agent: '', tenant: 'tenant', owner: 'owner', contextId: 'context' };
const EVERYTHING = { agent: '', tenant: 'tenant', owner: 'owner', limit: 100, count: true };

/** Nothing that a caller can read is left of the task. */
async function assertGone(store: TaskStore, task: TaskRef): Promise<void> {
  assert.equal(await store.load(task), undefined);
  assert.equal(await store.readAfter(task, 0, 1e9), 'missing');
  assert.equal(await store.entryAt(task, 1), undefined);
  assert.deepEqual(await store.positions([task]), [undefined]);
  assert.deepEqual(await store.inbox(task, 0), []);
  assert.equal(await store.claim(task, 'node-2'), 'missing');
  assert.equal(await store.post(task, 'message', '{}'), 'missing');
}

const ERASED: RequestState = { kind: 'done', taskId: '' };
const kept = (reply: unknown): RequestState => ({ kind: 'done', replyJson: JSON.stringify(reply) });

/** Stores each reply for its own key. Returns a function that reads what is left of them. */
async function answerAll(store: TaskStore, replies: readonly unknown[]): Promise<() => Promise<readonly RequestState[]>> {
  await wake(store, NODE);
  const keys = replies.map((_, n) => ({ ...KEY, key: `key-${n}` }));
  await Promise.all(
    keys.map(async (key, n) => {
      await store.beginRequest(key, 'hash', NODE);
      await store.endRequest(key, JSON.stringify(replies[n]));
    }),
  );
  return () => Promise.all(keys.map((key) => store.beginRequest(key, 'hash', NODE)));
}

const ids = (refs: readonly TaskRef[]): readonly string[] => refs.map(({ id }) => id).sort();

/** Deletion on request: a task, its log, its inbox and its requests, whatever its state and its owner. */
export const eraseChecks: readonly StoreCheck[] = [
  check('D60: erase removes a task in any state, with its log and inbox, and leaves the other tasks', async (store) => {
    await wake(store, NODE);
    const states = ['TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_COMPLETED'] as const;
    for (const state of states) {
      const task = ref(state);
      await commitAll(store, creation(task), creation(ref(`beside ${state}`)));
      await store.post(task, 'message', message('m'));
      await commitAll(store, entered(task, 3, { state }));
      assert.equal(await store.erase(task), true);
      await assertGone(store, task);
      assert.equal(await store.erase(task), false);
    }
    const page = await store.list(EVERYTHING);
    assert.deepEqual([page.total, ids(page.tasks.map((task) => task.ref))], [3, ids(states.map((state) => ref(`beside ${state}`)))]);
    assert.deepEqual(await store.orphans('', 10), []);
    assert.equal((await store.waitingSince('', Number.MAX_SAFE_INTEGER, 10)).length, 0);
    assert.equal((await store.conversation(CONTEXT, 100)).length, 3);
  }),

  check('D60: an unknown task, or the task of another scope, is not erased', async (store) => {
    await commitAll(store, creation(ref('a')));
    assert.equal(await store.erase(ref('b')), false);
    assert.equal(await store.erase(ref('a', { owner: 'other' })), false);
    assert.equal(await store.erase(ref('a', { agent: 'other' })), false);
    assert.deepEqual(await store.eraseContext({ ...CONTEXT, owner: 'other' }, 10), []);
    assert.deepEqual(await store.eraseContext({ ...CONTEXT, contextId: 'other' }, 10), []);
    assert.equal((await store.load(ref('a')))?.seq, 2);
  }),

  check('D60: the writer of an erased task gets missing, and writes nothing', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task));
    await store.erase(task);
    for (const write of [appended(task, 3), entered(task, 3), appended(task, 9)]) {
      assert.deepEqual(await commitOne(store, write), { kind: 'missing' });
    }
    await assertGone(store, task);
  }),

  check('D60: commits and posts that are concurrent with an erasure leave nothing', async (store) => {
    for (let n = 0; n < 8; n += 1) {
      const task = ref(`task-${n}`);
      await commitAll(store, creation(task));
      const [erased, commit, row] = await Promise.all([
        store.erase(task),
        commitOne(store, appended(task, 3)),
        store.post(task, 'message', message('m')),
        store.claim(task, 'node-2'),
      ]);
      assert.equal(erased, true);
      assert.ok(['ok', 'missing', 'fenced'].includes(commit.kind), commit.kind);
      assert.ok(row === 1 || row === 'missing', String(row));
      await assertGone(store, task);
      // A new task with the same id begins empty.
      await commitAll(store, creation(task));
      assert.deepEqual([(await store.load(task))?.seq, await store.inbox(task, 0)], [2, []]);
    }
  }),

  check('D60: the requests of an erased task are done, for any body, and are not run again', async (store) => {
    await wake(store, 'node-1');
    const task = ref('a');
    await store.beginRequest(KEY, 'hash', 'node-1');
    await commitAll(store, { ...creation(task), create: { node: 'node-1', request: KEY } });
    const second = { ...KEY, key: 'second' };
    await store.beginRequest(second, 'hash', 'node-1');
    assert.equal(await store.post(task, 'message', message('m'), { key: second, node: 'node-1' }), 1);
    await store.erase(task);
    assert.deepEqual(await store.beginRequest(KEY, 'hash', 'node-1'), { kind: 'done', taskId: 'a' });
    assert.deepEqual(await store.beginRequest(KEY, 'other', 'node-1'), { kind: 'done', taskId: 'a' });
    assert.deepEqual(await store.beginRequest(second, 'hash', 'node-2'), { kind: 'done', taskId: 'a', row: 1 });
  }),

  check('D60: eraseContext removes the tasks of one context in batches, and returns their refs', async (store) => {
    const tasks = ['a', 'b', 'c', 'd', 'e'].map((id) => ref(id));
    await commitAll(store, ...tasks.map((task) => creation(task)), creation(ref('other'), { contextId: 'other' }));
    await commitAll(store, entered(ref('b'), 3));
    const erased: TaskRef[] = [];
    for (;;) {
      const batch = await store.eraseContext(CONTEXT, 2);
      assert.ok(batch.length <= 2, String(batch.length));
      if (batch.length === 0) break;
      erased.push(...batch);
    }
    assert.deepEqual(ids(erased), ['a', 'b', 'c', 'd', 'e']);
    for (const task of tasks) await assertGone(store, task);
    assert.deepEqual(await store.conversation(CONTEXT, 10), []);
    assert.equal((await store.list(EVERYTHING)).total, 1);
  }),

  check('D60: eraseContext empties the replies of its context, and their requests are not run again', async (store) => {
    await commitAll(store, creation(ref('a')));
    const replies = [{ contextId: 'context' }, { contextId: 'other' }, { parts: [{ data: { contextId: 'context' } }] }];
    const states = await answerAll(store, replies);
    assert.deepEqual(ids(await store.eraseContext(CONTEXT, 10)), ['a']);
    assert.deepEqual(await store.eraseContext(CONTEXT, 10), []);
    assert.deepEqual(await states(), [ERASED, kept(replies[1]), kept(replies[2])]);
  }),

  check(
    'D60: eraseContext empties replies with NUL characters, unpaired surrogates and deep data, and more than one page',
    async (store) => {
      const deep = `${'['.repeat(1_200)}${']'.repeat(1_200)}`;
      const contents = ['\0', '\ud800', '"contextId":"context"', "'", JSON.parse(deep)];
      const strange = 'con\0text \ud800 "\'\u001e';
      const contexts = ['context', strange, 'other'];
      const replies = contexts.flatMap((contextId) => contents.map((data) => ({ parts: [{ data }], contextId })));
      const many = Array.from({ length: 150 }, () => ({ contextId: 'context' }));
      const states = await answerAll(store, [...replies, ...many]);
      for (const contextId of ['context', strange]) assert.deepEqual(await store.eraseContext({ ...CONTEXT, contextId }, 10), []);
      assert.deepEqual(
        await states(),
        [...replies, ...many].map((reply) => (reply.contextId === 'other' ? kept(reply) : ERASED)),
      );
    },
  ),
];
