/** Lists: each combination of filters is one statement that walks one index from the keyset down, without sorting. */

import { pageBytesOf } from '../page-bytes.js';
import { toColumn } from '../sql/name.js';
import { stateNumber, type TaskColumns, toStoredTask } from '../sql/tasks.js';
import { ALL_MESSAGES } from '../sql/text-columns.js';
import type { ListQuery, StoredTask, TaskPage } from '../store.js';
import type { Connection, Row } from './connection.js';
import { pageColumns, preparePage, prepareSizes, sizeColumn } from './page.js';
import { prepareTail, prepareTailWithoutArtifacts } from './read.js';
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

/** The sizes of the texts of a page. SQLite finds the size of a text without reading the text. */
export function sizesSql(filters: Filters, artifacts: boolean): string {
  return `SELECT ${sizeColumn(artifacts)} FROM tasks AS t ${matches(filters)} AND (t.status_at, t.id) < (?, ?) ORDER BY t.status_at DESC, t.id DESC LIMIT ?`;
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
  const shortTailOf = prepareTailWithoutArtifacts(db);
  const whole = preparePages(db, true);
  const short = preparePages(db, false);
  const counts = forFilters((filters) => db.query<readonly [number]>(countSql(filters)));

  const toTask = (columns: TaskColumns, query: ListQuery): StoredTask => {
    const read = query.withoutArtifacts === true ? shortTailOf : tailOf;
    return toStoredTask(columns, query, { tail: read(columns[0], columns[6], columns[9]), historyLength: query.historyLength });
  };

  /** Counts of all tasks of an owner, also per state, are kept in memory. */
  const count = (query: ListQuery, values: Row): number => {
    const { agent, tenant, owner, contextId, state, statusAtOrAfter } = query;
    if (contextId === undefined && statusAtOrAfter === undefined) {
      return totals.of({ agent: toColumn(agent), tenant: toColumn(tenant), owner: toColumn(owner) }, state && stateNumber(state));
    }
    return counts(query).one([...values, statusAtOrAfter ?? EARLIEST])?.[0] ?? 0;
  };

  /** Running tasks have a tail besides their snapshot, so that fewer of them may fit. */
  const takeFitting = (rows: readonly TaskColumns[], query: ListQuery): readonly StoredTask[] => {
    const { maxBytes = Number.POSITIVE_INFINITY } = query;
    const tasks: StoredTask[] = [];
    let bytes = 0;
    for (const columns of rows) {
      const task = toTask(columns, query);
      bytes += pageBytesOf(task);
      if (bytes > maxBytes && tasks.length > 0) break;
      tasks.push(task);
    }
    return tasks;
  };

  return (query) => {
    const { after, limit, maxBytes = Number.POSITIVE_INFINITY, statusAtOrAfter = EARLIEST } = query;
    const values = valuesOf(query);
    const keyset = after === undefined ? [LATEST, ''] : [after.statusAt, toColumn(after.id)];
    const place = [query.historyLength ?? ALL_MESSAGES, ...values, statusAtOrAfter, ...keyset];
    const { sizes, page } = query.withoutArtifacts === true ? short : whole;
    const found = sizes(query)([...place, limit + 1]);
    const tasks = takeFitting(page(query)([...place, Math.min(limit, countFitting(found, maxBytes))]), query);
    const more = found.length > tasks.length;
    return query.count ? { tasks, more, total: count(query, values) } : { tasks, more };
  };
}

function preparePages(db: Connection, artifacts: boolean) {
  return {
    sizes: forFilters((filters) => prepareSizes(db, sizesSql(filters, artifacts))),
    page: forFilters((filters) => preparePage(db, pageSql(filters, artifacts))),
  };
}

/** How many of the texts fit, in their order; at least one. */
function countFitting(sizes: readonly number[], maxBytes: number): number {
  let bytes = 0;
  const tooMany = sizes.findIndex((size) => {
    bytes += size;
    return bytes > maxBytes;
  });
  return tooMany < 0 ? sizes.length : Math.max(1, tooMany);
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
