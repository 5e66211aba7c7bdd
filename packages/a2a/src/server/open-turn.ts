/** What the log tells of a turn that has not ended: all that is needed to enter it again. */
import type { Message } from '../protocol/types.js';
import type { Entry, StoredTask, TaskStore } from '../stores/store.js';
import { readInput, readNote, type TurnRequest } from './entries.js';

export interface OpenTurn {
  /** The entry that took its message. */
  readonly seq: number;
  readonly request: TurnRequest;
  /** How often `execute` was entered for it. */
  attempt: number;
  /** How many of these were entered because the one before was cut off. */
  crashes: number;
  /** Its last run was ended by a server that went away in good order. */
  isHandedOver: boolean;
  /** The answers to its questions so far, in order. */
  readonly replies: Message[];
  /** It has asked a question that nobody has answered. */
  isAsked: boolean;
}

export const newTurn = (seq: number, request: TurnRequest, attempt = 1): OpenTurn => ({
  seq,
  request,
  attempt,
  crashes: 0,
  isHandedOver: false,
  replies: [],
  isAsked: false,
});

const SLICE_BYTES = 256 * 1024;

/** Undefined when the last turn has ended: the next message begins one. */
export async function readOpenTurn(store: TaskStore, { ref, seq }: StoredTask): Promise<OpenTurn | undefined> {
  let from = await turnStart(store, { ref, seq });
  let turn: OpenTurn | undefined;
  while (from < seq) {
    const entries = await store.readAfter(ref, from, SLICE_BYTES);
    if (typeof entries === 'string' || entries.length === 0) return turn;
    for (const entry of entries) turn = follow(turn, entry);
    from = entries.at(-1)?.seq ?? seq;
  }
  return turn;
}

/** Where to read from. A task that was let go in good order says so in its last entry; after a crash the whole log is read. */
async function turnStart(store: TaskStore, { ref, seq }: Pick<StoredTask, 'ref' | 'seq'>): Promise<number> {
  const last = await store.readAfter(ref, seq - 1, 1);
  const entry = typeof last === 'string' ? undefined : last[0];
  if (entry?.kind !== 'note') return 0;
  const note = readNote(entry);
  if (note.kind === 'turn-ended') return seq;
  const isWholeTurn = note.kind === 'parked' || note.kind === 'handed-over';
  return isWholeTurn && note.turn !== undefined ? note.turn - 1 : 0;
}

function follow(turn: OpenTurn | undefined, entry: Entry): OpenTurn | undefined {
  if (entry.kind === 'input') {
    const { as, request, attempt } = readInput(entry);
    if (as === 'turn') return newTurn(entry.seq, request, attempt);
    turn?.replies.push(request.message);
    if (turn) turn.isAsked = false;
    return turn;
  }
  return entry.kind === 'note' ? followNote(turn, entry) : turn;
}

function followNote(turn: OpenTurn | undefined, entry: Entry): OpenTurn | undefined {
  const note = readNote(entry);
  if (note.kind === 'turn-ended') return undefined;
  if (turn === undefined) return turn;
  if (note.kind === 'asked') turn.isAsked = true;
  if (note.kind === 'handed-over') turn.isHandedOver = true;
  if (note.kind === 'attempt') {
    turn.isHandedOver = false;
    turn.attempt = note.attempt;
    if (note.after === 'crash') turn.crashes += 1;
  }
  return turn;
}
