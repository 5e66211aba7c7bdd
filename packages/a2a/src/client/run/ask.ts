/** Handles a task that waits for its caller: tool calls are answered by tools, everything else by a person. */
import { A2AError, A2AInputRequiredError, A2AInputTimeoutError, isA2AError } from '../../protocol/errors.js';
import type { Message, Task, TaskStatus } from '../../protocol/types.js';
import { textOf } from '../reply.js';
import { Asking } from './asking.js';
import { checkInput } from './check-input.js';
import type { RunContext } from './context.js';
import { TASK_IS_OVER } from './life.js';
import type { Input, Question } from './run-options.js';
import type { Update } from './update.js';

const NO_PROMPT = 'Please provide input:';

/** Returns the text of the agent's question. */
export function promptOf({ message }: TaskStatus): string {
  return textOf(message?.parts ?? []) || NO_PROMPT;
}

type Want = Extract<Update, { kind: 'input' }>['want'];
type Handler = (prompt: string, question: Question) => Promise<Input | undefined> | Input | undefined;

/**
 * Returns the message to continue with. Returns undefined if there is no handler and `throwOn: 'never'` makes the open question a result.
 */
export async function* askInput(context: RunContext): AsyncGenerator<Update, Message | undefined> {
  const task = taskOf(context);
  const calls = context.session?.pending(task) ?? [];
  if (context.session !== undefined && calls.length > 0) {
    yield tellQuestion(context, 'tools');
    const answering = new AbortController();
    const parts = await guarded(
      context,
      { name: 'tools', asking: answering },
      () => context.session?.answer(calls, answering.signal) ?? [],
    );
    context.markAnswered();
    return context.reply(parts);
  }
  yield tellQuestion(context, 'input');
  const { onInputRequired } = context.plan;
  if (onInputRequired === undefined) {
    if (context.plan.throwOn === 'never') return undefined;
    const prompt = promptOf(task.status);
    throw new A2AInputRequiredError({ task, prompt }, `Task ${task.id} asks: ${prompt}`, { peer: context.peer.name });
  }
  const input = await askHandler(context, task, { name: 'onInputRequired', handler: onInputRequired, asking: new AbortController() });
  checkInput(input, 'the result of onInputRequired');
  context.markAnswered();
  return context.reply(input);
}

/**
 * Asks while the run keeps reading. An answer interrupts the read. The handler may return undefined if the authorization was given
 * elsewhere.
 */
export async function* askAuth(context: RunContext, handler: Handler): AsyncGenerator<Update, void> {
  const task = taskOf(context);
  yield tellQuestion(context, 'auth');
  const { life, peer } = context;
  life.check();
  const ask = async (asking: AbortController): Promise<Message | undefined> => {
    const input = await askHandler(context, task, { name: 'onAuthRequired', handler, asking });
    asking.signal.throwIfAborted();
    context.markAnswered();
    if (input === undefined) return undefined;
    checkInput(input, 'the result of onAuthRequired');
    return context.reply(input);
  };
  context.asking = new Asking({ life, status: task.status, peer: peer.name, ask });
}

interface Asked {
  readonly name: string;
  readonly handler: Handler;
  readonly asking: AbortController;
}

async function askHandler(context: RunContext, task: Task, { name, handler, asking }: Asked): Promise<Input | undefined> {
  const prompt = promptOf(task.status);
  const question: Question = { prompt, message: task.status.message, task, signal: asking.signal };
  const { inputRequiredTimeoutMs: limitMs } = context.plan;
  const tooLate = (): void => {
    const message = `Task ${task.id} waits for input: no reply within ${limitMs} ms`;
    asking.abort(new A2AInputTimeoutError({ task, prompt }, message, { peer: context.peer.name }));
  };
  const stop = limitMs === undefined ? undefined : context.calling.settings.clock.after(limitMs, tooLate);
  const takenBack = new Promise<never>((_, reject) => {
    asking.signal.addEventListener('abort', () => reject(asking.signal.reason), { once: true });
  });
  try {
    return await guarded(context, { name, asking }, () => Promise.race([handler(prompt, question), takenBack]));
  } finally {
    stop?.();
  }
}

/** Runs code of the caller. An error in it ends the run as an A2AError. */
async function guarded<T>(
  { life }: RunContext,
  { name, asking }: { readonly name: string; readonly asking: AbortController },
  run: () => Promise<T> | T,
): Promise<T> {
  const release = life.hold(() => asking.abort(life.signal.reason));
  try {
    life.check();
    return await life.race((async () => run())());
  } catch (thrown) {
    life.check();
    if (thrown === TASK_IS_OVER || isA2AError(thrown)) throw thrown;
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new A2AError('INTERNAL_ERROR', `${name} failed: ${why}`, { cause: thrown });
  } finally {
    release();
  }
}

export function tellQuestion(context: RunContext, want: Want): Update {
  const task = taskOf(context);
  return { kind: 'input', want, prompt: promptOf(task.status), task, seq: context.follower.seq };
}

/** Returns the task that asks. It always exists, since only a task can ask. */
export function taskOf({ follower }: RunContext): Task {
  const { task } = follower;
  if (task === undefined) throw new A2AError('INTERNAL_ERROR', 'a question was asked without a task');
  return task;
}
