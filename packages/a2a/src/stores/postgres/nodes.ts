/** Heartbeats, claims, and tasks without a live owner. */
import { randomUUID } from 'node:crypto';
import { type InboxColumns, PENDING, toInboxRow } from '../sql/inbox-row.js';
import { toColumn } from '../sql/name.js';
import { type RefColumns, refValues, toRef, WAITING } from '../sql/tasks.js';
import type { TaskStore } from '../store.js';
import type { Database } from './database.js';
import { lives, lockLimit } from './functions/fragments.js';
import type { Leases } from './leases.js';
import { type LoadedColumns, toTask } from './read.js';
import { SCHEMA_VERSION } from './schema.js';

/** The time to compare with; null: the database uses its own clock. */
export type Now = () => number | null;

/**
 * The first incarnation of a name has lease 0, and each later one a higher lease. A renewal does not shorten the lease, because the
 * heartbeat thread may have extended it after this `until` was computed; an `until` that is not in the future ends it.
 */
export function prepareBeat(db: Database, s: string, leases: Leases, now: Now): TaskStore['beat'] {
  const sql = `
    INSERT INTO ${s}.nodes AS n (id, incarnation, lease, until, version) SELECT $1, $2, 0, $3, ${SCHEMA_VERSION} FROM ${lockLimit('$5')}
    ON CONFLICT (id) DO UPDATE SET incarnation = excluded.incarnation, version = excluded.version,
      until = CASE WHEN n.incarnation = excluded.incarnation AND excluded.until > coalesce($4, ${s}.now_ms())
        THEN greatest(n.until, excluded.until) ELSE excluded.until END,
      lease = n.lease + CASE WHEN n.incarnation = excluded.incarnation THEN 0 ELSE 1 END
    WHERE n.incarnation = excluded.incarnation OR n.until <= coalesce($4, ${s}.now_ms())
    RETURNING n.lease`;
  return async (node, incarnation, until) => {
    const values = [toColumn(node), toColumn(incarnation), Math.round(until), now()];
    const row = await db.one<readonly [number]>(sql, ({ lockMs }) => [...values, lockMs]);
    if (row === undefined) return 'taken';
    leases.learn(node, row[0]);
    return 'ok';
  };
}

type ClaimColumns = readonly [answer: 'ok' | 'owned' | 'final' | 'missing', ...LoadedColumns, inbox: string | null];

export function prepareClaim(db: Database, s: string, leases: Leases, now: Now): TaskStore['claim'] {
  const sql = `SELECT * FROM ${s}.claim_task($1, $2, $3, $4, $5, $6, $7, $8, $9, 0)`;
  return async (ref, node) => {
    const values = [...refValues(ref), ...leases.of(node), randomUUID(), now()];
    const row = await db.one<ClaimColumns>(sql, ({ lockMs }) => [lockMs, ...values]);
    if (row === undefined) return 'missing';
    const [answer, ...rest] = row;
    if (answer !== 'ok') return answer;
    const mail = rest.pop();
    // The rest of the tuple, without its first and last member.
    const task = toTask(rest as unknown as LoadedColumns, ref, { historyLength: 0 });
    const rows: readonly InboxColumns[] = typeof mail === 'string' ? JSON.parse(mail) : [];
    return { ...task, inbox: rows.map(toInboxRow) };
  };
}

/** First finds the distinct owners by index skips, then the tasks of dead owners. Tasks of live nodes are never read. */
export function prepareOrphans(db: Database, s: string, now: Now): TaskStore['orphans'] {
  const sql = `
    WITH RECURSIVE owners AS (
      (SELECT node, lease FROM ${s}.tasks WHERE agent = $3 AND node IS NOT NULL ORDER BY node, lease LIMIT 1)
      UNION ALL
      SELECT following.node, following.lease FROM owners AS o, LATERAL (
        SELECT node, lease FROM ${s}.tasks WHERE agent = $3 AND node IS NOT NULL AND (node, lease) > (o.node, o.lease)
        ORDER BY node, lease LIMIT 1
      ) AS following
    ), lost AS (
      SELECT t.agent, t.tenant, t.owner, t.id FROM owners AS o, LATERAL (
        SELECT agent, tenant, owner, id FROM ${s}.tasks WHERE agent = $3 AND node = o.node AND lease = o.lease LIMIT $1
      ) AS t WHERE NOT ${lives(s, 'o', `coalesce($2, ${s}.now_ms())`)} LIMIT $1
    ), parked AS (
      SELECT t.agent, t.tenant, t.owner, t.id FROM (SELECT DISTINCT task FROM ${s}.inbox WHERE state = ${PENDING}) AS b
      JOIN ${s}.tasks AS t ON t.pk = b.task WHERE t.node IS NULL AND t.agent = $3 LIMIT $1
    )
    SELECT * FROM lost UNION ALL SELECT * FROM parked LIMIT $1`;
  return async (agent, limit) => (await db.rows<RefColumns>(sql, [limit, now(), toColumn(agent)])).map(toRef);
}

export function prepareWaitingSince(db: Database, s: string): TaskStore['waitingSince'] {
  const sql = `
    SELECT agent, tenant, owner, id FROM ${s}.tasks WHERE agent = $3 AND state IN (${WAITING}) AND status_at < $1 ORDER BY status_at LIMIT $2`;
  return async (agent, before, limit) => (await db.rows<RefColumns>(sql, [before, limit, toColumn(agent)])).map(toRef);
}
