/** Resumes an answer that lost its stream: the page, or the leader tab, was closed while the answer was in progress. */
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
import { CANCELED, RUNNING, statusOf } from './status.js';
import type { Transcript } from './transcript.js';
import { type Beginning, nearestUser, openQuestion } from './wire.js';

export interface ResumeParts {
  readonly client: Client;
  readonly transcript: Transcript;
  readonly recorder: Recorder;
  /** No answer is in progress, and the conversation is not closed. */
  isFree(): boolean;
  beginAgain(beginning: Beginning): Promise<unknown>;
  followOn(answerId: string, from: RunPlace): void;
}

/** Resumes the interrupted answer. Never rejects. */
export async function resume(parts: ResumeParts): Promise<void> {
  const { transcript, recorder } = parts;
  const { tree, running } = transcript;
  const path = tree.pathTo();
  const answerId = path.findLast((id) => running.has(id)) ?? [...running].at(-1);
  // At most one answer was in progress. Any other answer with this status was never ended properly.
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

/** Ends all running answers that have no stream, except the given one. */
export function endRunning({ transcript, recorder }: Pick<ResumeParts, 'transcript' | 'recorder'>, except?: string): void {
  const ids = [...transcript.running].filter((id) => id !== except);
  recorder.record(...ids.map((messageId) => ({ kind: 'status', messageId, status: CANCELED }) as const));
}

/** The delivery of a message becomes 'unknown' if the page was closed during its send and its answer is not resumed. */
export function settleDeliveries({ transcript, recorder }: Pick<ResumeParts, 'transcript' | 'recorder'>, resumedId?: string): void {
  const resumed = resumedId === undefined ? undefined : nearestUser(transcript, resumedId)?.id;
  const lost = [...transcript.tree.ids].filter((id) => id !== resumed && transcript.user(id)?.delivery === 'sending');
  recorder.record(...lost.map((messageId) => ({ kind: 'delivery', messageId, delivery: 'unknown' }) as const));
}

/** Repeats the send only if the agent supports idempotency keys. For other agents it stays unknown whether the message arrived. */
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
  recorder.record(...unknown, { kind: 'status', messageId: answerId, status: CANCELED });
}

/** Checks whether the question was answered elsewhere, or its task has ended, since the last event. If so, follows the answer again. */
async function look(parts: ResumeParts, answerId: string, answer: Answer): Promise<void> {
  const { client, transcript } = parts;
  const { task } = answer;
  if (task === undefined) return;
  try {
    const { status } = await client.getTask({ id: task.id, historyLength: 0 });
    if (isSameStatus(status, task.status)) return;
  } catch (thrown) {
    // Other errors are ignored here: the caller gets them when it answers. Only a task that no longer exists cannot be answered.
    if (toA2AError(thrown).reason !== 'TASK_NOT_FOUND') return;
  }
  const isOpen = transcript.answer(answerId) === answer && answer.status.type === 'requires-action';
  if (isOpen && parts.isFree()) watch(parts, answerId, answer);
}

/** Follows the task from the last event that the answer contains. */
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

/** The position after the last event of the answer; undefined: it has no task. */
export function placeOf(answer: Answer): RunPlace | undefined {
  const { task, seq, whole } = answer.keep();
  return task && { task, ...(seq !== undefined && { seq }), ...(whole !== undefined && { finished: whole }) };
}

/**
 * The next step for an answer without a stream: set the status that its task implies, send the message again, follow the task, or check the
 * question.
 */
function whatIsNext(answer: Answer): 'watch' | 'look' | 'send' | PlainStatus | undefined {
  const { status, taskStatus, task } = answer;
  if (status.type === 'requires-action') return status.want === 'auth' ? 'watch' : 'look';
  if (status.type === 'incomplete' && status.reason === 'error') return wasCutOff(answer) ? 'watch' : undefined;
  if (status.type !== 'running') return undefined;
  if (taskStatus === undefined || task === undefined) return 'send';
  if (!isTerminal(taskStatus.state) && !answer.isAsking) return 'watch';
  return statusOf(taskStatus, () => terminalError(task, task.id) ?? new A2AError('INTERNAL_ERROR', `Task ${task.id} failed`));
}

/** Whether the connection to the agent failed while the task may have continued. */
function wasCutOff({ plainStatus, taskStatus }: Answer): boolean {
  if (plainStatus.type !== 'incomplete' || plainStatus.reason !== 'error' || taskStatus === undefined) return false;
  const { name } = plainStatus.error;
  return !isTerminal(taskStatus.state) && (name === 'A2AReconnectError' || name === 'A2ATransportError');
}
