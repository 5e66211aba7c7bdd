import { type InboxColumns, PENDING, REFUSED, TAKEN, toInboxRow } from '../sql/inbox-row.js';
import { RUNNING, refValues } from '../sql/tasks.js';
import type { BegunRequest, InboxRow, TaskRef, TaskWrite } from '../store.js';
import type { Connection } from './connection.js';
import type { Requests } from './requests.js';
import { BY_REF } from './tasks.js';

export interface InboxTable {
  post(ref: TaskRef, kind: InboxRow['kind'], json: string, request?: BegunRequest): number | 'final' | 'missing' | 'fenced';
  after(ref: TaskRef, n: number): readonly InboxRow[];
  pending(pk: number): readonly InboxRow[];
  isPending(pk: number, n: number): boolean;
  take(pk: number, take: NonNullable<TaskWrite['take']>): void;
  /** Returns the numbers of the refused rows. */
  refusePending(pk: number): readonly number[];
}

export function prepareInbox(db: Connection, requests: Requests): InboxTable {
  const insert = db.returning<readonly [number]>(`
    INSERT INTO inbox (task, n, kind, state, json)
    SELECT pk, ifnull((SELECT max(n) FROM inbox WHERE task = t.pk), 0) + 1, ?, ${PENDING}, ?
    FROM tasks AS t WHERE ${BY_REF} AND ended = ${RUNNING} RETURNING n`);
  const ended = db.query<readonly [number]>(`SELECT ended FROM tasks WHERE ${BY_REF}`);
  const after = db.query<InboxColumns>(`
    SELECT i.n, i.kind, i.json, i.state, i.seq FROM tasks AS t CROSS JOIN inbox AS i ON i.task = t.pk WHERE ${BY_REF} AND i.n > ? ORDER BY i.n`);
  // The planner prefers the primary key, and would read every row that the task ever had: 7 ms for 100 messages of 300 kB.
  const ofPending = 'inbox INDEXED BY inbox_pending';
  const pending = db.query<InboxColumns>(
    `SELECT n, kind, json, state, seq FROM ${ofPending} WHERE task = ? AND state = ${PENDING} ORDER BY n`,
  );
  const onePending = db.query<readonly [number]>(`SELECT 1 FROM inbox WHERE task = ? AND n = ? AND state = ${PENDING}`);
  const take = db.command(`UPDATE inbox SET state = ${TAKEN}, seq = ? WHERE task = ? AND n = ?`);
  const refuse = db.returning<readonly [number]>(
    `UPDATE ${ofPending} SET state = ${REFUSED} WHERE task = ? AND state = ${PENDING} RETURNING n`,
  );

  const post = (ref: TaskRef, kind: InboxRow['kind'], json: string): number | 'final' | 'missing' => {
    const [posted] = insert([kind, json, ...refValues(ref)]);
    return posted?.[0] ?? (ended.one(refValues(ref)) === undefined ? 'missing' : 'final');
  };
  const postLinked = (ref: TaskRef, kind: InboxRow['kind'], json: string, { key, node }: BegunRequest): ReturnType<InboxTable['post']> =>
    db.transaction(() => {
      const [end] = ended.one(refValues(ref)) ?? [];
      if (end === RUNNING && !requests.isOpenFor(key, node)) return 'fenced';
      const n = post(ref, kind, json);
      if (typeof n === 'number') requests.link(key, ref.id, n);
      return n;
    });

  return {
    post: (ref, kind, json, request) => (request ? postLinked(ref, kind, json, request) : post(ref, kind, json)),
    after: (ref, n) => after.all([...refValues(ref), n]).map(toInboxRow),
    pending: (pk) => pending.all([pk]).map(toInboxRow),
    isPending: (pk, n) => onePending.one([pk, n]) !== undefined,
    take(pk, rows) {
      for (const { n, seq } of rows) take([seq, pk, n]);
    },
    refusePending: (pk) =>
      refuse([pk])
        .map(([n]) => n)
        .sort((a, b) => a - b),
  };
}
