/** Delivers a message: starts a new task on this node, or posts a row for an existing task, which its owner takes. */

import { isLarge, nextIteration } from '../../platform/slices.js';
import { readDelegation } from '../../protocol/delegation-scope.js';
import { A2AError, isA2AError } from '../../protocol/errors.js';
import { isActive, isTerminal } from '../../protocol/task-state.js';
import type { BegunRequest, RequestKey, TaskRef } from '../../stores/store.js';
import { ANONYMOUS, type Call, shareOfCall } from '../call.js';
import { checkRoom } from '../limits/byte-budget.js';
import type { TurnRequest } from '../log/entries.js';
import type { Awaits } from '../log/pending.js';
import type { Reservation } from '../run/active-tasks.js';
import {
  checkMetadata,
  checkNewTask,
  checkPartTypes,
  checkRelatedTasks,
  checkTaskRoom,
  loadTask,
  pushNotSupported,
  scoped,
  scopeOf,
  taskNotFound,
} from './checks.js';
import type { Sent } from './requests.js';
import type { Runtime } from './runtime.js';
import { rowTaken } from './wait.js';

/** 22 characters of base64 have 128 random bits. */
const MIN_SECRET_KEY = 22;

type SendCall = Call<'SendMessage'> | Call<'SendStreamingMessage'>;

/** Resolves when the message is in the log, or was answered directly. `awaits` is the event that a unary caller waits for. */
export function send(runtime: Runtime, call: SendCall, awaits: Awaits | undefined): Promise<Sent> {
  const { message, configuration } = call.params;
  if (configuration?.taskPushNotificationConfig) return Promise.reject(pushNotSupported());
  readDelegation(message); // stops agents that call each other in a cycle
  checkPartTypes(runtime.card, message.parts);
  checkMetadata(runtime.settings, call.params);
  if (runtime.settings.populateRelatedTasks) checkRelatedTasks(runtime.settings, message);
  const key = keyOf(runtime, call);
  if (key === undefined) return deliver(runtime, call, { awaits });
  return runtime.requests.once(
    { key, params: call.params },
    {
      deliver: (begun, attempt) => deliver(runtime, call, { awaits, begun, attempt }),
      attach(taskId, row) {
        checkRoom(call); // the reply is a task that may be large
        return attach(runtime, scoped(call, taskId), row);
      },
    },
  );
}

/** The send was delivered before: its caller reads the same log. */
async function attach(runtime: Runtime, ref: TaskRef, row: number | undefined): Promise<Sent> {
  const inputSeq = row === undefined ? 1 : await rowTaken(runtime, ref, row);
  if (inputSeq === undefined) throw goingAway();
  return { kind: 'task', ref, inputSeq, writer: runtime.active.writerOf(ref) };
}

interface Delivery {
  readonly awaits: Awaits | undefined;
  /** The idempotent request of this send. */
  readonly begun?: BegunRequest;
  readonly attempt?: number;
}

function deliver(runtime: Runtime, call: SendCall, delivery: Delivery): Promise<Sent> {
  const { taskId } = call.params.message;
  return taskId === undefined ? sendNew(runtime, call, delivery) : sendExisting(runtime, call, taskId, delivery);
}

function keyOf({ settings }: Runtime, call: SendCall): RequestKey | undefined {
  const { idempotencyKey, params, caller } = call;
  const { messageId } = params.message;
  const given = idempotencyKey ?? (settings.deduplicate === 'messageId' ? messageId : undefined);
  if (given === undefined) return undefined;
  // The prefix separates message ids from idempotency keys, because clients choose both.
  const key = idempotencyKey ?? `message:${messageId}`;
  if (caller.id !== ANONYMOUS.id) return { ...scopeOf(call), key };
  // All anonymous callers have one id: with a key that can be guessed, a caller could get the task of another one.
  if (call.exposed && given.length < MIN_SECRET_KEY) return undefined;
  return { ...scopeOf(call), key: call.keyScope === undefined ? key : `${call.keyScope}: ${key}` };
}

async function sendNew(runtime: Runtime, call: SendCall, { awaits, begun, attempt = 1 }: Delivery): Promise<Sent> {
  if (!runtime.lease.isHeld) await runtime.lease.hold();
  const { ids } = runtime.settings;
  const contextId = call.params.message.contextId ?? ids.contextId({});
  const ref = { ...scopeOf(call), id: ids.taskId({ contextId }) };
  runtime.log.store.checkRoom?.(ref); // before the run begins: its work would be lost
  const request = toTurnRequest(call);
  checkNewTask(runtime, request, { taskId: ref.id, contextId });
  const active = runtime.active.start({ ref, contextId, first: { request, attempt, key: begun?.key }, share: shareOfCall(call) });
  const rest = awaits && active.writer.expedite(awaits);
  try {
    const opened = await active.opened;
    call.onDelivered?.();
    return opened.kind === 'message' ? opened : { kind: 'task', ref, inputSeq: 1, writer: active.writer };
  } finally {
    rest?.();
  }
}

