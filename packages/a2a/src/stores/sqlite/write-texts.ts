/** The rows that a snapshot adds for its messages and artifacts. */
import type { SnapshotWrite } from '../store.js';
import type { Connection } from './connection.js';

/**
 * Longer texts of a new task get rows of their own. SQLite rewrites a whole row whenever one of its columns changes, and the row of a task
 * changes several times per turn.
 */
export const MAX_INLINE_CHARS = 2_000;

/** Whether this text of a first snapshot stays in the task row. The row of an ended task does not change any more. */
export function staysInline(text: string, hasEnded: boolean): boolean {
  return hasEnded || text.length <= MAX_INLINE_CHARS;
}

export interface TextRows {
  addMessages(pk: number, snapshot: SnapshotWrite): void;
  setArtifacts(pk: number, snapshot: SnapshotWrite): void;
}

export function prepareTextRows(db: Connection): TextRows {
  const addMessages = db.command('INSERT INTO task_messages (task, n, text) VALUES (?, ?, ?)');
  const setArtifact = db.command(`
    INSERT INTO task_artifacts (task, n, json) VALUES (?, ?, ?) ON CONFLICT (task, n) DO UPDATE SET json = excluded.json`);
  return {
    addMessages(pk, { history, messagesBefore }) {
      if (history !== '') addMessages([pk, messagesBefore, history]);
    },
    setArtifacts(pk, { artifacts }) {
      for (const { n, json } of artifacts) setArtifact([pk, n, json]);
    },
  };
}
