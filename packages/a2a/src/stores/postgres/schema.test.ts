import pg from 'pg';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { newSchema } from '../../../test/databases/provided.js';
import { appended, commitAll, creation, ref } from '../../testing/store-contract/samples.js';
import { type PostgresStoreOptions, postgresStore } from './index.js';

const url = inject('postgresUrl');

describe('D12: the schema must be ours, and of a known version', () => {
  const pool = new pg.Pool({ connectionString: url, max: 3 });
  beforeAll(() => () => pool.end());

  /** The result or error of the first call. */
  async function refusal(schema: string): Promise<unknown> {
    const store = postgresStore(url, { schema });
    try {
      return await store.now();
    } catch (error) {
      return error;
    } finally {
      await store.close();
    }
  }

  test('D12: nodes that start at once create one schema', async () => {
    const schema = newSchema();
    const stores = Array.from({ length: 6 }, () => postgresStore(url, { schema, connections: 2 }));
    await Promise.all(stores.map((store, n) => commitAll(store, creation(ref(`task-${n}`)))));
    const { rows } = await pool.query(`SELECT version FROM ${schema}.schema_version`);
    expect(rows).toEqual([{ version: 3 }]);
    expect((await stores[0]?.list({ agent: '', tenant: 'tenant', owner: 'owner', limit: 9, count: true }))?.total).toBe(6);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('D12: a second start changes nothing, and needs no right to do so', async () => {
    const [schema, user] = [newSchema(), `user_${newSchema()}`];
    const first = postgresStore(url, { schema });
    await commitAll(first, creation(ref('a')));
    await first.close();
    await pool.query(`CREATE ROLE ${user} LOGIN; GRANT USAGE ON SCHEMA ${schema} TO ${user};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${user}`);
    const second = postgresStore(Object.assign(new URL(url), { username: user }).href, { schema });
    await commitAll(second, appended(ref('a'), 3));
    await second.close();
    await pool.query(`DROP OWNED BY ${user}; DROP ROLE ${user}`);
  });

  test('D12: a schema of a newer version is refused and left unchanged', async () => {
    const schema = newSchema();
    await refusal(schema);
    await pool.query(`UPDATE ${schema}.schema_version SET version = 99`);
    const error = await refusal(schema);
    expect(error).toMatchObject({ reason: 'INVALID_PARAMS' });
    expect(String(error)).toMatch(new RegExp(`${schema}.*version 99.*newer.*up to 3`));
    expect((await pool.query(`SELECT version FROM ${schema}.schema_version`)).rows).toEqual([{ version: 99 }]);
    await pool.query(`UPDATE ${schema}.schema_version SET version = 3`);
    expect(await refusal(schema)).toBeGreaterThan(0);
  });

  test('D12: tables of another program are refused, also when it has a table of the same name', async () => {
    const [plain, alike] = [newSchema(), newSchema()];
    await pool.query(`CREATE SCHEMA ${plain}; CREATE TABLE ${plain}.invoices (n integer);
      CREATE SCHEMA ${alike}; CREATE TABLE ${alike}.schema_version (id text)`);
    for (const schema of [plain, alike]) {
      const error = await refusal(schema);
      expect(error).toMatchObject({ reason: 'INVALID_PARAMS' });
      expect(String(error)).toMatch(/another program/);
      expect((await pool.query('SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = $1', [schema])).rows).toEqual([{ n: 1 }]);
    }
  });

  test('D12: a failed migration leaves nothing behind', async () => {
    const [schema, user] = [newSchema(), `user_${newSchema()}`];
    // The user may create tables but not functions, which come later.
    await pool.query(`CREATE ROLE ${user} LOGIN; CREATE SCHEMA ${schema}; GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${user};
      REVOKE USAGE ON LANGUAGE plpgsql FROM PUBLIC`);
    const store = postgresStore(Object.assign(new URL(url), { username: user }).href, { schema, patienceMs: 100 });
    await expect(store.now()).rejects.toMatchObject({ code: '42501' });
    expect((await pool.query('SELECT 1 FROM pg_tables WHERE schemaname = $1', [schema])).rows).toEqual([]);
    await pool.query('GRANT USAGE ON LANGUAGE plpgsql TO PUBLIC');
    expect(await store.now()).toBeGreaterThan(0); // the same store, once the user has the right
    await store.close();
    await pool.query(`DROP OWNED BY ${user}; DROP ROLE ${user}`);
  });

  test('P47: a schema may have any name that PostgreSQL accepts', async () => {
    for (const schema of ['Some "quoted" name; --', 'ä'.repeat(31), 'select']) {
      const store = postgresStore(url, { schema });
      await commitAll(store, creation(ref('a')));
      expect(await store.sweep({ agent: '', replayMs: 0, batch: 1 }, 0)).toBe(0);
      await store.close();
      await pool.query(`DROP SCHEMA ${pg.escapeIdentifier(schema)} CASCADE`);
    }
  });

  test('a database without UTF-8 is refused', async () => {
    const name = newSchema();
    await pool.query(`CREATE DATABASE ${name} ENCODING LATIN1 LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`);
    const store = postgresStore(Object.assign(new URL(url), { pathname: `/${name}` }).href);
    await expect(store.now()).rejects.toThrow(/encoding LATIN1/);
    await store.close();
    await pool.query(`DROP DATABASE ${name}`);
  });
});

describe('invalid options are refused at once', () => {
  test('refuses an invalid URL, and a value that is not a Pool', () => {
    for (const database of ['', 'parley', 'mysql://x/y', 'postgres://[', {}, undefined, null] as never[]) {
      expect(() => postgresStore(database)).toThrow(/postgresql:\/\/user@host/);
    }
    expect(() => postgresStore('postgresql://user:secret@host:port:1/x')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    );
  });

  test('refuses invalid values, and names the option', () => {
    const wrong: readonly (readonly [PostgresStoreOptions, RegExp])[] = [
      [{ schema: '' }, /schema/],
      [{ schema: 'x'.repeat(64) }, /schema/],
      [{ schema: 'pg_x' }, /schema/],
      [{ lingerMs: -1 }, /lingerMs.*-1/],
      [{ replayHours: 0 }, /replayHours.*0/],
      [{ connections: 0 }, /connections.*0/],
      [{ connections: 1.5 }, /connections.*1.5/],
      [{ patienceMs: Number.NaN }, /patienceMs.*NaN/],
      [{ queryTimeoutMs: 0 }, /queryTimeoutMs.*0/],
    ];
    for (const [options, words] of wrong) expect(() => postgresStore(url, options)).toThrow(words);
  });
});
