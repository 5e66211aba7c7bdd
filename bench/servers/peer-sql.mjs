// The official SDK with its own store for SQL databases, on an SQLite file. Kysely uses libsql in place of better-sqlite3, which has the
// same interface: both measured SQL stores run on the same engine, and nothing has to be compiled.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DatabaseTaskStore } from '@a2a-js/sdk/server/database';
import { Kysely, SqliteDialect } from 'kysely';
import Database from 'libsql';
import { serve as servePeer } from './peer.mjs';

/** The same settings as in Parley for the cost of commits and reads; the defaults wait for the disk at every commit. */
const PRAGMAS = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384;';

/**
 * @param {string} folder
 * @returns {Promise<import('./script.mjs').Served>}
 */
export async function serve(folder) {
  const database = new Database(join(folder, 'tasks.db'));
  database.exec(PRAGMAS);
  database.exec(await schema());
  const served = await servePeer(
    new DatabaseTaskStore(new Kysely({ dialect: new SqliteDialect({ database: keepingStatements(database) }) })),
  );
  return {
    ...served,
    // In one commit: separate commits would take longer than the measurement.
    seed: async (count, order) => {
      database.exec('BEGIN');
      await served.seed(count, order);
      database.exec('COMMIT');
    },
  };
}

/**
 * Kysely prepares a statement again for each run. This costs libsql up to a third of a request, and better-sqlite3 perhaps less. Cached
 * statements, which users of Kysely do not have, ensure that the peer does not pay for our choice of driver.
 * @param {Database.Database} database
 * @returns {import('kysely').SqliteDatabase}
 */
function keepingStatements(database) {
  /** @type {Map<string, import('kysely').SqliteStatement>} */
  const kept = new Map();
  return {
    close: () => database.close(),
    prepare: (sql) => {
      const statement = kept.get(sql) ?? database.prepare(sql);
      kept.set(sql, statement);
      return statement;
    },
  };
}

/** The tables and indexes of the SDK, as its command prints them for databases that it cannot reach itself. */
async function schema() {
  const command = fileURLToPath(new URL('./cli/a2a_db.js', import.meta.resolve('@a2a-js/sdk')));
  const { stdout } = await promisify(execFile)(process.execPath, [command, 'upgrade', '--sql', '--dialect', 'sqlite']);
  return stdout;
}
