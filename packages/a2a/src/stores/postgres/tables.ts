/** The tables as numbered migration steps. */
import { SENT_LETTERS } from '../sql/entry-text.js';
import { WAITING } from '../sql/tasks.js';
import { refOf } from './functions/fragments.js';

/**
 * - Names are compared by their bytes (`"C"`), so that lists have the same order in every database and indexes can serve it.
 * - `state` is the protobuf number of the state. `ended` is 0, 1, or 2 when the log of an ended task has been compacted.
 * - `pk` increases in order of creation. `lease` is the incarnation of `node` that owns the task; `claim` is the id of the call that
 * claimed it.
 * - `events` has one row per task and commit; appending touches no other table.
 * - The state of an inbox row is 0 pending, 1 taken, 2 refused. `token` and `call` identify the call that wrote a row, so that a retry
 * finds its own row.
 * - Counts of tasks are the sum of `totals` and `deltas`. A commit only inserts rows into `deltas`, so that commits never wait for one
 * another there; the sweep folds them into `totals`.
 */
export const firstTables = (s: string): string => `
CREATE TABLE ${s}.tasks (
  pk bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  context text COLLATE "C" NOT NULL,
  state smallint NOT NULL,
  status_at bigint NOT NULL,
  status_seq bigint NOT NULL,
  ended smallint NOT NULL,
  epoch bigint NOT NULL,
  node text COLLATE "C",
  lease bigint NOT NULL,
  claim text COLLATE "C",
  snapshot_seq bigint NOT NULL,
  head text NOT NULL,
  history text NOT NULL,
  artifacts text NOT NULL
);
CREATE UNIQUE INDEX tasks_by_ref ON ${s}.tasks ((tenant || chr(30) || owner || chr(30) || id));
CREATE INDEX tasks_by_status ON ${s}.tasks (tenant, owner, status_at, id);
CREATE INDEX tasks_by_state ON ${s}.tasks (tenant, owner, state, status_at, id);
CREATE INDEX tasks_by_context ON ${s}.tasks (tenant, owner, context, status_at, id, state) INCLUDE (pk);
CREATE INDEX tasks_by_node ON ${s}.tasks (node, lease) WHERE node IS NOT NULL;
CREATE INDEX tasks_by_end ON ${s}.tasks (ended, status_at, pk) WHERE ended > 0;
CREATE INDEX tasks_waiting ON ${s}.tasks (status_at) WHERE state IN (${WAITING});

CREATE TABLE ${s}.events (
  task bigint NOT NULL,
  first_seq bigint NOT NULL,
  count integer NOT NULL,
  epoch bigint NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (task, first_seq)
);

CREATE TABLE ${s}.inbox (
  task bigint NOT NULL,
  n bigint NOT NULL,
  kind text NOT NULL,
  state smallint NOT NULL,
  seq bigint,
  json text NOT NULL,
  token text COLLATE "C" NOT NULL,
  PRIMARY KEY (task, n),
  UNIQUE (task, token)
);
CREATE INDEX inbox_pending ON ${s}.inbox (task, n) WHERE state = 0;

CREATE TABLE ${s}.requests (
  tenant text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  body_hash text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  node text COLLATE "C" NOT NULL,
  lease bigint NOT NULL,
  attempt integer NOT NULL,
  call text COLLATE "C" NOT NULL,
  task_id text COLLATE "C",
  inbox_row bigint,
  reply text,
  PRIMARY KEY (tenant, owner, key)
);
CREATE INDEX requests_by_age ON ${s}.requests (at);

CREATE TABLE ${s}.nodes (
  id text COLLATE "C" PRIMARY KEY,
  incarnation text COLLATE "C" NOT NULL,
  lease bigint NOT NULL,
  until bigint NOT NULL
);

CREATE TABLE ${s}.totals (
  tenant text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  state smallint NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (tenant, owner, state)
);
CREATE TABLE ${s}.deltas (
  tenant text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  state smallint NOT NULL,
  n bigint NOT NULL
);
CREATE INDEX deltas_by_owner ON ${s}.deltas (tenant, owner, state);

-- Splits texts that are sent joined into one value: an array of long texts is slow to encode and to decode.
CREATE FUNCTION ${s}.split(joined text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN joined = '' THEN ARRAY[''] ELSE string_to_array(joined, chr(30), chr(1)) END
$$;
CREATE FUNCTION ${s}.now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;
`;

/**
 * Several agents in one schema: `agent` comes first in every key and index that finds tasks, requests and counts. Existing rows belong to
 * the agent without a name.
 *
 * `generation` in `events` is that of the first entry of the row; in `tasks` it is as of the snapshot. Existing rows get theirs later
 * (`number-events.ts`). `numbering` stores the progress and exists only until then.
 *
 * A node reports its version with each heartbeat. A version below `serves` is refused: the lease of that node expires, and its tasks are
 * taken over.
 */
