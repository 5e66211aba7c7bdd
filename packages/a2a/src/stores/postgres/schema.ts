/** What is in the schema, as numbered steps. A step that was released is never changed: the next change is the next step. */
import { A2AError } from '../../protocol/errors.js';
import type { Ask } from './connections.js';
import type { Schema } from './database.js';
import { beginRequest } from './functions/begin-request.js';
import { claimTask } from './functions/claim-task.js';
import { commitWrites } from './functions/commit-writes.js';
import { postMessage } from './functions/post-message.js';
import { reads } from './functions/reads.js';
import { sweepTasks } from './functions/sweep-tasks.js';
import { numberEvents } from './number-events.js';
import { firstTables, secondTables } from './tables.js';

type Step = (schema: string) => string;

const MIGRATIONS: readonly Step[] = [firstTables, secondTables];

/** Said by a node with each beat. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * The oldest version whose nodes may go on while this one runs beside them. A step that they cannot work with raises it: then they are
 * refused, and told why. Version 2 numbers what it commits, and version 1 does not.
 */
const SERVES = 2;

/** As this version calls them. They are no steps: each version makes its own, and those of an earlier one are not called any more. */
const FUNCTIONS: readonly Step[] = [reads, commitWrites, claimTask, postMessage, beginRequest, sweepTasks];

/** `object_not_in_prerequisite_state`: not worth another try. */
const UPGRADED = '55000';

const upgraded = (name: string): string =>
  `A newer version of this library has upgraded the schema ${name}: stop this node, and start it with that version`;

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Tells our schema from that of another program that has a table of the same name. */
const MARK = 'Tasks of an A2A agent, kept by Parley';

/** PostgreSQL cuts longer names short, and two of them could become one. */
const MAX_NAME_BYTES = 63;

export function quoteSchema(name: string): string {
  const isName = typeof name === 'string' && name !== '' && !name.includes('\0') && new TextEncoder().encode(name).length <= MAX_NAME_BYTES;
  if (!isName || name.startsWith('pg_')) {
    throw new A2AError('INVALID_PARAMS', `schema must be a name of up to ${MAX_NAME_BYTES} bytes, got ${JSON.stringify(name)}`);
  }
  return `"${name.replaceAll('"', '""')}"`;
}

export function prepareSchema(name: string): Schema {
  return {
    async isCurrent(ask) {
      const { version, isNumbering } = await stateOf(ask, name);
      return version === SCHEMA_VERSION && !isNumbering;
    },
    async migrate(ask) {
      while (!(await inTransaction(ask, name, () => migrateOn(ask, name))));
    },
  };
}

