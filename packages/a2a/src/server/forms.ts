/** The short forms, a function that returns its answer or gives it piece by piece, as the one contract. */

import { isInterrupted } from '../protocol/task-state.js';
import type { Message, Part } from '../protocol/types.js';
import type { AgentExecutor, Answer, Execute, RequestContext, TaskEvents } from './executor.js';
import { isPieces, type PieceReader, readPieces } from './pieces.js';

/** The artifact that holds what a function returns or a generator yields. */
const ANSWER = 'answer';

export function toExecutor(execute: Execute): AgentExecutor {
  return {
    async execute(context, events) {
      const made = await execute(context, events);
      if (isPieces(made)) return drain(readPieces(made), context, events);
      if (!isAborted(events)) await give(made, events); // else a function that ignores a cancel would complete the canceled task
    },
  };
}

/** Asked of the events: creating `context.signal` for it would cost more than the rest of a short turn. */
const isAborted = (events: TaskEvents): boolean => 'isAborted' in events && events.isAborted === true;

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

/** Reads the next piece when the one before it was accepted, so that a slow store holds the source back. */
async function drain(pieces: PieceReader, context: RequestContext, events: TaskEvents): Promise<void> {
  const { signal } = context;
  // An aborted signal tells no new listener: the source would be read, and a read that never settles would keep it open.
  if (signal.aborted) return pieces.stop(signal.reason).catch(() => {});
  let stopped: Promise<void> | undefined;
  const stop = (): void => {
    stopped ??= pieces.stop(signal.reason).catch(() => {}); // what ends the turn is known already
  };
  signal.addEventListener('abort', stop, { once: true });
  let isOver = false;
  let begun = false;
  try {
    for (;;) {
      isOver = true; // a source that throws has stopped by itself
      const { done, value } = await pieces.next();
      isOver = done === true;
      signal.throwIfAborted();
      if (done) return await finish(value, begun, events);
      if (!begun && events.state === undefined) await events.working();
      await append(value, begun, events);
      begun = true;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    if (!isOver) stop();
    await stopped; // its own clean-up runs, wherever it stands
  }
}

async function append(piece: string | Part, begun: boolean, events: TaskEvents): Promise<void> {
  if (typeof piece === 'string') return events.appendText(ANSWER, piece);
  if (ArrayBuffer.isView(piece)) throw bytes();
  await events.artifact({ artifactId: ANSWER, parts: [piece] }, { append: begun });
}

/** No A2AError: that one would go to the caller, and the mistake is the developer's. */
function bytes(): TypeError {
  const hint = 'decode a stream of bytes with pipeThrough(new TextDecoderStream()), or give a file with events.file';
  return new TypeError(`execute yielded bytes where text or a part is wanted: ${hint}`);
}

/** What a generator returns goes behind what it yielded; a Message is a reply only when it yielded nothing. */
async function finish(answer: Answer, begun: boolean, events: TaskEvents): Promise<void> {
  if (!begun || answer === undefined || (typeof answer === 'object' && isMessage(answer))) return give(answer, events);
  if (typeof answer === 'string') await events.appendText(ANSWER, answer);
  else await events.artifact({ artifactId: ANSWER, parts: answer }, { append: true });
  await events.complete();
}
