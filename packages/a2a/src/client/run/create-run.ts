/** `client.run()` and `client.watch()`. */
import type { DelegationScope } from '../../protocol/delegation-scope.js';
import { A2AError } from '../../protocol/errors.js';
import type { AgentCard, JsonObject, Message } from '../../protocol/types.js';
import type { Peer } from '../call.js';
import type { Calling } from '../calling.js';
import type { Run, WatchOptions } from '../client.js';
import type { ClientTool } from '../tools/client-tool.js';
import type { ToolSession } from '../tools/tool-session.js';
import type { Source } from './calls.js';
import { RunContext } from './context.js';
import { drive } from './drive.js';
import { Follower } from './follower.js';
import type { Life } from './life.js';
import { checkInput, toMessage } from './message.js';
import { type RunPlan, toPlan } from './plan.js';
import { DrivenRun } from './run.js';
import type { Input, RunOptions } from './run-options.js';
import type { Reply, Update } from './update.js';

/** What runs take from their neighbours. */
export interface RunNeighbours {
  /** Throws when the agent's card does not offer to ask for tools. */
  createToolSession?(tools: readonly ClientTool[], card: AgentCard | undefined): ToolSession;
  /** What the first message says of the agents above it. */
  delegationMetadata?(scope: DelegationScope): JsonObject | undefined;
}

/** Drives a message to the end of its task. Nothing is sent before the run is looked at; options that can not be meant throw here. */
export function createRun(calling: Calling, input: Input, options: RunOptions = {}, neighbours: RunNeighbours = {}): Run {
  checkInput(input, 'the input');
  const plan = toPlan('run', options, calling.settings);
  const taskId = (typeof input === 'object' && 'taskId' in input ? input.taskId : undefined) ?? options.taskId;
  return beginRun(calling, plan, {
    neighbours,
    taskId,
    follow: (peer) => new Follower({ numbered: peer.log.lastEventId, taskId }),
    first: (context) => ({ kind: 'send', message: firstMessage(context, input, { options, neighbours, taskId }) }),
  });
}

/** Follows a task that exists to its end, over all its turns. Questions that it has no handler for are left to others. */
export function createWatch(calling: Calling, taskId: string, options: WatchOptions = {}): Run {
  const { after } = options;
  if (taskId === '') throw new A2AError('INVALID_PARAMS', 'watch needs the id of a task');
  if (after !== undefined && !(Number.isSafeInteger(after) && after >= 0)) {
    throw new A2AError('INVALID_PARAMS', `after must be the number of an event, got ${after}`);
  }
  return beginRun(calling, toPlan('watch', options, calling.settings), {
    neighbours: {},
    taskId,
    follow: (peer) => new Follower({ numbered: peer.log.lastEventId, taskId, after }),
    first: () => ({ kind: 'subscribe' }),
  });
}

interface HowToBegin {
  readonly neighbours: RunNeighbours;
  readonly taskId: string | undefined;
  follow(peer: Peer): Follower;
  /** Where the first events come from. */
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
  const session = openSession(plan, peer, how.neighbours);
  const context = new RunContext({ calling, peer, plan, follower: how.follow(peer), life, session, onNews });
  let resumed: Run | undefined;
  const resume = (): Run => {
    resumed ??= resumeRun(context, how);
    return resumed;
  };
  return yield* drive(context, { first: how.first(context), resume });
}

/** The same run, from where it stopped: its copy of the task goes along, so nothing is told twice. */
function resumeRun({ calling, plan, follower }: RunContext, how: HowToBegin): Run {
  return beginRun(calling, plan, {
    neighbours: how.neighbours,
    taskId: follower.taskId,
    follow: () => follower,
    first: (context) => {
      context.markAnswered();
      return { kind: 'subscribe' };
    },
  });
}

function openSession({ tools = [] }: RunPlan, { card }: Peer, { createToolSession }: RunNeighbours): ToolSession | undefined {
  if (tools.length === 0) return undefined;
  if (createToolSession === undefined) throw new A2AError('UNSUPPORTED_OPERATION', 'this client has no tools');
  return createToolSession(tools, card);
}

interface FirstMessage {
  readonly options: RunOptions;
  readonly neighbours: RunNeighbours;
  readonly taskId: string | undefined;
}

function firstMessage(context: RunContext, input: Input, { options, neighbours, taskId }: FirstMessage): Message {
  const { calling, plan, session, extensions } = context;
  const { metadata, referenceTaskIds } = options;
  const depth = plan.scope && neighbours.delegationMetadata?.(plan.scope);
  return toMessage(input, {
    newId: calling.settings.newId,
    taskId,
    contextId: contextFor(context, options.contextId, taskId),
    metadata: metadata || depth ? { ...metadata, ...depth } : undefined,
    referenceTaskIds,
    extensions,
    parts: session?.schemaParts(),
  });
}

/** A task has its own context, which the agent knows; the one of the last conversation may be another. */
function contextFor(context: RunContext, given: string | null | undefined, taskId: string | undefined): string | undefined {
  if (given !== undefined) return given ?? undefined;
  if (taskId !== undefined) return undefined;
  try {
    return context.calling.settings.contexts.get(context.peer.key);
  } catch (thrown) {
    context.report(thrown);
    return undefined;
  }
}
