/** Parts of statements that stand in several. */
import { RUNNING, TASK_COLUMNS } from '../../sql/tasks.js';

/**
 * The names of a task as one text, which no other task has. Tasks are found by this and not by four columns: several indexes begin with
 * those, and while a table is new nothing tells the planner which of them knows the task.
 */
export const refOf = (row: string): string =>
  `(${row}.agent || chr(30) || ${row}.tenant || chr(30) || ${row}.owner || chr(30) || ${row}.id)`;

/**
 * Of functions: their plans are kept for long and are often made while tables are small. Left to itself the planner would read those whole,
 * and go on to do so when they have grown.
 */
export const PLANNED_ONCE = 'SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off';

/** The same of names that are parameters. */
export const REF_OF_NAMES = `p_agent || chr(30) || p_tenant || chr(30) || p_owner || chr(30) || p_id`;

/** The number that the next entry of a task has. A task that has not ended has entries. */
export const nextSeq = (s: string, pk: string): string =>
  `(SELECT last.first_seq + last.count FROM ${s}.events AS last WHERE last.task = ${pk} ORDER BY last.first_seq DESC LIMIT 1)`;

/** Where the log of a task is, for a snapshot that comes without entries. */
export const lastGeneration = (s: string, pk: string): string =>
  `(SELECT ${s}.generation_after(last.generation, last.text) FROM ${s}.events AS last WHERE last.task = ${pk} ORDER BY last.first_seq DESC LIMIT 1)`;

/** The seq of `t` is that of its newest entry; a compacted task has none left, and its snapshot knows. */
export const newestSeq = (s: string): string => `coalesce(${nextSeq(s, 't.pk')} - 1, t.snapshot_seq)`;

/** The row that has the entry behind `seq` in it, or is next to it. */
export const rowOf = (s: string, pk: string, seq: string): string =>
  `coalesce((SELECT max(first_seq) FROM ${s}.events WHERE task = ${pk} AND first_seq <= ${seq}), 0)`;

/**
 * The entries since the snapshot of `t`, as one text that `fromTail` reads. A snapshot is as of the end of a commit, so whole rows follow it, without a hole;
 * an ended task has none.
 */
export const tailOf = (s: string): string => `CASE WHEN t.ended = ${RUNNING} THEN (
  SELECT string_agg(e.generation || ' ' || e.committed_at || ' ' || e.text, chr(30) ORDER BY e.first_seq)
  FROM ${s}.events AS e WHERE e.task = t.pk AND e.first_seq > t.snapshot_seq) END`;

/** Reads as `TaskColumns`, of `t`. */
export const TASK_COLUMNS_OF_T = TASK_COLUMNS.replaceAll(/\w+/g, 't.$&');

/** The same as the columns of a function that answers with a task, and its tail. */
export const LOADED_COLUMNS = `pk bigint, id text, context text, state smallint, status_at bigint, status_seq bigint, ended smallint,
  epoch bigint, node text, snapshot_seq bigint, head text, history text, artifacts text, generation bigint, tail text`;

/** In FROM: from here on the statement waits for a row no longer than the value in `place` says. */
export const lockLimit = (place: string): string => `(SELECT set_config('lock_timeout', ${place}, true)) AS lock_limit`;

/** Whether the incarnation of a node that `owner` names lives. */
export const lives = (s: string, owner: string, now: string): string =>
  `EXISTS (SELECT 1 FROM ${s}.nodes AS n WHERE n.id = ${owner}.node AND n.lease = ${owner}.lease AND n.until > ${now})`;
