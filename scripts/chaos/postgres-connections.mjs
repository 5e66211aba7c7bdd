// Names the PostgreSQL connections of the nodes, so that a fault can find and terminate those of one node, or only its listener.
import { Client } from 'pg';

/** @param {string} node */
export function connectionNames(node) {
  return { store: `chaos-${node}`, listener: `chaos-${node}-listener` };
}

/** @param {string} url @param {string} name */
export function named(url, name) {
  const address = new URL(url);
  address.searchParams.set('application_name', name);
  return String(address);
}

/**
 * Terminates connections by name; returns their number.
 * @param {string} url
 * @param {readonly string[]} names
 * @returns {Promise<number>}
 */
export async function endConnections(url, names) {
  const client = new Client({ connectionString: url });
  client.on('error', () => {}); // the query also reports it
  await client.connect();
  try {
    const { rows } = await client.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = any($1)', [names]);
    return rows.length;
  } finally {
    await client.end();
  }
}
