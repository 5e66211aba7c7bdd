/** Behind a pooler that lends connections per transaction, session state belongs to other clients. */
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { installPgBouncer, startPgBouncer } from '../../../../../scripts/databases/pgbouncer.mjs';
import { newSchema } from '../../../test/databases/provided.js';
import { storeContract } from '../../testing/index.js';
import { appended, commitAll, creation, entered, readAll, ref, wake } from '../../testing/store-contract/samples.js';
import { postgresStore } from './index.js';

describe('D12: PgBouncer in transaction mode', () => {
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>>;

  beforeAll(async () => {
    installPgBouncer();
    bouncer = await startPgBouncer({ url: inject('postgresUrl'), mode: 'transaction' });
    return () => bouncer.remove();
  }, 60_000);

  test('D12: several nodes start, write, claim, list and sweep at once', async () => {
    const schema = newSchema();
    const stores = Array.from({ length: 3 }, () => postgresStore(bouncer.url, { schema }));
    await Promise.all(
      stores.map(async (store, n) => {
        const [node, task] = [`node-${n}`, ref(`task-${n}`)];
        await wake(store, node);
        await commitAll(store, creation(task, { node }), ...[0, 1, 2].map((m) => creation(ref(`${n}-${m}`), { node })));
        for (let seq = 3; seq < 30; seq += 1)
          await commitAll(store, appended(task, seq), ...(seq === 3 ? [appended(ref(`${n}-0`), 3)] : []));
        expect(await store.post(task, 'message', '{}')).toBe(1);
        expect(await store.claim(task, node)).toMatchObject({ epoch: 2, seq: 29, inbox: [{ n: 1 }] });
        expect(await store.commit([entered(task, 30, { epoch: 2 })])).toEqual([{ kind: 'ok', refused: [1] }]);
        await store.sweep({ agent: '', replayMs: 1e15, batch: 10 }, await store.now());
        expect((await readAll(store, task)).length).toBe(30);
        expect(await store.positions([task])).toEqual([{ seq: 30, epoch: 2, posted: 1 }]);
      }),
    );
    const { total, tasks } = (await stores[0]?.list({ agent: '', tenant: 'tenant', owner: 'owner', limit: 100, count: true })) ?? {
      tasks: [],
    };
    expect([total, tasks.length]).toEqual([12, 12]);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('D59: the heartbeat thread renews the lease through the pooler', async () => {
    for (const [name, run] of storeContract)
      if (name.startsWith('D59:')) await run(() => postgresStore(bouncer.url, { schema: newSchema() }));
  });
});
