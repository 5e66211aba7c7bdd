/** A question during a turn. It is committed to the log before its reply is taken. */

import { ignorable } from '../../platform/ignorable.js';
import { A2AError } from '../../protocol/errors.js';
import type { AskedNote } from '../log/entries.js';
import type { TaskWriter } from '../log/writer.js';
import { type Inbox, takeMessage } from '../run/inbox.js';
import { isReplyTo, type OpenQuestion, toOpenQuestion } from '../run/open-turn.js';
import type { Turn } from '../run/turn.js';
import { type Question, type Reply, stateOfQuestion } from './question.js';
import type { Recorded } from './recorded-replies.js';

/** The task whose turn asks the question. */
export interface AskingTask {
  readonly writer: TaskWriter;
  readonly inbox: Inbox;
  /** The shutdown error while the server closes. */
  readonly closing: A2AError | undefined;
  isAt(turn: Turn): boolean;
  /** Logs that a recorded reply is not used, because the question differs from the one that it answers. */
  noteChanged(): void;
}

/** Asks a question. A question that an earlier run of the turn asked is not asked again if it is the same question (D14, D44). */
export async function askQuestion(task: AskingTask, turn: Turn, question: Question): Promise<Reply> {
  checkTurn(task, turn);
  const recorded = turn.replies.take(question);
  if (recorded.kind === 'reply') return recorded.reply;
  if (recorded.kind === 'changed') reject(task, recorded);
  return turn.inOrder(() => ask(task, turn, question));
}

function reject(task: AskingTask, { dropFrom, reason }: Extract<Recorded, { kind: 'changed' }>): void {
  task.noteChanged();
  if (dropFrom === undefined) return;
  void task.writer.accept({ kind: 'note', note: { kind: 'replies-dropped', from: dropFrom, reason } });
}

async function ask(task: AskingTask, turn: Turn, question: Question): Promise<Reply> {
  checkTurn(task, turn);
  const { writer, inbox } = task;
  await turn.events.task();
  if (question.announce) await question.announce(); // an unnecessary await would delay the question
  // Without this read, a message that another node posted earlier would count as the reply to a question that its sender has not seen.
  if (question.early !== true && writer.committed > 0) await inbox.read().catch(() => {});
  checkTurn(task, turn);
  const asked = writeNote(task, question);
  turn.asked = asked;
  const said = turn.events.status(stateOfQuestion(question), question.shown ?? question.prompt);
  const arrived = ignorable(inbox.arrival(isReplyTo(asked)));
  await said;
  await writer.flush();
  if (task.closing) turn.letGo(task.closing);
  await turn.waitFor(arrived);
  checkTurn(task, turn); // if the run was parked when the reply arrived, the reply waits for the next run of the turn
  const row = inbox.next(isReplyTo(asked));
  if (row === undefined) throw turnIsOver();
  turn.asked = undefined;
  const { request } = await takeMessage(writer, row, { as: 'reply' });
  return { message: request.message, asked: asked.repeatOf ?? asked.seq };
}

/** Committed together with the status that follows it. */
function writeNote({ writer, inbox }: AskingTask, { kind, prompt, id, calls, repeatOf, early }: Question): OpenQuestion {
  const after = early === true ? undefined : inbox.seen;
  const note: AskedNote = { kind: 'asked', question: { kind, prompt, id, calls }, repeatOf, after };
  void writer.accept({ kind: 'note', note });
  return toOpenQuestion(writer.seq, note);
}

function checkTurn(task: AskingTask, turn: Turn): void {
  turn.signal.throwIfAborted();
  if (!task.isAt(turn)) throw turnIsOver();
}

export const turnIsOver = (): A2AError => new A2AError('INVALID_AGENT_RESPONSE', 'execute has returned; no more questions can be asked');
