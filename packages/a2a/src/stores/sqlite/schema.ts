/** The schema as numbered migration steps. A released step is never changed; a later change is a new step. */
import { A2AError } from '../../protocol/errors.js';
import { WAITING } from '../sql/tasks.js';
import type { Connection } from './connection.js';
import { numberEvents } from './number-events.js';
import { spreadTexts } from './spread-texts.js';

/** Stored in the header of each file of ours; distinguishes it from a database of another program. */
const APPLICATION_ID = 0x5072_6c79;

/**
 * - `state` is the protobuf number of the state. `ended` is 0, 1, or 2 when the log of an ended task has been compacted.
 * - `pk` increases in order of creation. `lease` is the incarnation of `node` that owns the task.
 * - `events` grows only at its end, for all tasks: rows that are written together are stored together.
 * - The state of an inbox row is 0 pending, 1 taken, 2 refused.
 */
const FIRST = `
CREATE TABLE tasks (
  pk INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  owner TEXT NOT NULL,
  id TEXT NOT NULL,
  context TEXT NOT NULL,
  state INTEGER NOT NULL,
  status_at INTEGER NOT NULL,
  status_seq INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  node TEXT,
  lease INTEGER NOT NULL,
  snapshot_seq INTEGER NOT NULL,
  head TEXT NOT NULL,
  history TEXT NOT NULL,
  artifacts TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX tasks_by_ref ON tasks (tenant, owner, id);
CREATE INDEX tasks_by_status ON tasks (tenant, owner, status_at, id);
CREATE INDEX tasks_by_state ON tasks (tenant, owner, state, status_at, id);
CREATE INDEX tasks_by_context ON tasks (tenant, owner, context, status_at, id, state);
CREATE INDEX tasks_by_node ON tasks (node, lease) WHERE node IS NOT NULL;
CREATE INDEX tasks_by_end ON tasks (ended, status_at) WHERE ended > 0;

CREATE TABLE events (
  task INTEGER NOT NULL,
  first_seq INTEGER NOT NULL,
  count INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX events_by_task ON events (task, first_seq);

CREATE TABLE inbox (
  task INTEGER NOT NULL,
  n INTEGER NOT NULL,
  kind TEXT NOT NULL,
  state INTEGER NOT NULL,
  seq INTEGER,
  json TEXT NOT NULL,
  PRIMARY KEY (task, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX inbox_pending ON inbox (task, n) WHERE state = 0;

CREATE TABLE requests (
  tenant TEXT NOT NULL,
  owner TEXT NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  node TEXT NOT NULL,
  lease INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  task_id TEXT,
  reply TEXT,
  PRIMARY KEY (tenant, owner, key)
) STRICT;
CREATE INDEX requests_by_age ON requests (at);

CREATE TABLE nodes (
  id TEXT PRIMARY KEY,
  incarnation TEXT NOT NULL,
  lease INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** The inbox row that a request led to, and an index of the tasks that wait for their caller, longest wait first. */
const SECOND = `
ALTER TABLE requests ADD COLUMN inbox_row INTEGER;
CREATE INDEX tasks_waiting ON tasks (status_at) WHERE state IN (${WAITING});
`;

/**
 * Several agents in one file: `agent` comes first in every key and index that finds tasks and requests. Existing rows belong to the agent
 * without a name.
 *
 * `generation` in `events` is that of the first entry of the row; in `tasks` it is as of the snapshot. Existing rows get theirs later
 * (`number-events.ts`). `numbering` stores the progress and exists only until then.
 */
const THIRD = `
ALTER TABLE events ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN committed_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
CREATE TABLE numbering (task INTEGER NOT NULL, first_seq INTEGER NOT NULL, generation INTEGER NOT NULL) STRICT;
INSERT INTO numbering VALUES (0, 0, 0);

ALTER TABLE tasks ADD COLUMN agent TEXT NOT NULL DEFAULT '';
DROP INDEX tasks_by_ref;
DROP INDEX tasks_by_status;
DROP INDEX tasks_by_state;
DROP INDEX tasks_by_context;
DROP INDEX tasks_by_node;
DROP INDEX tasks_by_end;
DROP INDEX tasks_waiting;
CREATE UNIQUE INDEX tasks_by_ref ON tasks (agent, tenant, owner, id);
CREATE INDEX tasks_by_status ON tasks (agent, tenant, owner, status_at, id);
CREATE INDEX tasks_by_state ON tasks (agent, tenant, owner, state, status_at, id);
CREATE INDEX tasks_by_context ON tasks (agent, tenant, owner, context, status_at, id, state);
CREATE INDEX tasks_by_node ON tasks (agent, node, lease) WHERE node IS NOT NULL;
CREATE INDEX tasks_by_end ON tasks (agent, ended, status_at) WHERE ended > 0;
CREATE INDEX tasks_waiting ON tasks (agent, status_at) WHERE state IN (${WAITING});

