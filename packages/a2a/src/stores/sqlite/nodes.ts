/** Heartbeats, claims, and tasks without a live owner. */

import { toColumn } from '../sql/name.js';
import { type RefColumns, RUNNING, refValues, toRef, WAITING } from '../sql/tasks.js';
import type { ClaimedTask, TaskRef } from '../store.js';
import type { Connection } from './connection.js';
import type { InboxTable } from './inbox.js';
import { LEASE_OF } from './lease.js';
import { prepareLoad } from './read.js';
import { BY_REF } from './tasks.js';

export function prepareBeat(db: Connection): (node: string, incarnation: string, until: number, now: number) => 'ok' | 'taken' {
  const find = db.query<readonly [string, number]>('SELECT incarnation, until FROM nodes WHERE id = ?');
  const add = db.command('INSERT INTO nodes (id, incarnation, lease, until) VALUES (?, ?, 0, ?)');
  const prolong = db.command('UPDATE nodes SET until = ? WHERE id = ?');
  const replace = db.command('UPDATE nodes SET incarnation = ?, lease = lease + 1, until = ? WHERE id = ?');

  return (node, incarnation, until, now) => {
    const [id, name, end] = [toColumn(node), toColumn(incarnation), Math.round(until)];
    const known = find.one([id]);
    if (known === undefined) add([id, name, end]);
    else if (known[0] === name) prolong([end, id]);
    else if (known[1] > now) return 'taken';
    else replace([name, end, id]);
    return 'ok';
  };
}

export function prepareClaim(
  db: Connection,
  inbox: InboxTable,
): (ref: TaskRef, node: string, now: number) => ClaimedTask | 'owned' | 'final' | 'missing' {
  const take = db.returning<readonly [number]>(`
    UPDATE tasks SET epoch = epoch + 1, node = ?, lease = ${LEASE_OF}
    WHERE ${BY_REF} AND ended = ${RUNNING}
      AND NOT EXISTS (SELECT 1 FROM nodes AS n WHERE n.id = tasks.node AND n.id <> ? AND n.lease = tasks.lease AND n.until > ?)
    RETURNING pk`);
  const find = db.query<readonly [number]>(`SELECT ended FROM tasks WHERE ${BY_REF}`);
  const load = prepareLoad(db);

  return (ref, node, now) => {
    const values = refValues(ref);
    const name = toColumn(node);
    for (const [pk] of take([name, name, ...values, name, now])) {
      const task = load(ref, 0);
      if (task !== undefined) return { ...task, inbox: inbox.pending(pk) };
    }
    const [ended] = find.one(values) ?? [];
    if (ended === undefined) return 'missing';
    return ended === RUNNING ? 'owned' : 'final';
  };
}

export function prepareOrphans(db: Connection): (agent: string, limit: number, now: number) => readonly TaskRef[] {
  const lost = db.query<RefColumns>(`
    SELECT agent, tenant, owner, t.id FROM tasks AS t INDEXED BY tasks_by_node
    WHERE t.agent = ? AND t.node IS NOT NULL AND NOT EXISTS (SELECT 1 FROM nodes AS n WHERE n.id = t.node AND n.lease = t.lease AND n.until > ?)
    LIMIT ?`);
  // Looks up tasks by pk, starting from pending inbox rows. With an index on the agent, SQLite would read every task of the agent.
  const parkedWithMail = db.query<RefColumns>(`
    SELECT agent, tenant, owner, id FROM tasks NOT INDEXED
    WHERE node IS NULL AND pk IN (SELECT task FROM inbox WHERE state = 0) AND agent = ? LIMIT ?`);

  return (agent, limit, now) => {
    const name = toColumn(agent);
    const found = lost.all([name, now, limit]);
    const rest = limit - found.length;
    return (rest > 0 ? found.concat(parkedWithMail.all([name, rest])) : found).map(toRef);
  };
}

export function prepareWaitingSince(db: Connection): (agent: string, before: number, limit: number) => readonly TaskRef[] {
  const waiting = db.query<RefColumns>(`
    SELECT agent, tenant, owner, id FROM tasks INDEXED BY tasks_waiting
    WHERE agent = ? AND state IN (${WAITING}) AND status_at < ? ORDER BY status_at LIMIT ?`);
  return (agent, before, limit) => waiting.all([toColumn(agent), before, limit]).map(toRef);
}
