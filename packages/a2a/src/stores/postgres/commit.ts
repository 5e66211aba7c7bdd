/** Commits gathered writes in one round trip, with one answer per write. */
import { checkWrite, malformed } from '../check-write.js';
import { fromColumn } from '../sql/name.js';
import type { CommitResult, TaskWrite } from '../store.js';
import type { Database } from './database.js';
import { isLocked, isPassing, sqlState } from './failure.js';
import type { Leases } from './leases.js';
import type { Now } from './nodes.js';
import { toColumns, type WriteColumns } from './write-columns.js';

const OK: CommitResult = Object.freeze({ kind: 'ok', refused: Object.freeze<number[]>([]) });
const PARAMETERS = 33;

/** A write that has a result other than plain ok. `rows` are the rows it refused, or the pending rows. */
type Said = readonly [
  i: number,
  answer: string,
  seq: number | null,
  context: string | null,
  rows: readonly number[] | null,
  messages: number | null,
];

/** `isAgain`: an earlier attempt was abandoned. The database may still execute it and commit at any time. */
interface Sending {
  isAgain: boolean;
}

export function prepareCommit(
  db: Database,
  schema: string,
  leases: Leases,
  now: Now,
): (writes: readonly TaskWrite[]) => Promise<readonly CommitResult[]> {
  const places = Array.from({ length: PARAMETERS }, (_, index) => `$${index + 1}`).join(', ');
  const sql = `SELECT i, answer, seq, context, rows, stored_messages FROM ${schema}.commit_writes(${places})`;

  const send = async (writes: readonly TaskWrite[], sending: Sending): Promise<readonly CommitResult[]> => {
    const columns = toColumns(writes, leases);
    // Only a commit with a single write waits for a row that another transaction has locked.
    const isWorth = writes.length === 1 ? isPassing : (error: unknown): boolean => isPassing(error) && !isLocked(error);
    const said = await db.retrying((ask, { isAgain, lockMs }) => {
      sending.isAgain ||= isAgain;
      return ask<Said>(sql, [lockMs, sending.isAgain, now(), ...columns.values]);
    }, isWorth);
    return toAnswers(writes, columns, said);
  };

  const commit = async (writes: readonly TaskWrite[], isAgain: boolean): Promise<readonly CommitResult[]> => {
    const sending = { isAgain };
    try {
      return writes.length === 0 ? [] : await send(writes, sending);
    } catch (cause) {
      if (!isRefusal(cause) && !isLocked(cause)) throw cause;
      // This attempt wrote nothing. Send the writes one by one, so that the database takes those that it can.
      if (writes.length === 1) return [{ kind: 'failed', cause }];
      const answers: CommitResult[] = [];
      for (const write of writes) answers.push(...(await commit([write], sending.isAgain)));
      return answers;
    }
  };
  return (writes) => commit(writes, false);
}

/** The server refused the statement, and would refuse it again. */
function isRefusal(thrown: unknown): boolean {
  return sqlState(thrown) !== undefined && !isPassing(thrown);
}

function toAnswers(writes: readonly TaskWrite[], { causes }: WriteColumns, said: readonly Said[]): readonly CommitResult[] {
  const answers = writes.map(() => OK);
  for (const one of said) {
    const place = one[0] - 1;
    const write = writes[place];
    if (write !== undefined) answers[place] = toAnswer(write, one, causes.get(place));
  }
  return answers;
}

function toAnswer(write: TaskWrite, said: Said, known: unknown): CommitResult {
  const [, answer, , , rows] = said;
  if (answer === 'fenced' || answer === 'final' || answer === 'exists' || answer === 'missing') return { kind: answer };
  if (answer === 'ok') return { kind: 'ok', refused: rows ?? [] };
  return { kind: 'failed', cause: known ?? causeOf(write, said) };
}

/** Builds the same error as the other stores, from the values that the database returned. */
function causeOf(write: TaskWrite, [, , seq, context, rows, messages]: Said): unknown {
  try {
    const task = { seq: seq ?? 0, contextId: fromColumn(context ?? ''), messages: messages ?? 0 };
    checkWrite(write, task, (n) => rows?.includes(n) === true);
    return malformed(write, 'the database refused it');
  } catch (cause) {
    return cause;
  }
}
