/** Lists: each combination of filters is one statement that walks one index from the keyset down, without sorting. */

import { toColumn } from '../sql/name.js';
import { stateNumber, type TaskColumns, toStoredTask } from '../sql/tasks.js';
import { ALL_MESSAGES } from '../sql/text-columns.js';
import type { ListQuery, StoredTask, TaskPage } from '../store.js';
import type { Connection, Row } from './connection.js';
import { pageColumns, preparePage } from './page.js';
import { prepareTail } from './read.js';
import type { Totals } from './totals.js';

interface Filters {
  readonly context: boolean;
  readonly state: boolean;
}

/** Below and above every possible status time. */
const EARLIEST = Number.MIN_SAFE_INTEGER;
const LATEST = Number.MAX_SAFE_INTEGER + 1;

export function pageSql(filters: Filters, artifacts: boolean): string {
  return `SELECT ${pageColumns(artifacts)} FROM tasks AS t ${matches(filters)} AND (t.status_at, t.id) < (?, ?) ORDER BY t.status_at DESC, t.id DESC LIMIT ?`;
}

export function countSql(filters: Filters): string {
  return `SELECT count(*) FROM tasks AS t ${matches(filters)}`;
}

/** The index of a context contains the state, so tasks in other states are skipped without reading their rows. */
function matches({ context, state }: Filters): string {
  const index = context ? 'tasks_by_context' : state ? 'tasks_by_state' : 'tasks_by_status';
  return `INDEXED BY ${index} WHERE agent = ? AND tenant = ? AND owner = ?${context ? ' AND context = ?' : ''}${state ? ' AND state = ?' : ''} AND status_at >= ?`;
}

export function prepareList(db: Connection, totals: Totals): (query: ListQuery) => TaskPage {
  const tailOf = prepareTail(db);
  const pages = forFilters((filters) => preparePage(db, pageSql(filters, true)));
  const pagesWithoutArtifacts = forFilters((filters) => preparePage(db, pageSql(filters, false)));
  const counts = forFilters((filters) => db.query<readonly [number]>(countSql(filters)));

  const toTask = (columns: TaskColumns, query: ListQuery): StoredTask =>
    toStoredTask(columns, query, { tail: tailOf(columns[0], columns[6], columns[9]), historyLength: query.historyLength });

  /** Counts of all tasks of an owner, also per state, are kept in memory. */
  const count = (query: ListQuery, values: Row): number => {
    const { agent, tenant, owner, contextId, state, statusAtOrAfter } = query;
    if (contextId === undefined && statusAtOrAfter === undefined) {
      return totals.of({ agent: toColumn(agent), tenant: toColumn(tenant), owner: toColumn(owner) }, state && stateNumber(state));
    }
    return counts(query).one([...values, statusAtOrAfter ?? EARLIEST])?.[0] ?? 0;
  };

  return (query) => {
    const { after, limit, statusAtOrAfter = EARLIEST } = query;
    const values = valuesOf(query);
    const keyset = after === undefined ? [LATEST, ''] : [after.statusAt, toColumn(after.id)];
    const read = (query.withoutArtifacts === true ? pagesWithoutArtifacts : pages)(query);
    const rows = read([query.historyLength ?? ALL_MESSAGES, ...values, statusAtOrAfter, ...keyset, limit + 1]);
    const tasks = rows.slice(0, limit).map((columns) => toTask(columns, query));
    const more = rows.length > limit;
    return query.count ? { tasks, more, total: count(query, values) } : { tasks, more };
  };
}

function valuesOf({ agent, tenant, owner, contextId, state }: ListQuery): Row {
  const values: (string | number)[] = [toColumn(agent), toColumn(tenant), toColumn(owner)];
  if (contextId !== undefined) values.push(toColumn(contextId));
  if (state !== undefined) values.push(stateNumber(state));
  return values;
}

/** Selects the statement for a query. All four are prepared at once. */
function forFilters<Statement>(prepare: (filters: Filters) => Statement): (query: ListQuery) => Statement {
  const [plain, inState, inContext, inBoth] = [
    prepare({ context: false, state: false }),
    prepare({ context: false, state: true }),
    prepare({ context: true, state: false }),
    prepare({ context: true, state: true }),
  ];
  return ({ contextId, state }) => {
    if (contextId === undefined) return state === undefined ? plain : inState;
    return state === undefined ? inContext : inBoth;
  };
}
