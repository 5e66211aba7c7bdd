// Fills the store with a million tasks by SQL: copies a task of an agent with other ids, states and times, so that the rows are realistic.
import pg from 'pg';

/** The caller that owns nearly all tasks; many other callers own a hundred each. */
export const MANY = 'many';
export const FEW = 'few-1';
const FEW_EACH = 100;

/** Age of the oldest task. */
const SPAN_MS = 90 * 24 * 3_600_000;
const REPLAY_MS = 24 * 3_600_000;
/** Tasks per context. */
export const PER_CONTEXT = 20;

/**
 * Copies the only task of the schema.
 * @param {{ url: string, schema: string, rows: number }} options
 * @returns {Promise<number>} total number of tasks
 */
export async function fill({ url, schema, rows }) {
  const client = new pg.Client(url);
  await client.connect();
  const s = pg.escapeIdentifier(schema);
  try {
    await client.query("SET synchronous_commit = off; SET maintenance_work_mem = '256MB'");
    await withoutIndexes(client, schema, async () => {
      await copyTasks(client, s, { owner: `'${MANY}'`, rows, from: 0 });
      await copyTasks(client, s, { owner: `'few-' || (i / ${FEW_EACH})`, rows: Math.ceil(rows / 10), from: rows });
    });
    await copyEvents(client, s);
    await client.query(`DELETE FROM ${s}.tasks WHERE owner = 'sample'`);
    await client.query(`DELETE FROM ${s}.deltas`);
    await client.query(`DELETE FROM ${s}.totals`);
    await client.query(`INSERT INTO ${s}.totals (agent, tenant, owner, state, n)
      SELECT agent, tenant, owner, state, count(*) FROM ${s}.tasks GROUP BY agent, tenant, owner, state`);
    for (const table of ['tasks', 'events', 'totals']) await client.query(`VACUUM ANALYZE ${s}.${table}`);
    const { rows: counted } = await client.query(`SELECT count(*)::int AS n FROM ${s}.tasks`);
    return counted[0].n;
  } finally {
    await client.end();
  }
}

/**
 * Writing without indexes and creating them afterwards takes a third of the time.
 * @param {import('pg').Client} client
 * @param {string} schema
 * @param {() => Promise<void>} write
 */
async function withoutIndexes(client, schema, write) {
  const { rows } = await client.query(
    "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = $1 AND tablename = 'tasks' AND indexdef NOT LIKE '% UNIQUE %'",
    [schema],
  );
  for (const { indexname } of rows) await client.query(`DROP INDEX ${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(indexname)}`);
  await write();
  for (const { indexdef } of rows) await client.query(indexdef);
}

/**
 * Copies the log of tasks that are not compacted.
 * @param {import('pg').Client} client
 * @param {string} s
 */
async function copyEvents(client, s) {
  await client.query(
    `INSERT INTO ${s}.events (task, first_seq, count, epoch, text, generation, committed_at)
      SELECT t.pk, e.first_seq, e.count, e.epoch, replace(replace(e.text, sample.id, t.id), sample.context, t.context),
        e.generation, e.committed_at
      FROM ${s}.tasks AS t, ${s}.tasks AS sample JOIN ${s}.events AS e ON e.task = sample.pk
      WHERE sample.owner = 'sample' AND t.owner <> 'sample' AND t.ended < 2`,
  );
}

/** State numbers of protobuf, per hundred tasks: most are completed. */
const STATE = `CASE WHEN i % 100 < 90 THEN 3 WHEN i % 100 < 95 THEN 4 WHEN i % 100 < 98 THEN 5 ELSE 6 END`;
const STATE_NAME = `CASE state WHEN 3 THEN 'COMPLETED' WHEN 4 THEN 'FAILED' WHEN 5 THEN 'CANCELED' ELSE 'INPUT_REQUIRED' END`;

/**
 * Ids look random, and times are not in insertion order.
 * @param {import('pg').Client} client
 * @param {string} s
 * @param {{ owner: string, rows: number, from: number }} what
 */
async function copyTasks(client, s, { owner, rows, from }) {
  await client.query(
    `INSERT INTO ${s}.tasks (tenant, owner, id, context, state, status_at, status_seq, ended, epoch, node, lease, claim, snapshot_seq,
        generation, head, history, artifacts)
      SELECT tenant, new_owner, new_id, new_context, state, status_at, status_seq,
        CASE WHEN state = 6 THEN 0 WHEN status_at < now_ms - $4::bigint THEN 2 ELSE 1 END, epoch, NULL, lease, claim, snapshot_seq, generation,
        replace(replace(replace(replace(head, old_id, new_id), old_context, new_context), 'TASK_STATE_COMPLETED', 'TASK_STATE_' || ${STATE_NAME}),
          old_time, to_char(to_timestamp(status_at / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
        replace(replace(history, old_id, new_id), old_context, new_context), artifacts
      FROM (
        SELECT t.tenant, t.status_seq, t.epoch, t.lease, t.claim, t.snapshot_seq, t.generation, t.head, t.history, t.artifacts, t.id AS old_id,
          t.context AS old_context, t.head::jsonb -> 'status' ->> 'timestamp' AS old_time, ${owner} AS new_owner,
          md5(($2::bigint + i)::text)::uuid::text AS new_id,
          md5('context ' || (($2::bigint + i) / ${PER_CONTEXT})::text)::uuid::text AS new_context, ${STATE} AS state,
          now_ms - (i * 61843 % $1::bigint) * ($3::bigint / $1::bigint) AS status_at, now_ms
        FROM ${s}.tasks AS t, generate_series(0, $1::bigint - 1) AS i, (SELECT floor(extract(epoch FROM now()) * 1000)::bigint AS now_ms) AS clock
        WHERE t.owner = 'sample'
      ) AS copied`,
    [rows, from, SPAN_MS, REPLAY_MS],
  );
}
