/** Fills in generations and commit times for logs from before schema 3. */
import { endOfText } from '../sql/entry-text.js';
import type { Connection } from './connection.js';

/** Rows per transaction. Each row is read separately, because its text may be long. */
const BATCH_ROWS = 1_000;
/** Batches per checkpoint. A checkpoint syncs the disk twice; after every batch, the syncs would take longer than the batches. */
const CHECKPOINT_BATCHES = 16;

type Place = readonly [task: number, firstSeq: number, generation: number];
type EventRow = readonly [key: number, task: number, firstSeq: number, count: number, text: string];

/** Numbers the log task by task. Each batch saves the position, so that another process can continue from there. */
export function numberEvents(db: Connection): void {
  const numberRow = prepareRow(db);
  const place = db.query<Place>('SELECT task, first_seq, generation FROM numbering');
  const keep = db.command('UPDATE numbering SET task = ?, first_seq = ?, generation = ?');
  const numberBatch = (): boolean => {
    let at: Place | undefined = place.one([]);
    for (let rows = 0; rows < BATCH_ROWS && at !== undefined; rows += 1) {
      const next = numberRow(at);
      if (next === undefined) return false;
      at = next;
    }
    if (at !== undefined) keep(at);
    return at !== undefined;
  };

  for (let batches = 1; db.transaction(numberBatch); batches += 1) {
    // Without checkpoints, the WAL would become as long as the log of all tasks.
    if (batches % CHECKPOINT_BATCHES === 0) db.ask('PRAGMA wal_checkpoint(PASSIVE)');
  }
  db.exec('DROP TABLE numbering');
}

/** Numbers the row after the given position and returns its position; undefined when there is none. */
function prepareRow(db: Connection): (place: Place) => Place | undefined {
  const following = db.query<EventRow>(`
    SELECT rowid, task, first_seq, count, text FROM events INDEXED BY events_by_task
    WHERE (task, first_seq) > (?, ?) ORDER BY task, first_seq LIMIT 1`);
  const number = db.command('UPDATE events SET generation = ?, committed_at = ? WHERE rowid = ?');
  // A snapshot is always as of the end of a commit.
  const numberSnapshot = db.command('UPDATE tasks SET generation = ? WHERE pk = ? AND snapshot_seq = ?');

  return ([task, seq, generation]) => {
    const row = following.one([task, seq]);
    if (row === undefined) return undefined;
    const [key, ofTask, firstSeq, count, text] = row;
    const { first, last, lastAt } = endOfText(text, ofTask === task ? generation : 0);
    number([first, Math.round(lastAt), key]);
    numberSnapshot([last, ofTask, firstSeq + count - 1]);
    return [ofTask, firstSeq, last];
  };
}