async function sendExisting(runtime: Runtime, call: SendCall, taskId: string, { awaits, begun }: Delivery): Promise<Sent> {
  const ref = scoped(call, taskId);
  // Only a stream begins with the task as it was before the message.
  const current = await loadTask(runtime, ref, awaits === undefined ? call.params.configuration?.historyLength : 0);
  const { head, seq } = current;
  const { contextId } = call.params.message;
  if (contextId !== undefined && contextId !== head.contextId) throw otherContext(contextId, taskId);
  if (isTerminal(head.state)) throw ended(taskId);
  checkTaskRoom(runtime, toTurnRequest(call), current);
  const share = shareOfCall(call);
  const place = runtime.active.reserve(ref, share);
  const giveBack = reserveMail(runtime, ref, place);
  const row = await post(runtime, ref, call, begun).catch((error) => {
    giveBack();
    throw error;
  });
  call.onDelivered?.();
  // A repetition of an idempotent send waits for the same row, so a disconnect of this caller must not end the wait.
  const taken = rowTaken(runtime, ref, row, begun ? undefined : call.onLeave).finally(giveBack);
  taken.catch(() => {}); // not awaited by a caller that does not wait
  await runtime.active.wake(ref, share);
  if (place.endsWithWake) place.end();
  const writer = runtime.active.writerOf(ref);
  // A send with returnImmediately is answered at once while the task is active (D2).
  if (awaits === 'task' && isActive(head.state)) return { kind: 'task', ref, inputSeq: seq, writer };
  // Only for a stream, and only if the message is taken soon: a message that waits behind a long turn must not keep the text of the task in
  // memory.
  const before = awaits === undefined && !isActive(head.state) ? current : undefined;
  if (begun) return { kind: 'task', ref, inputSeq: (await taken) ?? repeatElsewhere(), writer, before };
  const inputSeq = await taken.catch((error) => mustNotRepeat(error, ref));
  return inputSeq === undefined ? leftWaiting(runtime, ref) : { kind: 'task', ref, inputSeq, writer, before };
}

/** Reserves a place in the inbox beside that of the run. Returns the function that frees both. */
function reserveMail({ mail }: Runtime, ref: TaskRef, place: Reservation): () => void {
  try {
    const giveBack = mail.reserve(ref);
    return () => {
      place.end();
      giveBack();
    };
  } catch (error) {
    place.end();
    throw error;
  }
}

/** A repetition with the same key waits for the same row on another node. */
function repeatElsewhere(): never {
  throw goingAway();
}

/** Without an idempotency key, a retry would post a second message. This one is already accepted, so the error is not retryable. */
function mustNotRepeat(error: unknown, { id }: TaskRef): never {
  if (!isA2AError(error) || error.reason !== 'AGENT_UNAVAILABLE') throw error;
  throw new A2AError('AGENT_UNAVAILABLE', 'the message was accepted, but its task cannot be followed here: call GetTask', {
    cause: error,
    retryable: false,
    metadata: { taskId: id },
  });
}

/**
 * The server closes, and the message waits for the next owner of the task. An active task is returned as it is (D20). A task that waits is
 * not: its caller would read the question that it has just answered.
 */
async function leftWaiting(runtime: Runtime, ref: TaskRef): Promise<Sent> {
  const { head, seq } = await loadTask(runtime, ref, 0);
  if (!isActive(head.state)) return mustNotRepeat(goingAway(), ref);
  return { kind: 'task', ref, inputSeq: seq, writer: undefined, isLeft: true };
}

async function post(runtime: Runtime, ref: TaskRef, call: SendCall, begun: BegunRequest | undefined): Promise<number> {
  const json = JSON.stringify(toTurnRequest(call));
  const row = await runtime.log.store.post(ref, 'message', json, begun);
  if (row === 'missing') throw taskNotFound(ref.id);
  if (row === 'final') throw ended(ref.id);
  if (row === 'fenced') throw takenOver();
  // The owner parses and serializes the message again: other callers are served before that.
  if (isLarge(json)) await nextIteration();
  return row;
}

function toTurnRequest({ params, caller, requestId, extensions, trace }: SendCall): TurnRequest {
  const { message, configuration, metadata } = params;
  return { message, caller, requestId, extensions, configuration, metadata, trace };
}

const goingAway = (): A2AError => new A2AError('AGENT_UNAVAILABLE', 'the agent is shutting down', { retryAfterMs: 1_000 });

const takenOver = (): A2AError => new A2AError('AGENT_UNAVAILABLE', 'another node has taken over this request', { retryAfterMs: 1_000 });

const ended = (taskId: string): A2AError =>
  new A2AError('UNSUPPORTED_OPERATION', `task ${taskId} has ended: start a new one in the same context`, { metadata: { taskId } });

function otherContext(contextId: string, taskId: string): A2AError {
  const description = `does not belong to task ${taskId}`;
  return new A2AError('INVALID_PARAMS', `context ${contextId} ${description}`, {
    violations: [{ field: 'message.contextId', description }],
  });
}
