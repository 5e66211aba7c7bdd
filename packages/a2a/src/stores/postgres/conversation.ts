import { newestMessages } from '../conversation.js';
import { fromTail } from '../sql/entry-text.js';
import { toColumn } from '../sql/name.js';
import type { TextColumns } from '../sql/tasks.js';
import type { TaskStore } from '../store.js';
import type { Database } from './database.js';

const TASKS_AT_ONCE = 64;

type SpokenColumns = readonly [pk: number, snapshotSeq: number, head: string, ...TextColumns, tail: string | null];

/** Reads the newest tasks of a context first, in batches, until it has enough messages. Nearly every task has a message. */
export function prepareConversation(db: Database, s: string): TaskStore['conversation'] {
  const sql = `SELECT * FROM ${s}.spoken($1, $2, $3, $4, $5, $6, $7)`;

  return async ({ agent, tenant, owner, contextId }, limit) => {
    const messages: string[] = [];
    const names = [toColumn(agent), toColumn(tenant), toColumn(owner), toColumn(contextId)];
    const step = Math.min(Math.max(limit, 1), TASKS_AT_ONCE);
    for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined; ) {
      const rows: readonly SpokenColumns[] = await db.rows<SpokenColumns>(sql, [...names, before, step, limit]);
      for (const [, seq, head, , , history, , , tail] of rows) {
        if (messages.length >= limit) return messages.reverse();
        const task = { snapshot: { text: { head, history } }, tail: fromTail(tail, seq) };
        messages.push(...newestMessages(task, limit - messages.length));
      }
      before = rows.length < step || messages.length >= limit ? undefined : rows.at(-1)?.[0];
    }
    return messages.reverse();
  };
}
