/** Checks query plans, with enough rows that the plan matters. */
import pg from 'pg';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { newSchema } from '../../../test/databases/provided.js';
import { appended, commitAll, creation, entered, ref, wake } from '../../testing/store-contract/samples.js';
import type { ListQuery, TaskStore } from '../store.js';
import { postgresStore } from './index.js';
import { pageOf, totalOf } from './list.js';

const TASKS = 30_000;
const SCOPE = { agent: '', tenant: 'tenant', owner: 'owner' };
const schema = newSchema();
const url = inject('postgresUrl');

/**
 * Tasks of one busy owner in 300 contexts. One in a hundred is running, the others have ended. All have a log, and some have inbox rows.
 */
const FILL = `
  INSERT INTO ${schema}.tasks (tenant, owner, id, context, state, status_at, status_seq, ended, epoch, node, lease, snapshot_seq, head, history, artifacts)
  SELECT 'tenant', 'owner', 'task-' || n, 'context-' || n % 300, CASE WHEN n % 100 = 0 THEN 2 ELSE 3 END, n, 2,
    CASE WHEN n % 100 = 0 THEN 0 ELSE 1 END, 1, CASE WHEN n % 100 = 0 THEN 'node-' || n % 3 END, 0, 2, '{}', '', ''
  FROM generate_series(1, ${TASKS}) AS n;
  INSERT INTO ${schema}.events SELECT pk, 1, 2, 1, E'i1 {}\\nt1 {}' FROM ${schema}.tasks WHERE owner = 'owner';
  INSERT INTO ${schema}.inbox SELECT pk, 1, 'message', 1, 2, '{}', pk::text FROM ${schema}.tasks WHERE owner = 'owner' AND pk % 5 = 0;
  INSERT INTO ${schema}.requests SELECT 'tenant', 'owner', 'key-' || n, 'hash', ${schema}.now_ms(), 'node-1', 0, 1, n::text, 'task-' || n
  FROM generate_series(1, 5000) AS n;
  INSERT INTO ${schema}.totals VALUES ('tenant', 'owner', 2, ${TASKS / 100}), ('tenant', 'owner', 3, ${TASKS - TASKS / 100});
  INSERT INTO ${schema}.totals SELECT 'tenant', 'owner-' || n, 3, 1 FROM generate_series(1, 5000) AS n;`;
const FILL_DELTAS = `INSERT INTO ${schema}.deltas SELECT 'tenant', 'owner-' || n, 3, 1 FROM generate_series(1, 5000) AS n`;

