/** Lists: each combination of filters is one statement that walks one index from the keyset down, without sorting. */
import { toColumn } from '../sql/name.js';
import { stateNumber } from '../sql/tasks.js';
import { ALL_MESSAGES } from '../sql/text-columns.js';
import type { ListQuery, TaskStore } from '../store.js';
import type { ConcurrencyLimit } from './concurrency-limit.js';
import type { Value } from './connections.js';
import type { Database } from './database.js';
import { tailOf, tailSizeOf, tailWithoutArtifactsOf, taskColumnsOf, textSizeOf } from './functions/fragments.js';
import { type LoadedColumns, toTask } from './read.js';

/** The columns of a task with its tail, and the number of tasks that were found, up to one more than the limit. */
type PageColumns = readonly [...LoadedColumns, found: number];

const ORDER = 'ORDER BY t.status_at DESC, t.id DESC';

/** A statement with its values. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Value[];
}

export function pageOf(s: string, query: ListQuery): Statement {
  const { after, limit, maxBytes = Number.MAX_SAFE_INTEGER, withoutArtifacts = false } = query;
  const { sql, values } = matches(s, query);
  const place = (value: Value): string => `$${values.push(value)}`;
  const keyset = after === undefined ? '' : ` AND (t.status_at, t.id) < (${place(after.statusAt)}, ${place(toColumn(after.id))})`;
  const read = { count: `${place(query.historyLength ?? ALL_MESSAGES)}::bigint`, artifactsIf: `${!withoutArtifacts}` };
  const size = `octet_length(t.head) + ${textSizeOf(s, read)} + ${tailSizeOf(s, { withoutArtifacts })}`;
  const tail = withoutArtifacts ? tailWithoutArtifactsOf(s) : tailOf(s);
  // The sizes are known before any text is read. The first task is always read.
  const sized = `SELECT t.*, ${size} AS size ${sql}${keyset} ${ORDER} LIMIT ${place(limit + 1)}`;
  const page = `SELECT t.*, sum(t.size) OVER (${ORDER} ROWS UNBOUNDED PRECEDING) AS upto, count(*) OVER () AS found FROM (${sized}) AS t`;
  const fits = `t.upto <= ${place(maxBytes)} OR t.upto = t.size`;
  return { sql: `SELECT ${taskColumnsOf(s, read)}, ${tail}, t.found FROM (${page}) AS t WHERE ${fits} ${ORDER}`, values };
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

/** `limit`: lists are the most expensive reads, and must leave connections to the commits of other callers. */
export function prepareList(db: Database, s: string, limit: ConcurrencyLimit): TaskStore['list'] {
  const total = async (query: ListQuery): Promise<number> => {
    const { sql, values } = totalOf(s, query);
    return (await db.one<readonly [number]>(sql, values))?.[0] ?? 0;
  };

  const read = async (query: ListQuery) => {
    const { sql, values } = pageOf(s, query);
    return Promise.all([db.rows<PageColumns>(sql, values), query.count ? total(query) : undefined]);
  };

  return async (query) => {
    const [rows, counted] = await limit.run(() => read(query));
    const shown = rows.slice(0, query.limit);
    // The tuple has one more column than `LoadedColumns`, which is ignored.
    const tasks = shown.map((columns) => toTask(columns as unknown as LoadedColumns, query, query));
    const more = Number(rows[0]?.at(-1) ?? 0) > shown.length;
    return counted === undefined ? { tasks, more } : { tasks, more, total: counted };
  };
}
