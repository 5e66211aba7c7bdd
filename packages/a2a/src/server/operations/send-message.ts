/** SendMessage and SendStreamingMessage: the same send, with different readers. */
import type { LateTimers } from '../../platform/late-timers.js';
import { toA2AError } from '../../protocol/errors.js';
import { isInterrupted, isTerminal } from '../../protocol/task-state.js';
import { taskJsonLength } from '../../protocol/task-text.js';
import { type Call, type Reading, type Sink, shareOfCall } from '../call.js';
import { checkRoom, countReply } from '../limits/byte-budget.js';
import type { Share } from '../limits/share-counter.js';
import { subscribe } from '../log/subscription.js';
import { hasHistory } from '../log/task-log.js';
import type { CurrentTask } from '../log/task-view.js';
import { checkReadersAt, checkReadersOf, enterCall, loadTask, scoped } from './checks.js';
import type { Sent, TaskSent } from './requests.js';
import { type Operation, type Result, type Runtime, taskValue, value } from './runtime.js';
import { send } from './send.js';
import { untilStop } from './wait.js';

export const sendMessage: Operation<'SendMessage'> = async (runtime, call) => {
  if (call.params.message.taskId !== undefined) checkRoom(call); // the reply is a task that may be large
  const leave = enterCall(runtime, call);
  try {
    const { returnImmediately, historyLength } = call.params.configuration ?? {};
    const immediately = returnImmediately === true;
    const sent = await send(runtime, call, immediately ? 'task' : 'stop');
    if (sent.kind === 'message') return value(`{"message":${JSON.stringify(sent.message)}}`);
    const isAwaited = !immediately && !sent.isLeft;
    const { text } = isAwaited
      ? (stoppedHere(sent, historyLength) ?? (await stopped(runtime, sent, call)))
      : await loadTask(runtime, sent.ref, historyLength);
    const options = { historyLength };
    const chars = taskJsonLength(text, options);
    countReply(call, chars);
    return taskValue({ text, options, chars, member: 'task' });
  } finally {
    leave();
  }
};

/** The task if it is in the memory of this node with its history, and its turn has stopped already. */
function stoppedHere({ inputSeq, writer }: TaskSent, historyLength: number | undefined): CurrentTask | undefined {
  const here = writer?.currentNow();
  return here && hasHistory(here, historyLength) && hasStopped(here, inputSeq) ? here : undefined;
}

/** Whether the turn has stopped for a unary caller: the task has ended or is interrupted. */
function hasStopped({ head: { state, statusSeq } }: CurrentTask, inputSeq: number): boolean {
  return statusSeq > inputSeq && (isTerminal(state) || isInterrupted(state));
}

/** Waits until the turn stops, or does not continue. The reply is the task as of then: it may go on with the next message at once. */
async function stopped(runtime: Runtime, sent: TaskSent, { params, onLeave }: Call<'SendMessage'>): Promise<CurrentTask> {
  const { ref, inputSeq, writer } = sent;
  const historyLength = params.configuration?.historyLength;
  if (writer === undefined) {
    const current = await loadTask(runtime, ref, historyLength);
    if (hasStopped(current, inputSeq)) return current;
  }
  const until = { inputSeq, unary: true };
  const current = await untilStop(runtime, ref, { after: inputSeq, until, writer, maxMs: runtime.settings.maxBlockingMs, onLeave });
  return current === undefined ? loadTask(runtime, ref, historyLength) : runtime.log.withNewest(ref, current, historyLength);
}

export const sendStreamingMessage: Operation<'SendStreamingMessage'> = async (runtime, call) => {
  checkRoom(call);
  const { timers, settings } = runtime;
  const { taskId } = call.params.message;
  const opener = shareOfCall(call);
  // Check before the send: a client that is refused a stream and retries must not have started a task.
  checkReadersOf(runtime, opener);
  if (taskId !== undefined) checkReadersAt(runtime, scoped(call, taskId));
  // An error before the first event is an ordinary error reply. After one heartbeat interval the headers are sent, and later errors go into
  // the stream.
  return openLater(sendCounted(runtime, call, opener), { timers, maxMs: settings.heartbeatMs }, (sent, sink) =>
    read(runtime, call, sent, sink),
  );
};

/** A stream counts from its call on, because its message may wait for hours until the task takes it. */
async function sendCounted(runtime: Runtime, call: Call<'SendStreamingMessage'>, opener: Share): Promise<Sent> {
  const { streams } = runtime.log.hub;
  streams.add(opener);
  try {
    return await send(runtime, call, undefined);
  } finally {
    streams.remove(opener); // from here on the reader counts
  }
}

function read(runtime: Runtime, call: Call<'SendStreamingMessage'>, sent: Sent, sink: Sink): Reading {
  if (sent.kind === 'message') return sendOnce(JSON.stringify(sent.message), sink);
  const { ref, inputSeq, writer, before, isLeft } = sent;
  checkReadersAt(runtime, ref);
  const { message, configuration } = call.params;
  // The log of a new task begins with its Task. If the message was not taken yet, there is no Task as of that message: send the current
  // Task.
  const after = message.taskId === undefined ? inputSeq : undefined;
  const from = isLeft ? undefined : { inputSeq, before };
  const until = { inputSeq, unary: false };
  const opener = shareOfCall(call);
  return subscribe(runtime.log, { ref, after, from, until, writer, opener, historyLength: configuration?.historyLength }, sink);
}

/** A stream that contains one Message: no task, no ids. */
function sendOnce(messageJson: string, sink: Sink): Reading {
  sink.send([{ json: `{"message":${messageJson}}` }]);
  sink.end({ kind: 'done' });
  return { resume: () => {}, close: () => {} };
}

interface Patience {
  readonly timers: LateTimers;
  readonly maxMs: number;
}

/** A stream that may open before its content is known. Rejects if `coming` rejects within `maxMs`; after that, the error is sent in the stream. */
async function openLater<T>(coming: Promise<T>, { timers, maxMs }: Patience, open: (it: T, sink: Sink) => Reading): Promise<Result> {
  await new Promise<void>((resolve, reject) => {
    const patience = timers.after(maxMs, resolve);
    const settle = (): void => patience.stop();
    coming.finally(settle).then(() => resolve(), reject);
  });
  return { kind: 'stream', open: (sink) => new LateReading(coming, open, sink) };
}

class LateReading<T> implements Reading {
  #inner: Reading | undefined;
  #closed = false;

  constructor(coming: Promise<T>, open: (it: T, sink: Sink) => Reading, sink: Sink) {
    coming
      .then((it) => {
        if (!this.#closed) this.#inner = open(it, sink);
      })
      .catch((cause) => {
        if (!this.#closed) sink.end({ kind: 'error', error: toA2AError(cause) });
      })
      .catch(() => {}); // the reader failed and is gone
  }

  resume(): void {
    this.#inner?.resume();
  }

  close(): void {
    this.#closed = true;
    this.#inner?.close();
  }
}
