/** Erases tasks on request, in any state (D60). */
import { toColumn } from '../sql/name.js';
import { ERASED } from '../sql/request-row.js';
import { type RefColumns, refValues, toRef } from '../sql/tasks.js';
import type { ContextRef, TaskStore } from '../store.js';
import type { Ask, Values } from './connections.js';
import type { Attempt, Database } from './database.js';
import { refOf } from './functions/fragments.js';

type Found = readonly [pk: number, ...RefColumns];

interface Selection {
  readonly where: string;
  readonly values: Values;
}

/** Replies per query: few enough to hold in memory. */
const REPLIES = 20;

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
  const eraseReplies = prepareEraseReplies(s);
  const newest = `SELECT pk FROM ${s}.tasks WHERE agent = $1 AND tenant = $2 AND owner = $3 AND context = $4 ORDER BY pk + 0 DESC LIMIT $5`;

  /** A concurrent deletion may remove all selected tasks before they are locked; older tasks may be left then. */
  const eraseNewest = async (ask: Ask, attempt: Attempt, values: Values): Promise<readonly Found[]> => {
    for (;;) {
      const pks = (await ask<readonly [number]>(newest, values)).map(([pk]) => pk);
      if (pks.length === 0) return [];
      const erased = await erase(ask, attempt, { where: 't.pk = ANY ($1)', values: [pks] });
      if (erased.length > 0) return erased;
    }
  };

  return {
    async erase(ref) {
      const where = `${refOf('t')} = $1 || chr(30) || $2 || chr(30) || $3 || chr(30) || $4`;
      const found = await db.retrying((ask, attempt) => inTransaction(ask, () => erase(ask, attempt, { where, values: refValues(ref) })));
      return found.length > 0;
    },
    async eraseContext(context, limit) {
      const { agent, tenant, owner, contextId } = context;
      const values = [toColumn(agent), toColumn(tenant), toColumn(owner), toColumn(contextId), limit];
      const found = await db.retrying((ask, attempt) =>
        inTransaction(ask, async () => {
          const erased = await eraseNewest(ask, attempt, values);
          if (erased.length === 0) await eraseReplies(ask, attempt, context);
          return erased;
        }),
      );
      return found.map(([, ...ref]) => toRef(ref));
    },
  };
}

/**
 * Without JSON operators of the server: they raise an error for a text with an escaped NUL or an unpaired surrogate, so one such reply would
 * block every erasure of its owner.
 */
function prepareEraseReplies(s: string): (ask: Ask, attempt: Attempt, context: ContextRef) => Promise<void> {
  const scope = 'agent = $1 AND tenant = $2 AND owner = $3';
  const find = `SELECT key, reply FROM ${s}.requests WHERE ${scope} AND key > $4 AND strpos(reply, $5) > 0 ORDER BY key LIMIT ${REPLIES}`;
  const empty = `UPDATE ${s}.requests SET body_hash = '${ERASED}', task_id = '', inbox_row = NULL, reply = NULL
    WHERE ${scope} AND key = $4 AND strpos(reply, $5) > 0`;

  return async (ask, { lockMs }, { agent, tenant, owner, contextId }) => {
    await ask("SELECT set_config('lock_timeout', $1, true)", [lockMs]);
    const names = [toColumn(agent), toColumn(tenant), toColumn(owner)];
    const text = `"contextId":${JSON.stringify(contextId)}`;
    // A key is never empty.
    for (let after: string | undefined = ''; after !== undefined; ) {
      const found: readonly (readonly [key: string, reply: string])[] = await ask(find, [...names, after, text]);
      for (const [key, reply] of found) if (JSON.parse(reply)?.contextId === contextId) await ask(empty, [...names, key, text]);
      after = found.length < REPLIES ? undefined : found.at(-1)?.[0];
    }
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
