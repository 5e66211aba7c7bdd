/** One call of `execute`: build its context, let it speak, settle what it left open. */
import { A2AError } from '../protocol/errors.js';
import { isInterrupted } from '../protocol/task-state.js';
import type { Message, TaskStatus } from '../protocol/types.js';
import { EarlyTask } from './early-task.js';
import type { TurnRequest } from './entries.js';
import { newTask, TurnEvents, type TurnEventsParts } from './events.js';
import type { RequestContext, TaskEvents } from './executor.js';
import { failureMessage, readThrown } from './failure.js';
import type { LateTimers } from './late-timers.js';
import type { OpenQuestion, OpenTurn } from './open-turn.js';
import type { Settings } from './options.js';
import { checkQuestionId } from './question.js';
import { RecordedReplies } from './recorded-replies.js';
import { RunClock } from './run-clock.js';
import type { TaskWriter } from './writer.js';

/** The task whose turn it is. */
export interface TurnHost {
  readonly settings: Settings;
  readonly writer: TaskWriter;
  readonly timers: LateTimers;
  buildContext(turn: Turn): Promise<RequestContext>;
  /** Whoever waits on behalf of the turn is to wait no more. */
  stopWaiting(reason: A2AError): void;
  report(error: A2AError): void;
  warn(text: string): void;
}

/** `open`: the task goes on with the next message. `parked`: the turn does, when it is entered again. `error`: there is no Task, the call itself failed. */
export type TurnEnd =
  | { readonly kind: 'final' | 'open' | 'lost' | 'stopped' | 'parked' }
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'error'; readonly error: A2AError };

export class Turn {
  readonly events: TurnEvents;
  /** The replies that earlier runs of the turn got. */
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

  /** When its time is over, as far as it is known now. */
  get deadline(): number {
    return this.#runClock.deadline;
  }

  /** Its Task was created by the runtime, and the executor has published nothing. */
  get isProvisional(): boolean {
    return this.#early.isProvisional;
  }

  /** The same, and no run before it was cut off: a run that published nothing may have done work all the same. */
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

  /** Settles when `execute` has returned or thrown, whatever was decided meanwhile. */
  get executed(): Promise<unknown> {
    return this.#executed ?? Promise.resolve();
  }

  /** Made when somebody asks for it: most turns end before anybody does. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    return this.#abort.signal;
  }

  /**
   * Events of their own for `cancel`, open as long as it runs. Their artifacts get ids that are free: `cancel` may come after the run that
   * numbered its artifacts, and must not replace them. There is a Task for its caller, also where the executor has published nothing.
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

  /** Once per run: an executor that goes on after its end may do so in a loop. One that was aborted need not stop at once. */
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

  /** The same in each run of the turn, as long as the run makes the same call: then the result in the log is found again. */
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

  /** It waits for its caller, and the task says so: one that goes on working meanwhile is at work. */
  get isWaiting(): boolean {
    const { state } = this.#host.writer;
    return this.#runClock.isWaiting && state !== undefined && isInterrupted(state);
  }

  /** It waited, and is on its way into the store. */
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

  /** One question after the other: whoever answers has to see which, and that there is another. */
  inOrder<T>(ask: () => Promise<T>): Promise<T> {
    const answer = this.#lastQuestion ? this.#lastQuestion.then(ask) : ask();
    this.#lastQuestion = answer.catch(() => {});
    return answer;
  }

  /** Waits on behalf of the turn and stops its clock meanwhile. A run that waits for long is parked: a reply may take days. */
  async waitFor<T>(answer: Promise<T>): Promise<T> {
    const { clock, parkAfterMs } = this.#host.settings;
    const park = (): void => {
      if (this.isWaiting) this.letGo(parked());
      else stay = clock.after(parkAfterMs, park, BACKGROUND);
    };
    let stay = clock.after(parkAfterMs, park, BACKGROUND);
    try {
      return await this.#runClock.pausedFor(answer);
    } finally {
      stay();
    }
  }

  /** The run ends, the turn does not: it is entered again when its caller answers. */
  letGo(reason: A2AError): void {
    this.#letGo = true;
    this.stop();
    this.abort(reason);
  }

  /** The turn is over, even if `execute` does not see it. */
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

  /** What was thrown, if anything; or that the turn was stopped before. */
  #untilOver(executed: Promise<unknown>): Promise<unknown> {
    return new Promise((resolve) => {
      this.#onStop = () => resolve(STOPPED);
      if (this.#isStopped) resolve(STOPPED);
      void executed.then(resolve);
    });
  }

  /** Answers what `execute` threw, undefined when it returned. */
  async #execute(): Promise<unknown> {
    try {
      const context = await this.#host.buildContext(this);
      const events: TaskEvents = this.events;
      this.#early.start();
      await this.#host.settings.executor.execute(context, events);
      return undefined;
    } catch (thrown) {
      return thrown ?? new Error('the executor threw nothing');
    } finally {
      this.#early.stop();
      this.events.close();
    }
  }

  /** Its time is over. */
  timeOut(): void {
    const error = new A2AError('TASK_TIMEOUT', `the task ran longer than ${this.#host.settings.maxRunMs} ms`);
    this.#host.report(error);
    this.abort(error);
    if (this.#host.writer.exists) void this.#fail(error).catch(() => {});
    this.stop();
  }

  async #settle(thrown: unknown): Promise<TurnEnd> {
    const { writer } = this.#host;
    await writer.entered(); // the end may be among what nobody awaited
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

  /** Whoever aborted it says how it ends: the cancel flow, the clock, or the node that took it over. */
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

/** What was refused is for the developer to read; callers learn that, and how, the agent failed them. */
function forCallers(fault: A2AError): A2AError {
  const text =
    fault.reason === 'CONTENT_TOO_LARGE'
      ? 'the answer of the agent is too large'
      : 'the agent gave an answer that the protocol does not allow';
  return new A2AError(fault.reason, text, { cause: fault });
}

const parked = (): A2AError =>
  new A2AError('AGENT_UNAVAILABLE', 'the run was let go while it waited for an answer: it is entered again when that comes');

/** A process does not stay alive for a run that waits for a person. */
const BACKGROUND = { background: true };

/** What the race answers when the turn was ended from outside. */
const STOPPED = Symbol('stopped');
