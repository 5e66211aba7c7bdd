import assert from 'node:assert/strict';
import { isA2AError } from '../../protocol/errors.js';
import { check, commitAll, creation, ref, type StoreCheck } from './samples.js';

const KEY = { agent: '', tenant: 'tenant', owner: 'owner', key: 'key' } as const;

/** The properties of a store, and closing it. */
export const closingChecks: readonly StoreCheck[] = [
  check('D6: a store states how long commits may be gathered and logs replayed', async (store) => {
    assert.ok(store.lingerMs >= 0 && Number.isFinite(store.lingerMs));
    assert.ok(store.replayHours === undefined || store.replayHours > 0);
  }),

  check('D11: the clock of a store is in milliseconds and does not go back', async (store) => {
    const first = await store.now();
    assert.ok(Number.isFinite(first));
    assert.ok((await store.now()) >= first);
  }),

  check('D27: after close every call rejects with AGENT_UNAVAILABLE, and a second close has no effect', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task));
    await store.close();
    await store.close();
    const calls: readonly (() => Promise<unknown>)[] = [
      () => store.commit([creation(ref('b'))]),
      () => store.load(task),
      () => store.readAfter(task, 0, 1),
      () => store.entryAt(task, 1),
      () => store.list({ agent: '', tenant: '', owner: '', limit: 1, count: true }),
      () => store.conversation({ agent: '', tenant: '', owner: '', contextId: '' }, 1),
      () => store.post(task, 'message', '{}'),
      () => store.inbox(task, 0),
      () => store.beginRequest(KEY, 'hash', 'node'),
      () => store.endRequest(KEY, '{}'),
      () => store.dropRequest({ key: KEY, node: 'node' }),
      () => store.beat('node', 'a', 1),
      () => store.claim(task, 'node'),
      () => store.positions([task]),
      () => store.orphans('', 1),
      () => store.waitingSince('', 1, 1),
      () => store.sweep({ agent: '', replayMs: 0, batch: 1 }, 0),
      () => store.now(),
    ];
    for (const call of calls) {
      await assert.rejects(call, (error) => isA2AError(error) && error.reason === 'AGENT_UNAVAILABLE');
    }
  }),
];
