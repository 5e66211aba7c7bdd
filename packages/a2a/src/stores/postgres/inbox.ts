import { randomUUID } from 'node:crypto';
import { type InboxColumns, toInboxRow } from '../sql/inbox-row.js';
import { toColumn } from '../sql/name.js';
import { refValues } from '../sql/tasks.js';
import type { TaskStore } from '../store.js';
import type { Database } from './database.js';
import { refOf } from './functions/fragments.js';
import type { Leases } from './leases.js';
import { refValue } from './names.js';

export function preparePost(db: Database, s: string, leases: Leases): TaskStore['post'] {
  const sql = `SELECT answer, n FROM ${s}.post_message($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`;
  return async (ref, kind, json, request) => {
    const by = request
      ? [
          toColumn(request.key.agent),
          toColumn(request.key.tenant),
          toColumn(request.key.owner),
          toColumn(request.key.key),
          ...leases.of(request.node),
        ]
      : [null, null, null, null, null, null];
    const values = [...refValues(ref), kind, json, randomUUID(), ...by];
    const row = await db.one<readonly ['ok' | 'final' | 'missing' | 'fenced', number]>(sql, ({ lockMs }) => [lockMs, ...values]);
    const [answer, n] = row ?? ['missing', 0];
    return answer === 'ok' ? n : answer;
  };
}

export function prepareInbox(db: Database, s: string): TaskStore['inbox'] {
  const sql = `
    SELECT i.n, i.kind, i.json, i.state, i.seq FROM ${s}.tasks AS t JOIN ${s}.inbox AS i ON i.task = t.pk
    WHERE ${refOf('t')} = $1 AND i.n > $2 ORDER BY i.n`;
  return async (ref, after) => (await db.rows<InboxColumns>(sql, [refValue(ref), after])).map(toInboxRow);
}
