/** One answer while it is under way: drives a run, or the watch of a task, and records what it tells. */
import type { Clock } from '../../protocol/clock.js';
import { A2AError, toA2AError } from '../../protocol/errors.js';
import { isTerminal } from '../../protocol/task-state.js';
import type { Task } from '../../protocol/types.js';
import type { Run } from '../client.js';
import { terminalError } from '../run/outcome.js';
import { isSameJson } from '../run/same-json.js';
import type { Reply, Update } from '../run/update.js';
import type { Answer } from './answer.js';
import type { Callbacks } from './callbacks.js';
import type { Connection, PlainStatus, PlainUpdate } from './conversation.js';
import { toPlainUpdate } from './plain-update.js';
import type { Recorder, Step } from './recorder.js';
import { CANCELLED, COMPLETE, failed, statusOf } from './status.js';
import type { Transcript } from './transcript.js';
import { nearestUser } from './wire.js';

export interface TurnParts {
  readonly answerId: string;
  readonly run: Run;
  /** A watch leaves questions to others, so their coming is seen by the state. */
  readonly isWatch: boolean;
  readonly transcript: Transcript;
  readonly recorder: Recorder;
  readonly callbacks: Callbacks;
  readonly clock: Clock;
  /** The agent's name, for the words of errors. */
  readonly peer: string;
  /** Recorded with the first thing that the agent says. */
  readonly onArrival: readonly Step[];
  /** Recorded when it ends before the agent has said anything. */
  readonly onFailure: readonly Step[];
}

/** How long a cancel may still wait for the id of its task when nobody is there any more. */
const CANCEL_WAIT_MS = 5_000;
const IDLE: Connection = { state: 'idle' };
const LIVE: Connection = { state: 'live' };

export class Turn {
  /** Resolves when the answer is over, waits, was cancelled here or left; rejects with the error that is on it. */
  readonly done: Promise<void>;
  /** Resolves when it has let go of everything, which may be later: a cancel that is on its way keeps it. */
  readonly gone: Promise<void>;
  readonly #parts: TurnParts;
  #cancelling: Promise<void> | undefined;
  #settle: { resolve(): void; reject(error: A2AError): void } = { resolve() {}, reject() {} };
  #isOver = false;
  #hasArrived = false;
  /** The whole task that came last, until something newer comes. */
  #snapshot: Task | undefined;

  constructor(parts: TurnParts) {
    this.#parts = parts;
    this.done = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.done.catch(() => {});
    this.gone = this.#drive().then(() => this.#cancelling);
  }

  get answerId(): string {
    return this.#parts.answerId;
  }

