// Reads the PostgreSQL plans of the statements that the store sends during a call.
import { postgres } from '@parley/a2a/postgres';
import pg from 'pg';

/** Includes the statements inside functions. */
const SETTINGS = [
  'session_preload_libraries=auto_explain',
  'auto_explain.log_min_duration=0',
  'auto_explain.log_analyze=on',
  'auto_explain.log_buffers=on',
  'auto_explain.log_nested_statements=on',
  'client_min_messages=log',
];

/**
 * @param {{ url: string, schema: string }} where
 * @param {(store: import('@parley/a2a/server').TaskStore) => Promise<unknown>} call
 * @returns {Promise<string[]>} a plan for each statement on tasks
 */
export async function explain({ url, schema }, call) {
  /** @type {string[]} */
  const plans = [];
  const pool = new pg.Pool({ connectionString: url, options: SETTINGS.map((setting) => `-c ${setting}`).join(' ') });
  pool.on('connect', (client) => void client.on('notice', ({ message = '' }) => void plans.push(message)));
  const store = postgres(pool, { schema });
  try {
    await call(store); // runs everything that happens once per connection or process
    plans.length = 0;
    await call(store);
  } finally {
    await store.close();
    await pool.end();
  }
  return plans.filter((plan) => plan.includes(schema)).map((plan) => tidy(plan, schema));
}

/**
 * Removes log times, the schema name and the long column list.
 * @param {string} plan
 * @param {string} schema
 */
function tidy(plan, schema) {
  return plan
    .replaceAll(`"${schema}".`, '')
    .replaceAll(`${schema}.`, '')
    .replace(/^duration: [\d.]+ ms {2}plan:\n/, '')
    .replace(/(Query Text: SELECT ).*?( FROM tasks AS t)/s, '$1…$2')
    .trimEnd();
}