CREATE TABLE requests_by_agent (
  agent TEXT NOT NULL,
  tenant TEXT NOT NULL,
  owner TEXT NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  node TEXT NOT NULL,
  lease INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  task_id TEXT,
  inbox_row INTEGER,
  reply TEXT,
  PRIMARY KEY (agent, tenant, owner, key)
) STRICT;
INSERT INTO requests_by_agent (agent, tenant, owner, key, body_hash, at, node, lease, attempt, task_id, inbox_row, reply)
  SELECT '', tenant, owner, key, body_hash, at, node, lease, attempt, task_id, inbox_row, reply FROM requests ORDER BY at;
DROP TABLE requests;
ALTER TABLE requests_by_agent RENAME TO requests;
CREATE INDEX requests_by_age ON requests (at);
`;

/**
 * Later snapshots add rows instead of rewriting the texts of the task row (`../sql/text-columns.ts`). The long texts of
 * existing rows are moved later (`spread-texts.ts`). `spreading` stores the progress and exists only until then.
 */
const FOURTH = `
ALTER TABLE tasks ADD COLUMN messages INTEGER;
ALTER TABLE tasks ADD COLUMN history_bytes INTEGER;
ALTER TABLE tasks ADD COLUMN inlined INTEGER;
ALTER TABLE tasks ADD COLUMN artifact_rows INTEGER NOT NULL DEFAULT 0;

CREATE TABLE task_messages (task INTEGER NOT NULL, n INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
CREATE UNIQUE INDEX messages_by_task ON task_messages (task, n);
CREATE TABLE task_artifacts (task INTEGER NOT NULL, n INTEGER NOT NULL, json TEXT NOT NULL) STRICT;
CREATE UNIQUE INDEX artifacts_by_task ON task_artifacts (task, n);

CREATE TABLE spreading (task INTEGER NOT NULL) STRICT;
INSERT INTO spreading VALUES (0);
`;

const MIGRATIONS: readonly string[] = [FIRST, SECOND, THIRD, FOURTH];

/**
 * Migrates the file to this version. The steps are one transaction. The remaining work on rows is done in batches, and
 * continues after an interruption.
 */
export function migrate(db: Connection): void {
  applySteps(db);
  if (hasTable(db, 'numbering')) numberEvents(db);
  if (hasTable(db, 'spreading')) spreadTexts(db);
}

function applySteps(db: Connection): void {
  db.transaction(() => {
    const version = versionOf(db);
    if (version === MIGRATIONS.length) return;
    if (version === 0) db.exec(`PRAGMA application_id = ${APPLICATION_ID}; CREATE TABLE schema_version (version INTEGER NOT NULL) STRICT;`);
    for (const step of MIGRATIONS.slice(version)) db.exec(step);
    if (version === 0) db.exec('DROP TABLE numbering; DROP TABLE spreading;'); // a new file has no rows to convert
    db.exec(`DELETE FROM schema_version; INSERT INTO schema_version VALUES (${MIGRATIONS.length});`);
  });
}

const hasTable = (db: Connection, name: string): boolean =>
  db.query('SELECT 1 FROM sqlite_schema WHERE type = ? AND name = ?').one(['table', name]) !== undefined;

/** 0 for an empty file. Throws before any change if the file is not ours, or has a version that this one does not know. */
export function versionOf(db: Connection): number {
  const version = db.ask('PRAGMA application_id') === APPLICATION_ID ? Number(db.ask('SELECT version FROM schema_version')) : 0;
  if (version > MIGRATIONS.length) {
    throw new A2AError(
      'INVALID_PARAMS',
      `it has schema ${version} from a newer version of this library, and this one supports up to ${MIGRATIONS.length}. Use the newer version of the library, or another file`,
    );
  }
  if (version === 0 && db.ask('SELECT count(*) FROM sqlite_schema') !== 0) {
    throw new A2AError('INVALID_PARAMS', 'it is the database of another program');
  }
  return version;
}
