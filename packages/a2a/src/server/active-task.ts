/** A task that this process owns: its writer, its inbox, and the loop that gives each message its turn. */
import { A2AError, toA2AError } from '../protocol/errors.js';
import { isInterrupted } from '../protocol/task-state.js';
import type { JsonObject, Message, Part, TaskState } from '../protocol/types.js';
import type { ClaimedTask, InboxRow, TaskRef } from '../stores/store.js';
import { cancelTurn } from './cancel.js';
import type { Committer } from './committer.js';
import type { InputAs, TurnRequest } from './entries.js';
import type { RequestContext } from './executor.js';
import { failureMessage, readThrown } from './failure.js';
import { ignorable } from './ignorable.js';
import { Inbox } from './inbox.js';
import type { ErrorContext } from './logger.js';
import type { Settings } from './options.js';
import type { LoadTask } from './request-context.js';
import type { Ask } from './require-input.js';
import type { TaskLog } from './task-log.js';
import { Turn, type TurnEnd } from './turn.js';
import { buildTurnContext } from './turn-context.js';
import { TaskWriter } from './writer.js';

/** What a new task's first caller learns: there is a Task, or a Message is all. */
export type Opened = { readonly kind: 'task' } | { readonly kind: 'message'; readonly message: Message };

export interface ActiveTaskParts {
  readonly settings: Settings;
  readonly log: TaskLog;
  readonly committer: Committer;
  readonly ref: TaskRef;
  readonly contextId: string;
  readonly attempt: number;
  /** A new task: the request that starts it, its message with the ids of the task. */
  readonly first?: TurnRequest;
  /** A task taken from the store. */
  readonly claimed?: ClaimedTask;
  readonly loadTask: LoadTask;
  report(error: A2AError, where: ErrorContext): void;
}

export class ActiveTask {
  readonly ref: TaskRef;
  readonly contextId: string;
  readonly attempt: number;
  readonly since: number;
  readonly writer: TaskWriter;
  /** For a new task: settles with the first commit, the direct reply, or the error of the call. */
  readonly opened: Promise<Opened>;
  readonly #parts: ActiveTaskParts;
  readonly #inbox: Inbox;
  #open: (opened: Opened) => void = () => {};
  #refuse: (error: A2AError) => void = () => {};
  #turn: Turn | undefined;
  #cancelling: Promise<void> | undefined;
  #closing: A2AError | undefined;
  #leaving = false;
  #poked = false;
  #gaveUp = false;

  constructor(parts: ActiveTaskParts) {
    const { settings, log, committer, ref, contextId, first, claimed } = parts;
    this.#parts = parts;
    this.ref = ref;
    this.contextId = contextId;
    this.attempt = parts.attempt;
    this.since = settings.clock.now();
    this.opened = new Promise((resolve, reject) => {
      this.#open = resolve;
      this.#refuse = reject;
    });
    this.opened.catch(() => {}); // nobody may be waiting
    this.#inbox = new Inbox(log.store, ref, (row) => void this.#cancel(row));
    this.writer = new TaskWriter({
      settings,
      ref,
      contextId,
      committer,
      hub: log.hub,
      ...(first && { first }),
      ...(claimed && { stored: claimed }),
      onCreated: () => this.#open({ kind: 'task' }),
      onLost: (error) => this.#lose(error),
    });
  }

  /** Something was posted for this task. While it is being let go, or is lost, this is only noted: it is claimed anew then. */
  poke(): void {
    if (this.#leaving || this.writer.isLost) this.#poked = true;
    else this.#inbox.read().catch(() => this.#pokeLater());
  }

  /** Somebody waits for what could not be read: it is tried until it can. */
  #pokeLater(): void {
    this.#parts.settings.clock.after(RETRY_MS, () => this.poke());
  }

  /** Whether there is mail to claim it for. What a failing store left unread waits for the next caller: claiming at once would storm it. */
  get wasPoked(): boolean {
    return this.#poked || (this.#inbox.hasNext && !this.writer.isLost && !this.#gaveUp);
  }