/** Nodes that want to migrate take turns, a transaction each. What one has not finished when it ends, another goes on with. */
async function inTransaction<T>(ask: Ask, name: string, work: () => Promise<T>): Promise<T> {
  await ask('BEGIN');
  try {
    // The lock ends with the transaction: it also works where connections are lent for one only.
    await ask("SELECT 1 FROM (SELECT pg_advisory_xact_lock(hashtextextended('parley schema ' || $1, 0))) AS locked", [name]);
    const result = await work();
    await ask('COMMIT');
    return result;
  } catch (error) {
    // The connection may be used again; one that is broken has taken its transaction with it.
    await ask('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** The next thing to do; true when there is nothing left. */
async function migrateOn(ask: Ask, name: string): Promise<boolean> {
  const schema = quoteSchema(name);
  const { version, isNumbering } = await stateOf(ask, name);
  if (version < SCHEMA_VERSION) {
    await applySteps(ask, name, version);
    return false;
  }
  if (!isNumbering) return true;
  // A plan for large tables, whatever the planner knows of them.
  await ask('SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL jit = off');
  const [numbered] = await ask<readonly [number]>(numberEvents(schema));
  if ((numbered?.[0] ?? 0) > 0) return false;
  await ask(`DROP TABLE ${schema}.numbering`);
  return true;
}

/**
 * How long an upgrade waits for a table. Every call to that table waits behind it, also while a dump or a long query holds the table for
 * hours: so it gives up (55P03), lets the calls through, and the store tries again. Less than `deadlock_timeout` (1 s), so that PostgreSQL
 * does not end the call of a node that waits for the upgrade.
 */
const LOCK_MS = 500;

async function applySteps(ask: Ask, name: string, version: number): Promise<void> {
  const schema = quoteSchema(name);
  if (version === 0) {
    const [found] = await ask('SELECT 1 FROM pg_namespace WHERE nspname = $1', [name]);
    if (found === undefined) await ask(`CREATE SCHEMA ${schema}`);
    await ask(`CREATE TABLE ${schema}.schema_version (version integer NOT NULL)`);
    await ask(`COMMENT ON TABLE ${schema}.schema_version IS '${MARK}'`);
  } else {
    // In the order of a commit. Other calls take them in other orders: where such a call and this one wait for each other, this one ends it.
    await ask(`SET LOCAL lock_timeout = '${LOCK_MS}ms'`);
    const tables = ['tasks', 'events', 'inbox', 'requests', 'nodes', 'totals', 'deltas'].map((table) => `${schema}.${table}`);
    await ask(`LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`);
    if (version < SERVES) await ask(refuseEarlierNodes(schema, name));
  }
  for (const step of [...MIGRATIONS.slice(version), ...FUNCTIONS]) await ask(step(schema));
  if (version === 0) await ask(`DROP TABLE ${schema}.numbering`); // there is nothing to number
  await ask(`DELETE FROM ${schema}.schema_version`);
  await ask(`INSERT INTO ${schema}.schema_version (version, serves) VALUES ($1, $2)`, [SCHEMA_VERSION, SERVES]);
}

/** Made with the tables, and the same in every version. */
const LASTING = "('split', 'now_ms', 'sent', 'generation_after', 'check_node')";

/**
 * A node of a version that is not served may still run: it does not look at the version again. From now on its calls are refused, with words
 * that its operator finds in the log. The functions of this version take other parameters.
 */
const refuseEarlierNodes = (s: string, name: string): string => `
DO $do$
DECLARE
  f record;
BEGIN
  FOR f IN SELECT p.proname, pg_get_function_identity_arguments(p.oid) AS args, pg_get_function_result(p.oid) AS result
    FROM pg_proc AS p WHERE p.pronamespace = to_regnamespace(${literal(s)}) AND p.proname NOT IN ${LASTING}
  LOOP
    EXECUTE format('CREATE OR REPLACE FUNCTION %s.%I(%s) RETURNS %s LANGUAGE plpgsql AS %L', ${literal(s)}, f.proname, f.args, f.result,
      ${literal(`BEGIN RAISE EXCEPTION USING ERRCODE = '${UPGRADED}', MESSAGE = ${literal(upgraded(name))}; END`)});
  END LOOP;
END $do$`;

interface SchemaState {
  /** 0 for an empty schema, or none. */
  readonly version: number;
  /** The rows of an earlier version do not have all of their numbers yet. */
  readonly isNumbering: boolean;
}

/** Throws, without having changed anything, when it is not one of ours that this version knows. */
async function stateOf(ask: Ask, name: string): Promise<SchemaState> {
  const schema = quoteSchema(name);
  const [found] = await ask<readonly [number, string | null, string, boolean]>(
    `SELECT (SELECT count(*) FROM pg_class WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1)),
      obj_description(to_regclass($2), 'pg_class'), current_setting('server_encoding'), to_regclass($3) IS NOT NULL`,
    [name, `${schema}.schema_version`, `${schema}.numbering`],
  );
  const [relations, mark, encoding, isNumbering] = found ?? [0, null, '', false];
  if (encoding !== 'UTF8') throw refused(name, `its database has the encoding ${encoding}, and texts need UTF8`);
  if (mark === MARK)
    return { version: checkVersion(name, await ask<readonly [number]>(`SELECT version FROM ${schema}.schema_version`)), isNumbering };
  if (relations > 0) throw refused(name, 'it holds the tables of another program');
  return { version: 0, isNumbering: false };
}

function checkVersion(name: string, [row]: readonly (readonly [number])[]): number {
  const version = row?.[0] ?? 0;
  if (version <= SCHEMA_VERSION) return version;
  throw refused(
    name,
    `it has version ${version} of a newer version of this library, and this one knows up to ${SCHEMA_VERSION}: use that version, or another schema`,
  );
}

function refused(name: string, why: string): A2AError {
  return new A2AError('INVALID_PARAMS', `The schema ${name} can not hold the tasks: ${why}`);
}
