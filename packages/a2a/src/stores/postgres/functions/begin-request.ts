import { REQUEST_LIFETIME_MS } from '../../sql/request-row.js';
import { lives, PLANNED_ONCE, refOf } from './fragments.js';

/** How many expired requests a call deletes: more than it adds, but few enough to be quick. */
const FORGET_AT_ONCE = 100;

/** Deletes expired requests. `SKIP LOCKED`: concurrent calls do not wait for each other's rows. */
export const forgetExpired = (s: string, now: string): string => `
  DELETE FROM ${s}.requests WHERE (agent, tenant, owner, key) IN (
    SELECT o.agent, o.tenant, o.owner, o.key FROM ${s}.requests AS o WHERE o.at <= ${now} - ${REQUEST_LIFETIME_MS}
    ORDER BY o.at LIMIT ${FORGET_AT_ONCE} FOR UPDATE SKIP LOCKED);`;

/**
 * Returns `run` (the attempt) if the request is to be run; otherwise its stored state, as `RequestColumns`. A retry of the same call gets
 * the same attempt.
 */
export const beginRequest = (s: string): string => `
CREATE OR REPLACE FUNCTION ${s}.begin_request(
  p_lock_ms text, p_agent text, p_tenant text, p_owner text, p_key text, p_body_hash text, p_node text, p_lease bigint, p_call text, p_now bigint
) RETURNS TABLE (run integer, body_hash text, at bigint, attempt integer, task_id text, reply text, inbox_row bigint,
  task_ended smallint, node_until bigint)
LANGUAGE plpgsql ${PLANNED_ONCE} AS $$
#variable_conflict use_column
DECLARE
  v_now bigint := coalesce(p_now, ${s}.now_ms());
  r record;
  v_lives boolean;
BEGIN
  PERFORM set_config('lock_timeout', p_lock_ms, true);
  ${forgetExpired(s, 'v_now')}
  LOOP
    INSERT INTO ${s}.requests (agent, tenant, owner, key, body_hash, at, attempt, node, lease, call)
    VALUES (p_agent, p_tenant, p_owner, p_key, p_body_hash, v_now, 1, p_node, p_lease, p_call)
    ON CONFLICT (agent, tenant, owner, key) DO NOTHING;
    IF FOUND THEN run := 1; RETURN NEXT; RETURN; END IF;
    SELECT q.*, x.ended AS task_ended INTO r FROM ${s}.requests AS q
    LEFT JOIN ${s}.tasks AS x ON ${refOf('x')} = q.agent || chr(30) || q.tenant || chr(30) || q.owner || chr(30) || q.task_id
    WHERE q.agent = p_agent AND q.tenant = p_tenant AND q.owner = p_owner AND q.key = p_key FOR UPDATE OF q;
    EXIT WHEN FOUND;
  END LOOP;
  v_lives := NOT (r.node = p_node AND r.lease = p_lease) AND ${lives(s, 'r', 'v_now')};
  IF r.call = p_call THEN
    run := r.attempt;
  ELSIF v_now - r.at >= ${REQUEST_LIFETIME_MS} THEN
    run := 1;
  ELSIF r.body_hash = p_body_hash AND r.reply IS NULL AND r.task_id IS NULL AND NOT v_lives THEN
    run := r.attempt + 1;
  END IF;
  IF run IS NULL THEN
    body_hash := r.body_hash; at := r.at; attempt := r.attempt; task_id := r.task_id; reply := r.reply; inbox_row := r.inbox_row;
    task_ended := r.task_ended; node_until := CASE WHEN v_lives THEN v_now + 1 END;
  ELSIF r.call <> p_call THEN
    UPDATE ${s}.requests AS q SET body_hash = p_body_hash, at = v_now, attempt = run, node = p_node, lease = p_lease, call = p_call,
      task_id = NULL, inbox_row = NULL, reply = NULL
    WHERE q.agent = p_agent AND q.tenant = p_tenant AND q.owner = p_owner AND q.key = p_key;
  END IF;
  RETURN NEXT;
END $$;
`;
