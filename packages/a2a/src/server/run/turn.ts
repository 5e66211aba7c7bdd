/** One call of `execute`: builds its context, publishes its events, and settles the task when it returns. */

import type { LateTimers } from '../../platform/late-timers.js';
import type { ErrorContext } from '../../platform/logger.js';
import { A2AError } from '../../protocol/errors.js';
import { isInterrupted } from '../../protocol/task-state.js';
import type { Message } from '../../protocol/types.js';
import { EarlyTask } from '../executor/early-task.js';
import { newTask, TurnEvents, type TurnEventsParts } from '../executor/events.js';
import type { RequestContext, TaskEvents } from '../executor/executor.js';
import type { LoadTask } from '../executor/request-context.js';
import { readThrown } from '../failure.js';
import type { ParkableRun, RunPlace } from '../limits/run-places.js';
import type { TaskLog } from '../log/task-log.js';
import type { TaskWriter } from '../log/writer.js';
import type { Settings } from '../options.js';
import { RecordedReplies } from '../questions/recorded-replies.js';
import { failTask, forCallers, noAnswer, parked, turnIsOver } from './endings.js';
import type { Inbox } from './inbox.js';
import type { OpenTurn } from './open-turn.js';
import { RunClock } from './run-clock.js';
import { TurnIds } from './turn-ids.js';

/** What a turn works with: the log and the inbox of its task, its place among the runs, and the settings of the agent. */
export interface TurnParts {
  readonly settings: Settings;
  readonly log: TaskLog;
  readonly writer: TaskWriter;
  readonly inbox: Inbox;
  readonly place: RunPlace;
  readonly timers: LateTimers;
  readonly loadTask: LoadTask;
  report(error: A2AError, where: ErrorContext): void;
}

/**
 * `open`: the task continues with the next message. `parked`: this turn continues when it is run again. `error`: no Task exists; the call
 * itself failed.
 */
export type TurnEnd =
  | { readonly kind: 'final' | 'open' | 'lost' | 'stopped' | 'parked' }
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'error'; readonly error: A2AError };

export class Turn implements ParkableRun {
  readonly parts: TurnParts;
  /** The turn as in the log, across all its runs. */
  readonly open: OpenTurn;
  readonly events: TurnEvents;
  /** The replies that earlier runs of the turn received. */
  readonly replies: RecordedReplies;
  readonly #runClock: RunClock;
  readonly #early: EarlyTask;
  readonly #ids: TurnIds;
  #abort: AbortController | undefined;
  #executed: Promise<unknown> | undefined;
  #letGo = false;
  #isStopped = false;
  #onStop: (() => void) | undefined;
  #lastQuestion: Promise<unknown> | undefined;
  #wasTooLate = false;
  #isRunning = false;
  #closing: A2AError | undefined;

