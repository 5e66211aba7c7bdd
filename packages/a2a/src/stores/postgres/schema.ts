/** The schema as numbered migration steps. A released step is never changed; a later change is a new step. */
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
import { firstTables, secondTables, thirdTables } from './tables.js';

type Step = (schema: string) => string;

const MIGRATIONS: readonly Step[] = [firstTables, secondTables, thirdTables];

/** Each heartbeat of a node reports this version. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * The oldest version whose nodes may run beside this one. A step that older nodes cannot work with raises it; those nodes are then refused
 * with a reason. Version 3 adds messages and artifacts in rows, and version 2 would not read them.
 */
const SERVES = 3;

/**
 * The functions that this version calls. They are not steps: each version creates its own, and the functions of earlier versions are no
 * longer called. They are created only when the version rises, so a released version never changes its functions.
 */
const FUNCTIONS: readonly Step[] = [reads, commitWrites, claimTask, postMessage, beginRequest, sweepTasks];

/** The SQL of all steps and functions. A test compares it with the SQL that this version had before. */
export const schemaSql = (schema: string): string => [...MIGRATIONS, ...FUNCTIONS].map((create) => create(schema)).join('\n');

/** `object_not_in_prerequisite_state`: not retryable. */
const UPGRADED = '55000';

const upgraded = (name: string): string =>
  `A newer version of this library has upgraded the schema ${name}: stop this node, and start it with that version`;

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Distinguishes our schema from another program's schema that has a table of the same name. */
const MARK = 'Tasks of an A2A agent, kept by Parley';

/** PostgreSQL truncates longer names, so two of them could become equal. */
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

/** Nodes that migrate hold a lock, one transaction at a time. If a node stops halfway, another node continues from there. */
async function inTransaction<T>(ask: Ask, name: string, work: () => Promise<T>): Promise<T> {
  await ask('BEGIN');
  try {
    // The lock ends with the transaction, so it also works behind a pooler that lends connections per transaction.
    await ask("SELECT 1 FROM (SELECT pg_advisory_xact_lock(hashtextextended('parley schema ' || $1, 0))) AS locked", [name]);
    const result = await work();
    await ask('COMMIT');
    return result;
  } catch (error) {
    // The connection may be used again. If it is broken, its transaction has ended with it.
    await ask('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Performs the next migration step; returns true when nothing is left to do. */
async function migrateOn(ask: Ask, name: string): Promise<boolean> {
  const schema = quoteSchema(name);
  const { version, isNumbering } = await stateOf(ask, name);
  if (version < SCHEMA_VERSION) {
    await applySteps(ask, name, version);
    return false;
  }
  if (!isNumbering) return true;
  // Forces a plan for large tables, whatever statistics the planner has.
  await ask('SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL jit = off');
  const [numbered] = await ask<readonly [number]>(numberEvents(schema));
  if ((numbered?.[0] ?? 0) > 0) return false;
  await ask(`DROP TABLE ${schema}.numbering`);
  return true;
}

/**
 * How long an upgrade waits for a table lock. Every call to that table queues behind the upgrade, also while a dump or a long query holds
 * the table for hours. So the upgrade gives up (55P03), lets the calls through, and the store retries it. Less than `deadlock_timeout` (1
 * s), so that PostgreSQL does not abort the call of a node that waits for the upgrade.
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
    // The lock order of a commit. Other calls lock in other orders; if such a call and the upgrade deadlock, the timeout ends the upgrade.
    await ask(`SET LOCAL lock_timeout = '${LOCK_MS}ms'`);
    const tables = ['tasks', 'events', 'inbox', 'requests', 'nodes', 'totals', 'deltas'].map((table) => `${schema}.${table}`);
    await ask(`LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`);
    if (version < SERVES) await ask(refuseEarlierNodes(schema, name));
  }
  for (const step of [...MIGRATIONS.slice(version), ...FUNCTIONS]) await ask(step(schema));
  if (version === 0) await ask(`DROP TABLE ${schema}.numbering`); // a new schema has no rows to number
  await ask(`DELETE FROM ${schema}.schema_version`);
  await ask(`INSERT INTO ${schema}.schema_version (version, serves) VALUES ($1, $2)`, [SCHEMA_VERSION, SERVES]);
}

/** Functions that are created with the tables and are the same in every version. */
const LASTING = "('split', 'now_ms', 'sent', 'generation_after', 'check_node')";

/**
 * A node of an unsupported version may still run, because it does not check the version again. From now on its calls fail with a message
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
  /** 0 for an empty or missing schema. */
  readonly version: number;
  /** Some rows of an earlier version have no generation yet. */
  readonly isNumbering: boolean;
}

/** Throws before any change if the schema is not ours, or has a version that this one does not know. */
async function stateOf(ask: Ask, name: string): Promise<SchemaState> {
  const schema = quoteSchema(name);
  const [found] = await ask<readonly [number, string | null, string, boolean]>(
    `SELECT (SELECT count(*) FROM pg_class WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1)),
      obj_description(to_regclass($2), 'pg_class'), current_setting('server_encoding'), to_regclass($3) IS NOT NULL`,
    [name, `${schema}.schema_version`, `${schema}.numbering`],
  );
  const [relations, mark, encoding, isNumbering] = found ?? [0, null, '', false];
  if (encoding !== 'UTF8') throw refused(name, `its database has the encoding ${encoding}; UTF8 is required`);
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
    `it has version ${version} from a newer version of this library, and this one supports up to ${SCHEMA_VERSION}. Use the newer version of the library, or another schema`,
  );
}

function refused(name: string, why: string): A2AError {
  return new A2AError('INVALID_PARAMS', `The schema ${name} cannot hold the tasks: ${why}`);
}