  /** Turn after turn until the task ends, waits, or is lost. Never rejects. */
  async run(): Promise<void> {
    try {
      if (this.#closing) throw this.#closing;
      let goesOn = true;
      if (this.#parts.first) goesOn = await this.#runFirst(this.#parts.first);
      if (this.#parts.claimed) this.#inbox.add(this.#parts.claimed.inbox);
      while (goesOn) goesOn = await this.#runNext();
    } catch (cause) {
      await this.#giveUp(cause);
    }
    await this.writer.flush().catch(() => {}); // whoever claims the task next finds all that was accepted
    this.#inbox.close();
  }

  /** Its mail cannot be read, or the server goes away: the task is let go as far as that works, and who waits is told to come back. */
  async #giveUp(cause: unknown): Promise<void> {
    this.#gaveUp = true;
    if (this.writer.isLost) return;
    const error = toA2AError(cause);
    if (error !== cause) this.#report(error); // what the store threw was reported there
    if (this.writer.exists && !this.writer.isFinal) await this.writer.rest('parked', true).catch(() => {});
    this.#refuse(error);
    this.#parts.log.hub.lost(this.ref, error);
  }

  /** Messages that wait for their turn. */
  get mail(): number {
    return this.#inbox.size;
  }

  /** Its turn waits for its caller. */
  get isWaiting(): boolean {
    return this.#turn?.isWaiting ?? false;
  }

  /** The server goes away: what waits is let go, what runs is told and ends with a reason its caller can read. */
  async shutDown(): Promise<void> {
    const error = new A2AError('AGENT_UNAVAILABLE', 'the server was shut down', { metadata: { why: 'shutdown' } });
    this.#closing = error;
    if (this.isWaiting) return this.#turn?.letGo(error);
    this.#turn?.abort(error);
    if (this.writer.exists) await this.#end('TASK_STATE_FAILED', error).catch(() => {});
    this.#turn?.stop();
  }

  /** Nothing can be written any more: whoever waits is told, and the run is over, whether or not it sees it. */
  #lose(error: A2AError): void {
    this.#report(error);
    this.#refuse(error);
    this.#turn?.abort(error);
    this.#turn?.stop();
  }

  async #runFirst(request: TurnRequest): Promise<boolean> {
    const end = await this.#runTurn(request);
    if (end.kind === 'message') this.#open({ kind: 'message', message: end.message });
    if (end.kind === 'error') this.#refuse(end.error);
    return this.#goesOn(end);
  }

  async #runNext(): Promise<boolean> {
    await this.#inbox.read();
    if (this.#isEnding) return this.#leaveIt();
    const row = this.#inbox.next();
    if (row === undefined) return this.#park('parked');
    const request = await this.#take(row, 'turn');
    if (this.#isEnding) return this.#leaveIt(); // the cancel came while the message was taken: there was no turn to tell
    return this.#goesOn(await this.#runTurn(request));
  }

  /** Somebody ends the task between its turns: no other begins. */
  get #isEnding(): boolean {
    return this.#cancelling !== undefined || this.writer.isFinal;
  }

