/** Deletion when nodes share a PostgreSQL: nothing is left in any table, and the owner stops. */
import pg from 'pg';
import { afterAll, afterEach, describe, expect, inject, test } from 'vitest';
import { postgres } from '../../src/postgres.js';
import type { AgentOptions } from '../../src/server/index.js';
import { postgresStore } from '../../src/stores/postgres/index.js';
import { type ScriptStep, scriptedExecutor } from '../../src/testing/index.js';
import { appended, commitAll, commitOne, creation, message, ref } from '../../src/testing/store-contract/samples.js';
import { until } from '../looking.js';
import { cluster } from '../nodes.js';
import { newSchema } from './provided.js';

const url = inject('postgresUrl');
const pool = new pg.Pool({ connectionString: url, max: 2 });
afterAll(() => pool.end());

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The number of rows that belong to tasks. */
async function rowsIn(schema: string): Promise<unknown> {
  const count = (table: string): string => `(SELECT count(*)::int FROM ${schema}.${table}) AS ${table}`;
  return (await pool.query(`SELECT ${['tasks', 'events', 'inbox'].map(count).join(', ')}`)).rows[0];
}

describe('D60: deletion in PostgreSQL', () => {
  for (const isolation of ['read committed', 'repeatable read']) {
    test(`D60: commits and posts of another node leave no rows beside an erasure (${isolation})`, async () => {
      const schema = newSchema();
      const options = encodeURIComponent(`-c default_transaction_isolation=${isolation.replace(' ', '\\ ')}`);
      const [here, there] = [`${url}?options=${options}`, url].map((address) => postgresStore(address, { schema }));
      if (here === undefined || there === undefined) throw new Error('two stores');
      closing.push(
        () => here.close(),
        () => there.close(),
      );
      for (let n = 0; n < 10; n += 1) {
        const task = ref(`task-${n}`);
        await commitAll(there, creation(task));
        const writing = (async () => {
          for (let seq = 3; (await commitOne(there, appended(task, seq))).kind === 'ok'; ) seq += 1;
        })();
        const posting = (async () => {
          while (typeof (await there.post(task, 'message', message('m'))) === 'number');
        })();
        await there.entryAt(task, 3);
        const erased = n % 2 === 0 ? await here.erase(task) : (await here.eraseContext({ ...task, contextId: 'context' }, 5)).length === 1;
        expect(erased).toBe(true);
        await Promise.all([writing, posting]);
      }
      expect(await rowsIn(schema)).toEqual({ tasks: 0, events: 0, inbox: 0 });
      expect((await here.list({ agent: '', tenant: 'tenant', owner: 'owner', limit: 1, count: true })).total).toBe(0);
    });
  }

  test('D60: of two concurrent deletions of a context, none ends before all tasks are gone', async () => {
    const schema = newSchema();
    const stores = [postgresStore(url, { schema }), postgresStore(url, { schema })];
    closing.push(...stores.map((store) => () => store.close()));
    const ids = Array.from({ length: 30 }, (_, n) => `task-${n}`);
    for (const store of stores.slice(0, 1)) await commitAll(store, ...ids.map((id) => creation(ref(id))));
    const erased: string[] = [];
    await Promise.all(
      stores.map(async (store) => {
        for (;;) {
          const refs = await store.eraseContext({ agent: '', tenant: 'tenant', owner: 'owner', contextId: 'context' }, 5);
          if (refs.length === 0) break;
          erased.push(...refs.map(({ id }) => id));
        }
        expect(await rowsIn(schema)).toEqual({ tasks: 0, events: 0, inbox: 0 });
      }),
    );
    expect(erased.sort()).toEqual(ids.sort());
  });

  test('D60: a task that runs on one node is deleted on another: its run stops, and readers on both get TASK_NOT_FOUND', async () => {
    const schema = newSchema();
    const truth = postgres(url, { schema });
    closing.push(() => truth.close());
    const { start } = cluster(truth);
    const WORK: readonly ScriptStep[] = [{ do: 'append', artifactId: 'a', text: 'x' }, { do: 'flush' }, { do: 'gate', name: 'never' }];
    const node = (more: Partial<AgentOptions> = {}) => {
      const executor = scriptedExecutor(WORK);
      const store = postgres(url, { schema });
      const started = start({ executor, store, bus: store.bus, rereadMs: 1_000, ...more });
      closing.push(async () => {
        await started.agent.close({ drainMs: 0 });
        await store.bus.close();
        await store.close();
      });
      return { ...started, executor };
    };
    const [a, b] = [node(), node()];
    await until(() => [a, b].every(({ agent }) => agent.readiness === 'ready'));
    const { id } = await a.caller.task('go', { returnImmediately: true });
    const readers = await Promise.all([a.caller.subscribe(id), b.caller.subscribe(id)]);
    for (const reader of readers) await reader.until(1);
    expect(await b.agent.tasks.delete({ taskId: id, owner: '' })).toBe(true);
    for (const reader of readers) expect(await reader.ended).toMatchObject({ kind: 'error', error: { reason: 'TASK_NOT_FOUND' } });
    await until(() => a.executor.runs[0]?.signal.aborted === true && a.agent.tasks.running.length === 0);
    expect([await rowsIn(schema), a.errors, b.errors]).toEqual([{ tasks: 0, events: 0, inbox: 0 }, [], []]);
  });
});