  /** Nothing of it is recorded any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get isRunning(): boolean {
    return !this.#isOver && this.#answer?.status.type === 'running';
  }

  /** Ends it here at once, and then at the agent. Never rejects. */
  async cancel(): Promise<void> {
    if (this.#isOver) return;
    this.#end({ status: CANCELLED });
    this.#cancelling = this.#cancelTask();
    await this.#cancelling;
  }

  /** Ends it here, and leaves the task to itself. A cancel that waits for the id of its task is given a moment. */
  leave(): void {
    const { run, clock } = this.#parts;
    if (this.#cancelling === undefined) run.detach();
    else void this.gone.then(clock.after(CANCEL_WAIT_MS, () => run.detach(), { background: true }));
    if (this.#isOver) return;
    this.#isOver = true;
    this.#settle.resolve();
  }

  get #answer(): Answer | undefined {
    return this.#parts.transcript.answer(this.#parts.answerId);
  }

  async #drive(): Promise<void> {
    const { run } = this.#parts;
    try {
      // Goes on when it is over here: a cancel waits for the id of the task, which comes with the events.
      for await (const update of run) if (!this.#isOver) this.#take(update);
      const reply = await run.result;
      if (!this.#isOver) this.#finish(reply);
    } catch (thrown) {
      if (!this.#isOver) this.#fail(toA2AError(thrown));
    }
  }

  #take(update: Update): void {
    if (update.kind === 'reconnect') {
      this.#reconnecting(update);
      return;
    }
    const plain = toPlainUpdate(update, this.#isInSnapshot(update));
    if (plain === undefined) return;
    const steps: Step[] = [...this.#arrive(), ...this.#beginTask(plain), this.#step(plain)];
    if (plain.kind === 'state' && this.#parts.isWatch) steps.push(...this.#moved(plain.status));
    if (this.#parts.transcript.connection.state === 'reconnecting') steps.push({ kind: 'connection', connection: LIVE });
    this.#parts.recorder.record(...steps);
    if (update.kind === 'artifact' && update.last) this.#parts.callbacks.artifactComplete(update.artifact);
    if (this.#parts.isWatch && this.#answer?.status.type === 'requires-action') this.#wait();
  }

  #step(update: PlainUpdate): Step {
    return { kind: 'update', messageId: this.#parts.answerId, update };
  }

  #status(status: PlainStatus): Step {
    return { kind: 'status', messageId: this.#parts.answerId, status };
  }

  /** Only the updates right behind a whole task are looked at: to look at the task of each would cost the whole task each time. */
  #isInSnapshot(update: Update): boolean {
    if (update.kind === 'task') {
      this.#snapshot = update.task;
      return false;
    }
    if (this.#snapshot === undefined) return false;
    if (update.task === this.#snapshot) return true;
    this.#snapshot = undefined;
    return false;
  }

  #arrive(): Step[] {
    const { run, transcript, onArrival } = this.#parts;
    const steps: Step[] = this.#hasArrived ? [] : [...onArrival];
    this.#hasArrived = true;
    const { contextId } = run;
    if (contextId !== undefined && contextId !== transcript.contextId) steps.push({ kind: 'context', contextId });
    return steps;
  }

  /** Some agents begin with an update instead of the task. */
  #beginTask(plain: PlainUpdate): Step[] {
    const { run } = this.#parts;
    if (plain.kind === 'task' || plain.kind === 'message' || this.#answer?.taskId !== undefined || run.taskId === undefined) return [];
    const { taskId: id, contextId } = run;
    const status = { state: 'TASK_STATE_UNSPECIFIED' } as const;
    return [this.#step({ kind: 'task', task: { id, status, ...(contextId !== undefined && { contextId }) } })];
  }

  /** A task that is watched goes on by itself, or asks. */
  #moved(status: Task['status']): Step[] {
    if (isTerminal(status.state)) return [];
    const now = statusOf(status, () => new A2AError('INTERNAL_ERROR', 'unreachable'));
    const before = this.#answer?.plainStatus;
    if (before !== undefined && isSameJson(before, now)) return [];
    const isLive = now.type === 'running';
    return [this.#status(now), { kind: 'connection', connection: isLive ? LIVE : IDLE }];
  }

  #reconnecting({ attempt, delayMs, cause }: Extract<Update, { kind: 'reconnect' }>): void {
    if (this.#answer?.status.type !== 'running') return;
    const connection: Connection = { state: 'reconnecting', attempt, delayMs, cause: cause.message };
    this.#parts.recorder.record({ kind: 'connection', connection });
  }

  #finish(reply: Reply): void {
    if (reply.kind === 'message') this.#end({ status: COMPLETE });
    else this.#finishTask(reply.task);
  }

  /** Artifacts that are still open end with their task. */
  #finishTask(task: Task): void {
    const open = new Set(this.#answer?.openArtifacts);
    const steps = isSameJson(task, this.#answer?.task) ? [] : [this.#step({ kind: 'task', task })];
    const error = terminalError(task, this.#parts.peer);
    const status = statusOf(task.status, () => error ?? new A2AError('INTERNAL_ERROR', `Task ${task.id} failed`));
    if (status.type === 'running') this.#fail(stoppedEarly(task, this.#parts.peer), steps);
    else if (status.type === 'incomplete' && status.reason === 'error' && error !== undefined) this.#fail(error, steps);
    else this.#end({ status, steps });
    if (!isTerminal(task.status.state)) return;
    for (const artifact of task.artifacts ?? []) if (open.has(artifact.artifactId)) this.#parts.callbacks.artifactComplete(artifact);
  }

  #fail(error: A2AError, steps: readonly Step[] = []): void {
    const isWaiting = this.#answer?.status.type === 'requires-action' && error.reason !== 'TASK_NOT_FOUND';
    const { onFailure } = this.#parts;
    const more = this.#hasArrived ? steps : [...onFailure, ...steps];
    // What the agent waits for is still to be answered, also when nobody can look whether it goes on by itself.
    this.#end({ status: isWaiting ? undefined : failed(error), steps: more, error });
  }

  #end({ status, steps = [], error }: { status: PlainStatus | undefined; steps?: readonly Step[]; error?: A2AError }): void {
    this.#isOver = true;
    const { recorder, callbacks } = this.#parts;
    recorder.record(...steps, ...(status === undefined ? [] : [this.#status(status)]), { kind: 'connection', connection: IDLE });
    if (error === undefined) {
      this.#settle.resolve();
      return;
    }
    callbacks.error(error);
    this.#settle.reject(error);
  }

  /** Who waits for an answer needs no stream; an authorization may be given elsewhere. */
  #wait(): void {
    this.#settle.resolve();
    if (this.#answer?.taskStatus?.state !== 'TASK_STATE_INPUT_REQUIRED') return;
    this.#isOver = true;
    this.#parts.run.detach();
  }

  /** What it came to is the task; that it failed is nobody's matter any more. */
  async #cancelTask(): Promise<void> {
    const { run, recorder } = this.#parts;
    let task: Task | undefined;
    try {
      task = await run.cancel();
    } catch {
      // The answer is cancelled here in any case.
    } finally {
      run.detach();
    }
    const steps = this.#delivered(task !== undefined || run.place !== undefined);
    recorder.record(...steps, ...(task === undefined ? [] : [this.#step({ kind: 'task', task })]));
  }

  /** What became of the message when the cancel came before anything else; one that is being sent anew is the matter of that turn. */
  #delivered(hasCome: boolean): readonly Step[] {
    const { transcript, answerId, onArrival, onFailure } = this.#parts;
    const user = this.#hasArrived ? undefined : nearestUser(transcript, answerId);
    if (user?.delivery !== 'sending' || transcript.tree.childrenOf(user.id).some((id) => transcript.running.has(id))) return [];
    return hasCome ? onArrival : onFailure;
  }
}

function stoppedEarly({ id, status }: Task, peer: string): A2AError {
  return new A2AError('INVALID_AGENT_RESPONSE', `The stream of task ${id} ended while it was ${status.state}`, { peer });
}
