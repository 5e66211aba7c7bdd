import assert from 'node:assert/strict';
import { check, commitAll, creation, entered, message, ref, START, type StoreCheck, stop, wake } from './samples.js';

/** Names that a careless key would confuse: separators, lengths, and names of object members. */
const SCOPES = [
  { agent: '', tenant: '', owner: '' },
  { agent: '', tenant: 'a', owner: 'b/c' },
  { agent: '', tenant: 'a/b', owner: 'c' },
  { agent: '', tenant: 'a', owner: 'b' },
  { agent: '', tenant: 'ab', owner: '' },
  { agent: '', tenant: '', owner: 'ab' },
  { agent: '', tenant: '1:1:', owner: 'a' },
  { agent: '', tenant: '1:', owner: '1:a' },
  { agent: '', tenant: 'a|b', owner: 'c\nd' },
  { agent: '', tenant: 'a', owner: '|bc\nd' },
  { agent: '', tenant: '__proto__', owner: 'constructor' },
  { agent: '', tenant: "'; --", owner: '%' },
  { agent: 'a', tenant: '', owner: '' },
  { agent: 'a', tenant: 'a', owner: 'b/c' },
  { agent: 'a/b', tenant: 'c', owner: '' },
  { agent: '0:', tenant: '0:', owner: '' },
] as const;

/** Names that a database would refuse, truncate or confuse. */
const STRANGE = ['a\0b', 'a\0c', 'a', 'x\ud800', 'x\ud801', 'x\ufffd', '\u0001', '\u0001"a"', 'a\u001eb', '\u001e', '😀', '\ud83d', ''];

