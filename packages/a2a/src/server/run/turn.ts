/** One call of `execute`: builds its context, publishes its events, and settles the task when it returns. */
import { A2AError } from '../../protocol/errors.js';
import { isInterrupted } from '../../protocol/task-state.js';
import type { Message, TaskStatus } from '../../protocol/types.js';
import { newTask, TurnEvents, type TurnEventsParts } from '../executor/events.js';
import type { RequestContext, TaskEvents } from '../executor/executor.js';
import { failureMessage, readThrown } from '../failure.js';
import type { TurnRequest } from '../log/entries.js';
import type { TaskWriter } from '../log/writer.js';
import type { Settings } from '../options.js';
import { checkQuestionId } from '../questions/question.js';
import { RecordedReplies } from '../questions/recorded-replies.js';
import { EarlyTask } from './early-task.js';
import type { LateTimers } from './late-timers.js';
import type { OpenQuestion, OpenTurn } from './open-turn.js';
import { RunClock } from './run-clock.js';

/** The task that the turn belongs to. */
export interface TurnHost {
  readonly settings: Settings;
  readonly writer: TaskWriter;
  readonly timers: LateTimers;
  buildContext(turn: Turn): Promise<RequestContext>;
  /** Rejects all waits of the turn. */
  stopWaiting(reason: A2AError): void;
  /** The turn may have begun or ended to wait for its caller, or is being parked. */
  waitChanged(): void;
  report(error: A2AError): void;
  warn(text: string): void;
}

/**
 * `open`: the task continues with the next message. `parked`: this turn continues when it is run again. `error`: no Task exists; the call
 * itself failed.
 */
export type TurnEnd =
  | { readonly kind: 'final' | 'open' | 'lost' | 'stopped' | 'parked' }
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'error'; readonly error: A2AError };

export class Turn {
  readonly events: TurnEvents;
  /** The replies that earlier runs of the turn received. */
  readonly replies: RecordedReplies;
  readonly #host: TurnHost;
  readonly #open: OpenTurn;
  readonly #runClock: RunClock;
  readonly #early: EarlyTask;
  #abort: AbortController | undefined;
  #executed: Promise<unknown> | undefined;
  #artifacts = 0;
  #calls = 0;
  readonly #callIds = new Set<string>();
  #letGo = false;
  #isStopped = false;
  #onStop: (() => void) | undefined;
  #lastQuestion: Promise<unknown> | undefined;
  #wasTooLate = false;

