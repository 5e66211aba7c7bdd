import assert from 'node:assert/strict';
import type { TaskStore } from '../../stores/store.js';
import {
  appended,
  check,
  commitAll,
  counted,
  creation,
  entered,
  entry,
  inputEntry,
  message,
  ref,
  START,
  type StoreCheck,
  statusEntry,
} from './samples.js';

const said = (...ids: readonly string[]): readonly string[] => ids.map(message);

const readConversation = (store: TaskStore, limit = 100, contextId = 'context') =>
  store.conversation({ agent: '', tenant: 'tenant', owner: 'owner', contextId }, limit);

/** The messages of a context across its tasks. */
export const conversationChecks: readonly StoreCheck[] = [
  check('D22: a conversation consists of the messages of a context, task by task in order of creation, oldest first', async (store) => {
    assert.deepEqual(await readConversation(store), []);
    await commitAll(
      store,
      creation(ref('z'), { history: said('z1', 'z2'), statusAt: START + 50 }),
      creation(ref('other'), { contextId: 'elsewhere', history: said('o1') }),
      creation(ref('a'), { history: said('a1'), statusAt: START }),
      creation(ref('m'), { history: said('m1', 'm2', 'm3'), statusAt: START + 20 }),
    );
    await commitAll(store, entered(ref('z'), 3, { history: said('z3'), messagesBefore: 2, statusAt: START + 99 }));
    assert.deepEqual(await readConversation(store), said('z1', 'z2', 'z3', 'a1', 'm1', 'm2', 'm3'));
    assert.deepEqual(await readConversation(store, 100, 'elsewhere'), said('o1'));
  }),

  check('D22: a limit keeps the newest messages', async (store) => {
    await commitAll(store, creation(ref('a'), { history: said('a1', 'a2') }), creation(ref('b'), { history: said('b1', 'b2') }));
    assert.deepEqual(await readConversation(store, 4), said('a1', 'a2', 'b1', 'b2'));
    assert.deepEqual(await readConversation(store, 3), said('a2', 'b1', 'b2'));
    assert.deepEqual(await readConversation(store, 2), said('b1', 'b2'));
    assert.deepEqual(await readConversation(store, 1), said('b2'));
    assert.deepEqual(await readConversation(store, 0), []);
  }),

  check('D22: the current status message comes last, and messages that are in no snapshot yet are included', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task, { history: said('a1'), statusMessage: message('working on it') }));
    assert.deepEqual(await readConversation(store), said('a1', 'working on it'));
    const entries = [
      entry(3),
      statusEntry(4, 'TASK_STATE_INPUT_REQUIRED', message('which one?')),
      inputEntry(5, message('this one')),
      statusEntry(6, 'TASK_STATE_WORKING'),
      entry(7, 'note', '{"note":{"kind":"attempt"}}'),
      statusEntry(8, 'TASK_STATE_WORKING', message('nearly done')),
    ];
    await commitAll(store, appended(task, 3, 0, { entries: counted(entries, 1) }));
    const all = said('a1', 'working on it', 'which one?', 'this one', 'nearly done');
    assert.deepEqual(await readConversation(store), all);
    assert.deepEqual(await readConversation(store, 3), all.slice(-3));
    assert.deepEqual(await readConversation(store, 4), all.slice(-4));
    await commitAll(store, entered(task, 9, { history: all.slice(1), statusMessage: message('done') }));
    assert.deepEqual(await readConversation(store), [...all, message('done')]);
  }),

  check('D22: an ended task stays in the conversation after compaction, and is removed with its deletion', async (store) => {
    await commitAll(store, creation(ref('a'), { history: said('a1') }), entered(ref('a'), 3), creation(ref('b'), { history: said('b1') }));
    await store.sweep({ agent: '', replayMs: 0, batch: 10 }, START + 1e9);
    assert.deepEqual(await readConversation(store), said('a1', 'b1'));
    await store.sweep({ agent: '', deleteFinalAfterMs: 0, replayMs: 0, batch: 10 }, START + 1e9);
    assert.deepEqual(await readConversation(store), said('b1'));
  }),
];