/** Agents, tenants and owners are isolated, even with the same ids, contexts and keys. */
export const isolationChecks: readonly StoreCheck[] = [
  check('P47: agents, tenants and owners see only their own tasks, whatever their names contain', async (store) => {
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

  check('P47: unusual agents, tenants, owners, ids, contexts, nodes and keys are returned unchanged, and stay different', async (store) => {
    const names = STRANGE.map((name) => ({ name, task: { agent: name, tenant: name, owner: name, id: name } }));
    for (const { name, task } of names) {
      const history = [JSON.stringify({ said: name })];
      await commitAll(store, { ...creation(task, { contextId: name, history }), create: { node: name } });
    }
    for (const { name, task } of names) {
      const scope = { agent: name, tenant: name, owner: name, contextId: name };
      const stored = await store.load(task);
      assert.deepEqual([stored?.ref, stored?.node, stored?.head.contextId], [task, name, name]);
      const { tasks, total } = await store.list({ ...scope, limit: 9, count: true });
      assert.deepEqual([tasks.map((one) => one.ref), total], [[task], 1]);
      assert.deepEqual(await store.conversation(scope, 9), [JSON.stringify({ said: name })]);
      assert.deepEqual(await store.beginRequest({ ...scope, key: name }, name, name), { kind: 'new', attempt: 1 });
    }
    for (const { name, task } of names) assert.deepEqual(await store.orphans(name, 99), [task]);
    const positions = await store.positions(names.map(({ task }) => task));
    assert.deepEqual(new Set(positions.map((position) => position?.seq)), new Set([2]));
  }),

  check('P47: ending, extending or sweeping a task does not affect the task with the same id of another owner', async (store) => {
    const [mine, theirs] = [ref('same', { owner: 'mine' }), ref('same', { owner: 'theirs' })];
    await commitAll(store, creation(mine), creation(theirs));
    const before = await store.load(theirs);
    assert.equal(await store.post(mine, 'message', '{}'), 1);
    await commitAll(store, entered(mine, 3));
    assert.deepEqual(await store.inbox(theirs, 0), []);
    assert.deepEqual(await store.load(theirs), before);
    assert.equal(await store.sweep({ agent: '', deleteFinalAfterMs: 0, replayMs: 0, batch: 10 }, START + 1e9), 1);
    assert.deepEqual(await store.load(theirs), before);
    assert.equal(await store.load(mine), undefined);
  }),

  check('D17: the same key of another agent, tenant or owner is another request', async (store) => {
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

  check(
    'D56: ending, extending or sweeping a task of one agent does not affect the task with the same name of another agent',
    async (store) => {
      const [mine, theirs] = [ref('same', { agent: 'mine' }), ref('same', { agent: 'theirs' })];
      await wake(store, 'node-1');
      await commitAll(store, creation(mine), creation(theirs));
      const before = await store.load(theirs);
      assert.deepEqual(before?.ref, theirs);
      assert.equal(await store.post(mine, 'message', '{}'), 1);
      await commitAll(store, entered(mine, 3));
      assert.deepEqual(await store.inbox(theirs, 0), []);
      assert.deepEqual(await store.load(theirs), before);
      assert.deepEqual(await store.positions([mine, theirs]), [
        { seq: 3, epoch: 1, posted: 1 },
        { seq: 2, epoch: 1, posted: 0 },
      ]);
      await commitAll(store, entered(theirs, 3));
      const policy = { deleteFinalAfterMs: 0, replayMs: 0, batch: 10 };
      assert.equal(await store.sweep({ ...policy, agent: 'another' }, START + 1e9), 0);
      assert.equal(await store.sweep({ ...policy, agent: 'mine' }, START + 1e9), 1);
      assert.equal(await store.load(mine), undefined);
      assert.equal((await store.readAfter(theirs, 0, 1_000)).length, 3);
    },
  ),

  check('D56: an agent takes over only its own tasks, and a heartbeat counts for all agents of a node', async (store) => {
    const [mine, theirs] = [ref('same', { agent: 'mine' }), ref('same', { agent: 'theirs' })];
    const waiting = { state: 'TASK_STATE_INPUT_REQUIRED' } as const;
    await wake(store, 'node-1', 'node-2');
    await commitAll(store, creation(mine, waiting), creation(theirs, waiting));
    assert.deepEqual([await store.orphans('mine', 9), await store.claim(mine, 'node-2')], [[], 'owned']);
    await stop(store, 'node-1');
    assert.deepEqual([await store.orphans('mine', 9), await store.orphans('theirs', 9)], [[mine], [theirs]]);
    assert.deepEqual(await store.orphans('', 9), []);
    assert.notEqual(await store.claim(mine, 'node-2'), 'owned');
    assert.deepEqual([await store.orphans('mine', 9), await store.orphans('theirs', 9)], [[], [theirs]]);
    assert.deepEqual([await store.waitingSince('mine', START + 1, 9), await store.waitingSince('', START + 1, 9)], [[mine], []]);
    await commitAll(store, { ref: theirs, epoch: 1, firstSeq: 3, entries: [], release: true });
    await store.post(theirs, 'message', '{}');
    assert.deepEqual([await store.orphans('mine', 9), await store.orphans('theirs', 9)], [[], [theirs]]);
  }),

  check('D56: the same request to two agents is two requests, each with its own task', async (store) => {
    await wake(store, 'node-1', 'node-2');
    const [mine, theirs] = ['mine', 'theirs'].map((agent) => ({ agent, tenant: 'tenant', owner: 'owner', key: 'key' }));
    assert.ok(mine && theirs);
    for (const key of [mine, theirs]) assert.deepEqual(await store.beginRequest(key, 'hash', 'node-1'), { kind: 'new', attempt: 1 });
    await commitAll(store, { ...creation(ref('a', { agent: 'mine' })), create: { node: 'node-1', request: mine } });
    assert.deepEqual(await store.beginRequest(mine, 'hash', 'node-2'), { kind: 'running', taskId: 'a' });
    assert.deepEqual(await store.beginRequest(theirs, 'hash', 'node-2'), { kind: 'running' });
    await store.endRequest(theirs, '{}');
    await commitAll(store, entered(ref('a', { agent: 'mine' }), 3));
    assert.deepEqual(await store.beginRequest(mine, 'hash', 'node-2'), { kind: 'done', taskId: 'a' });
    assert.deepEqual(await store.beginRequest(theirs, 'hash', 'node-2'), { kind: 'done', replyJson: '{}' });
  }),
];
