/** Fills in generations and commit times for logs from before version 2. */
import { SENT_LETTERS } from '../sql/entry-text.js';

/** Maximum number of rows per transaction. */
const BATCH_ROWS = 2_000;

/** A transaction ends with the row that reaches this size: texts are read whole, and a row may have megabytes. */
const BATCH_BYTES = 8 * 1024 * 1024;

/**
 * Numbers the next rows after the position in `numbering`, task by task, and returns how many. The same statement saves the new position,
 * so that any node can continue. A task may span two batches; the saved generation of the previous batch is then added to its rows.
 */
export const numberEvents = (s: string): string => `
WITH place AS (SELECT task, first_seq, generation FROM ${s}.numbering),
found AS (
  SELECT e.task, e.first_seq, e.count, ${s}.sent(e.text) AS sent, (e.text ~ '^[${SENT_LETTERS}]')::integer AS begins,
    floor(substring(e.text FROM '(?:^|\\n).([^ \\n]+) [^\\n]*$')::numeric)::bigint AS last_at
  FROM (
    -- octet_length does not load a text that is stored out of line (TOAST).
    SELECT n.*, sum(octet_length(n.text)) OVER (ORDER BY n.task, n.first_seq) - octet_length(n.text) AS bytes_before
    FROM (
      SELECT o.* FROM ${s}.events AS o WHERE (o.task, o.first_seq) > ((SELECT task FROM place), (SELECT first_seq FROM place))
      ORDER BY o.task, o.first_seq LIMIT ${BATCH_ROWS}
    ) AS n
  ) AS e WHERE e.bytes_before < ${BATCH_BYTES}
),
counted AS (
  SELECT f.*, CASE WHEN f.task = p.task THEN p.generation ELSE 0 END
    + sum(f.sent) OVER (PARTITION BY f.task ORDER BY f.first_seq) AS last
  FROM found AS f, place AS p
),
numbered AS (
  UPDATE ${s}.events AS e SET generation = c.last - c.sent + c.begins, committed_at = c.last_at
  FROM counted AS c WHERE e.task = c.task AND e.first_seq = c.first_seq
),
-- A snapshot is always as of the end of a commit.
snapshots AS (
  UPDATE ${s}.tasks AS t SET generation = c.last FROM counted AS c WHERE t.pk = c.task AND t.snapshot_seq = c.first_seq + c.count - 1
),
kept AS (
  UPDATE ${s}.numbering SET task = c.task, first_seq = c.first_seq, generation = c.last
  FROM (SELECT * FROM counted ORDER BY task DESC, first_seq DESC LIMIT 1) AS c
)
SELECT count(*) FROM found`;
