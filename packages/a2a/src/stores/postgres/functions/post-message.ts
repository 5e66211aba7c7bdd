import { PENDING } from '../../sql/inbox-row.js';
import { RUNNING } from '../../sql/tasks.js';
import { PLANNED_ONCE, REF_OF_NAMES, refOf } from './fragments.js';

/**
 * Posts to a task are serialized with each other and with its commits, so that row numbers have no gaps, and no row arrives after the end
 * of the task has refused the pending ones.
 */
export const postMessage = (s: string): string => `
CREATE OR REPLACE FUNCTION ${s}.post_message(
  p_lock_ms text, p_agent text, p_tenant text, p_owner text, p_id text, p_kind text, p_json text, p_token text,
  p_key_agent text, p_key_tenant text, p_key_owner text, p_key text, p_node text, p_lease bigint
) RETURNS TABLE (answer text, n bigint)
LANGUAGE plpgsql ${PLANNED_ONCE} AS $$
#variable_conflict use_column
DECLARE
  t record;
  r record;
BEGIN
  PERFORM set_config('lock_timeout', p_lock_ms, true);
  SELECT x.pk, x.ended INTO t FROM ${s}.tasks AS x WHERE ${refOf('x')} = ${REF_OF_NAMES} FOR NO KEY UPDATE;
  IF NOT FOUND THEN answer := 'missing'; RETURN NEXT; RETURN; END IF;
  answer := 'ok';
  SELECT b.n INTO n FROM ${s}.inbox AS b WHERE b.task = t.pk AND b.token = p_token;
  IF FOUND THEN RETURN NEXT; RETURN; END IF;
  IF t.ended > ${RUNNING} THEN answer := 'final'; RETURN NEXT; RETURN; END IF;
  IF p_key IS NOT NULL THEN
    SELECT q.task_id, q.reply, q.node, q.lease INTO r FROM ${s}.requests AS q
    WHERE q.agent = p_key_agent AND q.tenant = p_key_tenant AND q.owner = p_key_owner AND q.key = p_key FOR UPDATE;
    IF FOUND AND NOT (r.task_id IS NULL AND r.reply IS NULL AND r.node = p_node AND r.lease = p_lease) THEN
      answer := 'fenced'; RETURN NEXT; RETURN;
    END IF;
  END IF;
  INSERT INTO ${s}.inbox AS b (task, n, kind, state, json, token)
  SELECT t.pk, coalesce(max(o.n), 0) + 1, p_kind, ${PENDING}, p_json, p_token FROM ${s}.inbox AS o WHERE o.task = t.pk
  RETURNING b.n INTO n;
  IF p_key IS NOT NULL THEN
    UPDATE ${s}.requests AS q SET task_id = p_id, inbox_row = n WHERE q.agent = p_key_agent AND q.tenant = p_key_tenant AND q.owner = p_key_owner AND q.key = p_key;
  END IF;
  RETURN NEXT;
END $$;
`;
