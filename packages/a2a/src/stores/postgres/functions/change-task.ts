import { PENDING, REFUSED, TAKEN } from '../../sql/inbox-row.js';
import { ENDED, RUNNING } from '../../sql/tasks.js';
import { ENDS, RELEASES } from './create-task.js';
import { lastGeneration, nextSeq } from './fragments.js';

/**
 * The part of `commit_writes` for a write to an existing task. All checks run before any change. The task row is touched only if the write
 * changes one of its columns. A retry recognizes its own earlier result: the end of the task, or the entries it wrote and the rows it took.
 */
export const changeTask = (s: string): string => `
      IF NOT v_exists THEN answer := 'missing'; RETURN NEXT; CONTINUE; END IF;
      context := t.context;
      IF p_again AND (
        (p_counts[w.i] > 0 AND EXISTS (SELECT 1 FROM ${s}.events AS e WHERE e.task = t.pk AND e.first_seq = p_first_seqs[w.i]
          AND e.epoch = p_epochs[w.i] AND e.text = v_texts[w.i]))
        OR (p_counts[w.i] = 0 AND t.epoch = p_epochs[w.i] AND t.ended > ${RUNNING} AND t.state = w.state AND t.status_seq = w.status_seq)
      ) THEN
        IF w.flags & ${ENDS} > 0 THEN
          answer := 'ok';
          rows := ARRAY(SELECT b.n FROM ${s}.inbox AS b WHERE b.task = t.pk AND b.state = ${REFUSED} ORDER BY b.n);
          RETURN NEXT;
        END IF;
        CONTINUE;
      END IF;
      IF t.epoch <> p_epochs[w.i] THEN answer := 'fenced'; RETURN NEXT; CONTINUE; END IF;
      IF t.ended > ${RUNNING} THEN answer := 'final'; RETURN NEXT; CONTINUE; END IF;
      v_seq := ${nextSeq(s, 't.pk')} - 1;
      v_last := v_seq + p_counts[w.i];
      v_is_right := NOT w.is_bad AND (p_counts[w.i] = 0 OR p_first_seqs[w.i] = v_seq + 1) AND (w.context IS NULL OR w.context = t.context)
        AND (w.head IS NULL OR w.messages_before = t.messages OR (p_again AND w.messages = t.messages));
      IF v_is_right AND w.take_rows IS NOT NULL THEN
        SELECT count(b.n) = count(*) INTO v_is_right
        FROM unnest(w.take_rows::bigint[], w.take_seqs::bigint[]) AS k(n, seq)
        LEFT JOIN ${s}.inbox AS b ON b.task = t.pk AND b.n = k.n AND k.seq BETWEEN 1 AND v_last
          AND (b.state = ${PENDING} OR (p_again AND b.state = ${TAKEN} AND b.seq = k.seq));
      END IF;
      IF NOT v_is_right THEN
        answer := 'failed'; seq := v_seq; stored_messages := t.messages;
        rows := ARRAY(SELECT b.n FROM ${s}.inbox AS b WHERE b.task = t.pk AND b.state = ${PENDING});
        RETURN NEXT; CONTINUE;
      END IF;

      IF p_counts[w.i] > 0 THEN
        INSERT INTO ${s}.events (task, first_seq, count, epoch, text, generation, committed_at)
        VALUES (t.pk, p_first_seqs[w.i], p_counts[w.i], p_epochs[w.i], v_texts[w.i], p_generations[w.i], v_at_ms);
      END IF;
      IF w.take_rows IS NOT NULL THEN
        UPDATE ${s}.inbox AS b SET state = ${TAKEN}, seq = k.seq
        FROM unnest(w.take_rows::bigint[], w.take_seqs::bigint[]) AS k(n, seq) WHERE b.task = t.pk AND b.n = k.n;
      END IF;
      -- A retry finds the rows of its earlier attempt.
      IF w.history <> '' THEN
        INSERT INTO ${s}.task_messages (task, n, text) VALUES (t.pk, w.messages_before, w.history) ON CONFLICT (task, n) DO NOTHING;
      END IF;
      IF w.artifacts <> '' THEN
        INSERT INTO ${s}.task_artifacts AS a (task, n, json)
        SELECT t.pk, split_part(line, ' ', 1)::bigint, substr(line, strpos(line, ' ') + 1)
        FROM unnest(string_to_array(w.artifacts, chr(10))) AS line
        ON CONFLICT (task, n) DO UPDATE SET json = excluded.json;
      END IF;
      IF w.state IS NOT NULL OR w.head IS NOT NULL OR w.flags & ${RELEASES} > 0 THEN
        UPDATE ${s}.tasks AS x SET
          state = coalesce(w.state, x.state), status_at = coalesce(w.status_at, x.status_at),
          status_seq = coalesce(w.status_seq, x.status_seq),
          snapshot_seq = CASE WHEN w.head IS NULL THEN x.snapshot_seq ELSE v_last END,
          generation = CASE WHEN w.head IS NULL THEN x.generation ELSE coalesce(w.last_generation, ${lastGeneration(s, 'x.pk')}) END,
          head = coalesce(w.head, x.head), messages = coalesce(w.messages, x.messages),
          history_bytes = coalesce(w.history_bytes, x.history_bytes),
          inlined = CASE WHEN w.head IS NULL THEN x.inlined ELSE coalesce(x.inlined, w.messages_before) END,
          artifact_rows = CASE WHEN w.artifacts <> '' THEN 1 ELSE x.artifact_rows END,
          ended = CASE WHEN w.flags & ${ENDS} > 0 THEN ${ENDED} ELSE ${RUNNING} END,
          node = CASE WHEN w.flags & ${ENDS | RELEASES} > 0 THEN NULL ELSE x.node END
        WHERE x.pk = t.pk;
      END IF;
      IF w.state <> t.state THEN
        v_moved := v_moved || w.i || w.i; v_moved_state := v_moved_state || t.state || w.state; v_moved_by := v_moved_by || -1 || 1;
      END IF;
      IF w.flags & ${ENDS} > 0 THEN
        WITH refused AS (UPDATE ${s}.inbox AS b SET state = ${REFUSED} WHERE b.task = t.pk AND b.state = ${PENDING} RETURNING b.n)
        SELECT array_agg(n ORDER BY n) INTO rows FROM refused;
        IF rows IS NOT NULL THEN answer := 'ok'; RETURN NEXT; END IF;
      END IF;
`;
