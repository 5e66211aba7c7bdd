import Database from 'libsql';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { tempFiles } from '../../../test/temp-folder.js';
import type { TaskState } from '../../protocol/types.js';
import type { ListQuery, TaskStore, TaskWrite } from '../store.js';
import { Connection } from './connection.js';
import { sqlite } from './index.js';
import { countSql, pageSql, sizesSql } from './list.js';

const newFile = tempFiles();
const STATES = ['TASK_STATE_COMPLETED', 'TASK_STATE_FAILED', 'TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_WORKING'] as const;
const SCOPE = { agent: '', tenant: 'tenant', owner: 'owner' } as const;

function task(n: number): TaskWrite {
  const state: TaskState = STATES[n % 50 === 0 ? 1 + ((n / 50) % 3) : 0] ?? 'TASK_STATE_COMPLETED';
  return {
    ref: { ...SCOPE, id: `task-${(n * 7_919) % 50_000}` },
    epoch: 1,
    firstSeq: 1,
    entries: [{ seq: 1, kind: 'task', at: n, json: '{}', generation: 1 }],
    create: { node: 'node' },
    head: { contextId: `context-${n % 100}`, state, statusAt: n, statusSeq: 1 },
    snapshot: { head: '{}', history: '', messagesBefore: 0, messages: 0, historyBytes: 0, artifacts: [] },
  };
}

async function fill(store: TaskStore, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += 1_000) {
    await store.commit(Array.from({ length: Math.min(1_000, to - start) }, (_, index) => task(start + index)));
  }
}

const filters = [
  { context: false, state: false },
  { context: false, state: true },
  { context: true, state: false },
  { context: true, state: true },
];

/** The query plan of SQLite. */
function planOf(db: Connection, sql: string, values: readonly (string | number)[]): string {
  return db
    .query<readonly [number, number, number, string]>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(values)
    .map(([, , , step]) => step)
    .join('\n');
}

describe('P47, D29: the cost of lists does not grow with the number of tasks', () => {
  const file = newFile();
  let store: TaskStore;

  beforeAll(async () => {
    store = sqlite(file);
    await fill(store, 0, 1_000);
    return () => store.close();
  });

  const plans = (): readonly string[] => {
    const db = new Connection(file);
    const found = filters.flatMap((filter) => {
      const values = ['tenant', 'owner', ...(filter.context ? ['context-1'] : []), ...(filter.state ? [3] : []), 0];
      const page = [...values, 1e15, 'z', 50];
      const pages = [pageSql(filter, true), pageSql(filter, false), sizesSql(filter, true), sizesSql(filter, false)];
      return [...pages.map((sql) => planOf(db, sql, page)), planOf(db, countSql(filter), values)];
    });
    db.close();
    return found;
  };

  test('P47: every page and every count walks one index from the keyset, without sorting', () => {
    for (const plan of plans()) {
      expect(plan).toMatch(
        /^SEARCH t USING (COVERING )?INDEX tasks_by_(status|state|context) \(agent=\? AND tenant=\? AND owner=\?.* AND status_at>/,
      );
      // Subqueries read the rows of one task.
      expect(plan.replaceAll(/^(CORRELATED SCALAR|CO-ROUTINE|SCAN \(sub).*\n?/gm, '').trim()).not.toMatch(/SCAN|TEMP B-TREE/);
      expect(plan.match(/ tasks_by_/g)).toHaveLength(1);
    }
  });

  test('P47: no statement of the store reads a whole table, or every task of an agent', async () => {
    const prepare = vi.spyOn(Database.prototype, 'prepare');
    await sqlite(newFile()).close();
    const statements = prepare.mock.calls.map(([sql]) => sql).filter((sql) => /^\s*(SELECT|INSERT|UPDATE|DELETE)\b.*\bFROM\b/s.test(sql));
    prepare.mockRestore();
    expect(statements.length).toBeGreaterThan(30);
    const db = new Connection(file);
    const own = statements.filter((sql) => !/sqlite_schema|schema_version|pragma_|holder/.test(sql));
    const scans = own.filter((sql) => /^SCAN (?!\d|CONSTANT|\(subquery)(?!.* USING)/m.test(planOf(db, sql, [])));
    const ofAgent = own.filter((sql) => /USING (COVERING )?INDEX \S+ \(agent=\?\)/.test(planOf(db, sql, [])));
    db.close();
    expect(scans).toEqual([]);
    expect(ofAgent).toEqual([]);
  });

  test('P47, D29: with 50,000 tasks the plans equal those with 1,000, pages take no longer, and totals are exact', {
    timeout: 60_000,
  }, async () => {
    const before = plans();
    const few = await costs(store);
    await fill(store, 1_000, 50_000);
    expect(plans()).toEqual(before);
    const many = await costs(store);
    for (const [index, cost] of many.entries()) expect(cost).toBeLessThan(5 * (few[index] ?? 0) + 1);
    const everything = { ...SCOPE, limit: 1, count: true };
    expect((await store.list(everything)).total).toBe(50_000);
    expect((await store.list({ ...everything, state: 'TASK_STATE_COMPLETED' })).total).toBe(49_000);
    expect((await store.list({ ...everything, contextId: 'context-7' })).total).toBe(500);
    expect((await store.list({ ...everything, statusAtOrAfter: 49_990 })).total).toBe(10);
  });
});

/** The best of several runs, in milliseconds, for each kind of page. */
async function costs(store: TaskStore): Promise<readonly number[]> {
  const queries: readonly ListQuery[] = [
    { ...SCOPE, limit: 50, count: true },
    { ...SCOPE, limit: 50, count: false, after: { statusAt: 500, id: 'z' } },
    { ...SCOPE, limit: 50, count: true, state: 'TASK_STATE_COMPLETED' },
    { ...SCOPE, limit: 5, count: false, contextId: 'context-7' },
  ];
  const found: number[] = [];
  for (const query of queries) {
    let best = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 20; tries += 1) {
      const start = performance.now();
      await store.list(query);
      best = Math.min(best, performance.now() - start);
    }
    found.push(best);
  }
  return found;
}
