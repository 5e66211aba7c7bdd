/**
 * A gathered commit as one statement. What only appends is one insert for all tasks; what else a write does is done one by one. Each
 * write is answered by itself, and only where there is something to say: no row means that it was taken.
 */
import { RUNNING } from '../../sql/tasks.js';
import { changeTask } from './change-task.js';
import { CREATES, createTask, IS_BAD } from './create-task.js';
import { nextSeq } from './fragments.js';

/**
 * The first columns have a value for each write, those after `p_others` for each write named there. `p_again`: the same writes were
 * sent before and nobody knows what became of them, so whatever is there already is ours.
 *
 * Rows of tasks are locked before anything is read, so that a claim comes either before a commit or after it; and in one order, so that
 * two commits never wait for each other in a ring. Each statement looks anew at what is there (READ COMMITTED).
 *
 * Plans are kept for long and are first made while tables are small: without `enable_seqscan = off` they would read them whole.
 */
export const commitWrites = (s: string): string => `
CREATE FUNCTION ${s}.commit_writes(
  p_lock_ms text, p_again boolean,
  p_tenants text, p_owners text, p_ids text, p_epochs bigint[], p_first_seqs bigint[], p_counts integer[], p_texts text,
  p_others integer[], p_flags integer[], p_nodes text, p_leases bigint[],
  p_key_tenants text, p_key_owners text, p_keys text,
  p_contexts text, p_states smallint[], p_status_ats bigint[], p_status_seqs bigint[],
  p_heads text, p_histories text, p_artifacts text, p_take_rows text, p_take_seqs text
) RETURNS TABLE (i integer, answer text, seq bigint, context text, rows bigint[])
LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  v_tenants text[] := ${s}.split(p_tenants);
  v_owners text[] := ${s}.split(p_owners);
  v_ids text[] := ${s}.split(p_ids);
  v_texts text[] := ${s}.split(p_texts);
  v_added bigint[];
  -- Counts that changed: of which write, which state, by how much.
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
  PERFORM 1 FROM (
    SELECT 1 FROM unnest(v_tenants, v_owners, v_ids) AS n(tenant, owner, id)
    JOIN ${s}.tasks AS x ON x.tenant = n.tenant AND x.owner = n.owner AND x.id = n.id
    ORDER BY x.pk FOR NO KEY UPDATE OF x
  ) AS locked;
${appendAll(s)}
  FOR w IN
    SELECT n.*, n.flags & ${CREATES} > 0 AS creates, n.flags & ${IS_BAD} > 0 AS is_bad
    FROM unnest(p_others, p_flags, ${s}.split(p_nodes), p_leases,
      ${s}.split(p_key_tenants), ${s}.split(p_key_owners), ${s}.split(p_keys),
      ${s}.split(p_contexts), p_states, p_status_ats, p_status_seqs,
      ${s}.split(p_heads), ${s}.split(p_histories), ${s}.split(p_artifacts),
      ${s}.split(p_take_rows), ${s}.split(p_take_seqs)
    ) AS n(i, flags, node, lease, key_tenant, key_owner, key, context, state, status_at, status_seq,
      head, history, artifacts, take_rows, take_seqs)
  LOOP
    i := w.i;
    seq := NULL; context := NULL; rows := NULL;
    SELECT x.pk, x.epoch, x.ended, x.context, x.state, x.status_seq, x.node, x.lease INTO t FROM ${s}.tasks AS x
    WHERE x.tenant = v_tenants[w.i] AND x.owner = v_owners[w.i] AND x.id = v_ids[w.i];
    v_exists := FOUND;
    IF w.creates THEN
${createTask(s)}
    ELSE
${changeTask(s)}
    END IF;
  END LOOP;

  IF cardinality(v_moved) > 0 THEN
    INSERT INTO ${s}.deltas (tenant, owner, state, n)
    SELECT v_tenants[m.i], v_owners[m.i], m.state, sum(m.by) FROM unnest(v_moved, v_moved_state, v_moved_by) AS m(i, state, by)
    GROUP BY 1, 2, 3 HAVING sum(m.by) <> 0;
  END IF;
END $$;
`;

/** A task stands here once at most: what comes after another write of the same commit is done in its turn. */
const appendAll = (s: string): string => `
  IF cardinality(p_others) < cardinality(p_epochs) THEN
    WITH added AS (
      INSERT INTO ${s}.events AS e (task, first_seq, count, epoch, text)
      SELECT x.pk, n.first_seq, n.count, n.epoch, n.text
      FROM unnest(v_tenants, v_owners, v_ids, p_epochs, p_first_seqs, p_counts, v_texts)
        WITH ORDINALITY AS n(tenant, owner, id, epoch, first_seq, count, text, i)
      JOIN ${s}.tasks AS x ON x.tenant = n.tenant AND x.owner = n.owner AND x.id = n.id
      WHERE n.i <> ALL (p_others) AND x.epoch = n.epoch AND x.ended = ${RUNNING} AND n.first_seq = ${nextSeq(s, 'x.pk')}
      RETURNING e.task
    ) SELECT coalesce(array_agg(task), '{}') INTO v_added FROM added;
    IF cardinality(v_added) + cardinality(p_others) < cardinality(p_epochs) THEN
      RETURN QUERY
      SELECT n.i::integer,
        CASE WHEN x.pk IS NULL THEN 'missing' WHEN x.epoch <> n.epoch THEN 'fenced' WHEN x.ended > ${RUNNING} THEN 'final' ELSE 'failed' END,
        ${nextSeq(s, 'x.pk')} - 1, x.context, NULL::bigint[]
      FROM unnest(v_tenants, v_owners, v_ids, p_epochs, p_first_seqs, v_texts)
        WITH ORDINALITY AS n(tenant, owner, id, epoch, first_seq, text, i)
      LEFT JOIN ${s}.tasks AS x ON x.tenant = n.tenant AND x.owner = n.owner AND x.id = n.id
      WHERE n.i <> ALL (p_others) AND (x.pk IS NULL OR x.pk <> ALL (v_added)) AND NOT (p_again AND EXISTS (
        SELECT 1 FROM ${s}.events AS e
        WHERE e.task = x.pk AND e.first_seq = n.first_seq AND e.epoch = n.epoch AND e.text = n.text));
    END IF;
  END IF;
`;
