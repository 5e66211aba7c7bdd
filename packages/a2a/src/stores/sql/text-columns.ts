/**
 * Where the texts of a snapshot are. A task row has the messages and artifacts of the first snapshot, as far as they are short; later
 * snapshots add rows to `task_messages` and `task_artifacts`. So a short task is one row, and a long one is never rewritten.
 *
 * - `tasks.messages` counts all messages, and `tasks.inlined` those in `tasks.history`. Both are null for a task that was written before
 *   this schema and has no snapshot since; then `tasks.history` has all messages.
 * - A row of `task_messages` has the messages that one snapshot added; `n` is the number of the first, counted from 0.
 * - A row of `task_artifacts` replaces the line `n` of `tasks.artifacts`, or follows it. `tasks.artifact_rows` is 0 when there is none.
 */
import { joinLines, sliceLines } from '../../protocol/task-text.js';

/** How the two databases write the same statement. */
export interface Dialect {
  /** How the tables are named in a statement. */
  table(name: string): string;
  /** Joins the texts of the rows of a query, in its order. */
  joined(text: string, rows: string, order: string): string;
  readonly newline: string;
}

/** What a read of `t` needs of the texts, as SQL. */
export interface TextsRead {
  /** At least that many of the newest messages are read. */
  readonly count: string;
  /** The condition under which artifacts are read. Default: always. */
  readonly artifactsIf?: string;
  /** `changes` is '' if there are any, and the caller reads `task_artifacts` itself. Joining long texts would copy them several times. */
  readonly changesApart?: boolean;
}

/** The columns `TextColumns` of the task `t`. Tasks without such rows read no other table. */
export function textColumns(dialect: Dialect, { count, artifactsIf = 'true', changesApart = false }: TextsRead): string {
  const joined = dialect.joined("a.n || ' ' || a.json", `${dialect.table('task_artifacts')} AS a WHERE a.task = t.pk`, 'a.n');
  const changes = changesApart ? "''" : joined;
  return `t.messages, t.history_bytes, ${historyOf(dialect, count)} AS history,
    CASE WHEN ${artifactsIf} THEN t.artifacts ELSE '' END AS artifacts,
    CASE WHEN ${artifactsIf} AND t.artifact_rows > 0 THEN ${changes} END AS changes`;
}

/** The bytes that `textColumns` reads. Both databases find the size of a long text without reading the text. */
export function textSize({ table }: Dialect, { count, artifactsIf = 'true' }: TextsRead): string {
  const rows = table('task_messages');
  const later = `coalesce((SELECT sum(octet_length(m.text) + 1) - 1 FROM ${rows} AS m WHERE m.task = t.pk AND m.n >= ${firstRow(rows, count)}), 0)`;
  const changes = `coalesce((SELECT sum(octet_length(a.json)) FROM ${table('task_artifacts')} AS a WHERE a.task = t.pk), 0)`;
  return `CASE WHEN t.messages IS NULL THEN octet_length(t.history)
    WHEN ${count} <= 0 THEN 0
    WHEN t.messages = t.inlined THEN octet_length(t.history)
    ELSE CASE WHEN t.messages - ${count} >= t.inlined OR t.inlined = 0 THEN 0 ELSE octet_length(t.history) + 1 END + ${later} END
    + CASE WHEN ${artifactsIf} THEN octet_length(t.artifacts) + CASE WHEN t.artifact_rows > 0 THEN ${changes} ELSE 0 END ELSE 0 END`;
}

/** The number of the row of `t` that has the first of the newest `count` messages. */
const firstRow = (rows: string, count: string): string =>
  `coalesce((SELECT max(o.n) FROM ${rows} AS o WHERE o.task = t.pk AND o.n <= t.messages - ${count}), 0)`;

/** The messages of `t` with numbers from `from` on and below `to`, in whole rows, as `MessageColumns`. */
export function messageColumns({ table, joined }: Dialect, from: string, to: string): string {
  const rows = table('task_messages');
  const first = `(SELECT max(o.n) FROM ${rows} AS o WHERE o.task = t.pk AND o.n <= ${from})`;
  const later = joined('m.text', `${rows} AS m WHERE m.task = t.pk AND m.n >= coalesce(${first}, 0) AND m.n < ${to}`, 'm.n');
  return `CASE WHEN ${from} >= t.inlined THEN '' ELSE t.history END, ${first}, ${later}`;
}

/** `first` is the number of the first message in `later`; null when `history` comes before it. */
export type MessageColumns = readonly [history: string, first: number | null, later: string | null];

export function toMessages([history, first, later]: MessageColumns, from: number, to: number): string {
  if (first !== null) return sliceLines(later ?? '', from - first, to - first);
  return sliceLines(joinLines(history, later ?? ''), from, to);
}

function historyOf({ table, joined, newline }: Dialect, count: string): string {
  const rows = table('task_messages');
  const later = joined('m.text', `${rows} AS m WHERE m.task = t.pk AND m.n >= ${firstRow(rows, count)}`, 'm.n');
  return `CASE WHEN t.messages IS NULL THEN t.history
    WHEN ${count} <= 0 THEN ''
    WHEN t.messages = t.inlined THEN t.history
    ELSE CASE WHEN t.messages - ${count} >= t.inlined OR t.inlined = 0 THEN '' ELSE t.history || ${newline} END || ${later} END`;
}

/** The count that reads all messages. */
export const ALL_MESSAGES = Number.MAX_SAFE_INTEGER;
