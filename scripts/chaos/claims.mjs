// Records in the database which node claimed which task, and when. The ledgers do not show a claim whose node was lost before it started the
// run.
import { Client } from 'pg';

/** @typedef {{ taskId: string, node: string, at: number }} Claim `at` in milliseconds since the epoch */

/** @param {string} schema */
const tableOf = (schema) => `public.${schema}_claims`;

/**
 * Adds a trigger to the tables of the nodes, which must exist. It runs only for claims: no other statement sets the epoch of a task.
 * @param {string} url
 * @param {string} schema
 */
export async function recordClaims(url, schema) {
  const table = tableOf(schema);
  await ask(
    url,
    `CREATE TABLE ${table} (task text NOT NULL, node text NOT NULL, at timestamptz NOT NULL);
    CREATE FUNCTION ${table}_add() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO ${table} VALUES (NEW.id, NEW.node, clock_timestamp());
      RETURN NULL;
    END $$;
    CREATE TRIGGER claims AFTER UPDATE OF epoch ON ${schema}.tasks FOR EACH ROW EXECUTE FUNCTION ${table}_add();`,
  );
}

/**
 * All claims, oldest first.
 * @param {string} url
 * @param {string} schema
 * @returns {Promise<Claim[]>}
 */
export async function readClaims(url, schema) {
  const rows = await ask(url, `SELECT task, node, at FROM ${tableOf(schema)} ORDER BY at`);
  return rows.map(({ task, node, at }) => ({ taskId: task, node, at: at.getTime() }));
}

/**
 * @param {string} url
 * @param {string} sql
 * @returns {Promise<{ task: string, node: string, at: Date }[]>}
 */
async function ask(url, sql) {
  const client = new Client({ connectionString: url });
  client.on('error', () => {}); // the query also reports it
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
