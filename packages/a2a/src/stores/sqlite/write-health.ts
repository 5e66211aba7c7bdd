/**
 * Whether the file can be written. A full disk often accepts small writes, such as heartbeats, and refuses larger ones. So after a failed
 * write, only a write of `PROBE_CHARS` shows that there is space again.
 */
import type { Connection } from './connection.js';

const PROBE_CHARS = 1024 * 1024;

/** No name is stored like this: names that begin with this character are encoded. */
const PROBE_AGENT = '\u0001probe';

export class WriteHealth {
  #canWrite = true;

  get canWrite(): boolean {
    return this.#canWrite;
  }

  failed(): void {
    this.#canWrite = false;
  }

  recovered(): void {
    this.#canWrite = true;
  }
}

/** Writes a large row and deletes it. If the process dies in between, the row expires like every request. */
export function prepareProbe(db: Connection): (now: number) => void {
  const insert = db.command(`
    INSERT OR REPLACE INTO requests (agent, tenant, owner, key, body_hash, at, attempt, node, lease, reply)
    VALUES ('${PROBE_AGENT}', '', '', '', '', ?, 1, '', 0, ?)`);
  const remove = db.command(`DELETE FROM requests WHERE agent = '${PROBE_AGENT}' AND tenant = '' AND owner = '' AND key = ''`);
  return (now) => {
    insert([Math.round(now), 'x'.repeat(PROBE_CHARS)]);
    remove([]);
  };
}