export const secondTables = (s: string): string => `
ALTER TABLE ${s}.events ADD COLUMN generation bigint NOT NULL DEFAULT 0, ADD COLUMN committed_at bigint NOT NULL DEFAULT 0;
ALTER TABLE ${s}.tasks ADD COLUMN generation bigint NOT NULL DEFAULT 0;
CREATE TABLE ${s}.numbering (task bigint NOT NULL, first_seq bigint NOT NULL, generation bigint NOT NULL);
INSERT INTO ${s}.numbering VALUES (0, 0, 0);

-- The number of entries in a text that readers get: lines that begin with the letter of such a kind.
CREATE FUNCTION ${s}.sent(entries text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT count(*) FROM regexp_matches(entries, '^[${SENT_LETTERS}]', 'gn')
$$;
-- The generation of the last entry of a text; "first" is the generation of its first entry.
CREATE FUNCTION ${s}.generation_after(first bigint, entries text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT first + ${s}.sent(entries) - (entries ~ '^[${SENT_LETTERS}]')::integer
$$;

ALTER TABLE ${s}.schema_version ADD COLUMN serves integer NOT NULL DEFAULT 2;
ALTER TABLE ${s}.nodes ADD COLUMN version integer NOT NULL DEFAULT 1;
CREATE FUNCTION ${s}.check_node() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v record;
BEGIN
  SELECT version, serves INTO v FROM ${s}.schema_version;
  IF NEW.version < v.serves THEN
    RAISE EXCEPTION 'The schema has version %, and this node knows version %: stop this node, and start it with the version of the library that has upgraded the schema',
      v.version, NEW.version USING ERRCODE = '55000';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER nodes_version BEFORE INSERT OR UPDATE ON ${s}.nodes FOR EACH ROW EXECUTE FUNCTION ${s}.check_node();

ALTER TABLE ${s}.tasks ADD COLUMN agent text COLLATE "C" NOT NULL DEFAULT '';
DROP INDEX ${s}.tasks_by_ref, ${s}.tasks_by_status, ${s}.tasks_by_state, ${s}.tasks_by_context, ${s}.tasks_by_node, ${s}.tasks_by_end,
  ${s}.tasks_waiting;
CREATE UNIQUE INDEX tasks_by_ref ON ${s}.tasks (${refOf('tasks')});
CREATE INDEX tasks_by_status ON ${s}.tasks (agent, tenant, owner, status_at, id);
CREATE INDEX tasks_by_state ON ${s}.tasks (agent, tenant, owner, state, status_at, id);
CREATE INDEX tasks_by_context ON ${s}.tasks (agent, tenant, owner, context, status_at, id, state) INCLUDE (pk);
CREATE INDEX tasks_by_node ON ${s}.tasks (agent, node, lease) WHERE node IS NOT NULL;
CREATE INDEX tasks_by_end ON ${s}.tasks (agent, ended, status_at, pk) WHERE ended > 0;
CREATE INDEX tasks_waiting ON ${s}.tasks (agent, status_at) WHERE state IN (${WAITING});

ALTER TABLE ${s}.requests ADD COLUMN agent text COLLATE "C" NOT NULL DEFAULT '', DROP CONSTRAINT requests_pkey,
  ADD PRIMARY KEY (agent, tenant, owner, key);
ALTER TABLE ${s}.totals ADD COLUMN agent text COLLATE "C" NOT NULL DEFAULT '', DROP CONSTRAINT totals_pkey,
  ADD PRIMARY KEY (agent, tenant, owner, state);
ALTER TABLE ${s}.deltas ADD COLUMN agent text COLLATE "C" NOT NULL DEFAULT '';
DROP INDEX ${s}.deltas_by_owner;
CREATE INDEX deltas_by_owner ON ${s}.deltas (agent, tenant, owner, state);
`;

/**
 * Later snapshots add rows instead of rewriting the texts of the task row (`../../sql/text-columns.ts`). Existing texts stay where they
 * are: PostgreSQL stores long texts outside of the row, and an update of other columns does not copy them.
 */
export const thirdTables = (s: string): string => `
ALTER TABLE ${s}.tasks ADD COLUMN messages bigint, ADD COLUMN history_bytes bigint, ADD COLUMN inlined bigint,
  ADD COLUMN artifact_rows smallint NOT NULL DEFAULT 0;
CREATE TABLE ${s}.task_messages (task bigint NOT NULL, n bigint NOT NULL, text text NOT NULL, PRIMARY KEY (task, n));
CREATE TABLE ${s}.task_artifacts (task bigint NOT NULL, n bigint NOT NULL, json text NOT NULL, PRIMARY KEY (task, n));
`;
