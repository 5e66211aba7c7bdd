/** A question during a turn. It is committed to the log before its reply is taken. */

import { ignorable } from '../../platform/ignorable.js';
import type { AskedNote } from '../log/entries.js';
import { type Question, type Reply, stateOfQuestion } from '../questions/question.js';
import type { Recorded } from '../questions/recorded-replies.js';
import { turnIsOver } from './endings.js';
import { takeMessage } from './inbox.js';
import { isReplyTo, type OpenQuestion, toOpenQuestion } from './open-turn.js';
import type { Turn, TurnParts } from './turn.js';

/** Asks a question. A question that an earlier run of the turn asked is not asked again if it is the same question (D14, D44). */
export async function askQuestion(turn: Turn, question: Question): Promise<Reply> {
  checkTurn(turn);
  const recorded = turn.replies.take(question);
  if (recorded.kind === 'reply') return recorded.reply;
  if (recorded.kind === 'changed') reject(turn, recorded);
  return turn.inOrder(() => ask(turn, question));
}

function reject(turn: Turn, { dropFrom, reason }: Extract<Recorded, { kind: 'changed' }>): void {
  turn.noteChanged();
  if (dropFrom === undefined) return;
  void turn.parts.writer.accept({ kind: 'note', note: { kind: 'replies-dropped', from: dropFrom, reason } });
}

async function ask(turn: Turn, question: Question): Promise<Reply> {
  checkTurn(turn);
  const { writer, inbox } = turn.parts;
  await turn.events.task();
  if (question.announce) await question.announce(); // an unnecessary await would delay the question
  // Without this read, a message that another node posted earlier would count as the reply to a question that its sender has not seen.
  if (question.early !== true && writer.committed > 0) await inbox.read().catch(() => {});
  checkTurn(turn);
  const asked = writeNote(turn.parts, question);
  turn.open.asked = asked;
  const said = turn.events.status(stateOfQuestion(question), question.shown ?? question.prompt);
  const arrived = ignorable(inbox.arrival(isReplyTo(asked)));
  await said;
  await writer.flush();
  if (turn.closing) turn.letGo(turn.closing);
  await turn.waitFor(arrived);
  checkTurn(turn); // if the run was parked when the reply arrived, the reply waits for the next run of the turn
  const row = inbox.next(isReplyTo(asked));
  if (row === undefined) throw turnIsOver();
  turn.open.asked = undefined;
  const { request } = await takeMessage(writer, row, { as: 'reply' });
  return { message: request.message, asked: asked.repeatOf ?? asked.seq };
}

/** Committed together with the status that follows it. */
function writeNote({ writer, inbox }: TurnParts, { kind, prompt, id, calls, repeatOf, early }: Question): OpenQuestion {
  const after = early === true ? undefined : inbox.seen;
  const note: AskedNote = { kind: 'asked', question: { kind, prompt, id, calls }, repeatOf, after };
  void writer.accept({ kind: 'note', note });
  return toOpenQuestion(writer.seq, note);
}

function checkTurn(turn: Turn): void {
  turn.signal.throwIfAborted();
  if (!turn.isRunning) throw turnIsOver();
}
