/** A connection that breaks between a request and its answer: the store finds out what the database did, and the work is done once. */
import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { type CuttingProxy, cuttingProxy } from '../../../test/databases/cutting-proxy.js';
import { newSchema } from '../../../test/databases/provided.js';
import { appended, creation, entered, entry, readAll, ref, snapshot, wake } from '../../testing/store-contract/samples.js';
import type { TaskStore, TaskWrite } from '../store.js';
import { postgresStore } from './index.js';

const KEY = { agent: '', tenant: 'tenant', owner: 'owner', key: 'key' };
const task = ref('a');

describe('D12: a lost answer does not lose the outcome', () => {
  let proxy: CuttingProxy;
  let store: TaskStore;

  beforeAll(async () => {
    proxy = await cuttingProxy(inject('postgresUrl'));
    return () => proxy.close();
  });
  beforeEach(async () => {
    store = postgresStore(proxy.url, { schema: newSchema() });
    await wake(store, 'node-1', 'node-2');
    return () => store.close();
  });

  /** Commits the writes, loses the answer of the database, and returns the answers of the store. */
  async function commitThroughLoss(...writes: readonly TaskWrite[]): Promise<unknown> {
    const before = proxy.lost;
    proxy.loseAnswerOf('commit_writes');
    const answers = await store.commit(writes);
    expect(proxy.lost).toBe(before + 1);
    return answers.map((answer) => (answer.kind === 'ok' ? answer : answer.kind));
  }
  const ok = { kind: 'ok', refused: [] };

  test('D12: entries are stored once when the answer to their commit is lost', async () => {
    await store.commit([creation(task), creation(ref('b'))]);
    expect(await commitThroughLoss(appended(task, 3, 2), appended(ref('b'), 3))).toEqual([ok, ok]);
    expect(await commitThroughLoss(appended(task, 5))).toEqual([ok]);
    expect((await readAll(store, task)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect((await readAll(store, ref('b'))).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  test('D12: entries are stored once when the commit request is lost', async () => {
    await store.commit([creation(task)]);
    proxy.loseRequest('commit_writes');
    expect(await store.commit([appended(task, 3)])).toEqual([ok]);
    expect((await readAll(store, task)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  test('D12: a creation whose answer is lost is ok, unless another node had created the task before', async () => {
    await store.commit([creation(ref('theirs'), { node: 'node-2' })]);
    await store.beginRequest(KEY, 'hash', 'node-1');
    const mine = { ...creation(task), create: { node: 'node-1', request: KEY } };
    expect(await commitThroughLoss(mine, creation(ref('theirs')))).toEqual([ok, 'exists']);
    expect(await store.beginRequest(KEY, 'hash', 'node-2')).toEqual({ kind: 'running', taskId: 'a' });
    expect((await store.list({ agent: '', tenant: 'tenant', owner: 'owner', limit: 9, count: true })).total).toBe(2);
  });

  test('D2: an end whose answer is lost still reports the rows it refused', async () => {
    await store.commit([creation(task)]);
    for (const m of [1, 2, 3]) await store.post(task, 'message', `{"m":${m}}`);
    expect(await commitThroughLoss({ ...entered(task, 3), take: [{ n: 2, seq: 3 }] })).toEqual([{ kind: 'ok', refused: [1, 3] }]);
    expect((await store.inbox(task, 0)).map(({ state }) => state)).toEqual(['refused', 'taken', 'refused']);
  });

  test('D12: a write without entries is applied once: a taken row, a snapshot, a release, an end', async () => {
    await store.commit([creation(task)]);
    await store.post(task, 'message', '{}');
    const bare = { ref: task, epoch: 1, firstSeq: 3, entries: [] };
    expect(await commitThroughLoss({ ...bare, take: [{ n: 1, seq: 2 }] })).toEqual([ok]);
    expect(
      await commitThroughLoss({ ...bare, snapshot: snapshot('a', { history: ['{"m":1}'], artifacts: ['{"n":0}'] }, 1), release: true }),
    ).toEqual([ok]);
    expect((await store.load(task))?.snapshot).toMatchObject({ messages: 2, text: { artifacts: '{"n":0}' } });
    expect(await store.messages(task, 1, 9)).toBe('{"m":1}');
    const { head, snapshot: last } = entered(task, 2, { messagesBefore: 2 });
    expect(await commitThroughLoss({ ...bare, ...(head && { head }), ...(last && { snapshot: last }) })).toEqual([ok]);
    expect(await store.load(task)).toMatchObject({ seq: 2, head: { state: 'TASK_STATE_COMPLETED' }, snapshot: { seq: 2 } });
  });

  test('D12: concurrent changes by others are not mistaken for our own', async () => {
    await store.commit([creation(task), creation(ref('ended')), creation(ref('other'))]);
    await store.claim(task, 'node-1');
    await store.commit([entered(ref('ended'), 3), appended(ref('other'), 3, 0, { entries: [entry(3, 'artifact', '{"other":1}')] })]);
    expect(await commitThroughLoss(appended(task, 3), appended(ref('ended'), 4), appended(ref('other'), 3), appended(ref('b'), 3))).toEqual(
      ['fenced', 'final', 'failed', 'missing'],
    );
  });

  test('D2: a message whose answer is lost is posted once, also when its task has ended since', async () => {
    await store.commit([creation(task)]);
    await store.beginRequest(KEY, 'hash', 'node-1');
    proxy.loseAnswerOf('post_message');
    expect(await store.post(task, 'message', '{"m":1}', { key: KEY, node: 'node-1' })).toBe(1);
    proxy.loseAnswerOf('post_message');
    expect(await store.post(task, 'cancel', '{}')).toBe(2);
    expect(await store.inbox(task, 0)).toHaveLength(2);
    expect(await store.beginRequest(KEY, 'hash', 'node-1')).toEqual({ kind: 'running', taskId: 'a', row: 1 });
  });

  test('D17: a request whose answer is lost is begun once', async () => {
    proxy.loseAnswerOf('begin_request');
    expect(await store.beginRequest(KEY, 'hash', 'node-1')).toEqual({ kind: 'new', attempt: 1 });
    proxy.loseAnswerOf('SET reply');
    await store.endRequest(KEY, '{"message":{}}');
    expect(await store.beginRequest(KEY, 'hash', 'node-2')).toEqual({ kind: 'done', replyJson: '{"message":{}}' });
    proxy.loseAnswerOf('begin_request');
    expect(await store.beginRequest(KEY, 'hash', 'node-2')).toEqual({ kind: 'done', replyJson: '{"message":{}}' });
  });

  test('D12: a claim whose answer is lost does not fence itself, and a heartbeat counts once', async () => {
    await store.commit([creation(task), appended(task, 3)]);
    proxy.loseAnswerOf('claim_task');
    expect(await store.claim(task, 'node-1')).toMatchObject({ epoch: 2, seq: 3, node: 'node-1' });
    expect(await store.claim(task, 'node-1')).toMatchObject({ epoch: 3 });
    proxy.loseAnswerOf('INSERT INTO');
    expect(await store.beat('node-3', 'first', (await store.now()) + 60_000)).toBe('ok');
    expect(await store.claim(task, 'node-3')).toBe('owned');
  });

  test('D12: reads are retried', async () => {
    await store.commit([creation(task), appended(task, 3)]);
    for (const read of [
      () => store.load(task),
      () => store.readAfter(task, 0, 1e6),
      () => store.positions([task]),
      () => store.list({ agent: '', tenant: 'tenant', owner: 'owner', limit: 9, count: false }),
    ]) {
      const answer = await read();
      proxy.loseAnswerOf('SELECT');
      expect(await read()).toEqual(answer);
    }
  });
});
