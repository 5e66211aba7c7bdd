/** After a failover, old connections still lead to the former primary. */
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { newSchema } from '../../../test/databases/provided.js';
import { appended, commitAll, commitOne, creation, ref } from '../../testing/store-contract/samples.js';
import { isPassing } from './failure.js';
import { postgresStore } from './index.js';

test('D12: a connection to a read-only server is not used again', async () => {
  const admin = new pg.Client(inject('postgresUrl'));
  await admin.connect();
  const name = newSchema();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(inject('postgresUrl')), { pathname: `/${name}` }).href;
  const first = postgresStore(url);
  await commitAll(first, creation(ref('a')));
  await first.close();

  // Applies to new connections only; existing ones keep their setting.
  await admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  const store = postgresStore(url, { connections: 2, patienceMs: 2_000 });
  expect(await Promise.all([store.load(ref('a')), store.load(ref('a'))])).toMatchObject([{ seq: 2 }, { seq: 2 }]);
  await admin.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
  expect(await commitOne(store, appended(ref('a'), 3))).toEqual({ kind: 'ok', refused: [] });
  await store.close();
  await admin.query(`DROP DATABASE ${name}`);
  await admin.end();
});

test.each(['57P01', '57P05', '08006', '25006'])('D12: %s is temporary, and the call is retried on another connection', (code) => {
  expect(isPassing(Object.assign(new Error('terminating connection'), { severity: 'FATAL', code }))).toBe(true);
});
