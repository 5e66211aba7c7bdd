/** Converts the short forms (a function that returns its answer or yields it in pieces) to an AgentExecutor. */

import { isInterrupted } from '../../protocol/task-state.js';
import type { Message, Part } from '../../protocol/types.js';
import type { AgentExecutor, Answer, Execute, RequestContext, TaskEvents } from './executor.js';
import { isPieces, type PieceReader, readPieces } from './pieces.js';

/** The artifact that holds the values that a function returns or a generator yields. */
const ANSWER = 'answer';
const LAST = { last: true } as const;

export function toExecutor(execute: Execute): AgentExecutor {
  return {
    async execute(context, events) {
      const made = await execute(context, events);
      if (isPieces(made)) return drain(readPieces(made), context, events);
      if (!isAborted(events)) await give(made, events); // otherwise a function that ignores a cancel would complete the canceled task
    },
  };
}

/** Reads the events, because creating `context.signal` for this check would cost more than the rest of a short turn. */
const isAborted = (events: TaskEvents): boolean => 'isAborted' in events && events.isAborted === true;

const isMessage = (answer: object): answer is Message => 'messageId' in answer;

/** A normal return completes the task, unless the function has asked a question or ended the task itself. */
async function give(answer: Answer, events: TaskEvents): Promise<void> {
  if (typeof answer === 'object' && isMessage(answer)) return events.reply(answer);
  if (answer !== undefined) {
    if (events.state === undefined) await events.working();
    // A returned answer is whole, and some clients show an artifact only when it is.
    if (typeof answer === 'string') await events.appendText(ANSWER, answer, LAST);
    else await events.artifact({ artifactId: ANSWER, parts: answer }, LAST);
  }
  await complete(answer, events);
}

async function complete(answer: Answer, events: TaskEvents): Promise<void> {
  if (events.isFinal || (answer === undefined && events.state !== undefined && isInterrupted(events.state))) return;
  await completeUnlessRefused(events);
}

/** An event that was refused, and whose error the function ignored, is missing in the task: a normal return must not hide that. */
async function completeUnlessRefused(events: TaskEvents): Promise<void> {
  if ('fault' in events && events.fault !== undefined) throw events.fault;
  await events.complete();
}

/** Reads the next piece after the previous one was accepted, so that a slow store slows the source (back-pressure). */
async function drain(pieces: PieceReader, context: RequestContext, events: TaskEvents): Promise<void> {
  const { signal } = context;
  // An aborted signal does not call new listeners: the source would be read, and a read that never settles would keep it open.
  if (signal.aborted) return pieces.stop(signal.reason).catch(() => {});
  let stopped: Promise<void> | undefined;
  const stop = (): void => {
    stopped ??= pieces.stop(signal.reason).catch(() => {}); // the reason why the turn ends is already known
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
    await stopped; // let the source clean up, at whatever point it was stopped
  }
}

async function append(piece: string | Part, begun: boolean, events: TaskEvents): Promise<void> {
  if (typeof piece === 'string') return events.appendText(ANSWER, piece);
  if (ArrayBuffer.isView(piece)) throw bytes();
  await events.artifact({ artifactId: ANSWER, parts: [piece] }, { append: begun });
}

/** Not an A2AError, because that would be sent to the caller; this is a mistake of the developer. */
function bytes(): TypeError {
  const hint = 'decode a stream of bytes with pipeThrough(new TextDecoderStream()), or publish a file with events.file';
  return new TypeError(`execute yielded bytes instead of text or a part: ${hint}`);
}

/** The return value of a generator comes after the yielded values; a Message is a direct reply only if nothing was yielded. */
async function finish(answer: Answer, begun: boolean, events: TaskEvents): Promise<void> {
  if (!begun || answer === undefined || (typeof answer === 'object' && isMessage(answer))) return give(answer, events);
  if (typeof answer === 'string') await events.appendText(ANSWER, answer, LAST);
  else await events.artifact({ artifactId: ANSWER, parts: answer }, { append: true, ...LAST });
  await completeUnlessRefused(events);
}
