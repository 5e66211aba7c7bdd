import assert from 'node:assert/strict';
import type { RequestKey, TaskStore } from '../../stores/store.js';
import { check, commitAll, commitOne, creation, entered, ref, START, type StoreCheck, stop, wake } from './samples.js';

const KEY: RequestKey = { agent: '', tenant: 'tenant', owner: 'owner', key: 'key' };

const begin = (store: TaskStore, node = 'node-1', bodyHash = 'hash') => store.beginRequest(KEY, bodyHash, node);

/** Idempotent requests: one run per key, whichever node asks. */
export const requestChecks: readonly StoreCheck[] = [
  check('D17: the first request with a key is new; repeated by another node it is running, by its own node it is new', async (store) => {
    await wake(store, 'node-1', 'node-2');
    assert.deepEqual(await begin(store), { kind: 'new', attempt: 1 });
    assert.deepEqual(await begin(store, 'node-2'), { kind: 'running' });
    assert.deepEqual(await begin(store), { kind: 'new', attempt: 2 });
    assert.deepEqual(await begin(store, 'node-2'), { kind: 'running' });
  }),

  check('D17: of many concurrent begins exactly one is new', async (store) => {
    const nodes = ['node-1', 'node-2', 'node-3', 'node-4'];
    await wake(store, ...nodes);
    const states = await Promise.all(nodes.map((node) => begin(store, node)));
    assert.deepEqual(states.map(({ kind }) => kind).sort(), ['new', 'running', 'running', 'running']);
  }),

  check('D17: the same key with another body is a conflict, running or done, and changes nothing', async (store) => {
    await wake(store, 'node-1', 'node-2');
    await begin(store);
    assert.deepEqual(await begin(store, 'node-1', 'other'), { kind: 'conflict' });
    assert.deepEqual(await begin(store, 'node-2'), { kind: 'running' });
    await store.endRequest(KEY, '{"message":{}}');
    assert.deepEqual(await begin(store, 'node-1', 'other'), { kind: 'conflict' });
  }),

  check('D17: a Message reply is kept, and a second reply does not replace it', async (store) => {
    await wake(store, 'node-1');
    await begin(store);
    await store.endRequest(KEY, '{"message":{"messageId":"m"}}');
    await store.endRequest(KEY, '{"message":{"messageId":"late"}}');
    await store.dropRequest({ key: KEY, node: 'node-1' });
    assert.deepEqual(await begin(store), { kind: 'done', replyJson: '{"message":{"messageId":"m"}}' });
  }),

  check('D16: a request that was answered with a Message leaves no task', async (store) => {
    await wake(store, 'node-1');
    await begin(store);
    await store.endRequest(KEY, '{"message":{}}');
    assert.deepEqual(await store.list({ agent: '', tenant: 'tenant', owner: 'owner', limit: 10, count: true }), {
      tasks: [],
      more: false,
      total: 0,
    });
  }),

  check('D17: a request whose node is dead is run again, with the next attempt number', async (store) => {
    await wake(store, 'node-1', 'node-2');
    await begin(store);
    await stop(store, 'node-1');
    assert.deepEqual(await begin(store, 'node-2'), { kind: 'new', attempt: 2 });
    assert.deepEqual(await begin(store, 'node-1'), { kind: 'running' });
    await stop(store, 'node-2');
    assert.deepEqual(await begin(store, 'node-3'), { kind: 'new', attempt: 3 });
  }),

  check('D17: a request is linked to its task by the commit that creates it, and is done when the task has ended', async (store) => {
    await wake(store, 'node-1');
    const task = ref('a');
    await begin(store);
    await commitAll(store, { ...creation(task), create: { node: 'node-1', request: KEY } });
    assert.deepEqual(await begin(store), { kind: 'running', taskId: 'a' });
    await commitAll(store, entered(task, 3, { state: 'TASK_STATE_INPUT_REQUIRED' }));
    assert.deepEqual(await begin(store), { kind: 'running', taskId: 'a' });
    await store.endRequest(KEY, '{}');
    await store.dropRequest({ key: KEY, node: 'node-1' });
    await commitAll(store, entered(task, 4));
    assert.deepEqual(await begin(store), { kind: 'done', taskId: 'a' });
  }),

  check('D17: a request with a task is never run again, even if its node is dead or its task deleted', async (store) => {
    await wake(store, 'node-1');
    await begin(store);
    await commitAll(store, { ...creation(ref('a')), create: { node: 'node-1', request: KEY } });
    await stop(store, 'node-1');
    assert.deepEqual(await begin(store, 'node-2'), { kind: 'running', taskId: 'a' });
    await commitAll(store, entered(ref('a'), 3));
    await store.sweep({ agent: '', deleteFinalAfterMs: 0, replayMs: 0, batch: 1 }, START + 1e9);
    assert.equal(await store.load(ref('a')), undefined);
    assert.deepEqual(await begin(store, 'node-2'), { kind: 'done', taskId: 'a' });
  }),

  check('D17: a creation that is refused does not link its request', async (store) => {
    await wake(store, 'node-1', 'node-2');
    await commitAll(store, creation(ref('a')));
    await begin(store);
    assert.deepEqual(await commitOne(store, { ...creation(ref('a')), create: { node: 'node-1', request: KEY } }), { kind: 'exists' });
    assert.deepEqual(await begin(store, 'node-2'), { kind: 'running' });
  }),

  check('D17: a node that lost its request to another cannot create its task', async (store) => {
    await wake(store, 'node-1', 'node-2');
    await begin(store);
    await stop(store, 'node-1');
    assert.deepEqual(await begin(store, 'node-2'), { kind: 'new', attempt: 2 });
    assert.deepEqual(await commitOne(store, { ...creation(ref('late')), create: { node: 'node-1', request: KEY } }), { kind: 'fenced' });
    assert.equal(await store.load(ref('late')), undefined);
    await commitAll(store, { ...creation(ref('a')), create: { node: 'node-2', request: KEY } });
    assert.deepEqual(await commitOne(store, { ...creation(ref('b')), create: { node: 'node-2', request: KEY } }), { kind: 'fenced' });
    assert.deepEqual(await begin(store), { kind: 'running', taskId: 'a' });
  }),

  check('D17: a message to an existing task is linked with its row, and never posted again', async (store) => {
    await wake(store, 'node-1', 'node-2');
    const task = ref('a');
    await commitAll(store, creation(task));
    await store.post(task, 'message', '{"m":0}');
    await begin(store);
    assert.equal(await store.post(task, 'message', '{"m":1}', { key: KEY, node: 'node-1' }), 2);
    assert.deepEqual(await begin(store), { kind: 'running', taskId: 'a', row: 2 });
    assert.equal(await store.post(task, 'message', '{"m":1}', { key: KEY, node: 'node-1' }), 'fenced');
    assert.equal((await store.inbox(task, 0)).length, 2);
    await commitAll(store, entered(task, 3));
    assert.deepEqual(await begin(store, 'node-2'), { kind: 'done', taskId: 'a', row: 2 });
  }),

  check('D17: a node that lost its request to another cannot post its message', async (store) => {
    await wake(store, 'node-1', 'node-2');
    await commitAll(store, creation(ref('a')));
    await begin(store);
    await stop(store, 'node-1');
    await begin(store, 'node-2');
    assert.equal(await store.post(ref('a'), 'message', '{}', { key: KEY, node: 'node-1' }), 'fenced');
    assert.deepEqual(await store.inbox(ref('a'), 0), []);
  }),

  check('D17: a message that is refused because its task has ended or is missing stays unlinked', async (store) => {
    await wake(store, 'node-1', 'node-2');
    await commitAll(store, creation(ref('a')), entered(ref('a'), 3));
    await begin(store);
    assert.equal(await store.post(ref('a'), 'message', '{}', { key: KEY, node: 'node-1' }), 'final');
    assert.equal(await store.post(ref('b'), 'message', '{}', { key: KEY, node: 'node-1' }), 'missing');
    assert.deepEqual(await begin(store, 'node-2'), { kind: 'running' });
  }),

  check('D17: a node that lost its request to another cannot drop it', async (store) => {
    await wake(store, 'node-1', 'node-2');
    await begin(store);
    await stop(store, 'node-1');
    await begin(store, 'node-2');
    await store.dropRequest({ key: KEY, node: 'node-1' });
    await wake(store, 'node-3');
    assert.deepEqual(await begin(store, 'node-3'), { kind: 'running' });
  }),

  check('D17: a dropped request starts again, also with another body', async (store) => {
    await wake(store, 'node-1');
    await begin(store);
    await store.dropRequest({ key: KEY, node: 'node-1' });
    assert.deepEqual(await begin(store, 'node-1', 'other'), { kind: 'new', attempt: 1 });
  }),

  check('D17: ending, dropping or linking a request that no node began has no effect', async (store) => {
    await store.endRequest(KEY, '{}');
    await store.dropRequest({ key: KEY, node: 'node-1' });
    await commitAll(store, { ...creation(ref('a')), create: { node: 'node-1', request: KEY } });
    assert.deepEqual(await begin(store), { kind: 'new', attempt: 1 });
  }),
];