  constructor(host: TurnHost, open: OpenTurn) {
    const { settings, timers, writer } = host;
    this.#host = host;
    this.#open = open;
    this.replies = new RecordedReplies(open.answered);
    this.#early = new EarlyTask({ settings, timers, writer, isProvisional: open.isProvisional, create: () => this.#createEarly() });
    this.events = this.#createEvents({
      newArtifactId: () => this.#newArtifactId(),
      continued: writer.exists && !open.isProvisional,
    });
    this.#runClock = new RunClock(host.settings, host.timers, this);
  }

  /** The deadline of the run, as known now. */
  get deadline(): number {
    return this.#runClock.deadline;
  }

  /** The runtime created the Task, and the executor has published nothing. */
  get isProvisional(): boolean {
    return this.#early.isProvisional;
  }

  /** The same, and this is the first run: a crashed earlier run may have done work although it published nothing. */
  get isUnpublished(): boolean {
    return this.isProvisional && this.attempt === 1;
  }

  /** Its message has the ids of the task. */
  get request(): TurnRequest {
    return this.#open.request;
  }

  get message(): Message {
    return this.#open.request.message;
  }

  get attempt(): number {
    return this.#open.attempt;
  }

  /** Settles when `execute` has returned or thrown, even if the turn was ended before. */
  get executed(): Promise<unknown> {
    return this.#executed ?? Promise.resolve();
  }

  /** Created on first access: most turns end before the signal is read. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    return this.#abort.signal;
  }

  /**
   * Separate events for `cancel`, open while it runs. Their artifacts get unused ids: `cancel` may come after the run that numbered its
   * artifacts, and must not replace them. The caller gets a Task even if the executor has published nothing.
   */
  createCancelEvents(): TurnEvents {
    return this.#createEvents({ newArtifactId: () => this.#freeArtifactId(), continued: true });
  }

  #createEvents(parts: Pick<TurnEventsParts, 'newArtifactId' | 'continued'>): TurnEvents {
    const host = this.#host;
    const { writer, settings } = host;
    return new TurnEvents({
      writer,
      ids: settings.ids,
      ...parts,
      maxEventBytes: settings.maxEventBytes,
      agent: settings.card.name,
      request: this.request,
      early: this.#early,
      warn: (text) => host.warn(text),
      tooLate: (error) => this.#reportTooLate(error),
    });
  }

  #createEarly(): void {
    const { writer } = this.#host;
    void writer.publish({ kind: 'task', task: newTask(writer, this.request), provisional: true });
  }

  /**
   * Reported once per run, because an executor may continue in a loop after its end. Not reported after an abort, since the executor need
   * not stop at once.
   */
  #reportTooLate(error: A2AError): void {
    if (this.#wasTooLate || this.#abort?.signal.aborted) return;
    this.#wasTooLate = true;
    this.#host.report(error);
  }

  #newArtifactId(): string {
    this.#artifacts += 1;
    return `artifact-${this.#open.seq}-${this.#artifacts}`;
  }

  #freeArtifactId(): string {
    let id = this.#newArtifactId();
    while (this.#host.writer.hasArtifact(id)) id = this.#newArtifactId();
    return id;
  }

  /** The same id in each run of the turn, if the run makes the same call, so that the result is found in the log. */
  newCallId(called: string, id?: string): string {
    if (id === undefined) {
      this.#calls += 1;
      return `call-${this.#open.seq}-${this.#calls}-${called}`;
    }
    checkQuestionId(id, 'a tool call');
    if (this.#callIds.has(id)) throw new A2AError('INVALID_AGENT_RESPONSE', `Two tool calls of one run have the id ${id}.`);
    this.#callIds.add(id);
    return `call-${this.#open.seq}-id-${id}-${called}`;
  }

  abort(reason: A2AError): void {
    this.events.abort();
    this.#host.writer.dismiss(reason);
    this.#host.stopWaiting(reason);
    this.#abort ??= new AbortController();
    this.#abort.abort(reason);
  }

  /** The run waits for its caller and the task has an interrupted state. A run that continues to work meanwhile is not waiting. */
  get isWaiting(): boolean {
    const { state } = this.#host.writer;
    return this.#runClock.isWaiting && state !== undefined && isInterrupted(state);
  }

  /** The run is being parked. */
  get isLetGo(): boolean {
    return this.#letGo;
  }

  /** The question that waits for its reply, also after this run was parked. */
  get asked(): OpenQuestion | undefined {
    return this.#open.asked;
  }

  set asked(asked: OpenQuestion | undefined) {
    this.#open.asked = asked;
  }

  /** The interrupted status that the newest message of the turn ended before this run. */
  get resumedFrom(): TaskStatus | undefined {
    return this.#open.resumedFrom;
  }

  /** Asks questions one at a time, so that the caller can see which one it answers. */
  inOrder<T>(ask: () => Promise<T>): Promise<T> {
    const answer = this.#lastQuestion ? this.#lastQuestion.then(ask) : ask();
    this.#lastQuestion = answer.catch(() => {});
    return answer;
  }

  /** Waits for a reply with the run clock paused. A run that waits for long is parked, because a reply may take days. */
  async waitFor<T>(answer: Promise<T>): Promise<T> {
    const { clock, parkAfterMs } = this.#host.settings;
    const park = (): void => {
      if (this.isWaiting) this.park();
      else stay = clock.after(parkAfterMs, park, BACKGROUND);
    };
    let stay = clock.after(parkAfterMs, park, BACKGROUND);
    try {
      return await this.#runClock.pausedFor(answer);
    } finally {
      stay();
    }
  }

  /** The run ends, the turn does not. `execute` restarts when the caller replies. */
  park(): void {
    this.letGo(parked());
  }

  /** Parks for another reason. */
  letGo(reason: A2AError): void {
    this.#letGo = true;
    this.waitChanged();
    this.stop();
    this.abort(reason);
  }

  waitChanged(): void {
    this.#host.waitChanged();
  }

  /** The turn was ended from outside. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Ends the turn, even if `execute` ignores its signal. */
  stop(): void {
    this.#early.stop();
    this.events.close();
    this.#isStopped = true;
    this.#onStop?.();
  }

  /** Runs to the end of the turn. Never rejects. */
  async run(): Promise<TurnEnd> {
    this.#runClock.start();
    try {
      this.#executed = this.#execute();
      const thrown = await this.#untilOver(this.#executed);
      this.events.close();
      return await this.#settle(thrown);
    } catch (error) {
      return this.#host.writer.isLost ? { kind: 'lost' } : { kind: 'error', error: readThrown(error, this.#host.settings.card.name).error };
    } finally {
      this.#runClock.stop();
    }
  }

  /** Resolves with the thrown value, with undefined, or with STOPPED when the turn was stopped first. */
  #untilOver(executed: Promise<unknown>): Promise<unknown> {
    return new Promise((resolve) => {
      const onStop = (): void => resolve(STOPPED); // named first, so that V8 does not allocate it in old space (decision 11)
      this.#onStop = onStop;
      if (this.#isStopped) resolve(STOPPED);
      void executed.then(resolve);
    });
  }

  /** Resolves with the value that `execute` threw, or undefined when it returned. */
  async #execute(): Promise<unknown> {
    try {
      const context = await this.#host.buildContext(this);
      if (this.#isStopped) return undefined; // the task was lost or handed over meanwhile, and may already run on another node
      const events: TaskEvents = this.events;
      this.#early.start();
      await this.#host.settings.executor.execute(context, events);
      return undefined;
    } catch (thrown) {
      return thrown ?? new Error('the executor threw undefined or null');
    } finally {
      this.#early.stop();
      this.events.close();
    }
  }

  /** The maximum run time is over. */
  timeOut(): void {
    const error = new A2AError('TASK_TIMEOUT', `the task ran longer than ${this.#host.settings.maxRunMs} ms`);
    this.#host.report(error);
    this.abort(error);
    if (this.#host.writer.exists) void this.#fail(error).catch(() => {});
    this.stop();
  }

  async #settle(thrown: unknown): Promise<TurnEnd> {
    const { writer } = this.#host;
    await writer.entered(); // the final event may be among the events that the executor did not await
    if (writer.isLost) return { kind: 'lost' };
    if (this.#letGo && !writer.isFinal) return { kind: 'parked' };
    if (this.#abort?.signal.aborted) return this.#settleAborted();
    if (thrown !== undefined && thrown !== STOPPED) return this.#settleThrown(thrown);
    if (writer.fault) return this.#settleThrown(writer.fault);
    if (this.events.directReply) return { kind: 'message', message: this.events.directReply };
    if (!writer.exists) return { kind: 'error', error: noAnswer() };
    if (!writer.isFinal) return this.isProvisional ? this.#settleFailed(noAnswer()) : this.#settleOpen();
    await writer.flush();
    return { kind: 'final' };
  }

  async #settleFailed(error: A2AError): Promise<TurnEnd> {
    await this.#fail(error);
    return { kind: 'final' };
  }

  /** The code that aborted the turn decides how it ends: the cancel flow, the run clock, or the loss of the task to another node. */
  async #settleAborted(): Promise<TurnEnd> {
    const { writer } = this.#host;
    if (!writer.exists) return { kind: 'error', error: this.signal.reason };
    return { kind: writer.isFinal ? 'final' : 'stopped' };
  }

  async #settleThrown(thrown: unknown): Promise<TurnEnd> {
    const host = this.#host;
    const { writer } = host;
    const { fault } = writer;
    const isFault = fault !== undefined && thrown === fault;
    const { error, crashed } = readThrown(isFault ? forCallers(fault) : thrown, host.settings.card.name);
    if (crashed || isFault) host.report(error);
    return writer.exists ? this.#settleFailed(error) : { kind: 'error', error };
  }

  async #settleOpen(): Promise<TurnEnd> {
    const host = this.#host;
    const { writer, settings } = host;
    const { state } = writer;
    if (state === undefined || isInterrupted(state)) return { kind: 'open' };
    const what = `execute returned while the task is ${state}`;
    if (settings.onIncomplete === 'keep') {
      host.warn(what);
      return { kind: 'open' };
    }
    const error = new A2AError('INVALID_AGENT_RESPONSE', 'the agent stopped without finishing the task', { cause: new Error(what) });
    host.report(error);
    return this.#settleFailed(error);
  }

  #fail(error: A2AError): Promise<void> {
    const { writer, settings } = this.#host;
    const ids = { messageId: settings.ids.messageId(), taskId: writer.ref.id, contextId: writer.contextId };
    return writer.end({ state: 'TASK_STATE_FAILED', message: failureMessage(error, ids, this.isUnpublished) });
  }
}

const noAnswer = (): A2AError => new A2AError('INVALID_AGENT_RESPONSE', 'the agent returned without an answer');

/** The details of a refused event are for the developer; callers only learn that the agent failed and why in general. */
function forCallers(fault: A2AError): A2AError {
  const text =
    fault.reason === 'CONTENT_TOO_LARGE'
      ? 'the answer of the agent is too large'
      : 'the agent published an event that the protocol does not allow';
  return new A2AError(fault.reason, text, { cause: fault });
}

const parked = (): A2AError =>
  new A2AError('AGENT_UNAVAILABLE', 'run parked while waiting for input; `execute` restarts when the reply arrives');

/** A run that waits for a person does not keep the process alive. */
const BACKGROUND = { background: true };

/** Result of the race when the turn was ended from outside. */
const STOPPED = Symbol('stopped');
