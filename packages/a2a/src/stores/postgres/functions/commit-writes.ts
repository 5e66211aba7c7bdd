/**
 * A gathered commit as one statement. Writes that only append are one insert for all tasks; the other writes are applied one by one. A
 * write without a row in the result succeeded.
 */
import { RUNNING } from '../../sql/tasks.js';
import { changeTask } from './change-task.js';
import { CREATES, createTask, IS_BAD } from './create-task.js';
import { messageCount, nextSeq, PLANNED_ONCE, refOf } from './fragments.js';

/**
 * The first columns have one value per write; those after `p_others` have one value per write listed there. `p_again`: the same writes were
 * sent before with an unknown outcome, so matching rows that already exist are ours.
 *
 * Task rows are locked before anything is read, so that a claim comes either before a commit or after it. They are locked in one order, so
 * that two commits never deadlock. Each statement sees the current data (READ COMMITTED).
 */
export const commitWrites = (s: string): string => `
CREATE OR REPLACE FUNCTION ${s}.commit_writes(
  p_lock_ms text, p_again boolean, p_now bigint,
  p_agents text, p_tenants text, p_owners text, p_ids text, p_epochs bigint[], p_first_seqs bigint[], p_counts integer[], p_texts text,
  p_generations bigint[],
  p_others integer[], p_flags integer[], p_nodes text, p_leases bigint[],
  p_key_agents text, p_key_tenants text, p_key_owners text, p_keys text,
  p_contexts text, p_states smallint[], p_status_ats bigint[], p_status_seqs bigint[],
  p_heads text, p_histories text, p_messages_before bigint[], p_messages bigint[], p_history_bytes bigint[], p_artifacts text,
  p_last_generations bigint[], p_take_rows text, p_take_seqs text
) RETURNS TABLE (i integer, answer text, seq bigint, context text, rows bigint[], stored_messages bigint)
LANGUAGE plpgsql ${PLANNED_ONCE} AS $$
#variable_conflict use_column
DECLARE
  v_agents text[] := ${s}.split(p_agents);
  v_tenants text[] := ${s}.split(p_tenants);
  v_owners text[] := ${s}.split(p_owners);
  v_ids text[] := ${s}.split(p_ids);
  v_at_ms bigint := coalesce(p_now, ${s}.now_ms());
  v_texts text[] := ${s}.split(p_texts);
  -- The locked tasks: the index of their write, and their current columns.
  v_at integer[];
  v_pks bigint[];
  v_epochs bigint[];
  v_ended smallint[];
  v_added bigint[];
  -- Changes of counts: the index of the write, the state, the difference.
  v_moved integer[] := '{}';
  v_moved_state smallint[] := '{}';
  v_moved_by integer[] := '{}';
  w record;
  t record;
  r record;
  v_exists boolean;
  v_pk bigint;
  v_seq bigint;
  v_last bigint;
  v_is_right boolean;
BEGIN
  PERFORM set_config('lock_timeout', p_lock_ms, true);
  SELECT coalesce(array_agg(l.i), '{}'), array_agg(l.pk), array_agg(l.epoch), array_agg(l.ended) INTO v_at, v_pks, v_epochs, v_ended
  FROM (
    SELECT n.i::integer, x.pk, x.epoch, x.ended FROM unnest(v_agents, v_tenants, v_owners, v_ids) WITH ORDINALITY AS n(agent, tenant, owner, id, i)
    JOIN ${s}.tasks AS x ON ${refOf('x')} = ${refOf('n')}
    ORDER BY x.pk FOR NO KEY UPDATE OF x
  ) AS l;
${appendAll(s)}
  IF cardinality(p_others) > 0 THEN
  FOR w IN
    SELECT n.*, n.flags & ${CREATES} > 0 AS creates, n.flags & ${IS_BAD} > 0 AS is_bad
    FROM unnest(p_others, p_flags, ${s}.split(p_nodes), p_leases,
      ${s}.split(p_key_agents), ${s}.split(p_key_tenants), ${s}.split(p_key_owners), ${s}.split(p_keys),
      ${s}.split(p_contexts), p_states, p_status_ats, p_status_seqs,
      ${s}.split(p_heads), ${s}.split(p_histories), p_messages_before, p_messages, p_history_bytes, ${s}.split(p_artifacts), p_last_generations,
      ${s}.split(p_take_rows), ${s}.split(p_take_seqs)
    ) AS n(i, flags, node, lease, key_agent, key_tenant, key_owner, key, context, state, status_at, status_seq,
      head, history, messages_before, messages, history_bytes, artifacts, last_generation, take_rows, take_seqs)
  LOOP
    i := w.i;
    seq := NULL; context := NULL; rows := NULL; stored_messages := NULL;
    SELECT x.pk, x.epoch, x.ended, x.context, x.state, x.status_seq, x.node, x.lease, ${messageCount('x')} AS messages INTO t FROM ${s}.tasks AS x
    WHERE ${refOf('x')} = v_agents[w.i] || chr(30) || v_tenants[w.i] || chr(30) || v_owners[w.i] || chr(30) || v_ids[w.i];
    v_exists := FOUND;
    IF w.creates THEN
${createTask(s)}
    ELSE
${changeTask(s)}
    END IF;
  END LOOP;
  END IF;

  IF cardinality(v_moved) > 0 THEN
    INSERT INTO ${s}.deltas (agent, tenant, owner, state, n)
    SELECT v_agents[m.i], v_tenants[m.i], v_owners[m.i], m.state, sum(m.by) FROM unnest(v_moved, v_moved_state, v_moved_by) AS m(i, state, by)
    GROUP BY 1, 2, 3, 4 HAVING sum(m.by) <> 0;
  END IF;
END $$;
`;

