/** Moves long texts out of the rows of tasks from before schema 4, because every turn would rewrite them. Ended tasks stay as they are. */
import { countLines } from '../../protocol/task-text.js';
import { utf8Length } from '../../protocol/utf8-length.js';
import { RUNNING } from '../sql/tasks.js';
import type { Connection } from './connection.js';
import { MAX_INLINE_CHARS } from './write-texts.js';

/** Tasks per checkpoint, which keeps the WAL short. */
const CHECKPOINT_TASKS = 16;

type LongTask = readonly [pk: number, history: string, artifacts: string];

/** One transaction per task, which also saves the position, so that another process can continue from there. */
export function spreadTexts(db: Connection): void {
  // octet_length does not read the text.
  const next = db.query<LongTask>(`
    SELECT pk, history, artifacts FROM tasks
    WHERE pk > (SELECT task FROM spreading) AND ended = ${RUNNING}
      AND (octet_length(history) > ${MAX_INLINE_CHARS} OR octet_length(artifacts) > ${MAX_INLINE_CHARS})
    ORDER BY pk LIMIT 1`);
  const keep = db.command('UPDATE spreading SET task = ?');
  const spread = prepareSpread(db);
  const spreadNext = (): boolean => {
    const task = next.one([]);
    if (task === undefined) return false;
    spread(task);
    keep([task[0]]);
    return true;
  };

  for (let tasks = 1; db.transaction(spreadNext); tasks += 1) {
    if (tasks % CHECKPOINT_TASKS === 0) db.ask('PRAGMA wal_checkpoint(PASSIVE)');
  }
  db.exec('DROP TABLE spreading');
}

function prepareSpread(db: Connection): (task: LongTask) => void {
  const addMessages = db.command('INSERT INTO task_messages (task, n, text) VALUES (?, 0, ?)');
  const addArtifact = db.command('INSERT INTO task_artifacts (task, n, json) VALUES (?, ?, ?)');
  const empty = db.command(`
    UPDATE tasks SET messages = ?, history_bytes = ?, inlined = 0, history = '', artifacts = '', artifact_rows = 1 WHERE pk = ?`);
  return ([pk, history, artifacts]) => {
    if (history !== '') addMessages([pk, history]);
    for (const [n, json] of artifacts === '' ? [] : artifacts.split('\n').entries()) addArtifact([pk, n, json]);
    empty([countLines(history), utf8Length(history), pk]);
  };
}
