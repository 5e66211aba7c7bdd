import assert from 'node:assert/strict';
import type { ClaimedTask, TaskRef, TaskStore } from '../../stores/store.js';
import {
  appended,
  asWritten,
  check,
  commitAll,
  commitOne,
  creation,
  entered,
  entry,
  NODE,
  ref,
  START,
  type StoreCheck,
  stop,
  wake,
} from './samples.js';

async function claimed(store: TaskStore, task: TaskRef, node: string): Promise<ClaimedTask> {
  const claim = await store.claim(task, node);
  assert.ok(typeof claim !== 'string', `expected the task, got ${String(claim)}`);
  return claim;
}

async function orphanIds(store: TaskStore, limit = 100): Promise<readonly string[]> {
  return (await store.orphans('', limit)).map(({ id }) => id).sort();
}

/** Nodes, epochs, and orphans. */
export const ownershipChecks: readonly StoreCheck[] = [
  check('D12: a node name belongs to one incarnation at a time', async (store) => {
    const now = await store.now();
    assert.equal(await store.beat('node', 'first', now + 60_000), 'ok');
    assert.equal(await store.beat('node', 'first', now + 90_000), 'ok');
    assert.equal(await store.beat('node', 'second', now + 60_000), 'taken');
    assert.equal(await store.beat('node', 'first', now - 1), 'ok');
    assert.equal(await store.beat('node', 'second', now + 60_000), 'ok');
    assert.equal(await store.beat('node', 'first', now + 60_000), 'taken');
  }),

  check('D12: other nodes cannot claim a task of a live node; a node without a heartbeat is not alive', async (store) => {
    const task = ref('a');
    await wake(store, NODE);
    await commitAll(store, creation(task));
    assert.equal(await store.claim(task, 'node-2'), 'owned');
    assert.equal((await store.load(task))?.epoch, 1);
    await commitAll(store, creation(ref('b'), { node: 'silent' }));
    assert.equal((await claimed(store, ref('b'), 'node-2')).node, 'node-2');
  }),

  check('D12: a node that claims its own task again gets a new epoch, which fences its earlier writes', async (store) => {
    const task = ref('a');
    await wake(store, NODE);
    await commitAll(store, creation(task));
    assert.equal((await claimed(store, task, NODE)).epoch, 2);
    assert.deepEqual(await commitOne(store, appended(task, 3)), { kind: 'fenced' });
    await commitAll(store, appended(task, 3, 1, { epoch: 2 }));
  }),

  check('D12: a claim returns the task with its tail and pending rows, under a new epoch that fences the old owner', async (store) => {
    const task = ref('a');
    await wake(store, NODE, 'node-2');
    await commitAll(store, creation(task), appended(task, 3));
    for (const m of [1, 2]) await store.post(task, 'message', `{"m":${m}}`);
    await commitAll(store, appended(task, 4, 1, { take: [{ n: 1, seq: 4 }] }));
    await stop(store, NODE);
    const taken = await claimed(store, task, 'node-2');
    const { inbox, ...stored } = taken;
    assert.deepEqual(inbox, [{ n: 2, kind: 'message', json: '{"m":2}', state: 'pending' }]);
    assert.deepEqual(stored, await store.load(task, 0));
    assert.deepEqual([stored.epoch, stored.node, stored.seq], [2, 'node-2', 4]);
    assert.deepEqual(asWritten(stored.tail), [entry(3), entry(4)]);
    assert.deepEqual(await commitOne(store, appended(task, 5)), { kind: 'fenced' });
    await commitAll(store, appended(task, 5, 1, { epoch: 2, take: [{ n: 2, seq: 5 }] }));
  }),

  check('D12: of two concurrent claims one gets the task', async (store) => {
    await wake(store, 'node-2', 'node-3');
    await commitAll(store, creation(ref('a')));
    const claims = await Promise.all(['node-2', 'node-3'].map((node) => store.claim(ref('a'), node)));
    assert.equal(claims.filter((claim) => claim === 'owned').length, 1);
    assert.equal((await store.load(ref('a')))?.epoch, 2);
  }),

  check('D12: a released task has no owner and can be claimed, although its old node is alive', async (store) => {
    const task = ref('a');
    await wake(store, NODE, 'node-2');
    await commitAll(store, creation(task), { ...entered(task, 3, { state: 'TASK_STATE_INPUT_REQUIRED' }), release: true });
    assert.equal((await store.load(task))?.node, undefined);
    const taken = await claimed(store, task, NODE);
    assert.deepEqual([taken.node, taken.epoch, taken.head.state], [NODE, 2, 'TASK_STATE_INPUT_REQUIRED']);
    await commitAll(store, appended(task, 4, 0, { epoch: 2, release: true }));
    assert.equal((await claimed(store, task, 'node-2')).epoch, 3);
  }),

  check('D12: a task that has ended, or does not exist, cannot be claimed', async (store) => {
    await commitAll(store, creation(ref('a')), entered(ref('a'), 3));
    assert.equal(await store.claim(ref('a'), 'node-2'), 'final');
    assert.equal(await store.claim(ref('b'), 'node-2'), 'missing');
  }),

  check('D12: orphans are the tasks of dead nodes, and parked tasks with pending rows', async (store) => {
    await wake(store, NODE, 'node-2');
    const parked = { state: 'TASK_STATE_INPUT_REQUIRED' } as const;
    await commitAll(
      store,
      creation(ref('living')),
      creation(ref('lost'), { node: 'node-2' }),
      creation(ref('lost-question'), { node: 'node-2', ...parked }),
      creation(ref('ended'), { node: 'node-2' }),
      entered(ref('ended'), 3),
      ...['parked', 'parked-asked', 'parked-mail'].flatMap((id) => [creation(ref(id), parked), appended(ref(id), 3, 0, { release: true })]),
    );
    for (const id of ['living', 'parked-mail', 'parked-asked']) await store.post(ref(id), 'message', '{}');
    assert.deepEqual(await orphanIds(store), ['parked-asked', 'parked-mail']);
    await stop(store, 'node-2');
    assert.deepEqual(await orphanIds(store), ['lost', 'lost-question', 'parked-asked', 'parked-mail']);
    assert.equal((await store.orphans('', 3)).length, 3);

    await claimed(store, ref('parked-asked'), NODE);
    await claimed(store, ref('lost'), NODE);
    assert.deepEqual(await orphanIds(store), ['lost-question', 'parked-mail']);
  }),

  check('D10: tasks that wait for their caller are found by waiting time, whatever node owns them', async (store) => {
    await wake(store, NODE);
    const asked = (id: string, statusAt: number) => creation(ref(id), { state: 'TASK_STATE_INPUT_REQUIRED', statusAt });
    await commitAll(
      store,
      asked('b', START + 20),
      asked('a', START + 10),
      asked('late', START + 30),
      creation(ref('working'), { statusAt: START }),
    );
    await commitAll(store, appended(ref('a'), 3, 0, { release: true }));
    const waiting = async (before: number, limit = 10) => (await store.waitingSince('', before, limit)).map(({ id }) => id);
    assert.deepEqual(await waiting(START + 30), ['a', 'b']);
    assert.deepEqual(await waiting(START + 31), ['a', 'b', 'late']);
    assert.deepEqual(await waiting(START + 31, 1), ['a']);
    await commitAll(store, entered(ref('b'), 3, { state: 'TASK_STATE_WORKING', statusAt: START + 40 }), entered(ref('late'), 3));
    assert.deepEqual(await waiting(START + 100), ['a']);
    await commitAll(store, entered(ref('b'), 4, { state: 'TASK_STATE_AUTH_REQUIRED', statusAt: START + 50 }));
    assert.deepEqual(await waiting(START + 100), ['a', 'b']);
  }),

  check('D12: a position contains the seq, the epoch, and the number of posted rows', async (store) => {
    const [task, other] = [ref('a'), ref('a', { owner: 'other' })];
    await wake(store, 'node-2');
    await commitAll(store, creation(task), creation(other), appended(task, 3, 2));
    for (const m of [1, 2]) await store.post(task, 'message', `{"m":${m}}`);
    await claimed(store, task, 'node-2');
    const missing = ref('b');
    assert.deepEqual(await store.positions([missing, task, other, task]), [
      undefined,
      { seq: 4, epoch: 2, posted: 2 },
      { seq: 2, epoch: 1, posted: 0 },
      { seq: 4, epoch: 2, posted: 2 },
    ]);
    await commitAll(store, entered(task, 5, { epoch: 2, statusAt: START }));
    await store.sweep({ agent: '', replayMs: 0, batch: 10 }, START + 1_000);
    assert.deepEqual(await store.positions([task]), [{ seq: 5, epoch: 2, posted: 2 }]);
    assert.deepEqual(await store.positions([]), []);
  }),

  check('D12: a parked task is an orphan only while it has pending rows', async (store) => {
    const task = ref('a');
    await wake(store, NODE);
    await commitAll(store, creation(task));
    for (const m of [1, 2]) await store.post(task, 'message', `{"m":${m}}`);
    await commitAll(store, appended(task, 3, 1, { take: [{ n: 1, seq: 3 }], release: true }));
    assert.deepEqual(await orphanIds(store), ['a']);
    await claimed(store, task, NODE);
    await commitAll(store, appended(task, 4, 1, { epoch: 2, take: [{ n: 2, seq: 4 }], release: true }));
    assert.deepEqual(await orphanIds(store), []);
  }),

  check('D12: a new incarnation of a node does not own the tasks of the old one', async (store) => {
    await wake(store, NODE);
    await commitAll(store, creation(ref('a')));
    await stop(store, NODE);
    assert.equal(await store.beat(NODE, 'reborn', (await store.now()) + 60_000), 'ok');
    assert.deepEqual(await orphanIds(store), ['a']);
    assert.equal((await claimed(store, ref('a'), NODE)).epoch, 2);
    assert.deepEqual(await orphanIds(store), []);
  }),

  check('D12: a node with a late heartbeat keeps the tasks that no other node claimed', async (store) => {
    await wake(store, NODE);
    await commitAll(store, creation(ref('a')));
    await stop(store, NODE);
    assert.deepEqual(await orphanIds(store), ['a']);
    await wake(store, NODE);
    assert.deepEqual(await orphanIds(store), []);
    await commitAll(store, appended(ref('a'), 3));
  }),
];
