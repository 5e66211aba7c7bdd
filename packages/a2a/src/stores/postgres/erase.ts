/** Erases tasks on request, in any state (D60). */
import { toColumn } from '../sql/name.js';
import { ERASED } from '../sql/request-row.js';
import { type RefColumns, refValues, toRef } from '../sql/tasks.js';
import type { TaskStore } from '../store.js';
import type { Ask } from './connections.js';
import type { Attempt, Database } from './database.js';
import { refOf } from './functions/fragments.js';

type Found = readonly [pk: number, ...RefColumns];

interface Selection {
  readonly where: string;
  readonly values: readonly (string | number)[];
}

/**
 * One transaction with several statements. The task rows are locked first, in the order that commits use: a commit or post that runs
 * meanwhile is either visible to the deletions that follow, or finds no task. In one statement, the deletions would not see rows that such a
 * call has added after the statement began.
 */
export function prepareErase(db: Database, s: string): Pick<TaskStore, 'erase' | 'eraseContext'> {
  const erase = async (ask: Ask, { lockMs }: Attempt, { where, values }: Selection): Promise<readonly Found[]> => {
    await ask("SELECT set_config('lock_timeout', $1, true)", [lockMs]);
    const found = await ask<Found>(
      `SELECT t.pk, t.agent, t.tenant, t.owner, t.id FROM ${s}.tasks AS t WHERE ${where} ORDER BY t.pk FOR UPDATE OF t`,
      values,
    );
    const pks = found.map(([pk]) => pk);
    if (pks.length === 0) return found;
    for (const table of ['events', 'inbox', 'task_messages', 'task_artifacts']) {
      await ask(`DELETE FROM ${s}.${table} WHERE task = ANY ($1)`, [pks]);
    }
    await ask(
      `UPDATE ${s}.requests AS q SET body_hash = '${ERASED}' FROM ${s}.tasks AS t
       WHERE t.pk = ANY ($1) AND q.agent = t.agent AND q.tenant = t.tenant AND q.owner = t.owner AND q.task_id = t.id`,
      [pks],
    );
    await ask(
      `WITH gone AS (DELETE FROM ${s}.tasks WHERE pk = ANY ($1) RETURNING agent, tenant, owner, state)
       INSERT INTO ${s}.deltas (agent, tenant, owner, state, n) SELECT agent, tenant, owner, state, -count(*) FROM gone GROUP BY 1, 2, 3, 4`,
      [pks],
    );
    return found;
  };
  const eraseReplies = `UPDATE ${s}.requests SET body_hash = '${ERASED}', task_id = '', inbox_row = NULL, reply = NULL
    WHERE agent = $1 AND tenant = $2 AND owner = $3 AND reply IS NOT NULL AND reply::json ->> 'contextId' = $4`;

  return {
    async erase(ref) {
      const where = `${refOf('t')} = $1 || chr(30) || $2 || chr(30) || $3 || chr(30) || $4`;
      const found = await db.retrying((ask, attempt) => inTransaction(ask, () => erase(ask, attempt, { where, values: refValues(ref) })));
      return found.length > 0;
    },
    async eraseContext({ agent, tenant, owner, contextId }, limit) {
      const names = [toColumn(agent), toColumn(tenant), toColumn(owner), toColumn(contextId)];
      const where = `t.pk IN (SELECT o.pk FROM ${s}.tasks AS o
        WHERE o.agent = $1 AND o.tenant = $2 AND o.owner = $3 AND o.context = $4 ORDER BY o.pk + 0 DESC LIMIT $5)`;
      const found = await db.retrying((ask, attempt) =>
        inTransaction(ask, async () => {
          const erased = await erase(ask, attempt, { where, values: [...names, limit] });
          if (names[3] === contextId) await ask(eraseReplies, names); // an encoded name is not the text in the reply
          return erased;
        }),
      );
      return found.map(([, ...ref]) => toRef(ref));
    },
  };
}

/** Each statement must see what was committed before it, whatever isolation level the database has by default. */
async function inTransaction<T>(ask: Ask, work: () => Promise<T>): Promise<T> {
  await ask('BEGIN ISOLATION LEVEL READ COMMITTED');
  try {
    const result = await work();
    await ask('COMMIT');
    return result;
  } catch (error) {
    await ask('ROLLBACK').catch(() => {}); // a broken connection has ended its transaction
    throw error;
  }
}
