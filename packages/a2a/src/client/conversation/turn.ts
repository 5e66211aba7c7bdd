/** One answer in progress: reads a run, or the watch of a task, and records its updates. */
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
import { CANCELED, COMPLETE, failed, statusOf } from './status.js';
import type { Transcript } from './transcript.js';
import { nearestUser } from './wire.js';

export interface TurnParts {
  readonly answerId: string;
  readonly run: Run;
  /** true: the run is a watch. A watch reports no questions of its own, so a question is detected by the task state. */
  readonly isWatch: boolean;
  readonly transcript: Transcript;
  readonly recorder: Recorder;
  readonly callbacks: Callbacks;
  readonly clock: Clock;
  /** The agent's name, for error messages. */
  readonly peer: string;
  /** Recorded with the first update of the agent. */
  readonly onArrival: readonly Step[];
  /** Recorded if the run fails before the first update. */
  readonly onFailure: readonly Step[];
}

/** How long a cancel may still wait for its task id after `leave`. */
const CANCEL_WAIT_MS = 5_000;
const IDLE: Connection = { state: 'idle' };
const LIVE: Connection = { state: 'live' };

export class Turn {
  /** Resolves when the answer ends, waits for the caller, is canceled here or is left. Rejects with the error of the answer. */
  readonly done: Promise<void>;
  /** Resolves when all resources are released. A pending cancel can delay this past `done`. */
  readonly gone: Promise<void>;
  readonly #parts: TurnParts;
  #canceling: Promise<void> | undefined;
  #settle: { resolve(): void; reject(error: A2AError): void } = { resolve() {}, reject() {} };
  #isOver = false;
  #hasArrived = false;
  /** The last full task, until a newer update arrives. */
  #snapshot: Task | undefined;

  constructor(parts: TurnParts) {
    this.#parts = parts;
    this.done = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.done.catch(() => {});
    this.gone = this.#drive().then(() => this.#canceling);
  }

  get answerId(): string {
    return this.#parts.answerId;
  }

  /** true: no further updates are recorded. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get isRunning(): boolean {
    return !this.#isOver && this.#answer?.status.type === 'running';
  }

  /** Ends the answer here at once, then cancels its task. Never rejects. */
  async cancel(): Promise<void> {
    if (this.#isOver) return;
    this.#end({ status: CANCELED });
    this.#canceling = this.#cancelTask();
    await this.#canceling;
  }

  /** Ends the answer here without canceling the task. A pending cancel gets CANCEL_WAIT_MS to learn its task id. */
  leave(): void {
    const { run, clock } = this.#parts;
    if (this.#canceling === undefined) run.detach();
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
      // Keeps reading after the end of the answer: a pending cancel needs the task id, which arrives with the events.
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

  /** Compares only the updates directly after a full task: reading `task` of every update would build the whole task each time. */
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

  /** Some agents send an update before the task. */
  #beginTask(plain: PlainUpdate): Step[] {
    const { run } = this.#parts;
    if (plain.kind === 'task' || plain.kind === 'message' || this.#answer?.taskId !== undefined || run.taskId === undefined) return [];
    const { taskId: id, contextId } = run;
    const status = { state: 'TASK_STATE_UNSPECIFIED' } as const;
    return [this.#step({ kind: 'task', task: { id, status, ...(contextId !== undefined && { contextId }) } })];
  }

  /** The status of a watched task changed: it continues, or it asks a question. */
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

  /** Artifacts that are still open become complete with their task. */
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
    // The agent still waits for the caller, even if the task cannot be followed any more: keep the question open.
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

  /** Waiting for input needs no stream. Waiting for authorization does, because it may be granted elsewhere and the task then continues. */
  #wait(): void {
    this.#settle.resolve();
    if (this.#answer?.taskStatus?.state !== 'TASK_STATE_INPUT_REQUIRED') return;
    this.#isOver = true;
    this.#parts.run.detach();
  }

  /** Cancels the task and records the result. A failed cancel is ignored. */
  async #cancelTask(): Promise<void> {
    const { run, recorder } = this.#parts;
    let task: Task | undefined;
    try {
      task = await run.cancel();
    } catch {
      // The answer is canceled here in any case.
    } finally {
      run.detach();
    }
    const steps = this.#delivered(task !== undefined || run.place !== undefined);
    recorder.record(...steps, ...(task === undefined ? [] : [this.#step({ kind: 'task', task })]));
  }

  /** The delivery of the message if the cancel came before the first update. If the message is being sent again, its new answer decides. */
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
