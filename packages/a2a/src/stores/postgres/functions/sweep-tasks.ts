import { REQUEST_LIFETIME_MS } from '../../sql/request-row.js';
import { COMPACTED, ENDED } from '../../sql/tasks.js';
import { forgetExpired } from './begin-request.js';
import { PLANNED_ONCE } from './fragments.js';

/** How many rows of `deltas` one sweep folds. */
const FOLD_AT_ONCE = 50_000;

/** How long the row of a dead node is kept: longer than any request that it began. */
const FORGET_NODE_MS = 7 * REQUEST_LIFETIME_MS;

/** Each process has its own node name. Deletes the rows of dead nodes that own no task. */
const forgetNodes = (s: string): string => `
  DELETE FROM ${s}.nodes WHERE id IN (
    SELECT n.id FROM ${s}.nodes AS n WHERE n.until < least(p_now, ${s}.now_ms()) - ${FORGET_NODE_MS}
      AND NOT EXISTS (SELECT 1 FROM ${s}.tasks AS t WHERE t.node = n.id)
    LIMIT p_batch FOR UPDATE SKIP LOCKED);`;

/**
 * One node sweeps at a time: the first that gets the lock. No other call changes ended tasks. The oldest tasks come first. `jit = off`:
 * disabled sequential scans give the read of `deltas` a huge estimated cost, and PostgreSQL would spend a second compiling it.
 */
export const sweepTasks = (s: string): string => `
CREATE OR REPLACE FUNCTION ${s}.sweep_tasks(
  p_lock_ms text, p_schema text, p_agent text, p_delete_before bigint, p_compact_before bigint, p_batch integer, p_now bigint
) RETURNS integer LANGUAGE plpgsql ${PLANNED_ONCE} SET jit = off AS $$
DECLARE
  v_doomed bigint[];
  v_aged bigint[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('parley sweep ' || p_schema, 0)) THEN RETURN 0; END IF;
  PERFORM set_config('lock_timeout', p_lock_ms, true);
  ${forgetExpired(s, 'p_now')}
  ${forgetNodes(s)}
  v_doomed := ARRAY(SELECT o.pk FROM (
    (SELECT pk, status_at FROM ${s}.tasks WHERE agent = p_agent AND ended = ${ENDED} AND status_at < p_delete_before
      ORDER BY status_at, pk LIMIT p_batch)
    UNION ALL
    (SELECT pk, status_at FROM ${s}.tasks WHERE agent = p_agent AND ended = ${COMPACTED} AND status_at < p_delete_before
      ORDER BY status_at, pk LIMIT p_batch)
  ) AS o ORDER BY o.status_at, o.pk LIMIT p_batch);
  DELETE FROM ${s}.events WHERE task = ANY (v_doomed);
  DELETE FROM ${s}.inbox WHERE task = ANY (v_doomed);
  DELETE FROM ${s}.task_messages WHERE task = ANY (v_doomed);
  DELETE FROM ${s}.task_artifacts WHERE task = ANY (v_doomed);
  WITH gone AS (DELETE FROM ${s}.tasks WHERE pk = ANY (v_doomed) RETURNING agent, tenant, owner, state)
  INSERT INTO ${s}.deltas (agent, tenant, owner, state, n) SELECT agent, tenant, owner, state, -count(*) FROM gone GROUP BY 1, 2, 3, 4;

  v_aged := ARRAY(SELECT pk FROM ${s}.tasks WHERE agent = p_agent AND ended = ${ENDED} AND status_at < p_compact_before
    ORDER BY status_at, pk LIMIT p_batch - cardinality(v_doomed));
  DELETE FROM ${s}.events WHERE task = ANY (v_aged);
  UPDATE ${s}.inbox SET json = '' WHERE task = ANY (v_aged);
  UPDATE ${s}.tasks SET ended = ${COMPACTED} WHERE pk = ANY (v_aged);

  WITH gone AS (
    DELETE FROM ${s}.deltas WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${s}.deltas LIMIT ${FOLD_AT_ONCE}))
    RETURNING agent, tenant, owner, state, n
  )
  INSERT INTO ${s}.totals AS o (agent, tenant, owner, state, n)
  SELECT agent, tenant, owner, state, sum(n) FROM gone GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0
  ON CONFLICT (agent, tenant, owner, state) DO UPDATE SET n = o.n + excluded.n;
  RETURN cardinality(v_doomed) + cardinality(v_aged);
END $$;
`;