describe('P47, D29: no call reads more rows than it needs', () => {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const notices: string[] = [];
  /** Plans that were made with few rows and used with many. */
  const plansOfFew: string[] = [];
  let store: TaskStore;

  const explain = async (is: boolean) => {
    notices.length = 0;
    await pool.query(`LOAD 'auto_explain'; SET auto_explain.log_min_duration = ${is ? 0 : -1}; SET auto_explain.log_nested_statements = on;
      SET auto_explain.log_level = notice; SET auto_explain.log_analyze = on`);
  };

  beforeAll(async () => {
    pool.on('connect', (client) => client.on('notice', ({ message }) => notices.push(message ?? '')));
    store = postgresStore(pool, { schema });
    // PostgreSQL may cache a generic plan after five executions.
    for (let round = 0; round < 8; round += 1) await doEverything(store, `few ${round}`);
    await pool.query(`ANALYZE ${schema}.tasks`);
    for (let round = 8; round < 16; round += 1) await doEverything(store, `few ${round}`);
    await pool.query(FILL);
    await explain(true);
    await doEverything(store, 'many');
    plansOfFew.push(...notices);
    await explain(false);
    await pool.query(FILL_DELTAS);
    const tables = ['tasks', 'events', 'inbox', 'requests', 'totals', 'deltas'].map((table) => `${schema}.${table}`);
    await pool.query(`VACUUM ANALYZE ${tables.join(', ')}`);
    return async () => {
      await store.close();
      await pool.end();
    };
  }, 60_000);

  const after = { statusAt: TASKS / 2, id: 'task-9' };
  const filters: readonly (readonly [index: string, filter: Partial<ListQuery>])[] = [
    ['tasks_by_status', {}],
    ['tasks_by_status', { statusAtOrAfter: TASKS / 3 }],
    ['tasks_by_state', { state: 'TASK_STATE_WORKING' }],
    ['tasks_by_context', { contextId: 'context-7' }],
    ['tasks_by_context', { contextId: 'context-100', state: 'TASK_STATE_WORKING' }],
  ];
  const planOf = async (sql: string, values: readonly unknown[]): Promise<string> => {
    const { rows } = await pool.query({ text: `EXPLAIN ${sql}`, values: [...values], rowMode: 'array' });
    return rows.flat().join('\n');
  };

  test('P47: every page walks one index from the keyset, without sorting', async () => {
    for (const [index, filter] of filters) {
      for (const place of [{}, { after }, { after, withoutArtifacts: true }]) {
        const { sql, values } = pageOf(schema, { ...SCOPE, ...filter, ...place, limit: 50, count: false });
        const plan = await planOf(sql, values);
        // The sizes are added up only over the tasks within the limit.
        const steps = ['Subquery Scan on t', 'WindowAgg', 'WindowAgg', 'Subquery Scan on t_1', 'Limit', 'Index Scan Backward using'];
        expect(plan).toMatch(new RegExp(`^${steps.join('[^>]*-> +')}`));
        expect(plan).toContain(`Index Scan Backward using ${index} on tasks`);
        if ('after' in place) expect(plan).toMatch(/Index Cond: .*ROW\(status_at, id\) < ROW\(/);
        // Only the rows of each task are sorted: its messages, its artifacts and its tail.
        expect(plan.split(/SubPlan \d/)[0]).not.toMatch(/Seq Scan|Sort|Bitmap/);
        expect(plan).not.toMatch(/Seq Scan/);
      }
    }
  });

  test('D29: totals are read from the tables of counts, or counted in an index', async () => {
    // With a filter that matches most of the table, a sequential scan would be faster.
    const recent = { statusAtOrAfter: 0.9 * TASKS };
    for (const filter of [...filters.map(([, filter]) => filter).filter((filter) => !filter.statusAtOrAfter), recent]) {
      const { sql, values } = totalOf(schema, { ...SCOPE, ...filter, limit: 50, count: true });
      expect(await planOf(sql, values)).not.toMatch(/Seq Scan/);
    }
    const everything = { ...SCOPE, limit: 1, count: true };
    expect((await store.list(everything)).total).toBe(TASKS);
    expect((await store.list({ ...everything, state: 'TASK_STATE_WORKING' })).total).toBe(TASKS / 100);
    expect((await store.list({ ...everything, contextId: 'context-100', state: 'TASK_STATE_WORKING' })).total).toBe(TASKS / 300);
    expect((await store.list({ ...everything, statusAtOrAfter: TASKS - 9 })).total).toBe(10);
  });

  test('P47: a list of many tasks is correct', async () => {
    const first = await store.list({ ...SCOPE, limit: 3, count: false });
    expect([first.tasks.map(({ ref: { id } }) => id), first.more]).toEqual([[TASKS, TASKS - 1, TASKS - 2].map((n) => `task-${n}`), true]);
    const later = await store.list({ ...SCOPE, limit: 2, count: false, after, state: 'TASK_STATE_WORKING' });
    expect(later.tasks.map(({ head }) => head.statusAt)).toEqual([TASKS / 2, TASKS / 2 - 100]);
  });

  test('P47: no call scans a whole table', { timeout: 30_000 }, async () => {
    await explain(true);
    for (let round = 0; round < 8; round += 1) await doEverything(store, `many ${round}`);
    const plans = notices.filter((notice) => notice.includes('plan:'));
    expect(plans.length).toBeGreaterThan(200);
    // There are only a few nodes, and the rows of deltas are folded again and again.
    const scans = plans.filter((plan) => /Seq Scan on (?!nodes|deltas)/.test(plan));
    expect(scans).toEqual([]);
    await explain(false);
  });

  test('P47: plans that were made for few rows are good for many', () => {
    const found = plansOfFew.filter((notice) => notice.includes('plan:'));
    expect(found.length).toBeGreaterThan(50);
    const long = found.filter(
      (plan) => /actual time=\S+ rows=\d{4,}|Removed by Filter: \d{4,}/.test(plan) && !/DELETE FROM .*deltas/.test(plan),
    );
    expect(long).toEqual([]);
  });
});

/** Calls every method of a store, in the order of a task's lifetime. */
async function doEverything(store: TaskStore, round: string): Promise<void> {
  const scope = { agent: '', tenant: 'tenant', owner: 'doer' };
  const [task, other, key] = [ref(`own-${round}`, scope), ref(`other-${round}`, scope), { ...scope, key: `own-${round}` }];
  await wake(store, 'node-1', 'node-2');
  await store.beginRequest(key, 'hash', 'node-1');
  await commitAll(store, { ...creation(task), create: { node: 'node-1', request: key } }, creation(other));
  await commitAll(store, appended(task, 3), appended(other, 3, 2));
  await store.commit([appended(task, 9), appended(ref('nowhere'), 1), creation(other)]);
  await store.post(task, 'message', '{}');
  await store.post(task, 'message', '{}', { key, node: 'node-1' });
  await store.claim(task, 'node-2');
  await store.commit([
    { ...appended(task, 4, 1, { epoch: 2 }), take: [{ n: 1, seq: 4 }] },
    { ...appended(other, 5, 0), release: true },
  ]);
  await Promise.all([store.load(task), store.readAfter(task, 1, 1_000), store.entryAt(task, 2), store.positions([task, other])]);
  await Promise.all([store.inbox(task, 0), store.conversation({ ...scope, contextId: 'context' }, 10), store.orphans('', 10)]);
  await Promise.all([store.waitingSince('', 1, 10), store.list({ ...SCOPE, limit: 10, count: true })]);
  await store.commit([entered(task, 5, { epoch: 2, statusAt: -10 }), entered(other, 5, { statusAt: -10 })]);
  await store.endRequest(key, '{}');
  await store.beginRequest({ ...scope, key: 'key-7' }, 'hash', 'node-1');
  await store.dropRequest({ key, node: 'node-1' });
  await store.sweep({ agent: '', deleteFinalAfterMs: 1, replayMs: 1, batch: 2 }, -5);
}
