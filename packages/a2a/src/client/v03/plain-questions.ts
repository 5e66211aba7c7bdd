/**
 * Questions of agents of the plain dialect. Their messages have no ids, so the id is made from the content. A question with the same content
 * is a new one after a reply of this client, else the one that was shown before.
 */
import type { Question } from '../../compat/v03/index.js';
import type { AgentCard, Message } from '../../protocol/types.js';
import type { ClientCall } from '../call.js';

interface Asked {
  /** The message id of the last reply: a repeated reply is not a further one. */
  readonly replyId: string | undefined;
  readonly replies: number;
  /** By content: the number of replies when it was asked last, and how often it had been asked before. */
  readonly questions: Map<string, { readonly replies: number; readonly before: number }>;
}

/** The newest tasks of each agent that asked something. */
const TASKS = new WeakMap<AgentCard, Map<string, Asked>>();
const MAX_TASKS = 1_000;

/** Counts the reply if the call sent one. To be called for every result, because only some contain a question. */
export function noteReply(call: ClientCall): void {
  const { taskId, messageId } = replyOf(call) ?? {};
  if (taskId === undefined || messageId === undefined) return;
  const { replyId, replies, questions } = askedBy(call, taskId);
  if (replyId !== messageId) keep(call, taskId, { replyId: messageId, replies: replies + 1, questions });
}

/** How often the task had asked this question before it asked it in this result. */
export function timesBefore(call: ClientCall, { taskId, content }: Question): number {
  const asked = askedBy(call, taskId);
  const { replies, questions } = asked;
  const last = questions.get(content);
  // The response to a reply may show the task as it was before. The next read decides; the events of a stream come after the reply.
  const isOfReply = call.method === 'SendMessage' && replyOf(call) !== undefined;
  if (last !== undefined && (last.replies === replies || (isOfReply && last.replies === replies - 1))) return last.before;
  const before = last === undefined ? 0 : last.before + 1;
  questions.set(content, { replies, before });
  keep(call, taskId, asked);
  return before;
}

function askedBy({ peer }: ClientCall, taskId: string): Asked {
  const known = peer.card && TASKS.get(peer.card)?.get(taskId);
  return known ?? { replyId: undefined, replies: 0, questions: new Map() };
}

/** The last one of the map is the newest. */
function keep({ peer: { card } }: ClientCall, taskId: string, asked: Asked): void {
  if (card === undefined) return;
  const tasks = TASKS.get(card) ?? new Map<string, Asked>();
  TASKS.set(card, tasks);
  tasks.delete(taskId);
  tasks.set(taskId, asked);
  const [oldest] = tasks.keys();
  if (tasks.size > MAX_TASKS && oldest !== undefined) tasks.delete(oldest);
}

/** The message, if the call sends one to an existing task. */
function replyOf({ params }: ClientCall): Message | undefined {
  return 'message' in params && params.message.taskId ? params.message : undefined;
}
