import { ENDED, RUNNING } from '../../sql/tasks.js';
import { refOf } from './fragments.js';

/** The bits of `p_flags`. */
export const CREATES = 1;
export const IS_BAD = 2;
export const RELEASES = 4;
export const ENDS = 8;

/**
 * The part of `commit_writes` for a write that creates its task: the row, its first entries and the link of its request. An existing task
 * is reported before any other error. A retry of the same creation recognizes its own entries, and never accepts the row of another caller.
 */
export const createTask = (s: string): string => `
      IF v_exists AND p_again AND (t.epoch > 1 OR t.ended > ${RUNNING} OR t.node IS NULL OR (t.node = w.node AND t.lease = w.lease)) AND EXISTS (
        SELECT 1 FROM ${s}.events AS e WHERE e.task = t.pk AND e.first_seq = p_first_seqs[w.i] AND e.epoch = p_epochs[w.i]
          AND e.text = v_texts[w.i]
      ) THEN CONTINUE; END IF;
      IF v_exists THEN answer := 'exists'; RETURN NEXT; CONTINUE; END IF;
      IF w.is_bad THEN answer := 'failed'; RETURN NEXT; CONTINUE; END IF;
      IF w.key IS NOT NULL THEN
        SELECT q.task_id, q.reply, q.node, q.lease INTO r FROM ${s}.requests AS q
        WHERE q.agent = w.key_agent AND q.tenant = w.key_tenant AND q.owner = w.key_owner AND q.key = w.key FOR UPDATE;
        IF FOUND AND NOT (r.task_id IS NULL AND r.reply IS NULL AND r.node = w.node AND r.lease = w.lease) THEN
          answer := 'fenced'; RETURN NEXT; CONTINUE;
        END IF;
      END IF;
      INSERT INTO ${s}.tasks (agent, tenant, owner, id, context, state, status_at, status_seq, ended, epoch, node, lease,
        snapshot_seq, head, history, artifacts, generation, messages, history_bytes, inlined)
      VALUES (v_agents[w.i], v_tenants[w.i], v_owners[w.i], v_ids[w.i], w.context, w.state, w.status_at, w.status_seq,
        CASE WHEN w.flags & ${ENDS} > 0 THEN ${ENDED} ELSE ${RUNNING} END, p_epochs[w.i],
        CASE WHEN w.flags & ${ENDS | RELEASES} > 0 THEN NULL ELSE w.node END, w.lease,
        p_counts[w.i], w.head, w.history, w.artifacts, w.last_generation, w.messages, w.history_bytes, w.messages)
      ON CONFLICT (${refOf('tasks')}) DO NOTHING RETURNING pk INTO v_pk;
      IF NOT FOUND THEN answer := 'exists'; RETURN NEXT; CONTINUE; END IF;
      INSERT INTO ${s}.events (task, first_seq, count, epoch, text, generation, committed_at)
      VALUES (v_pk, p_first_seqs[w.i], p_counts[w.i], p_epochs[w.i], v_texts[w.i], p_generations[w.i], v_at_ms);
      IF w.key IS NOT NULL THEN
        UPDATE ${s}.requests SET task_id = v_ids[w.i], inbox_row = NULL
        WHERE agent = w.key_agent AND tenant = w.key_tenant AND owner = w.key_owner AND key = w.key;
      END IF;
      v_moved := v_moved || w.i; v_moved_state := v_moved_state || w.state; v_moved_by := v_moved_by || 1;
`;
