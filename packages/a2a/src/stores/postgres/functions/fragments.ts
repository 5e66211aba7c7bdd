/** SQL fragments that several statements share. */
import { ARTIFACT_LETTER, UNREAD } from '../../sql/entry-text.js';
import { RUNNING, TASK_COLUMNS } from '../../sql/tasks.js';
import { type Dialect, messageColumns, type TextsRead, textColumns, textSize } from '../../sql/text-columns.js';

/**
 * The names of a task as one text that is unique per task. Tasks are found by this expression and not by four columns: several indexes
 * begin with those columns, and while a table is new the planner has no statistics to choose the right one.
 */
export const refOf = (row: string): string =>
  `(${row}.agent || chr(30) || ${row}.tenant || chr(30) || ${row}.owner || chr(30) || ${row}.id)`;

/**
 * Settings of the functions. Their plans are cached for a long time and are often made while tables are small. By default the planner would
 * choose sequential scans, and keep them after the tables have grown.
 */
export const PLANNED_ONCE = 'SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off';

/** The same expression for names that are parameters. */
export const REF_OF_NAMES = `p_agent || chr(30) || p_tenant || chr(30) || p_owner || chr(30) || p_id`;

/** The seq of the next entry of a task. A task that has not ended always has entries. */
export const nextSeq = (s: string, pk: string): string =>
  `(SELECT last.first_seq + last.count FROM ${s}.events AS last WHERE last.task = ${pk} ORDER BY last.first_seq DESC LIMIT 1)`;

/** The generation of the last entry, for a snapshot that comes without entries. */
export const lastGeneration = (s: string, pk: string): string =>
  `(SELECT ${s}.generation_after(last.generation, last.text) FROM ${s}.events AS last WHERE last.task = ${pk} ORDER BY last.first_seq DESC LIMIT 1)`;

/** The seq of the newest entry of `t`. A compacted task has no entries; its seq is that of the snapshot. */
export const newestSeq = (s: string): string => `coalesce(${nextSeq(s, 't.pk')} - 1, t.snapshot_seq)`;

/** The `first_seq` of the row that contains the entry `seq`, or of the row before it. */
export const rowOf = (s: string, pk: string, seq: string): string =>
  `coalesce((SELECT max(first_seq) FROM ${s}.events WHERE task = ${pk} AND first_seq <= ${seq}), 0)`;

const ROW = `e.generation || ' ' || e.committed_at || ' ' || e.text`;

/** A long entry is a row of its own, which is recognized without reading its text as a whole. */
const HAS_ONLY_ARTIFACTS = `(left(e.text, 1) = '${ARTIFACT_LETTER}' AND (e.count = 1 OR e.text !~ '\\n[^${ARTIFACT_LETTER}]'))`;

/**
 * The entries after the snapshot of `t` as one text, which `fromTail` reads. A snapshot is as of the end of a commit, so whole rows follow
 * it without a gap. An ended task has none.
 */
export const tailOf = (s: string): string => joinedTail(s, ROW);

/** The same without the texts of rows that have only entries of artifacts. Rows of other entries may contain such entries, too. */
export const tailWithoutArtifactsOf = (s: string): string =>
  joinedTail(s, `CASE WHEN ${HAS_ONLY_ARTIFACTS} THEN '${UNREAD}' || e.count ELSE ${ROW} END`);

/** The bytes of these texts. */
export const tailSizeOf = (s: string, { withoutArtifacts }: { readonly withoutArtifacts: boolean }): string =>
  `CASE WHEN t.ended = ${RUNNING} THEN coalesce((SELECT sum(octet_length(e.text)) FROM ${s}.events AS e
    WHERE e.task = t.pk AND e.first_seq > t.snapshot_seq${withoutArtifacts ? ` AND NOT ${HAS_ONLY_ARTIFACTS}` : ''}), 0) ELSE 0 END`;

const joinedTail = (s: string, row: string): string => `CASE WHEN t.ended = ${RUNNING} THEN (
  SELECT string_agg(${row}, chr(30) ORDER BY e.first_seq)
  FROM ${s}.events AS e WHERE e.task = t.pk AND e.first_seq > t.snapshot_seq) END`;

/** The number of messages in the snapshot of a row of `tasks`. */
export const messageCount = (row: string): string =>
  `coalesce(${row}.messages, length(${row}.history) - length(replace(${row}.history, chr(10), '')) + (${row}.history <> '')::integer)`;

const dialect = (s: string): Dialect => ({
  table: (name) => `${s}.${name}`,
  joined: (text, rows, order) => `(SELECT string_agg(${text}, chr(10) ORDER BY ${order}) FROM ${rows})`,
  newline: 'chr(10)',
});

/** The columns of `t` in the order of `TaskColumns`. */
export const taskColumnsOf = (s: string, read: TextsRead): string =>
  `${TASK_COLUMNS.replaceAll(/\w+/g, 't.$&')}, ${textColumns(dialect(s), read)}`;

/** The bytes of the history and the artifacts in these columns. */
export const textSizeOf = (s: string, read: TextsRead): string => textSize(dialect(s), read);

/** The history of `t` with at least `count` messages, and no artifacts. */
export const historyOf = (s: string, count: string): string => textColumns(dialect(s), { count, artifactsIf: 'false' });

/** The messages of `t` with these numbers, as `MessageColumns`. */
export const messagesOf = (s: string, from: string, to: string): string => messageColumns(dialect(s), from, to);

const TEXT_COLUMNS = 'messages bigint, history_bytes bigint, history text, artifacts text, changes text';

/** The same columns, with the tail, as the result of a function that returns a task. */
export const LOADED_COLUMNS = `pk bigint, id text, context text, state smallint, status_at bigint, status_seq bigint, ended smallint,
  epoch bigint, node text, snapshot_seq bigint, generation bigint, head text, ${TEXT_COLUMNS}, tail text`;

/** The columns of the task `t` that its conversation needs. */
export const SPOKEN_COLUMNS = `pk bigint, snapshot_seq bigint, head text, ${TEXT_COLUMNS}, tail text`;

/** In FROM: limits how long the rest of the statement waits for a row lock, to the value of the parameter `place`. */
export const lockLimit = (place: string): string => `(SELECT set_config('lock_timeout', ${place}, true)) AS lock_limit`;

/** Whether the incarnation that owns the row `owner` is alive. */
export const lives = (s: string, owner: string, now: string): string =>
  `EXISTS (SELECT 1 FROM ${s}.nodes AS n WHERE n.id = ${owner}.node AND n.lease = ${owner}.lease AND n.until > ${now})`;
