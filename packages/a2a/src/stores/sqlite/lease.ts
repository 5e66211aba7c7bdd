/**
 * A lease counts the incarnations of a node; tasks and requests hold the lease they were given, so a new incarnation does not inherit what
 * the old one left, even when the clock is set back. A node that never beat has lease 0.
 */
import type { Connection } from './connection.js';

/** The current lease of the node whose name is the next value. */
export const LEASE_OF = 'ifnull((SELECT lease FROM nodes WHERE id = ?), 0)';

/** Whoever had the file before us is gone: it belongs to one process. Names that nothing refers to are forgotten. */
export function endAllLeases(db: Connection): void {
  db.exec(`
    UPDATE nodes SET until = 0;
    DELETE FROM nodes WHERE id NOT IN (SELECT node FROM tasks WHERE node IS NOT NULL) AND id NOT IN (SELECT node FROM requests);`);
}
