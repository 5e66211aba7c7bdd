/** Lists: each combination of filters is one statement that walks one index from the keyset down, without sorting. */
import { toColumn } from '../sql/name.js';
import { RUNNING, stateNumber } from '../sql/tasks.js';
import type { ListQuery, TaskStore } from '../store.js';
import type { Value } from './connections.js';
import type { Database } from './database.js';
import { TASK_COLUMNS_OF_T, tailOf } from './functions/fragments.js';
import { type LoadedColumns, toTask } from './read.js';

/** The columns of a task with its tail, and whether the page has room for it. */
type PageColumns = readonly [...LoadedColumns, fits: boolean];

const FITS = 15;

const ORDER = 'ORDER BY t.status_at DESC, t.id DESC';

/** A statement with its values. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Value[];
}

export function pageOf(s: string, query: ListQuery): Statement {
  const { after, limit, maxBytes = Number.MAX_SAFE_INTEGER, withoutArtifacts } = query;
  const { sql, values } = matches(s, query);
  const place = (value: Value): string => `$${values.push(value)}`;
  const keyset = after === undefined ? '' : ` AND (t.status_at, t.id) < (${place(after.statusAt)}, ${place(toColumn(after.id))})`;
  // Artifacts may be long: skip those of ended tasks when the caller does not need them.
  const isShort = withoutArtifacts ? `t.ended > ${RUNNING}` : 'false';
  const size = sizeOf(s, isShort);
  // The sizes are known before any text is read. A task beyond `maxBytes` has no texts in the result; the first task always has them.
  const page = `SELECT t.*, sum(${size}) OVER (${ORDER} ROWS UNBOUNDED PRECEDING) AS upto, ${size} AS size
    ${sql}${keyset} ${ORDER} LIMIT ${place(limit + 1)}`;
  const fits = `(t.upto <= ${place(maxBytes)} OR t.upto = t.size)`;
  const columns = TASK_COLUMNS_OF_T.replace('t.artifacts', `CASE WHEN ${isShort} THEN '' ELSE t.artifacts END`).replaceAll(
    /t\.(head|history)|CASE .*? END/g,
    (text) => `CASE WHEN ${fits} THEN ${text} ELSE '' END`,
  );
  return { sql: `SELECT ${columns}, CASE WHEN ${fits} THEN ${tailOf(s)} END, ${fits} FROM (${page}) AS t ${ORDER}`, values };
}

/** The size of the texts that the page reads of `t`. PostgreSQL finds the size of a long text without reading the text. */
function sizeOf(s: string, isShort: string): string {
  return `(octet_length(t.head) + octet_length(t.history) + CASE WHEN ${isShort} THEN 0 ELSE octet_length(t.artifacts) END
    + CASE WHEN t.ended = ${RUNNING} THEN coalesce(
      (SELECT sum(octet_length(e.text)) FROM ${s}.events AS e WHERE e.task = t.pk AND e.first_seq > t.snapshot_seq), 0) ELSE 0 END)`;
}

/** Counts of all tasks of an owner, also per state, are maintained in tables. */
export function totalOf(s: string, query: ListQuery): Statement {
  const { agent, tenant, owner, contextId, state, statusAtOrAfter } = query;
  if (contextId !== undefined || statusAtOrAfter !== undefined) {
    const { sql, values } = matches(s, query);
    return { sql: `SELECT count(*) ${sql}`, values };
  }
  const filter = `agent = $1 AND tenant = $2 AND owner = $3${state === undefined ? '' : ' AND state = $4'}`;
  const sum = (table: string): string => `coalesce((SELECT sum(n)::bigint FROM ${s}.${table} WHERE ${filter}), 0)`;
  return {
    sql: `SELECT ${sum('totals')} + ${sum('deltas')}`,
    values: [toColumn(agent), toColumn(tenant), toColumn(owner), ...(state === undefined ? [] : [stateNumber(state)])],
  };
}

function matches(s: string, query: ListQuery): { readonly sql: string; readonly values: Value[] } {
  const { agent, tenant, owner, contextId, state, statusAtOrAfter } = query;
  const values: Value[] = [toColumn(agent), toColumn(tenant), toColumn(owner)];
  let sql = `FROM ${s}.tasks AS t WHERE t.agent = $1 AND t.tenant = $2 AND t.owner = $3`;
  if (contextId !== undefined) sql += ` AND t.context = $${values.push(toColumn(contextId))}`;
  if (state !== undefined) sql += ` AND t.state = $${values.push(stateNumber(state))}`;
  if (statusAtOrAfter !== undefined) sql += ` AND t.status_at >= $${values.push(statusAtOrAfter)}`;
  return { sql, values };
}

export function prepareList(db: Database, s: string): TaskStore['list'] {
  const total = async (query: ListQuery): Promise<number> => {
    const { sql, values } = totalOf(s, query);
    return (await db.one<readonly [number]>(sql, values))?.[0] ?? 0;
  };

  return async (query) => {
    const { sql, values } = pageOf(s, query);
    const [rows, counted] = await Promise.all([db.rows<PageColumns>(sql, values), query.count ? total(query) : undefined]);
    const fitting = rows.findIndex((columns) => !columns[FITS]);
    const shown = Math.min(query.limit, fitting < 0 ? rows.length : fitting);
    // The tuple has one more column than `LoadedColumns`, which is ignored.
    const tasks = rows.slice(0, shown).map((columns) => toTask(columns as unknown as LoadedColumns, query));
    const more = rows.length > shown;
    return counted === undefined ? { tasks, more } : { tasks, more, total: counted };
  };
}
