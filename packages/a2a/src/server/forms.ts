/** The short forms, a function and a generator, as the one contract. */

import { isInterrupted } from '../protocol/task-state.js';
import type { Message, Part } from '../protocol/types.js';
import type { AgentExecutor, Answer, Execute, RequestContext, TaskEvents } from './executor.js';

/** The artifact that holds what a function returns or a generator yields. */
const ANSWER = 'answer';

export function toExecutor(execute: Execute): AgentExecutor {
  return {
    async execute(context, events) {
      const made = execute(context, events);
      if (isGenerator(made)) await drain(made, context, events);
      else await give(await made, events);
    },
  };
}

type Pieces = AsyncGenerator<string | Part, Answer, undefined>;

const isGenerator = (made: ReturnType<Execute>): made is Pieces =>
  typeof made === 'object' && made !== null && Symbol.asyncIterator in made;

const isMessage = (answer: object): answer is Message => 'messageId' in answer;

/** A normal return completes the task, unless the function has asked a question or ended it by itself. */
async function give(answer: Answer, events: TaskEvents): Promise<void> {
  if (typeof answer === 'object' && isMessage(answer)) return events.reply(answer);
  if (answer !== undefined) {
    if (events.state === undefined) await events.working();
    if (typeof answer === 'string') await events.appendText(ANSWER, answer);
    else await events.artifact({ artifactId: ANSWER, parts: answer });
  }
  await complete(answer, events);
}

async function complete(answer: Answer, events: TaskEvents): Promise<void> {
  if (events.isFinal || (answer === undefined && events.state !== undefined && isInterrupted(events.state))) return;
  await events.complete();
}

async function drain(pieces: Pieces, context: RequestContext, events: TaskEvents): Promise<void> {
  let begun = false;
  try {
    for (;;) {
      const { done, value } = await pieces.next();
      if (done) return await finish(value, begun, events);
      context.signal.throwIfAborted();
      if (!begun && events.state === undefined) await events.working();
      await append(value, begun, events);
      begun = true;
    }
  } finally {
    await pieces.return(undefined); // its own clean-up runs, wherever it stands
  }
}

async function append(piece: string | Part, begun: boolean, events: TaskEvents): Promise<void> {
  if (typeof piece === 'string') return events.appendText(ANSWER, piece);
  await events.artifact({ artifactId: ANSWER, parts: [piece] }, { append: begun });
}

/** What a generator returns goes behind what it yielded; a Message is a reply only when it yielded nothing. */
async function finish(answer: Answer, begun: boolean, events: TaskEvents): Promise<void> {
  if (!begun || answer === undefined || (typeof answer === 'object' && isMessage(answer))) return give(answer, events);
  if (typeof answer === 'string') await events.appendText(ANSWER, answer);
  else await events.artifact({ artifactId: ANSWER, parts: answer }, { append: true });
  await events.complete();
}
