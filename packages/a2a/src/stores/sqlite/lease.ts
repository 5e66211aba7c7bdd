/**
 * A lease counts the incarnations of a node. Tasks and requests store the lease under which they were given, so a new incarnation does not
 * inherit them, even if the clock is set back. A node without a heartbeat has lease 0.
 */
import type { Connection } from './connection.js';

/** The current lease of the node whose name is the next parameter. */
export const LEASE_OF = 'ifnull((SELECT lease FROM nodes WHERE id = ?), 0)';

/** The file belongs to one process, so all previous holders are dead. Node names without references are deleted. */
export function endAllLeases(db: Connection): void {
  db.exec(`
    UPDATE nodes SET until = 0;
    DELETE FROM nodes WHERE id NOT IN (SELECT node FROM tasks WHERE node IS NOT NULL) AND id NOT IN (SELECT node FROM requests);`);
}