/** Handles each task at most once: if a commit has several writes to a task, they are all in `p_others`. */
const appendAll = (s: string): string => `
  IF cardinality(p_others) < cardinality(p_epochs) THEN
    WITH added AS (
      INSERT INTO ${s}.events AS e (task, first_seq, count, epoch, text, generation, committed_at)
      SELECT l.pk, p_first_seqs[l.i], p_counts[l.i], p_epochs[l.i], v_texts[l.i], p_generations[l.i], v_at_ms
      FROM unnest(v_at, v_pks, v_epochs, v_ended) AS l(i, pk, epoch, ended)
      WHERE l.i <> ALL (p_others) AND l.epoch = p_epochs[l.i] AND l.ended = ${RUNNING} AND p_first_seqs[l.i] = ${nextSeq(s, 'l.pk')}
      RETURNING e.task
    ) SELECT coalesce(array_agg(task), '{}') INTO v_added FROM added;
    IF cardinality(v_added) + cardinality(p_others) < cardinality(p_epochs) THEN
      RETURN QUERY
      SELECT g.i,
        CASE WHEN x.pk IS NULL THEN 'missing' WHEN x.epoch <> p_epochs[g.i] THEN 'fenced' WHEN x.ended > ${RUNNING} THEN 'final'
          ELSE 'failed' END,
        ${nextSeq(s, 'x.pk')} - 1, x.context, NULL::bigint[], NULL::bigint
      FROM generate_subscripts(p_epochs, 1) AS g(i)
      LEFT JOIN unnest(v_at, v_pks) AS l(i, pk) ON l.i = g.i
      LEFT JOIN ${s}.tasks AS x ON x.pk = l.pk
      WHERE g.i <> ALL (p_others) AND (x.pk IS NULL OR x.pk <> ALL (v_added)) AND NOT (p_again AND EXISTS (
        SELECT 1 FROM ${s}.events AS e
        WHERE e.task = x.pk AND e.first_seq = p_first_seqs[g.i] AND e.epoch = p_epochs[g.i] AND e.text = v_texts[g.i]));
    END IF;
  END IF;
`;
