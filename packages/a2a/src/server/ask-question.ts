/** A question in the middle of a turn: it stands in the log before its answer, and the answer is the next message that comes. */
import { A2AError } from '../protocol/errors.js';
import type { Message } from '../protocol/types.js';
import { ignorable } from './ignorable.js';
import type { Inbox } from './inbox.js';
import type { Question } from './question.js';
import { takeMessage } from './take-message.js';
import type { Turn } from './turn.js';
import type { TaskWriter } from './writer.js';

/** The task whose turn asks. */
export interface AskingTask {
  readonly writer: TaskWriter;
  readonly inbox: Inbox;
  /** Why the server goes away, when it does. */
  readonly closing: A2AError | undefined;
  isAt(turn: Turn): boolean;
}

/** What an earlier run of the turn was answered is not asked again (D14). */
export async function askQuestion(task: AskingTask, turn: Turn, question: Question): Promise<Message> {
  checkTurn(task, turn);
  const recorded = turn.nextReply();
  return recorded ?? turn.inOrder(() => ask(task, turn, question));
}

async function ask(task: AskingTask, turn: Turn, question: Question): Promise<Message> {
  checkTurn(task, turn);
  const { writer, inbox } = task;
  const arrived = ignorable(inbox.arrival()); // a message that came earlier is taken as well
  await turn.events.task();
  if (question.announce) await question.announce(); // no turn of the queue for those who have nothing to announce
  void writer.accept({ kind: 'note', note: { kind: 'asked' } });
  await turn.events.status(question.state, question.prompt);
  await writer.flush();
  if (task.closing) turn.letGo(task.closing);
  await turn.waitFor(arrived);
  checkTurn(task, turn); // let go in the moment in which it came: it stays for whoever enters the turn again
  const row = inbox.next();
  if (row === undefined) throw turnIsOver();
  const { request } = await takeMessage(writer, row, { as: 'reply' });
  return request.message;
}

function checkTurn(task: AskingTask, turn: Turn): void {
  turn.signal.throwIfAborted();
  if (!task.isAt(turn)) throw turnIsOver();
}

export const turnIsOver = (): A2AError => new A2AError('INVALID_AGENT_RESPONSE', 'execute has returned: nothing can be asked any more');
