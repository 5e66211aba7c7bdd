/** The Run object of the caller: iterated, awaited, or both. It starts with the first of these and reads only on demand. */
import { A2AError, toA2AError } from '../../protocol/errors.js';
import { isTerminal } from '../../protocol/task-state.js';
import type { Task } from '../../protocol/types.js';
import type { CallOptions } from '../call-options.js';
import type { Calling } from '../calling.js';
import type { Run } from '../client.js';
import { cancelTask } from './cancel.js';
import type { Follower } from './follower.js';
import { Life } from './life.js';
import type { RunPlan } from './plan.js';
import type { Reply, RunPlace, Update } from './update.js';

/** What a run needs to start. */
export interface RunBeginning {
  readonly calling: Calling;
  readonly plan: RunPlan;
  /** The task id, if it is known before anything is sent. */
  readonly taskId?: string | undefined;
  /** `onNews` is called after every received event. */
  start(life: Life, onNews: (follower: Follower) => void): AsyncGenerator<Update, Reply>;
}

/** How long a run whose parent is canceled waits for the id of the task that it must cancel. */
const ID_WAIT_MS = 5_000;

type Outcome = { readonly reply: Reply } | { readonly error: A2AError };

interface Result {
  readonly promise: Promise<Reply>;
  settle(outcome: Outcome): void;
}

export class DrivenRun implements Run {
  readonly #beginning: RunBeginning;
  readonly #life = new Life();
  #updates: AsyncGenerator<Update, Reply | undefined> | undefined;
  #follower: Follower | undefined;
  #reader: 'loop' | 'result' | undefined;
  /** True if the loop has received the outcome or does not need it. */
  #isTold = false;
  #outcome: Outcome | undefined;
  #result: Result | undefined;
  #stopListening = ignore;
  readonly #waitingForId = new Set<() => void>();

  constructor(beginning: RunBeginning) {
    this.#beginning = beginning;
  }

  get taskId(): string | undefined {
    return this.#follower?.taskId ?? this.#beginning.taskId;
  }

  get contextId(): string | undefined {
    return this.#follower?.contextId;
  }

  get place(): RunPlace | undefined {
    return this.#follower?.place;
  }

  get result(): Promise<Reply> {
    this.#result ??= this.#makeResult();
    return this.#result.promise;
  }

