/** Implements `client.run()` and `client.watch()`. */
import { A2AError } from '../../protocol/errors.js';
import { isObject } from '../../protocol/is-object.js';
import { isValid } from '../../protocol/parse.js';
import type { Message } from '../../protocol/types.js';
import type { Peer } from '../call.js';
import type { Calling } from '../calling.js';
import type { Run, WatchOptions } from '../client.js';
import { contextFor } from '../contexts.js';
import { delegationMetadata } from '../delegation.js';
import { metadataOf, toMessage } from '../message.js';
import { createToolSession, type ToolSession } from '../tools/tool-session.js';
import type { Source } from './calls.js';
import { checkInput } from './check-input.js';
import { RunContext } from './context.js';
import { drive } from './drive.js';
import { Follower } from './follower.js';
import type { Life } from './life.js';
import { type RunPlan, toPlan } from './plan.js';
import { DrivenRun } from './run.js';
import type { Input, RunOptions } from './run-options.js';
import type { Reply, RunPlace, Update } from './update.js';

/**
 * Sends a message and follows its task to the end. Nothing is sent before the run is iterated or its result is awaited. Invalid options
 * throw here.
 */
export function createRun(calling: Calling, input: Input, options: RunOptions = {}): Run {
  checkInput(input, 'the input');
  const plan = toPlan('run', options, calling.settings);
  const { maxTaskBytes: maxBytes } = calling.settings;
  // A delegation that would be too deep is refused before anything is sent, including the request for the card.
  const messageMetadata = delegationMetadata(options.scope, options.messageMetadata ?? metadataOf(input));
  const taskId = options.taskId ?? (typeof input === 'object' && 'taskId' in input ? input.taskId : undefined);
  return beginRun(calling, plan, {
    taskId,
    follow: (peer) => new Follower({ numbered: peer.log.lastEventId, taskId, keepParts: options.keepParts, maxBytes }),
    first: (context) => ({ kind: 'send', message: firstMessage(context, input, { ...options, messageMetadata }) }),
  });
}

/** Follows an existing task to its end, also across its questions. Questions without a handler are left to other callers. */
export function createWatch(calling: Calling, taskId: string, options: WatchOptions = {}): Run {
  const { after, from } = options;
  if (taskId === '') throw new A2AError('INVALID_PARAMS', 'watch needs the id of a task');
  if (after !== undefined && !(Number.isSafeInteger(after) && after >= 0)) {
    throw new A2AError('INVALID_PARAMS', `after must be the number of an event (a whole number >= 0), got ${after}`);
  }
  if (from !== undefined) checkPlace(from, { taskId, after });
  const { maxTaskBytes: maxBytes } = calling.settings;
  return beginRun(calling, toPlan('watch', options, calling.settings), {
    taskId,
    follow: (peer) => new Follower({ numbered: peer.log.lastEventId, taskId, after, from, keepParts: options.keepParts, maxBytes }),
    first: () => ({ kind: 'subscribe' }),
  });
}

/** A place comes from the storage of the caller, so it may be any value. */
function checkPlace(from: RunPlace, { taskId, after }: { readonly taskId: string; readonly after: number | undefined }): void {
  if (!isObject(from)) throw new A2AError('INVALID_PARAMS', `from must be a RunPlace, got ${JSON.stringify(from)}`);
  const { task, seq, finished } = from;
  if (after !== undefined) throw new A2AError('INVALID_PARAMS', 'watch accepts from or after, not both');
  if (!isValid('Task', task)) throw new A2AError('INVALID_PARAMS', 'from.task is not a valid Task');
  if (task.id !== taskId) throw new A2AError('INVALID_PARAMS', `from is a place in task ${task.id}, not in ${taskId}`);
  if (finished !== undefined && !(Array.isArray(finished) && finished.every((id) => typeof id === 'string'))) {
    throw new A2AError('INVALID_PARAMS', `from.finished must be a list of artifact ids, got ${JSON.stringify(finished)}`);
  }
  if (seq === undefined || (Number.isSafeInteger(seq) && seq >= 0)) return;
  throw new A2AError('INVALID_PARAMS', `from.seq must be the number of an event (a whole number >= 0), got ${seq}`);
}

interface HowToBegin {
  readonly taskId: string | undefined;
  follow(peer: Peer): Follower;
  /** Returns the source of the first events. */
  first(context: RunContext): Source;
}

function beginRun(calling: Calling, plan: RunPlan, how: HowToBegin): Run {
  const start = (life: Life, onNews: (follower: Follower) => void): AsyncGenerator<Update, Reply> =>
    begin({ calling, plan, how, life, onNews });
  return new DrivenRun({ calling, plan, taskId: how.taskId, start });
}

interface Beginning {
  readonly calling: Calling;
  readonly plan: RunPlan;
  readonly how: HowToBegin;
  readonly life: Life;
  onNews(follower: Follower): void;
}

async function* begin({ calling, plan, how, life, onNews }: Beginning): AsyncGenerator<Update, Reply> {
  const peer = await life.race(calling.peer({ ...plan.call, signal: life.signal }));
  life.peer = peer.name;
  const session = openSession(plan, peer);
  const context = new RunContext({ calling, peer, plan, follower: how.follow(peer), life, session, onNews });
  let resumed: Run | undefined;
  const resume = (): Run => {
    resumed ??= resumeRun(context);
    return resumed;
  };
  return yield* drive(context, { first: how.first(context), follow: () => how.follow(peer), resume });
}

/** Continues the same run where it stopped. It reuses the copy of the task, so that nothing is delivered twice. */
function resumeRun({ calling, plan, follower }: RunContext): Run {
  return beginRun(calling, plan, {
    taskId: follower.taskId,
    follow: () => follower,
    first: (context) => {
      context.markAnswered();
      return { kind: 'subscribe' };
    },
  });
}

function openSession({ tools = [] }: RunPlan, { card, name }: Peer): ToolSession | undefined {
  if (tools.length === 0) return undefined;
  if (card === undefined)
    throw new A2AError(
      'UNSUPPORTED_OPERATION',
      `tools cannot be used: the card of ${name} is unknown, so it is not known whether the agent supports client tools`,
    );
  return createToolSession(tools, card);
}

function firstMessage(context: RunContext, input: Input, options: RunOptions): Message {
  const { memory, newId } = context.calling.settings;
  const { taskId, referenceTaskIds, messageMetadata } = options;
  const contextId = contextFor(memory, { input, taskId, contextId: options.contextId });
  return context.complete(toMessage(input, newId, { taskId, referenceTaskIds, messageMetadata, contextId }));
}
