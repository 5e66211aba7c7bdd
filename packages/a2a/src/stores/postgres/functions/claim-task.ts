import { PENDING } from '../../sql/inbox-row.js';
import { RUNNING } from '../../sql/tasks.js';
import { LOADED_COLUMNS, lives, PLANNED_ONCE, REF_OF_NAMES, refOf, tailOf, taskColumnsOf } from './fragments.js';

/**
 * Locks the task row before it reads the log, so that a write of the previous owner is either in the log or fenced. A retry of the same
 * call, or a late arrival, finds that it already has the task and does not fence itself.
 */
export const claimTask = (s: string): string => `
CREATE OR REPLACE FUNCTION ${s}.claim_task(
  p_lock_ms text, p_agent text, p_tenant text, p_owner text, p_id text, p_node text, p_lease bigint, p_call text, p_now bigint, p_count bigint
) RETURNS TABLE (answer text, ${LOADED_COLUMNS}, inbox text)
LANGUAGE plpgsql ${PLANNED_ONCE} AS $$
#variable_conflict use_column
DECLARE
  f record;
BEGIN
  PERFORM set_config('lock_timeout', p_lock_ms, true);
  SELECT x.pk, x.ended, x.node, x.lease, x.claim INTO f FROM ${s}.tasks AS x
  WHERE ${refOf('x')} = ${REF_OF_NAMES} FOR NO KEY UPDATE;
  IF NOT FOUND THEN answer := 'missing'; RETURN NEXT; RETURN; END IF;
  IF f.ended > ${RUNNING} THEN answer := 'final'; RETURN NEXT; RETURN; END IF;
  IF f.claim IS DISTINCT FROM p_call THEN
    IF NOT coalesce(f.node = p_node AND f.lease = p_lease, false) AND ${lives(s, 'f', `coalesce(p_now, ${s}.now_ms())`)} THEN
      answer := 'owned'; RETURN NEXT; RETURN;
    END IF;
    UPDATE ${s}.tasks AS x SET epoch = x.epoch + 1, node = p_node, lease = p_lease, claim = p_call WHERE x.pk = f.pk;
  END IF;
  RETURN QUERY
  SELECT 'ok', ${taskColumnsOf(s, { count: 'p_count' })}, ${tailOf(s)},
    (SELECT json_agg(json_build_array(b.n, b.kind, b.json, b.state, b.seq) ORDER BY b.n)::text FROM ${s}.inbox AS b
      WHERE b.task = t.pk AND b.state = ${PENDING})
  FROM ${s}.tasks AS t WHERE t.pk = f.pk;
END $$;
`;
