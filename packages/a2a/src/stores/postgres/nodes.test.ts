import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { newSchema } from '../../../test/databases/provided.js';
import { commitAll, commitOne, creation, ref } from '../../testing/store-contract/samples.js';
import type { TaskStore } from '../store.js';
import { postgresStore } from './index.js';

const url = inject('postgresUrl');
const KEY = { agent: '', tenant: 'tenant', owner: 'owner', key: 'key' };

describe('D12: two processes with the same node name', () => {
  let sleeper: TaskStore;
  let heir: TaskStore;
  let other: TaskStore;

  beforeEach(async () => {
    const schema = newSchema();
    [sleeper, heir, other] = [0, 1, 2].map(() => postgresStore(url, { schema })) as [TaskStore, TaskStore, TaskStore];
    await sleeper.beat('node', 'first', (await sleeper.now()) - 1); // its lease expired while it slept
    await other.beat('other', 'only', (await other.now()) + 60_000);
  });
  afterEach(() => Promise.all([sleeper, heir, other].map((store) => store.close())));

  const takeOver = async () => expect(await heir.beat('node', 'second', (await heir.now()) + 60_000)).toBe('ok');
  const orphans = async () => (await other.orphans('', 9)).map(({ id }) => id).sort();

  test('D12: a task that the old process creates has no live owner, and is taken over', async () => {
    await takeOver();
    expect(await sleeper.beat('node', 'first', (await sleeper.now()) + 60_000)).toBe('taken');
    await commitAll(sleeper, creation(ref('late'), { node: 'node' }));
    await commitAll(heir, creation(ref('mine'), { node: 'node' }));
    expect(await orphans()).toEqual(['late']);
    expect(await other.claim(ref('mine'), 'other')).toBe('owned');
    expect(await other.claim(ref('late'), 'other')).toMatchObject({ epoch: 2, node: 'other' });
  });

  test('D12: the old process cannot claim tasks of the live one; an orphan that it claims stays an orphan', async () => {
    await commitAll(sleeper, creation(ref('left'), { node: 'node' }));
    await takeOver();
    await commitAll(heir, creation(ref('mine'), { node: 'node' }));
    expect(await sleeper.claim(ref('mine'), 'node')).toBe('owned');
    expect(await sleeper.claim(ref('left'), 'node')).toMatchObject({ epoch: 2 });
    expect(await orphans()).toEqual(['left']);
    expect(await heir.claim(ref('left'), 'node')).toMatchObject({ epoch: 3 });
    expect(await orphans()).toEqual([]);
  });

  test('D17: a process cannot answer a request that the other process began', async () => {
    expect(await sleeper.beginRequest(KEY, 'hash', 'node')).toEqual({ kind: 'new', attempt: 1 });
    await takeOver();
    expect(await heir.beginRequest(KEY, 'hash', 'node')).toEqual({ kind: 'new', attempt: 2 });
    expect(await sleeper.beginRequest(KEY, 'hash', 'node')).toEqual({ kind: 'running' });
    await sleeper.dropRequest({ key: KEY, node: 'node' });
    const late = { ...creation(ref('late')), create: { node: 'node', request: KEY } };
    expect(await commitOne(sleeper, late)).toEqual({ kind: 'fenced' });
    expect(await sleeper.post(ref('late'), 'message', '{}', { key: KEY, node: 'node' })).toBe('missing');
    expect(await commitOne(heir, late)).toEqual({ kind: 'ok', refused: [] });
  });

  test('D12: of several processes that take over a name at once, one succeeds', async () => {
    const until = (await other.now()) + 60_000;
    const answers = await Promise.all([sleeper, heir, other].map((store, n) => store.beat('new', `incarnation-${n}`, until)));
    expect(answers.sort()).toEqual(['ok', 'taken', 'taken']);
  });
});

describe('D10: one node sweeps at a time', () => {
  test('D10: concurrent sweeps handle each task once, and totals stay exact', async () => {
    const schema = newSchema();
    const stores = Array.from({ length: 3 }, () => postgresStore(url, { schema }));
    const [store] = stores as [TaskStore];
    const total = async () => (await store.list({ agent: '', tenant: 'tenant', owner: 'owner', limit: 1, count: true })).total ?? -1;
    for (let round = 0; round < 3; round += 1) {
      await commitAll(store, ...Array.from({ length: 40 }, (_, n) => creation(ref(`${round}-${n}`), { state: 'TASK_STATE_COMPLETED' })));
      const before = await total();
      const policy = { agent: '', deleteFinalAfterMs: 0, replayMs: 0, batch: 7 };
      const swept = await Promise.all(stores.flatMap((one) => [0, 1].map(() => one.sweep(policy, Number.MAX_SAFE_INTEGER))));
      expect(await total()).toBe(before - swept.reduce((sum, n) => sum + n, 0));
      expect(swept.some((n) => n === 7)).toBe(true);
    }
    await Promise.all(stores.map((one) => one.close()));
  });

  test('D12: rows of nodes that are long dead are deleted, unless they own a task', async () => {
    const schema = newSchema();
    const store = postgresStore(url, { schema });
    const now = await store.now();
    const longAgo = now - 8 * 24 * 3_600_000;
    await store.beat('gone', 'only', longAgo);
    await store.beat('owner', 'only', longAgo);
    await store.beat('recent', 'only', now - 60_000);
    await commitAll(store, creation(ref('left'), { node: 'owner' }));
    await store.sweep({ agent: '', replayMs: 1, batch: 100 }, now);
    expect(await namesOf(schema)).toEqual(['owner', 'recent']);
    expect((await store.orphans('', 9)).map(({ id }) => id)).toEqual(['left']);
    await store.close();
  });
});

async function namesOf(schema: string): Promise<readonly string[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ id: string }>(`SELECT id FROM ${schema}.nodes ORDER BY id`);
  await client.end();
  return rows.map(({ id }) => id);
}
