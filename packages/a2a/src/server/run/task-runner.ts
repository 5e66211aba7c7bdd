/** Owns one task on this node: its writer, its inbox, and the loop that runs one turn after the other until the task ends or waits. */
import type { ErrorContext } from '../../platform/logger.js';
import { type A2AError, toA2AError } from '../../protocol/errors.js';
import { isInterrupted } from '../../protocol/task-state.js';
import type { Message } from '../../protocol/types.js';
import type { ClaimedTask, InboxRow, TaskPosition, TaskRef } from '../../stores/store.js';
import type { RunPlace } from '../limits/run-places.js';
import type { Committer } from '../log/committer.js';
import type { FirstTurn } from '../log/entries.js';
import { TaskWriter } from '../log/writer.js';
import { cancelTurn, lastTurn } from './cancel.js';
import { cutOff, failTask, isExpired, mayEnterAgain, shuttingDown, waitedTooLong } from './endings.js';
import { Inbox, type MailFilter, takeMessage } from './inbox.js';
import { addReply, isReplyTo, newTurn, type OpenQuestion, type OpenTurn, readOpenTurn } from './open-turn.js';
import { Turn, type TurnEnd, type TurnParts } from './turn.js';
import { buildTurnContext } from './turn-context.js';

/** How a new task answers its first caller: a Task exists, or one direct Message is the whole answer. */
export type Opened = { readonly kind: 'task' } | { readonly kind: 'message'; readonly message: Message };

/** How the task came to this node: it is new, or it was claimed from the store. */
export interface Beginning {
  readonly first?: FirstTurn | undefined;
  readonly claimed?: ClaimedTask | undefined;
  /** The task was claimed because it has waited for its caller since before this time. */
  readonly expires?: number | undefined;
}

export interface TaskRunnerParts extends Omit<TurnParts, 'writer' | 'inbox'> {
  readonly committer: Committer;
  readonly ref: TaskRef;
  readonly contextId: string;
  readonly from: Beginning;
}

/** A claimed task exists already: no caller waits for its first commit, and this promise never settles. */
const NOT_NEW = new Promise<never>(() => {});

/** Whether the task continues on this node with its next message. */
const CONTINUES = true;
const LEFT = false;

export class TaskRunner {
  readonly ref: TaskRef;
  readonly contextId: string;
  readonly since: number;
  readonly writer: TaskWriter;
  readonly inbox: Inbox;
  readonly place: RunPlace;
  /** For a new task, whose caller must await it: settles at the first commit, at the direct reply, or with the error of the call. */
  readonly opened: Promise<Opened>;
  readonly #parts: TurnParts;
  readonly #from: Beginning;
  #resolveOpened: (opened: Opened) => void = () => {};
  #rejectOpened: (error: A2AError) => void = () => {};
  /** The turn as in the log, from its message to its end, across all its runs. */
  #openTurn: OpenTurn | undefined;
  /** The call of `execute` that runs now. */
  #turn: Turn | undefined;
  #canceling: Promise<void> | undefined;
  #closing: A2AError | undefined;
  #isHandingOver = false;
  /** The task is being released: new rows are for the next owner. */
  #isLeaving = false;
  #isKept = false;
  /** The open turn could not be read from the log yet, so nothing may be written about it. */
  #isUnread = false;
  #gaveUp = false;
  #poked = false;

