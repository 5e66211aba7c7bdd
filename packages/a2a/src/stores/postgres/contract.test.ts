import pg from 'pg';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { newSchema } from '../../../test/databases/provided.js';
import { generatedCases } from '../../../test/generated-cases.js';
import { compareWithNaive } from '../../../test/store-model.js';
import type { Clock } from '../../protocol/clock.js';
import { storeContract } from '../../testing/index.js';
import type { TaskStore } from '../store.js';
import { postgresStore } from './index.js';

const UNLIMITED = { replayTasks: Number.POSITIVE_INFINITY, replayBytes: Number.POSITIVE_INFINITY };
const TABLES = ['tasks', 'task_messages', 'task_artifacts', 'events', 'inbox', 'requests', 'nodes', 'totals', 'deltas'];
const url = inject('postgresUrl');
const schema = newSchema();
const pool = new pg.Pool({ connectionString: url, max: 1 });
let isNew = true;

afterAll(() => pool.end());

/** Empties the tables for the next store: a new schema for each of more than a hundred stores would take three times as long. */
async function emptyStore(clock?: Clock): Promise<TaskStore> {
  if (!isNew) await pool.query(TABLES.map((table) => `DELETE FROM ${schema}.${table}`).join(';'));
  isNew = false;
  return postgresStore(url, { schema, ...(clock && { clock }) });
}

describe('D12: the PostgreSQL store passes the store contract', () => {
  for (const [name, run] of storeContract) test(name, () => run(emptyStore));
});

describe('D12: the PostgreSQL store behaves like the naive store', () => {
  test('D12: random calls get the same answers', { timeout: 120_000 }, () =>
    compareWithNaive({ create: emptyStore, numRuns: generatedCases(100), limits: UNLIMITED }),
  );
});

test('every table but that of the version is emptied', async () => {
  const { rows } = await pool.query('SELECT tablename FROM pg_tables WHERE schemaname = $1', [schema]);
  expect(rows.map(({ tablename }) => tablename).sort()).toEqual([...TABLES, 'schema_version'].sort());
});
