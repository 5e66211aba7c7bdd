/** A turn that has not ended, as read from the log: everything needed to run it again. */
import type { TaskStatus } from '../../protocol/types.js';
import type { Entry, StoredTask, TaskStore } from '../../stores/store.js';
import { type AskedNote, type QuestionIdentity, readInput, readNote, type TurnRequest } from '../log/entries.js';
import { questionOfStatus, repeatedBy, statusOf, withCalls } from '../questions/old-questions.js';
import { type AnsweredQuestion, isNamed } from '../questions/recorded-replies.js';
import type { MailFilter } from './inbox.js';

export interface OpenTurn {
  /** The entry of the message that started it. */
  readonly seq: number;
  readonly request: TurnRequest;
  /** How many times `execute` was called for it. */
  attempt: number;
  /** How many of these calls followed a crashed run. */
  crashes: number;
  /** Its last run was ended by an orderly shutdown. */
  isHandedOver: boolean;
  /** The replies to its questions so far, in order. */
  answered: readonly AnsweredQuestion[];
  /** The question that is waiting for its reply. */
  asked: OpenQuestion | undefined;
  /** The interrupted status that the newest message of the turn ended. */
  resumedFrom: TaskStatus | undefined;
  /** Its Task is provisional: the executor has published nothing (D43). */
  isProvisional: boolean;
}

/** A question in the log that has no reply. */
export interface OpenQuestion {
  /** The entry of its note. */
  readonly seq: number;
  /** Undefined in a log of the first version, until the status entry after the note is read. */
  readonly question: QuestionIdentity | undefined;
  readonly repeatOf: number | undefined;
  /** Only newer inbox rows are replies; undefined: all rows are. */
  readonly after: number | undefined;
}

/** Selects the waiting messages that are replies to this question. */
export const isReplyTo =
  ({ after = 0 }: OpenQuestion): MailFilter =>
  ({ n }) =>
    n > after;

export const newTurn = (seq: number, request: TurnRequest, attempt = 1): OpenTurn => ({
  seq,
  request,
  attempt,
  crashes: 0,
  isHandedOver: false,
  answered: [],
  asked: undefined,
  resumedFrom: undefined,
  isProvisional: false,
});

const SLICE_BYTES = 256 * 1024;

type Position = Pick<StoredTask, 'ref' | 'seq'>;

/** Undefined when the last turn has ended: then the next message begins a new one. */
export async function readOpenTurn(store: TaskStore, { ref, seq }: Position): Promise<OpenTurn | undefined> {
  const reader = new TurnReader();
  for (let from = await turnStart(store, { ref, seq }); from < seq; ) {
    const entries = await store.readAfter(ref, from, SLICE_BYTES);
    if (typeof entries === 'string' || entries.length === 0) break;
    for (const entry of entries) reader.read(entry);
    from = entries.at(-1)?.seq ?? seq;
  }
  const { turn, resumes } = reader;
  if (turn !== undefined && resumes !== undefined) turn.resumedFrom = await readStatus(store, { ref, seq: resumes });
  return turn;
}

/** The newest turn, even if it has ended; undefined when its log no longer exists. */
export async function readLastTurn(store: TaskStore, ref: StoredTask['ref']): Promise<OpenTurn | undefined> {
  const reader = new TurnReader();
  let last: OpenTurn | undefined;
  for (let from = 0; ; ) {
    const entries = await store.readAfter(ref, from, SLICE_BYTES);
    if (typeof entries === 'string' || entries.length === 0) return last;
    for (const entry of entries) {
      reader.read(entry);
      last = reader.turn ?? last;
    }
    from = entries.at(-1)?.seq ?? from;
  }
}

/** The seq to read from. If the task was parked or handed over, its last entry names it; after a crash the whole log is read. */
async function turnStart(store: TaskStore, { ref, seq }: Position): Promise<number> {
  const entry = await readEntry(store, { ref, seq });
  if (entry?.kind !== 'note') return 0;
  const note = readNote(entry);
  if (note.kind === 'turn-ended') return seq;
  const isWholeTurn = note.kind === 'parked' || note.kind === 'handed-over';
  return isWholeTurn && note.turn !== undefined ? note.turn - 1 : 0;
}

async function readEntry(store: TaskStore, { ref, seq }: Position): Promise<Entry | undefined> {
  const entries = await store.readAfter(ref, seq - 1, 1);
  return typeof entries === 'string' ? undefined : entries[0];
}

async function readStatus(store: TaskStore, position: Position): Promise<TaskStatus | undefined> {
  const entry = await readEntry(store, position);
  return entry && statusOf(entry);
}

class TurnReader {
  turn: OpenTurn | undefined;
  /** The entry of the interrupted status that the newest message of the turn ended. */
  resumes: number | undefined;

  read(entry: Entry): void {
    if (entry.kind === 'input') this.#readInput(entry);
    else if (entry.kind === 'note') this.#readNote(entry);
    else if (this.turn) this.#readSent(this.turn, entry);
  }

  #readSent(turn: OpenTurn, entry: Entry): void {
    if (entry.kind !== 'task') turn.isProvisional = false;
    if (turn.asked && turn.asked.question === undefined) this.#readOldQuestion(turn, turn.asked, entry);
  }

  #readInput(entry: Entry): void {
    const { as, request, attempt, provisional = false, resumes } = readInput(entry);
    if (as === 'turn') this.turn = { ...newTurn(entry.seq, request, attempt), isProvisional: provisional };
    else if (this.turn) this.turn.isProvisional = false;
    if (as === 'history') return;
    if (as === 'reply' && this.turn) addReply(this.turn, request);
    this.resumes = resumes;
  }

  #readNote(entry: Entry): void {
    const note = readNote(entry);
    const { turn } = this;
    if (turn === undefined) return;
    switch (note.kind) {
      case 'turn-ended':
        this.turn = undefined;
        return;
      case 'asked':
        turn.asked = toOpenQuestion(entry.seq, note);
        return;
      case 'replies-dropped':
        turn.answered = turn.answered.filter(({ asked, question }) => asked < note.from || isNamed(question));
        return;
      case 'handed-over':
        turn.isHandedOver = true;
        return;
      case 'attempt':
        turn.isHandedOver = false;
        turn.attempt = note.attempt;
        if (note.after === 'crash') turn.crashes += 1;
    }
  }

  #readOldQuestion(turn: OpenTurn, asked: OpenQuestion, entry: Entry): void {
    const question = questionOfStatus(entry);
    if (question === undefined) return;
    const repeated = repeatedBy(question, turn.answered.at(-1));
    turn.asked = { ...asked, question: repeated?.question ?? question, repeatOf: repeated?.asked };
  }
}

/** Creates the question from its note in the log. */
export const toOpenQuestion = (seq: number, { question, repeatOf, after }: AskedNote): OpenQuestion => ({ seq, question, repeatOf, after });

/** Records the reply to the waiting question. */
export function addReply(turn: OpenTurn, { message }: TurnRequest): void {
  const { asked } = turn;
  turn.asked = undefined;
  if (asked?.question === undefined) return;
  if (asked.repeatOf !== undefined) {
    turn.answered.find((answered) => answered.asked === asked.repeatOf)?.replies.push(message);
    return;
  }
  turn.answered = [...turn.answered, { asked: asked.seq, question: withCalls(asked.question, message), replies: [message] }];
}
