import assert from 'node:assert/strict';
import type { TaskWrite } from '../../stores/store.js';
import {
  appended,
  check,
  commitAll,
  commitOne,
  creation,
  entered,
  entry,
  kinds,
  NODE,
  readAll,
  ref,
  resulting,
  START,
  type StoreCheck,
  snapshot,
} from './samples.js';

/** Writes: order, epochs, and that a write is applied entirely or not at all. */
export const commitChecks: readonly StoreCheck[] = [
  check('D12: a created task is loaded with its head, snapshot and owner, under epoch 1', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task));
    assert.deepEqual(await store.load(task), {
      ref: task,
      head: { contextId: 'context', state: 'TASK_STATE_WORKING', statusAt: START, statusSeq: 2 },
      seq: 2,
      generation: 1,
      node: NODE,
      epoch: 1,
      snapshot: resulting(2, creation(task).snapshot),
      tail: [],
    });
    assert.equal(await store.load(ref('b')), undefined);
  }),

  check('D12: creating an existing task is answered with exists and changes nothing', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task), appended(task, 3));
    const before = await store.load(task);
    assert.deepEqual(await commitOne(store, creation(task, { contextId: 'other', node: 'node-2' })), { kind: 'exists' });
    assert.deepEqual(await store.load(task), before);
  }),

  check('D12: of two creations of one task exactly one succeeds, in one commit and in two concurrent ones', async (store) => {
    assert.deepEqual(await kinds(store.commit([creation(ref('a')), creation(ref('a'))])), ['ok', 'exists']);
    const answers = await Promise.all([commitOne(store, creation(ref('b'))), commitOne(store, creation(ref('b'), { node: 'node-2' }))]);
    assert.deepEqual(answers.map(({ kind }) => kind).sort(), ['exists', 'ok']);
  }),

  check('D12: a new task without head, snapshot, entries or epoch 1 fails and leaves nothing', async (store) => {
    const { head, snapshot: whole, ...rest } = creation(ref('a'));
    const broken: TaskWrite[] = [
      { ...rest, snapshot: whole ?? snapshot('a') },
      { ...rest, ...(head && { head }) },
      { ...creation(ref('a')), entries: [] },
      { ...creation(ref('a')), epoch: 2 },
    ];
    assert.deepEqual(await kinds(store.commit(broken)), ['failed', 'failed', 'failed', 'failed']);
    assert.equal(await store.load(ref('a')), undefined);
  }),

  check('D12: entries have no gaps: a write with another first seq fails, and its cause names both numbers', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task));
    for (const firstSeq of [2, 4]) {
      const answer = await commitOne(store, appended(task, firstSeq));
      assert.equal(answer.kind, 'failed');
      const why = answer.kind === 'failed' ? String(answer.cause) : '';
      assert.match(why, /\b3\b/);
      assert.match(why, new RegExp(`\\b${firstSeq}\\b`));
    }
    assert.equal((await commitOne(store, appended(task, 3, 0, { entries: [entry(3), entry(5)] }))).kind, 'failed');
    assert.equal((await store.load(task))?.seq, 2);
  }),

  check('D12: a write under another epoch is fenced and changes nothing', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task));
    const before = await store.load(task);
    assert.deepEqual(await commitOne(store, appended(task, 3, 1, { epoch: 2 })), { kind: 'fenced' });
    assert.deepEqual(await commitOne(store, entered(task, 3, { epoch: 0 })), { kind: 'fenced' });
    assert.deepEqual(await store.load(task), before);
  }),

  check('D12: a final state is immutable: a later write is answered with final and changes nothing', async (store) => {
    for (const state of ['TASK_STATE_COMPLETED', 'TASK_STATE_FAILED', 'TASK_STATE_CANCELED', 'TASK_STATE_REJECTED'] as const) {
      const task = ref(state);
      await commitAll(store, creation(task), entered(task, 3, { state }));
      const before = await store.load(task);
      const late = [appended(task, 4), entered(task, 4, { state: 'TASK_STATE_WORKING' }), appended(task, 4, 0, { release: true })];
      assert.deepEqual(await kinds(store.commit(late)), ['final', 'final', 'final']);
      assert.deepEqual(await store.load(task), before);
    }
  }),

  check('D12: of two concurrent ends the first wins', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task));
    const ends = [entered(task, 3, { state: 'TASK_STATE_CANCELED' }), entered(task, 3, { state: 'TASK_STATE_COMPLETED' })];
    const answers = await Promise.all(ends.map((end) => commitOne(store, end)));
    assert.deepEqual(answers.map(({ kind }) => kind).sort(), ['final', 'ok']);
    const won = answers[0]?.kind === 'ok' ? 'TASK_STATE_CANCELED' : 'TASK_STATE_COMPLETED';
    assert.equal((await store.load(task))?.head.state, won);
    assert.equal((await readAll(store, task)).length, 3);
  }),

  check('D12: stale, invalid, ended and duplicate writes do not undo the other writes of a commit', async (store) => {
    const [stale, bad, ended, doubled] = [ref('stale'), ref('bad'), ref('ended'), ref('doubled')];
    await commitAll(store, creation(stale), creation(bad), creation(ended, { state: 'TASK_STATE_COMPLETED' }), creation(doubled));
    const answers = await store.commit([
      creation(ref('first')),
      appended(stale, 3, 1, { epoch: 7 }),
      appended(bad, 9),
      appended(ref('first'), 3, 2),
      appended(ended, 3),
      creation(doubled),
      appended(ref('nowhere'), 3),
      creation(ref('last')),
    ]);
    assert.deepEqual(
      answers.map(({ kind }) => kind),
      ['ok', 'fenced', 'failed', 'ok', 'final', 'exists', 'missing', 'ok'],
    );
    assert.equal((await store.load(ref('first')))?.seq, 4);
    assert.equal((await store.load(ref('last')))?.seq, 2);
    assert.equal((await store.load(bad))?.seq, 2);
  }),

  check('D12: an invalid write is not applied in part: neither its entries, nor its head, nor its snapshot', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task));
    const before = await store.load(task);
    const bad: TaskWrite[] = [
      { ...entered(task, 3), take: [{ n: 1, seq: 3 }] },
      entered(task, 3, { contextId: 'other' }),
      { ...entered(task, 3), head: { contextId: 'context', state: 'TASK_STATE_WORKING', statusAt: 1.5, statusSeq: 3 } },
      appended(task, 3, 1, { head: { contextId: 'context', state: 'TASK_STATE_COMPLETED', statusAt: START + 3, statusSeq: 3 } }),
    ];
    for (const write of bad) assert.equal((await commitOne(store, write)).kind, 'failed');
    assert.deepEqual(await store.load(task), before);
    assert.equal((await readAll(store, task)).length, 2);
  }),

  check('D12: a write without entries changes only what it names', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task), appended(task, 3, 2));
    const later = snapshot('a', { artifacts: ['{"n":3}', '{"n":4}'] }, 1);
    await commitAll(store, { ref: task, epoch: 1, firstSeq: 5, entries: [], snapshot: later });
    const stored = await store.load(task);
    assert.deepEqual(stored?.snapshot, resulting(4, creation(task).snapshot, later));
    assert.deepEqual(stored?.tail, []);
    assert.equal(stored?.seq, 4);
    assert.equal(stored?.node, NODE);
  }),

  check('D12: one commit may create, extend and end a task', async (store) => {
    const [task, atOnce] = [ref('a'), ref('b')];
    const answers = await kinds(
      store.commit([creation(task), appended(task, 3, 2), entered(task, 5), creation(atOnce, { state: 'TASK_STATE_FAILED' })]),
    );
    assert.deepEqual(answers, ['ok', 'ok', 'ok', 'ok']);
    for (const ended of [task, atOnce]) {
      assert.equal((await store.load(ended))?.node, undefined);
      assert.deepEqual(await commitOne(store, appended(ended, 6)), { kind: 'final' });
    }
    assert.deepEqual(
      (await readAll(store, task)).map(({ seq }) => seq),
      [1, 2, 3, 4, 5],
    );
  }),
];
