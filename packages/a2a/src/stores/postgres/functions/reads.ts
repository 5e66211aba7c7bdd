/** The most frequent reads. As functions their plans are cached; planning takes several times as long as executing. */
import {
  historyOf,
  LOADED_COLUMNS,
  messagesOf,
  newestSeq,
  PLANNED_ONCE,
  REF_OF_NAMES,
  refOf,
  rowOf,
  SPOKEN_COLUMNS,
  tailOf,
  taskColumnsOf,
} from './fragments.js';

/** A function that returns the rows of one statement. */
const reading = (signature: string, columns: string, sql: string): string => `
CREATE OR REPLACE FUNCTION ${signature} RETURNS TABLE (${columns})
LANGUAGE plpgsql STABLE ${PLANNED_ONCE} AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY ${sql};
END $$;
`;

const loadTask = (s: string): string =>
  reading(
    `${s}.load_task(p_agent text, p_tenant text, p_owner text, p_id text, p_count bigint)`,
    LOADED_COLUMNS,
    `SELECT ${taskColumnsOf(s, { count: 'p_count' })}, ${tailOf(s)} FROM ${s}.tasks AS t WHERE ${refOf('t')} = ${REF_OF_NAMES}`,
  );

const messages = (s: string): string =>
  reading(
    `${s}.messages(p_agent text, p_tenant text, p_owner text, p_id text, p_from bigint, p_to bigint)`,
    'history text, first bigint, later text',
    `SELECT ${messagesOf(s, 'p_from', 'p_to')} FROM ${s}.tasks AS t WHERE ${refOf('t')} = ${REF_OF_NAMES}`,
  );

/** Maximum number of rows to scan per round trip; only the requested ones are sent. */
const MAX_ROWS = 1_024;
/** The approximate size of a line without its JSON: kind, time, a space and the line break. */
const LINE_OVERHEAD = 16;

/**
 * The entries of several tasks from `next` on, in whole rows, up to and including the row that exceeds `max` bytes. A task without such
 * entries has one row without text; an unknown task has no row.
 */
const readAfter = (s: string): string =>
  reading(
    `${s}.read_after(p_agents text, p_tenants text, p_owners text, p_ids text, p_next bigint[], p_max bigint[])`,
    'i bigint, ended smallint, newest bigint, first_seq bigint, text text, generation bigint, committed_at bigint',
    `
    SELECT w.i, t.ended, ${newestSeq(s)}, e.first_seq, e.text, e.generation, e.committed_at
    FROM unnest(${s}.split(p_agents), ${s}.split(p_tenants), ${s}.split(p_owners), ${s}.split(p_ids), p_next, p_max) WITH ORDINALITY
      AS w(agent, tenant, owner, id, next, max, i)
    JOIN ${s}.tasks AS t ON ${refOf('t')} = ${refOf('w')}
    LEFT JOIN LATERAL (
      SELECT r.first_seq, r.text, r.generation, r.committed_at, sum(r.size) OVER (ORDER BY r.first_seq) - r.size AS before FROM (
        SELECT o.first_seq, o.text, o.generation, o.committed_at, octet_length(o.text) - o.count * ${LINE_OVERHEAD} AS size
        FROM ${s}.events AS o
        WHERE o.task = t.pk AND o.first_seq >= ${rowOf(s, 't.pk', 'w.next')} AND o.first_seq + o.count > w.next
        ORDER BY o.first_seq LIMIT ${MAX_ROWS}
      ) AS r
    ) AS e ON e.before <= w.max
    ORDER BY w.i, e.first_seq`,
  );

const positions = (s: string): string =>
  reading(
    `${s}.positions(p_agents text, p_tenants text, p_owners text, p_ids text)`,
    'i bigint, seq bigint, epoch bigint, posted bigint',
    `
    SELECT w.i, ${newestSeq(s)}, t.epoch, coalesce((SELECT max(b.n) FROM ${s}.inbox AS b WHERE b.task = t.pk), 0)
    FROM unnest(${s}.split(p_agents), ${s}.split(p_tenants), ${s}.split(p_owners), ${s}.split(p_ids)) WITH ORDINALITY AS w(agent, tenant, owner, id, i)
    JOIN ${s}.tasks AS t ON ${refOf('t')} = ${refOf('w')}`,
  );

/**
 * The messages of the newest tasks of a context before `p_before`. The inner query selects keys only, because it sorts and texts are long.
 * "+ 0" prevents the planner from scanning all tasks in key order in the hope of finding this context soon. Artifacts are omitted, because
 * they contain no messages.
 */
const spoken = (s: string): string =>
  reading(
    `${s}.spoken(p_agent text, p_tenant text, p_owner text, p_context text, p_before bigint, p_limit integer, p_count bigint)`,
    SPOKEN_COLUMNS,
    `
    SELECT t.pk, t.snapshot_seq, t.head, ${historyOf(s, 'p_count')}, ${tailOf(s)} FROM (
      SELECT o.pk FROM ${s}.tasks AS o WHERE o.agent = p_agent AND o.tenant = p_tenant AND o.owner = p_owner AND o.context = p_context AND o.pk + 0 < p_before
      ORDER BY o.pk + 0 DESC LIMIT p_limit
    ) AS k
    JOIN ${s}.tasks AS t ON t.pk = k.pk ORDER BY t.pk DESC`,
  );

export const reads = (s: string): string => [loadTask, messages, readAfter, positions, spoken].map((part) => part(s)).join('');