  async #leaveIt(): Promise<boolean> {
    await this.#cancelling;
    return false;
  }

  /** After a turn: on to the next message, or let the task go until there is one. */
  async #goesOn(end: TurnEnd): Promise<boolean> {
    if (end.kind === 'stopped') return this.#leaveIt();
    if (end.kind === 'parked') return this.#park('parked');
    if (end.kind !== 'open') return false;
    await this.#inbox.read();
    if (this.#isEnding) return this.#leaveIt();
    if (!this.#inbox.hasNext) return this.#park('turn-ended');
    await this.writer.rest('turn-ended', false);
    return true;
  }

  async #park(why: 'turn-ended' | 'parked'): Promise<boolean> {
    this.#leaving = true;
    await this.writer.rest(why, true);
    await this.#inbox.read(); // what was posted before we let go and read by nobody
    return this.#leaveIt();
  }

  async #runTurn(request: TurnRequest): Promise<TurnEnd> {
    const { settings, attempt } = this.#parts;
    const turn = new Turn({
      settings,
      writer: this.writer,
      request,
      attempt,
      buildContext: (made) => this.#buildContext(made),
      onAbort: (reason) => this.#inbox.dismiss(() => reason),
      report: (error) => this.#report(error),
      warn: (text) => settings.logger.error({ ...this.#where(), reason: 'INVALID_AGENT_RESPONSE' }, text),
    });
    this.#turn = turn;
    const end = await turn.run();
    this.#turn = undefined;
    this.#inbox.dismiss(turnIsOver);
    return end;
  }

  #cancel(row: InboxRow): Promise<void> {
    this.#cancelling ??= this.#doCancel(row);
    return this.#cancelling;
  }

  async #doCancel(row: InboxRow): Promise<void> {
    const { settings } = this.#parts;
    const turn = this.#turn;
    const { metadata = {} }: { metadata?: JsonObject } = JSON.parse(row.json);
    try {
      if (turn) {
        const buildContext = (): Promise<RequestContext> => this.#buildContext(turn, { metadata });
        await cancelTurn(turn, { executor: settings.executor, clock: settings.clock, graceMs: settings.cancelGraceMs, buildContext });
      }
      await this.writer.end({ state: 'TASK_STATE_CANCELED', row: row.n });
    } catch (thrown) {
      const { error, crashed } = readThrown(thrown);
      if (crashed || !this.writer.isFinal) this.#report(error); // that the task had ended before it could be cancelled is no failure
      await this.#end('TASK_STATE_FAILED', error).catch(() => {});
    } finally {
      turn?.stop();
    }
  }

  async #end(state: TaskState, error: A2AError): Promise<void> {
    const ids = { messageId: this.#parts.settings.ids.messageId(), taskId: this.ref.id, contextId: this.contextId };
    await this.writer.end({ state, message: failureMessage(error, ids) });
  }

  /** The question stands in the log before the answer is taken; one that came earlier is taken as well. */
  async #ask(turn: Turn, state: TaskState, prompt: string | readonly Part[]): Promise<Message> {
    turn.signal.throwIfAborted();
    if (this.#turn !== turn) throw turnIsOver();
    const answer = ignorable(this.#inbox.wait());
    await turn.events.status(state, prompt);
    await this.writer.flush();
    return (await this.#take(await turn.waitFor(answer), 'reply')).message;
  }

  /** Input and, where the task waited, WORKING: one commit, so that nobody reads the old question again. */
  async #take(row: InboxRow, as: InputAs): Promise<TurnRequest> {
    const posted: TurnRequest = JSON.parse(row.json);
    const request = { ...posted, message: { ...posted.message, taskId: this.ref.id, contextId: this.contextId } };
    const { state } = this.writer;
    const taken = this.writer.accept({ kind: 'input', request, as, row: row.n });
    if (state !== undefined && isInterrupted(state)) void this.writer.accept({ kind: 'status', state: 'TASK_STATE_WORKING' });
    await taken; // refused when the task has just ended: then the message is too, and nobody is given it
    await this.writer.flush();
    return request;
  }

  #buildContext(turn: Turn, cancel?: { readonly metadata: JsonObject }): Promise<RequestContext> {
    const { settings, log, loadTask } = this.#parts;
    const ask: Ask = (state, prompt) => this.#ask(turn, state, prompt);
    return buildTurnContext(turn, { settings, store: log.store, loadTask, writer: this.writer, ask }, cancel);
  }

  #where(): ErrorContext {
    const { caller, requestId } = this.#turn?.request ?? this.#parts.first ?? { caller: { id: this.ref.owner }, requestId: '' };
    return { requestId, taskId: this.ref.id, contextId: this.contextId, caller: caller.id, attempt: this.attempt };
  }

  #report(error: A2AError): void {
    this.#parts.report(error, this.#where());
  }
}

const RETRY_MS = 1_000;

const turnIsOver = (): A2AError => new A2AError('INVALID_AGENT_RESPONSE', 'execute has returned: nothing can be asked any more');
