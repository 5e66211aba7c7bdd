/** What becomes of an answer that nobody follows any more: the page, or the tab that led, went away while it was under way. */
import { A2AError, toA2AError } from '../../protocol/errors.js';
import { isTerminal } from '../../protocol/task-state.js';
import type { Client } from '../client.js';
import { logOf } from '../log-extension.js';
import { isSameStatus } from '../run/difference.js';
import { terminalError } from '../run/outcome.js';
import type { RunPlace } from '../run/update.js';
import type { Answer } from './answer.js';
import type { PlainStatus } from './conversation.js';
import type { Recorder, Step } from './recorder.js';
import { CANCELLED, RUNNING, statusOf } from './status.js';
import type { Transcript } from './transcript.js';
import { type Beginning, nearestUser, openQuestion } from './wire.js';

export interface ResumeParts {
  readonly client: Client;
  readonly transcript: Transcript;
  readonly recorder: Recorder;
  /** No answer is under way, and the conversation is not left. */
  isFree(): boolean;
  beginAgain(beginning: Beginning): Promise<unknown>;
  followOn(answerId: string, from: RunPlace): void;
}

/** Goes on with what was under way. Never rejects. */
export async function resume(parts: ResumeParts): Promise<void> {
  const { transcript, recorder } = parts;
  const { tree, running } = transcript;
  const path = tree.pathTo();
  const answerId = path.findLast((id) => running.has(id)) ?? [...running].at(-1);
  // At most one was under way; whatever else says so was never ended.
  endRunning(parts, answerId);
  settleDeliveries(parts, answerId);
  const last = path.at(-1);
  const resumed = answerId ?? (last && (openQuestion(transcript, last) ?? last));
  const answer = resumed === undefined ? undefined : transcript.answer(resumed);
  if (resumed === undefined || answer === undefined) return;
  const next = whatIsNext(answer);
  if (next === 'watch') watch(parts, resumed, answer);
  if (next === 'send') await resend(parts, resumed);
  if (next === 'look') await look(parts, resumed, answer);
  if (typeof next !== 'object') return;
  recorder.record({ kind: 'status', messageId: resumed, status: next });
  if (next.type === 'requires-action' && next.want === 'auth') watch(parts, resumed, answer);
}

/** Ends answers that are to be gone on with, and nobody has begun yet. */
export function endRunning({ transcript, recorder }: Pick<ResumeParts, 'transcript' | 'recorder'>, except?: string): void {
  const ids = [...transcript.running].filter((id) => id !== except);
  recorder.record(...ids.map((messageId) => ({ kind: 'status', messageId, status: CANCELLED }) as const));
}

/** Of what was on its way when the page went away, and nobody goes on with, it is not known whether it came. */
export function settleDeliveries({ transcript, recorder }: Pick<ResumeParts, 'transcript' | 'recorder'>, resumedId?: string): void {
  const resumed = resumedId === undefined ? undefined : nearestUser(transcript, resumedId)?.id;
  const lost = [...transcript.tree.ids].filter((id) => id !== resumed && transcript.user(id)?.delivery === 'sending');
  recorder.record(...lost.map((messageId) => ({ kind: 'delivery', messageId, delivery: 'unknown' }) as const));
}

/** Only an agent that knows a send by its key can be sent the same again; of others nobody knows whether it came. */
async function resend({ transcript, recorder, client, isFree, beginAgain }: ResumeParts, answerId: string): Promise<void> {
  const message = transcript.sends(answerId);
  const request = transcript.request(answerId);
  const userId = nearestUser(transcript, answerId)?.id;
  const isKnown = await client.card().then(
    (card) => logOf(card).idempotencyKey,
    () => false,
  );
  if (!transcript.running.has(answerId) || !isFree()) return;
  if (message !== undefined && userId !== undefined && isKnown) {
    beginAgain({ answerId, message, userId, request }).catch(() => {});
    return;
  }
  const unknown: Step[] = userId === undefined ? [] : [{ kind: 'delivery', messageId: userId, delivery: 'unknown' }];
  recorder.record(...unknown, { kind: 'status', messageId: answerId, status: CANCELLED });
}

/** A question may have been answered elsewhere, or its task may be over, since it was seen last: then the answer goes on. */
async function look(parts: ResumeParts, answerId: string, answer: Answer): Promise<void> {
  const { client, transcript } = parts;
  const { task } = answer;
  if (task === undefined) return;
  try {
    const { status } = await client.getTask({ id: task.id, historyLength: 0 });
    if (isSameStatus(status, task.status)) return;
  } catch (thrown) {
    // Whoever answers is told what is wrong; only a task that is gone can not be answered.
    if (toA2AError(thrown).reason !== 'TASK_NOT_FOUND') return;
  }
  const isOpen = transcript.answer(answerId) === answer && answer.status.type === 'requires-action';
  if (isOpen && parts.isFree()) watch(parts, answerId, answer);
}

/** Goes on behind what the answer has. */
function watch({ recorder, transcript, followOn }: ResumeParts, answerId: string, answer: Answer): void {
  const from = placeOf(answer);
  if (from === undefined) return;
  const isWaiting = answer.status.type === 'requires-action';
  const user = nearestUser(transcript, answerId);
  if (user?.delivery === 'sending') recorder.record({ kind: 'delivery', messageId: user.id, delivery: 'sent' });
  if (!isWaiting) {
    recorder.record({ kind: 'status', messageId: answerId, status: RUNNING }, { kind: 'connection', connection: { state: 'live' } });
  }
  followOn(answerId, from);
}

/** Behind what the answer has; undefined: it has no task. */
export function placeOf(answer: Answer): RunPlace | undefined {
  const { task, seq, whole } = answer.keep();
  return task && { task, ...(seq !== undefined && { seq }), ...(whole !== undefined && { finished: whole }) };
}

/** What an answer needs that nobody follows: a status where its task says it all, the message again, to be followed, or to be looked at. */
function whatIsNext(answer: Answer): 'watch' | 'look' | 'send' | PlainStatus | undefined {
  const { status, taskStatus, task } = answer;
  if (status.type === 'requires-action') return status.want === 'auth' ? 'watch' : 'look';
  if (status.type === 'incomplete' && status.reason === 'error') return wasCutOff(answer) ? 'watch' : undefined;
  if (status.type !== 'running') return undefined;
  if (taskStatus === undefined || task === undefined) return 'send';
  if (!isTerminal(taskStatus.state) && !answer.isAsking) return 'watch';
  return statusOf(taskStatus, () => terminalError(task, task.id) ?? new A2AError('INTERNAL_ERROR', `Task ${task.id} failed`));
}

/** The way to the agent failed, and its task may have gone on. */
function wasCutOff({ plainStatus, taskStatus }: Answer): boolean {
  if (plainStatus.type !== 'incomplete' || plainStatus.reason !== 'error' || taskStatus === undefined) return false;
  const { name } = plainStatus.error;
  return !isTerminal(taskStatus.state) && (name === 'A2AReconnectError' || name === 'A2ATransportError');
}