  [Symbol.asyncIterator](): AsyncIterator<Update> {
    if (this.#reader !== undefined) {
      const isLoop = this.#reader === 'loop';
      throw new A2AError(
        'INVALID_REQUEST',
        isLoop
          ? 'a run can be iterated only once; use client.watch(run.taskId) for a second reader'
          : 'the run is already read for its result: start the loop before awaiting the result',
      );
    }
    this.#reader = 'loop';
    return { next: () => this.#next(), return: () => this.#break() };
  }

  async cancel(options: CallOptions = {}): Promise<Task | undefined> {
    if (this.#updates === undefined) this.detach(); // a message that was never sent needs no cancel, and must not be sent any more
    this.#life.cancel();
    const id = await this.#knowId(options.signal);
    const { status, task } = this.#follower ?? {};
    if (id === undefined || (status !== undefined && isTerminal(status.state))) return task;
    const { calling, plan } = this.#beginning;
    const canceled = await cancelTask(calling, id, { ...plan.call, ...options });
    // The run may have switched to another task: the end of this one is not the end of the run.
    if (canceled.id === this.taskId && isTerminal(canceled.status.state)) this.#life.finish(canceled);
    return canceled;
  }

  detach(): void {
    if (this.#outcome !== undefined) return;
    this.#isTold = true;
    this.#leave(new A2AError('ABORTED', 'the run was detached; its task continues', { peer: this.#life.peer }));
  }

  async #next(): Promise<IteratorResult<Update, undefined>> {
    const update = await this.#advance();
    if (update !== undefined) return { done: false, value: update };
    const isTold = this.#isTold;
    this.#isTold = true;
    if (!isTold && this.#outcome !== undefined && 'error' in this.#outcome) throw this.#outcome.error;
    return { done: true, value: undefined };
  }

  /** The caller left the loop. If the result was requested, it is still delivered; otherwise the run is detached. */
  #break(): Promise<IteratorResult<Update, undefined>> {
    this.#isTold = true;
    if (this.#result === undefined) this.detach();
    else void this.#drain();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Never rejects. A loop, because a chain of promises would retain every link until the end. */
  async #drain(): Promise<void> {
    this.#reader = 'result';
    while ((await this.#advance()) !== undefined);
  }

  /** Returns the next update, or undefined at the end. Never rejects. */
  async #advance(): Promise<Update | undefined> {
    if (this.#outcome !== undefined) return undefined;
    try {
      this.#updates ??= this.#begin();
      const { done, value } = await this.#updates.next();
      if (!done) return value;
      if (value !== undefined) this.#settle({ reply: value });
    } catch (thrown) {
      this.#settle({ error: toA2AError(thrown) });
    }
    return undefined;
  }

  #begin(): AsyncGenerator<Update, Reply> {
    const { plan } = this.#beginning;
    const onAbort = (): void => this.#leave(this.#leftBy(plan.signal));
    const onParent = (): void => void this.#cancelForParent();
    plan.signal?.addEventListener('abort', onAbort);
    plan.scope?.signal.addEventListener('abort', onParent);
    const stopListening = (): void => {
      plan.signal?.removeEventListener('abort', onAbort);
      plan.scope?.signal.removeEventListener('abort', onParent);
    };
    this.#stopListening = stopListening; // named first (decision 11)
    for (const signal of [plan.signal, plan.scope?.signal]) if (signal?.aborted) throw this.#leftBy(signal);
    return this.#beginning.start(this.#life, (follower) => this.#noticed(follower));
  }

  #noticed(follower: Follower): void {
    this.#follower = follower;
    if (follower.taskId !== undefined || follower.isAnsweredByMessage) this.#wake();
  }

  #leave(error: A2AError): void {
    this.#settle({ error });
    this.#life.leave(error);
    // Closes what a loop that is not being read holds open.
    this.#updates?.return(undefined).catch(ignore);
  }

  #settle(outcome: Outcome): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    this.#stopListening();
    this.#wake();
    this.#result?.settle(outcome);
  }

  #makeResult(): Result {
    let settle: Result['settle'] = ignore;
    const promise = new Promise<Reply>((resolve, reject) => {
      settle = (outcome) => ('reply' in outcome ? resolve(outcome.reply) : reject(outcome.error));
    });
    const result: Result = {
      promise,
      settle: (outcome) => {
        // The loop receives the error, so an unused result must not become an unhandled rejection.
        if (this.#reader === 'loop') promise.catch(ignore);
        settle(outcome);
      },
    };
    if (this.#outcome !== undefined) result.settle(this.#outcome);
    // A loop that starts before this microtask drives the run, and the result settles at its end.
    else
      queueMicrotask(() => {
        if (this.#reader === undefined) void this.#drain();
      });
    return result;
  }

  /** Returns the task id as soon as it is known, or undefined if the run ended without one. */
  async #knowId(signal: AbortSignal | undefined, waitMs?: number): Promise<string | undefined> {
    if (this.taskId !== undefined || this.#outcome !== undefined || signal?.aborted) return this.taskId;
    let stop = ignore;
    let wake = ignore;
    await new Promise<void>((resolve) => {
      wake = resolve;
      this.#waitingForId.add(wake);
      signal?.addEventListener('abort', wake);
      if (waitMs !== undefined) stop = this.#beginning.calling.settings.clock.after(waitMs, wake);
    });
    stop();
    this.#waitingForId.delete(wake);
    signal?.removeEventListener('abort', wake);
    return this.taskId;
  }

  #wake(): void {
    for (const wake of this.#waitingForId) wake();
  }

  /** Does not wait for the response to the cancel request, because a canceled parent has no time for it. */
  async #cancelForParent(): Promise<void> {
    const { calling, plan } = this.#beginning;
    this.#life.cancel();
    const id = await this.#knowId(undefined, ID_WAIT_MS);
    if (id !== undefined && this.#outcome === undefined) {
      cancelTask(calling, id, plan.call).catch((thrown: unknown) => calling.settings.onError(toA2AError(thrown)));
    }
    this.#leave(this.#leftBy(plan.scope?.signal));
  }

  #leftBy(signal: AbortSignal | undefined): A2AError {
    return new A2AError('ABORTED', 'the run was aborted; its task continues', { cause: signal?.reason, peer: this.#life.peer });
  }
}

function ignore(): void {}
