import assert from 'node:assert/strict';
import { check, commitAll, creation, entered, message, ref, START, type StoreCheck, wake } from './samples.js';

/** Names that a careless key would mix up: separators, lengths, and words that objects know. */
const SCOPES = [
  { tenant: '', owner: '' },
  { tenant: 'a', owner: 'b/c' },
  { tenant: 'a/b', owner: 'c' },
  { tenant: 'a', owner: 'b' },
  { tenant: 'ab', owner: '' },
  { tenant: '', owner: 'ab' },
  { tenant: '1:1:', owner: 'a' },
  { tenant: '1:', owner: '1:a' },
  { tenant: 'a|b', owner: 'c\nd' },
  { tenant: 'a', owner: '|bc\nd' },
  { tenant: '__proto__', owner: 'constructor' },
  { tenant: "'; --", owner: '%' },
] as const;

/** Names that a database would refuse, cut short or make one of. */
const STRANGE = ['a\0b', 'a\0c', 'a', 'x\ud800', 'x\ud801', 'x\ufffd', '\u0001', '\u0001"a"', 'a\u001eb', '\u001e', '😀', '\ud83d', ''];

/** Tenants and owners are apart in everything, though ids, contexts and keys are the same. */
export const isolationChecks: readonly StoreCheck[] = [
  check('P47: tenants and owners see only their own tasks, whatever their names contain', async (store) => {
    for (const [index, scope] of SCOPES.entries()) {
      await commitAll(store, creation(ref('same', scope), { statusAt: START + index, history: [message(`said ${index}`)] }));
    }
    for (const [index, scope] of SCOPES.entries()) {
      assert.deepEqual((await store.load(ref('same', scope)))?.ref, ref('same', scope));
      assert.equal((await store.load(ref('same', scope)))?.head.statusAt, START + index);
      const listed = await store.list({ ...scope, limit: 100, count: true });
      assert.deepEqual([listed.total, listed.tasks.map((task) => task.ref)], [1, [ref('same', scope)]]);
      assert.deepEqual(await store.conversation({ ...scope, contextId: 'context' }, 10), [message(`said ${index}`)]);
    }
  }),

  check('P47: strange tenants, owners, ids, contexts, nodes and keys come back as they were, and do not meet', async (store) => {
    const names = STRANGE.map((name) => ({ name, task: { tenant: name, owner: name, id: name } }));
    for (const { name, task } of names) {
      const history = [JSON.stringify({ said: name })];
      await commitAll(store, { ...creation(task, { contextId: name, history }), create: { node: name } });
    }
    for (const { name, task } of names) {
      const scope = { tenant: name, owner: name, contextId: name };
      const stored = await store.load(task);
      assert.deepEqual([stored?.ref, stored?.node, stored?.head.contextId], [task, name, name]);
      const { tasks, total } = await store.list({ ...scope, limit: 9, count: true });
      assert.deepEqual([tasks.map((one) => one.ref), total], [[task], 1]);
      assert.deepEqual(await store.conversation(scope, 9), [JSON.stringify({ said: name })]);
      assert.deepEqual(await store.beginRequest({ ...scope, key: name }, name, name), { kind: 'new', attempt: 1 });
    }
    assert.deepEqual(new Set((await store.orphans(99)).map(({ id }) => id)), new Set(STRANGE));
    const positions = await store.positions(names.map(({ task }) => task));
    assert.deepEqual(new Set(positions.map((position) => position?.seq)), new Set([2]));
  }),

  check('P47: ending, feeding or sweeping a task does not touch the one with the same id of another owner', async (store) => {
    const [mine, theirs] = [ref('same', { owner: 'mine' }), ref('same', { owner: 'theirs' })];
    await commitAll(store, creation(mine), creation(theirs));
    const before = await store.load(theirs);
    assert.equal(await store.post(mine, 'message', '{}'), 1);
    await commitAll(store, entered(mine, 3));
    assert.deepEqual(await store.inbox(theirs, 0), []);
    assert.deepEqual(await store.load(theirs), before);
    assert.equal(await store.sweep({ deleteFinalAfterMs: 0, replayMs: 0, batch: 10 }, START + 1e9), 1);
    assert.deepEqual(await store.load(theirs), before);
    assert.equal(await store.load(mine), undefined);
  }),

  check('D17: the same key of another tenant or owner is another request', async (store) => {
    await wake(store, 'node-1', 'node-2');
    for (const scope of SCOPES) {
      assert.deepEqual(await store.beginRequest({ ...scope, key: 'key' }, `hash of ${scope.tenant}`, 'node-1'), {
        kind: 'new',
        attempt: 1,
      });
    }
    await store.endRequest({ ...SCOPES[1], key: 'key' }, '{}');
    assert.deepEqual(await store.beginRequest({ ...SCOPES[3], key: 'key' }, 'hash of a', 'node-2'), { kind: 'running' });
  }),
];
