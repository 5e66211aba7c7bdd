import { toColumn } from '../sql/name.js';
import { answerOf, REQUEST_LIFETIME_MS, type RequestColumns } from '../sql/request-row.js';
import type { BegunRequest, RequestKey, RequestState } from '../store.js';
import type { Connection, Row } from './connection.js';
import { LEASE_OF } from './lease.js';

/** How many expired requests a call deletes: more than it adds, but few enough not to block the event loop. */
const FORGET_AT_ONCE = 100;

const BY_KEY = 'agent = ? AND tenant = ? AND owner = ? AND key = ?';
const IS_OPEN = 'task_id IS NULL AND reply IS NULL';

export interface Requests {
  begin(key: RequestKey, bodyHash: string, node: string, now: number): RequestState;
  /** False when the request was answered, or given to another node, after this node began it. */
  isOpenFor(key: RequestKey, node: string): boolean;
  link(key: RequestKey, taskId: string, row?: number): void;
  end(key: RequestKey, replyJson: string): void;
  drop(request: BegunRequest): void;
  forgetExpired(now: number): void;
}

export function prepareRequests(db: Connection): Requests {
  const find = db.query<RequestColumns>(`
    SELECT body_hash, at, attempt, task_id, reply, inbox_row,
      (SELECT ended FROM tasks AS t WHERE t.agent = r.agent AND t.tenant = r.tenant AND t.owner = r.owner AND t.id = r.task_id),
      (SELECT until FROM nodes AS n WHERE n.id = r.node AND n.id <> ? AND n.lease = r.lease)
    FROM requests AS r WHERE ${BY_KEY}`);
  const put = db.command(`
    INSERT OR REPLACE INTO requests (agent, tenant, owner, key, body_hash, at, attempt, node, lease) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ${LEASE_OF})`);
  const closedTo = db.query<readonly [number]>(
    `SELECT 1 FROM requests WHERE ${BY_KEY} AND NOT (${IS_OPEN} AND node = ? AND lease = ${LEASE_OF})`,
  );
  const link = db.command(`UPDATE requests SET task_id = ?, inbox_row = ? WHERE ${BY_KEY}`);
  const end = db.command(`UPDATE requests SET reply = ? WHERE ${BY_KEY} AND ${IS_OPEN}`);
  const drop = db.command(`DELETE FROM requests WHERE ${BY_KEY} AND ${IS_OPEN} AND node = ? AND lease = ${LEASE_OF}`);
  const forget = db.command(
    `DELETE FROM requests WHERE rowid IN (SELECT rowid FROM requests WHERE at <= ? ORDER BY at LIMIT ${FORGET_AT_ONCE})`,
  );

  const forgetExpired = (now: number): void => {
    forget([now - REQUEST_LIFETIME_MS]);
  };

  return {
    forgetExpired,
    begin(key, bodyHash, node, now) {
      forgetExpired(now);
      const values = keyValues(key);
      const name = toColumn(node);
      const row = find.one([name, ...values]);
      const known = row !== undefined && now - row[1] < REQUEST_LIFETIME_MS ? row : undefined;
      const answer = known && answerOf(known, bodyHash, now);
      if (answer !== undefined) return answer;
      const attempt = (known?.[2] ?? 0) + 1;
      put([...values, bodyHash, Math.round(now), attempt, name, name]);
      return { kind: 'new', attempt };
    },
    isOpenFor(key, node) {
      const name = toColumn(node);
      return closedTo.one([...keyValues(key), name, name]) === undefined;
    },
    link(key, taskId, row) {
      link([toColumn(taskId), row ?? null, ...keyValues(key)]);
    },
    end(key, replyJson) {
      end([replyJson, ...keyValues(key)]);
    },
    drop({ key, node }) {
      const name = toColumn(node);
      drop([...keyValues(key), name, name]);
    },
  };
}

function keyValues({ agent, tenant, owner, key }: RequestKey): Row {
  return [toColumn(agent), toColumn(tenant), toColumn(owner), toColumn(key)];
}
