import assert from 'node:assert/strict';
import { appended, check, commitAll, commitOne, creation, entered, inputEntry, message, ref, type StoreCheck } from './samples.js';

/** Messages and cancel requests for an existing task. */
export const inboxChecks: readonly StoreCheck[] = [
  check('D2: rows of all kinds are numbered from 1 and read back in order', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task));
    assert.equal(await store.post(task, 'message', '{"m":1}'), 1);
    assert.equal(await store.post(task, 'cancel', '{}'), 2);
    assert.equal(await store.post(task, 'message', '{"m":3}'), 3);
    assert.deepEqual(await store.inbox(task, 0), [
      { n: 1, kind: 'message', json: '{"m":1}', state: 'pending' },
      { n: 2, kind: 'cancel', json: '{}', state: 'pending' },
      { n: 3, kind: 'message', json: '{"m":3}', state: 'pending' },
    ]);
    assert.deepEqual(
      (await store.inbox(task, 2)).map(({ n }) => n),
      [3],
    );
    assert.deepEqual(await store.inbox(task, 3), []);
    assert.deepEqual(await store.inbox(ref('b'), 0), []);
  }),

  check('D2: concurrent posts get different numbers without gaps', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task));
    const texts = Array.from({ length: 8 }, (_, m) => `{"m":${m}}`);
    const numbers = await Promise.all(texts.map((json) => store.post(task, 'message', json)));
    const rows = await store.inbox(task, 0);
    assert.deepEqual(
      rows.map(({ n }) => n),
      texts.map((_, m) => m + 1),
    );
    for (const [m, n] of numbers.entries()) assert.equal(rows.find((row) => row.n === n)?.json, texts[m]);
  }),

  check('D2: a post to a task that has ended or does not exist is refused', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task), entered(task, 3));
    assert.equal(await store.post(task, 'message', '{}'), 'final');
    assert.equal(await store.post(ref('b'), 'message', '{}'), 'missing');
    assert.equal(await store.post(ref('a', { owner: 'other' }), 'message', '{}'), 'missing');
    assert.deepEqual(await store.inbox(task, 0), []);
  }),

  check('D2: a row is taken in the same commit as the entry that takes it', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task));
    await store.post(task, 'message', '{"m":1}');
    await store.post(task, 'message', '{"m":2}');
    await store.post(task, 'cancel', '{}');
    const entries = [inputEntry(3, message('m1'))];
    await commitAll(store, appended(task, 3, 0, { entries, take: [{ n: 1, seq: 3 }] }));
    await commitAll(store, appended(task, 4, 1, { take: [{ n: 3, seq: 4 }] }));
    const rows = await store.inbox(task, 0);
    assert.deepEqual(
      rows.map(({ state }) => state),
      ['taken', 'pending', 'taken'],
    );
    assert.deepEqual(
      rows.map(({ seq }) => seq),
      [3, undefined, 4],
    );
  }),

  check('D2: a fenced or invalid write takes no rows', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task));
    await store.post(task, 'message', '{}');
    const take = [{ n: 1, seq: 3 }];
    assert.deepEqual(await commitOne(store, appended(task, 3, 1, { epoch: 2, take })), { kind: 'fenced' });
    assert.equal((await commitOne(store, appended(task, 5, 1, { take }))).kind, 'failed');
    assert.equal((await commitOne(store, appended(task, 3, 1, { take: [...take, { n: 2, seq: 3 }] }))).kind, 'failed');
    assert.equal((await commitOne(store, appended(task, 3, 1, { take: [...take, ...take] }))).kind, 'failed');
    assert.equal((await commitOne(store, appended(task, 3, 1, { take: [{ n: 1, seq: 4 }] }))).kind, 'failed');
    assert.deepEqual(
      (await store.inbox(task, 0)).map(({ state }) => state),
      ['pending'],
    );
    await commitAll(store, appended(task, 3, 1, { take }));
    assert.equal((await commitOne(store, appended(task, 4, 1, { take: [{ n: 1, seq: 4 }] }))).kind, 'failed');
    assert.equal((await store.inbox(task, 0))[0]?.seq, 3);
  }),

  check('D2: a commit that ends the task refuses the pending rows and returns their numbers', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task));
    for (const m of [1, 2, 3, 4]) await store.post(task, 'message', `{"m":${m}}`);
    await commitAll(store, appended(task, 3, 1, { take: [{ n: 2, seq: 3 }] }));
    const answer = await commitOne(store, { ...entered(task, 4), take: [{ n: 3, seq: 4 }] });
    assert.deepEqual(answer, { kind: 'ok', refused: [1, 4] });
    assert.deepEqual(await store.inbox(task, 0), [
      { n: 1, kind: 'message', json: '{"m":1}', state: 'refused' },
      { n: 2, kind: 'message', json: '{"m":2}', state: 'taken', seq: 3 },
      { n: 3, kind: 'message', json: '{"m":3}', state: 'taken', seq: 4 },
      { n: 4, kind: 'message', json: '{"m":4}', state: 'refused' },
    ]);
  }),

  check('D2: a status that does not end the task refuses no rows', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task));
    await store.post(task, 'message', '{}');
    assert.deepEqual(await commitOne(store, entered(task, 3, { state: 'TASK_STATE_INPUT_REQUIRED' })), { kind: 'ok', refused: [] });
    assert.deepEqual(
      (await store.inbox(task, 0)).map(({ state }) => state),
      ['pending'],
    );
  }),

  check('D2: a message posted while the task ends is either refused by that end or answered with final', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task));
    const [posted, ended] = await Promise.all([store.post(task, 'message', '{}'), commitOne(store, entered(task, 3))]);
    assert.equal(ended.kind, 'ok');
    const refused = ended.kind === 'ok' ? ended.refused : [];
    assert.deepEqual(refused, posted === 'final' ? [] : [posted]);
  }),

  check('D10: after compaction the state of each row is still known', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task));
    await store.post(task, 'message', '{"m":1}');
    await store.post(task, 'message', '{"m":2}');
    await commitAll(store, { ...entered(task, 3), take: [{ n: 1, seq: 3 }] });
    assert.equal(await store.sweep({ agent: '', replayMs: 0, batch: 10 }, Number.MAX_SAFE_INTEGER), 1);
    const rows = await store.inbox(task, 0);
    assert.deepEqual(
      rows.map(({ n, state, seq }) => [n, state, seq]),
      [
        [1, 'taken', 3],
        [2, 'refused', undefined],
      ],
    );
  }),
];