  constructor({ committer, ref, contextId, from, settings, log, place, timers, loadTask, report }: TaskRunnerParts) {
    const { first, claimed } = from;
    this.ref = ref;
    this.contextId = contextId;
    this.since = settings.clock.now();
    this.place = place;
    this.#from = from;
    const open = (resolve: (opened: Opened) => void, reject: (error: A2AError) => void): void => {
      this.#resolveOpened = resolve;
      this.#rejectOpened = reject;
    };
    this.opened = first === undefined ? NOT_NEW : new Promise(open);
    this.inbox = new Inbox({ store: log.store, ref, clock: settings.clock, onCancel: (row) => this.#hearCancel(row) });
    this.writer = new TaskWriter({
      settings,
      ref,
      contextId,
      committer,
      hub: log.hub,
      first,
      stored: claimed,
      onCreated: () => this.#resolveOpened({ kind: 'task' }),
      onState: () => this.#turn?.takePlace(),
      onLost: (error) => this.#lose(error),
    });
    this.#parts = { settings, log, writer: this.writer, inbox: this.inbox, place, timers, loadTask, report };
  }

  get attempt(): number {
    return this.#openTurn?.attempt ?? 1;
  }

  /** A row was posted for this task. A task that is being released or is lost is claimed again afterwards. */
  poke(): void {
    if (this.#isLeaving || this.writer.isLost) this.#poked = true;
    else this.inbox.readWithRetry();
  }

  /** The position that the store has: there may be an inbox row that no node announced, or another owner. */
  found(position: TaskPosition | undefined): void {
    if (this.writer.isLost) return;
    if (position === undefined) this.writer.lose({ kind: 'missing' });
    else if (position.epoch > this.writer.epoch) this.writer.lose({ kind: 'fenced' });
    else if (position.posted > this.inbox.seen) this.poke();
  }

  /** Whether the task must be claimed again because its inbox has rows. Rows older than the open question do not restart a kept task. */
  get wasPoked(): boolean {
    const hasMail = this.isKept ? this.#hasReply : this.inbox.has();
    return this.#poked || (hasMail && !this.writer.isLost && !this.#gaveUp);
  }

  /**
   * The task waits for its caller without a run, and this node remains its owner: its inbox has messages that are older than its open
   * question. A released task with such messages would be claimed again and again.
   */
  get isKept(): boolean {
    return this.#isKept && !this.writer.isLost && !this.#gaveUp;
  }

  /** The store failed: claim the task again when the store is back. Claiming at once would cause a storm of claims. */
  get wantsRecovery(): boolean {
    return this.#gaveUp || this.writer.failure !== undefined;
  }

  /** Runs one turn after another until the task ends, waits, or is lost. Never rejects. */
  async run(): Promise<void> {
    try {
      if (this.#closing) throw this.#closing;
      // Lost while it waited for an earlier task of its context: deleted, or no longer owned by this node.
      let goesOn = !this.writer.isLost && (await this.#begin());
      while (goesOn) goesOn = await this.#next();
    } catch (cause) {
      await this.#giveUp(cause);
    }
    if (this.writer.hasUncommitted) await this.writer.flush().catch(() => {}); // the next owner must find everything that was accepted
    this.inbox.close();
    this.place.end();
  }

  #begin(): boolean | Promise<boolean> {
    const { first, claimed } = this.#from;
    if (first !== undefined) return this.#runFirst(first);
    return claimed === undefined ? LEFT : this.#takeUp(claimed);
  }

  async #runFirst({ request, attempt }: FirstTurn): Promise<boolean> {
    const end = await this.#enter(newTurn(1, request, attempt));
    if (end.kind === 'message') this.#resolveOpened({ kind: 'message', message: end.message });
    if (end.kind === 'error') this.#rejectOpened(end.error);
    return this.#goOn(end);
  }

  /** Continues a claimed task. Its turn may be open, because it waits for a reply or because its owner died. */
  async #takeUp(claimed: ClaimedTask): Promise<boolean> {
    this.inbox.add(claimed.inbox);
    this.#isUnread = true;
    const turn = await readOpenTurn(this.#parts.log.store, claimed);
    this.#isUnread = false;
    this.#openTurn = turn; // its question tells replies from earlier messages
    const { expires } = this.#from;
    if (expires !== undefined) await this.expire(expires);
    if (this.#isEnding) return this.#leave();
    if (turn === undefined) return CONTINUES;
    const { state } = claimed.head;
    if (turn.asked && isInterrupted(state)) return this.#answer(turn, turn.asked);
    if (state !== 'TASK_STATE_INPUT_REQUIRED') return this.#recover(turn);
    this.#openTurn = undefined; // INPUT_REQUIRED was set without `requireInput`: the next message begins a new turn
    return CONTINUES;
  }

  /** Takes the next message, if there is one. Returns false when the task does not continue on this node. */
  async #next(): Promise<boolean> {
    await this.inbox.read();
    if (this.#isEnding) return this.#leave();
    const row = this.#nextRow();
    if (row === undefined) return this.#park();
    const { seq, request, resumedFrom } = await takeMessage(this.writer, row, { as: 'turn' });
    if (this.#isEnding) return this.#leave(); // the cancel arrived while the message was taken, when there was no turn to abort
    return this.#goOn(await this.#enter({ ...newTurn(seq, request), resumedFrom }));
  }

  /** After a turn: continue with the next message, or release the task until there is one. */
  #goOn(end: TurnEnd): boolean | Promise<boolean> {
    this.#turn = undefined;
    if (end.kind === 'stopped') return this.#isHandingOver ? this.#handOver() : this.#leave();
    if (end.kind === 'parked') return this.#parkTurn();
    this.#openTurn = undefined;
    return end.kind === 'open' ? this.#awaitNext() : LEFT;
  }

  /** The task has not ended. */
  async #awaitNext(): Promise<boolean> {
    await this.inbox.read();
    if (this.#isEnding) return this.#leave();
    if (!this.inbox.has() || this.#closing) return this.#park();
    await this.#rest(false);
    return CONTINUES;
  }

  /** Calls `execute` once. Pass the result to `#goOn`, which clears the turn. */
  #enter(open: OpenTurn): Promise<TurnEnd> {
    this.#openTurn = open;
    const turn = new Turn(this.#parts, open);
    if (this.#closing) turn.drain(this.#closing);
    this.#turn = turn;
    return turn.run(() => buildTurnContext(turn));
  }

  /** The run is gone and its question is open: the reply starts the turn again. */
  async #answer(turn: OpenTurn, asked: OpenQuestion): Promise<boolean> {
    const row = this.#nextRow(isReplyTo(asked));
    if (row === undefined) return this.inbox.has() && !this.#closing ? this.#keep() : this.#park();
    turn.attempt += 1;
    const { request, resumedFrom } = await takeMessage(this.writer, row, { as: 'reply', attempt: turn.attempt });
    addReply(turn, request);
    turn.resumedFrom = resumedFrom;
    if (this.#isEnding) return this.#leave();
    return this.#goOn(await this.#enter(turn));
  }

  /** The run crashed: the agent's recovery policy decides (D18). */
  async #recover(turn: OpenTurn): Promise<boolean> {
    const { settings } = this.#parts;
    if (!mayEnterAgain(turn, settings)) {
      const error = cutOff(turn, settings);
      this.#report(error);
      await this.#fail(error);
      return this.#leave();
    }
    if (this.#closing) return this.#leave(); // the task stays ours until the lease ends; then the next owner runs it
    const after = turn.isHandedOver ? 'hand-over' : 'crash';
    turn.attempt += 1;
    turn.crashes += after === 'crash' ? 1 : 0;
    turn.isHandedOver = false;
    void this.writer.accept({ kind: 'note', note: { kind: 'attempt', attempt: turn.attempt, after } });
    await this.writer.flush();
    if (after === 'crash') settings.logger.warn(this.#where, 'run was ended by a crash; execute runs again');
    else settings.logger.info(this.#where, 'run was handed over; execute runs again');
    if (this.#isEnding) return this.#leave();
    return this.#goOn(await this.#enter(turn));
  }

  /** Writes to the log whether the turn is over or continues with the next message. With `release`, no node owns the task until then. */
  #rest(release: boolean): Promise<void> {
    const turn = this.#openTurn;
    return this.writer.rest(turn ? { kind: 'parked', turn: turn.seq } : { kind: 'turn-ended' }, release);
  }

  /** A message that the task waits for has arrived. */
  get #hasReply(): boolean {
    const asked = this.#openTurn?.asked;
    return this.inbox.has(asked && isReplyTo(asked));
  }

  /** A closing server leaves messages to the next owner. */
  #nextRow(filter?: MailFilter): InboxRow | undefined {
    return this.#closing ? undefined : this.inbox.next(filter);
  }

  /** The run was parked. Its replies so far are only in the log. */
  async #parkTurn(): Promise<boolean> {
    if (this.#isEnding || this.#closing || this.#hasReply || !this.inbox.has()) return this.#park();
    this.#isLeaving = true;
    await this.#rest(false);
    return this.#keep();
  }

  /** Messages older than the question wait for the next turn. The reply to the question starts this turn again. */
  async #keep(): Promise<boolean> {
    this.#isLeaving = true;
    await this.inbox.read(); // rows that were posted before and not read yet
    this.#isKept = true;
    return this.#leave();
  }

  /** The task stays ours until the lease ends: without an owner and without a new message, no node would look for it. */
  async #handOver(): Promise<boolean> {
    if (this.#isEnding) return this.#leave();
    this.#isLeaving = true;
    if (this.#openTurn) await this.writer.rest({ kind: 'handed-over', turn: this.#openTurn.seq }, false);
    return this.#leave();
  }

  async #park(): Promise<boolean> {
    if (this.#isEnding) return this.#leave(); // A cancel came first, and there is nothing to release.
    this.#isLeaving = true;
    await this.#rest(true);
    await this.inbox.read(); // rows that were posted before the release and not read yet
    return this.#leave();
  }

  async #leave(): Promise<boolean> {
    await this.#canceling;
    return LEFT;
  }

  /** The inbox cannot be read, or the server closes: releases the task as far as possible and tells waiting callers to retry. */
  async #giveUp(cause: unknown): Promise<void> {
    this.#gaveUp = true;
    if (this.writer.isLost) return;
    const error = toA2AError(cause);
    if (error !== cause) this.#report(error); // errors of the store are already reported
    const mayRest = this.writer.exists && !this.writer.isFinal && !this.#isUnread;
    if (mayRest) await this.#rest(true).catch(() => {}); // if this fails, the task stays ours, unchanged, and is claimed again
    this.#rejectOpened(error);
    this.#parts.log.hub.lost(this.ref, error);
  }

  /** The task is being ended: no turn begins any more. */
  get #isEnding(): boolean {
    return this.#canceling !== undefined || this.writer.isFinal;
  }

  /** The server closes: no new turn begins, and a waiting turn is parked. */
  drain(): void {
    this.#closing = shuttingDown();
    this.#turn?.drain(this.#closing);
  }

  /** Ends a run that is still active: the next owner continues it (`restart`), or the task fails with a reason that its caller can read. */
  async shutDown(): Promise<void> {
    const error = this.#closing ?? shuttingDown();
    // The task waits for its caller, and only the commit of that state is slow.
    if (this.#turn?.isLetGo || this.#isLeaving) return;
    if (this.#turn?.isWaiting) return this.#turn.letGo(error);
    if (this.#parts.settings.recovery !== 'restart') return this.#fail(error);
    this.#isHandingOver = true;
    this.#turn?.stop(); // stop before abort: the output of the aborted run must not end a turn that another node will run again
    this.#turn?.abort(error);
  }

  /**
   * Fails the task if it has waited for its caller since before this time. A reply in the inbox is in time, even if it was not read yet.
   */
  async expire(before: number): Promise<void> {
    const isRead = await this.inbox.read().then(
      () => true,
      () => false, // already reported; the next check tries again
    );
    if (!isRead || this.#hasReply || this.#isLeaving) return;
    if (isExpired(this.writer, before)) await this.#fail(waitedTooLong());
  }

  /** Sets the task to FAILED, whether or not a run is active. */
  async #fail(error: A2AError): Promise<void> {
    const turn = this.#turn;
    turn?.abort(error);
    if (this.writer.exists) await failTask(this.#parts, error, turn?.isUnpublished).catch(() => {});
    this.#turn?.stop();
  }

  /** Nothing can be written any more: rejects the waiting callers and ends the run, even if `execute` ignores its signal. */
  #lose(error: A2AError): void {
    if (error.reason !== 'TASK_NOT_FOUND') this.#report(error); // a deletion is not an error
    // Not before the commit in flight has ended, because it may still create the task: a caller that is refused drops its idempotency key,
    // and its next try would create a second task.
    void this.writer.settled().then(() => this.#rejectOpened(error));
    this.inbox.close(); // its rows are for the next owner
    this.#turn?.abort(error);
    this.#turn?.stop();
  }

  /** A cancel that arrives while the task is being released is for the next owner: another node may own the task already. */
  #hearCancel(row: InboxRow): void {
    if (this.#isLeaving) this.#poked = true;
    else this.#canceling ??= this.#cancel(row);
  }

  /** Never rejects: a store failure is reported through `onLost`. */
  async #cancel(row: InboxRow): Promise<void> {
    const turn = this.#turn ?? (this.writer.isFinal ? undefined : await lastTurn(this.#parts));
    if (turn) await cancelTurn(turn, row);
    await this.writer.end({ state: 'TASK_STATE_CANCELED', row: row.n }).catch(() => {});
    turn?.stop();
  }

  #report(error: A2AError): void {
    this.#parts.report(error, this.#where);
  }

  get #where(): ErrorContext {
    if (this.#turn) return this.#turn.where;
    const { requestId, caller } = this.#from.first?.request ?? { requestId: '', caller: { id: this.ref.owner } };
    return { requestId, taskId: this.ref.id, contextId: this.contextId, caller: caller.id, attempt: this.attempt };
  }
}