  constructor(parts: TurnParts, open: OpenTurn) {
    const { settings, timers, writer } = parts;
    this.parts = parts;
    this.open = open;
    this.#ids = new TurnIds(open.seq);
    this.replies = new RecordedReplies(open.answered);
    this.#early = new EarlyTask({ settings, timers, writer, isProvisional: open.isProvisional, create: () => this.#createEarly() });
    this.events = this.#createEvents({
      newArtifactId: () => this.#ids.artifact(),
      continued: writer.exists && !open.isProvisional,
    });
    this.#runClock = new RunClock(settings, timers, () => this.#timeOut());
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
    return this.isProvisional && this.open.attempt === 1;
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
    const { writer } = this.parts;
    return this.#createEvents({ newArtifactId: () => this.#ids.freeArtifact(writer), continued: true });
  }

  #createEvents(parts: Pick<TurnEventsParts, 'newArtifactId' | 'continued'>): TurnEvents {
    const { writer, settings } = this.parts;
    return new TurnEvents({
      writer,
      ids: settings.ids,
      ...parts,
      maxEventBytes: settings.maxEventBytes,
      agent: settings.card.name,
      request: this.open.request,
      early: this.#early,
      warn: (text) => this.#warn(text),
      tooLate: (error) => this.#reportTooLate(error),
    });
  }

  #createEarly(): void {
    const { writer } = this.parts;
    void writer.publish({ kind: 'task', task: newTask(writer, this.open.request), provisional: true });
  }

  /**
   * Reported once per run, because an executor may continue in a loop after its end. Not reported after an abort, since the executor need
   * not stop at once.
   */
  #reportTooLate(error: A2AError): void {
    if (this.#wasTooLate || this.#abort?.signal.aborted) return;
    this.#wasTooLate = true;
    this.report(error);
  }

  /** The same id in each run of the turn, if the run makes the same call, so that the result is found in the log. */
  newCallId(called: string, id?: string): string {
    return this.#ids.call(called, id);
  }

  abort(reason: A2AError): void {
    this.events.abort();
    this.parts.writer.dismiss(reason);
    this.parts.inbox.dismiss(() => reason);
    this.#abort ??= new AbortController();
    this.#abort.abort(reason);
  }

  /** The run waits for its caller and the task has an interrupted state. A run that continues to work meanwhile is not waiting. */
  get isWaiting(): boolean {
    const { state } = this.parts.writer;
    return this.#runClock.isWaiting && state !== undefined && isInterrupted(state);
  }

  /** The run is being parked. */
  get isLetGo(): boolean {
    return this.#letGo;
  }

  /** Asks questions one at a time, so that the caller can see which one it answers. */
  inOrder<T>(ask: () => Promise<T>): Promise<T> {
    const answer = this.#lastQuestion ? this.#lastQuestion.then(ask) : ask();
    this.#lastQuestion = answer.catch(() => {});
    return answer;
  }

  /** Waits for a reply with the run clock paused. A run that waits for long is parked, because a reply may take days. */
  async waitFor<T>(answer: Promise<T>): Promise<T> {
    const { clock, parkAfterMs } = this.parts.settings;
    const park = (): void => {
      if (this.isWaiting) this.park();
      else stay = clock.after(parkAfterMs, park, BACKGROUND);
    };
    let stay = clock.after(parkAfterMs, park, BACKGROUND);
    try {
      this.#runClock.pause();
      this.takePlace();
      return await answer;
    } finally {
      this.#runClock.resume();
      this.takePlace();
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
    this.takePlace();
    this.stop();
    this.abort(reason);
  }

  /** Counts the run as working, waiting or parked. Call it when the state of the task has changed. */
  takePlace(): void {
    if (!this.#isRunning) return; // the place belongs to a later run, or the task was released
    const { place, writer } = this.parts;
    if (this.#letGo) place.park();
    else if (this.isWaiting) place.wait(this, writer.chars);
    else place.work();
  }

  /** The server closes: a run that waits, or begins to wait, is parked. */
  drain(closing: A2AError): void {
    this.#closing = closing;
    if (this.isWaiting) this.letGo(closing);
  }

  /** The shutdown error while the server closes. */
  get closing(): A2AError | undefined {
    return this.#closing;
  }

  /** From the building of its context to its end. Only then can the turn ask questions. */
  get isRunning(): boolean {
    return this.#isRunning;
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

  /** Runs to the end of the turn, with the context that `build` returns. Never rejects. */
  async run(build: () => Promise<RequestContext>): Promise<TurnEnd> {
    const { place, writer, settings, inbox } = this.parts;
    this.#isRunning = true;
    this.takePlace();
    this.#runClock.start();
    let end: TurnEnd;
    try {
      const thrown = await this.#executeUntilStop(build);
      this.events.close();
      if (writer.hasUncommitted) await writer.entered(); // the final event may be among the events that the executor did not await
      const settled = this.#settle(thrown);
      end = 'kind' in settled ? settled : await settled; // an await of a value would cost a promise
    } catch (error) {
      end = writer.isLost ? { kind: 'lost' } : { kind: 'error', error: readThrown(error, settings.card.name).error };
    }
    this.#runClock.stop();
    this.#isRunning = false;
    if (end.kind !== 'parked') place.work(); // until the task is removed
    inbox.dismiss(turnIsOver);
    return end;
  }

  /** Resolves with the thrown value, with undefined, or with STOPPED when the turn was stopped first. */
  #executeUntilStop(build: () => Promise<RequestContext>): Promise<unknown> {
    return new Promise((resolve) => {
      const onStop = (): void => resolve(STOPPED); // named first, so that V8 does not allocate it in old space (decision 11)
      this.#onStop = onStop;
      if (this.#isStopped) resolve(STOPPED);
      this.#executed = this.#execute(build, resolve);
    });
  }

  /** Calls `onEnd` with the value that `execute` threw, or with undefined when it returned. */
  async #execute(build: () => Promise<RequestContext>, onEnd: (thrown: unknown) => void): Promise<void> {
    let thrown: unknown;
    try {
      const context = await build();
      // Otherwise the task was lost or handed over meanwhile, and may already run on another node.
      if (!this.#isStopped) {
        const events: TaskEvents = this.events;
        this.#early.start();
        await this.parts.settings.executor.execute(context, events);
      }
    } catch (error) {
      thrown = error ?? new Error('the executor threw undefined or null');
    }
    this.#early.stop();
    this.events.close();
    onEnd(thrown);
  }

  /** The maximum run time is over. */
  #timeOut(): void {
    const { settings, writer } = this.parts;
    const error = new A2AError('TASK_TIMEOUT', `the task ran longer than ${settings.maxRunMs} ms`);
    this.report(error);
    this.abort(error);
    if (writer.exists) void this.#fail(error).catch(() => {});
    this.stop();
  }

  #settle(thrown: unknown): TurnEnd | Promise<TurnEnd> {
    const { writer } = this.parts;
    if (writer.isLost) return { kind: 'lost' };
    if (this.#letGo && !writer.isFinal) return { kind: 'parked' };
    if (this.#abort?.signal.aborted) return this.#settleAborted();
    if (thrown !== undefined && thrown !== STOPPED) return this.#settleThrown(thrown);
    if (writer.fault) return this.#settleThrown(writer.fault);
    if (this.events.directReply) return { kind: 'message', message: this.events.directReply };
    if (!writer.exists) return { kind: 'error', error: noAnswer() };
    if (!writer.isFinal) return this.isProvisional ? this.#settleFailed(noAnswer()) : this.#settleOpen();
    return writer.hasUncommitted ? writer.flush().then(() => FINAL) : FINAL;
  }

  async #settleFailed(error: A2AError): Promise<TurnEnd> {
    await this.#fail(error);
    return FINAL;
  }

  /** The code that aborted the turn decides how it ends: the cancel flow, the run clock, or the loss of the task to another node. */
  #settleAborted(): TurnEnd {
    const { writer } = this.parts;
    if (!writer.exists) return { kind: 'error', error: this.signal.reason };
    return { kind: writer.isFinal ? 'final' : 'stopped' };
  }

  #settleThrown(thrown: unknown): TurnEnd | Promise<TurnEnd> {
    const { writer, settings } = this.parts;
    const { fault } = writer;
    const isFault = fault !== undefined && thrown === fault;
    const { error, crashed } = readThrown(isFault ? forCallers(fault) : thrown, settings.card.name);
    if (crashed || isFault) this.report(error);
    return writer.exists ? this.#settleFailed(error) : { kind: 'error', error };
  }

  #settleOpen(): TurnEnd | Promise<TurnEnd> {
    const { writer, settings } = this.parts;
    const { state } = writer;
    if (state === undefined || isInterrupted(state)) return { kind: 'open' };
    const what = `execute returned while the task is ${state}`;
    if (settings.onIncomplete === 'keep') {
      this.#warn(what);
      return { kind: 'open' };
    }
    const error = new A2AError('INVALID_AGENT_RESPONSE', 'the agent stopped without finishing the task', { cause: new Error(what) });
    this.report(error);
    return this.#settleFailed(error);
  }

  /** Sets the task to FAILED. */
  #fail(error: A2AError): Promise<void> {
    return failTask(this.parts, error, this.isUnpublished);
  }

  /** Where errors of this run happened. */
  get where(): ErrorContext {
    const { ref, contextId } = this.parts.writer;
    const { caller, requestId } = this.open.request;
    return { requestId, taskId: ref.id, contextId, caller: caller.id, attempt: this.open.attempt };
  }

  report(error: A2AError): void {
    this.parts.report(error, this.where);
  }

  #warn(text: string): void {
    this.parts.settings.logger.error({ ...this.where, reason: 'INVALID_AGENT_RESPONSE' }, text);
  }

  /** Logs that a recorded reply is not used, because the question differs from the one that it answers. */
  noteChanged(): void {
    this.parts.settings.logger.warn(this.where, 'a question changed when the turn was run again; its recorded reply is not used');
  }
}

/** A run that waits for a person does not keep the process alive. */
const BACKGROUND = { background: true };

const FINAL: TurnEnd = { kind: 'final' };

/** Result of the race when the turn was ended from outside. */
const STOPPED = Symbol('stopped');
