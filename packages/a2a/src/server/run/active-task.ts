/** A task that this process owns: its writer, its inbox, and the loop that starts one turn per message. */

import type { ErrorContext } from '../../platform/logger.js';
import { type A2AError, toA2AError } from '../../protocol/errors.js';
import type { JsonObject, Message, TaskState } from '../../protocol/types.js';
import type { ClaimedTask, InboxRow, RequestKey, TaskPosition, TaskRef, TaskStore } from '../../stores/store.js';
import type { RequestContext } from '../executor/executor.js';
import type { LoadTask } from '../executor/request-context.js';
import { buildTurnContext, RETRY_MS } from '../executor/turn-context.js';
import { failureMessage, readThrown } from '../failure.js';
import type { ParkableRun, RunPlace } from '../limits/run-places.js';
import type { Share } from '../limits/share-counter.js';
import type { Committer } from '../log/committer.js';
import type { TurnRequest } from '../log/entries.js';
import type { TaskLog } from '../log/task-log.js';
import { TaskWriter } from '../log/writer.js';
import type { Settings } from '../options.js';
import { type AskingTask, askQuestion, turnIsOver } from '../questions/ask-question.js';
import type { Ask } from '../questions/question.js';
import { cancelTurn } from './cancel.js';
import { Inbox } from './inbox.js';
import type { LateTimers } from './late-timers.js';
import { type OpenTurn, readLastTurn } from './open-turn.js';
import { cutOff, isExpired, shuttingDown, waitedTooLong } from './recovery.js';
import { Turn, type TurnEnd, type TurnHost } from './turn.js';
import { type LoopHost, TurnLoop } from './turn-loop.js';

/** How a new task answers its first caller: a Task exists, or one direct Message is the whole answer. */
export type Opened = { readonly kind: 'task' } | { readonly kind: 'message'; readonly message: Message };

/** A new task: the request that starts it. Its message already has the ids of the task. */
export interface FirstTurn {
  readonly request: TurnRequest;
  /** Above 1 when an earlier run for the same idempotency key died before a Task existed. */
  readonly attempt: number;
  /** Linked to the task when it is created. */
  readonly key?: RequestKey | undefined;
}

export interface ActiveTaskParts {
  readonly settings: Settings;
  readonly log: TaskLog;
  readonly committer: Committer;
  readonly timers: LateTimers;
  readonly ref: TaskRef;
  readonly contextId: string;
  /** Counts the run of the task. */
  readonly place: RunPlace;
  readonly first?: FirstTurn | undefined;
  /** A task claimed from the store. */
  readonly claimed?: ClaimedTask | undefined;
  /** The task was claimed because it has waited for its caller since before this time. */
  readonly expires?: number | undefined;
  readonly loadTask: LoadTask;
  report(error: A2AError, where: ErrorContext): void;
}

export class ActiveTask implements LoopHost, TurnHost, AskingTask, ParkableRun {
  readonly ref: TaskRef;
  readonly contextId: string;
  readonly since: number;
  readonly writer: TaskWriter;
  /** For a new task: settles at the first commit, at the direct reply, or with the error of the call. */
  readonly opened: Promise<Opened>;
  readonly #parts: ActiveTaskParts;
  readonly inbox: Inbox;
  #open: (opened: Opened) => void = () => {};
  #refuse: (error: A2AError) => void = () => {};
  readonly #loop: TurnLoop;
  #turn: Turn | undefined;
  #canceling: Promise<void> | undefined;
  #closing: A2AError | undefined;
  #isHandingOver = false;
  #poked = false;
  #takeBackPoke: (() => void) | undefined;
  #gaveUp = false;
  /** Messages that are being posted: the run is about to continue. */
  #expected = 0;

  constructor(parts: ActiveTaskParts) {
    const { settings, log, committer, ref, contextId, first, claimed } = parts;
    this.#parts = parts;
    this.ref = ref;
    this.contextId = contextId;
    this.since = settings.clock.now();
    this.opened = new Promise((resolve, reject) => {
      this.#open = resolve;
      this.#refuse = reject;
    });
    this.opened.catch(() => {}); // there may be no waiting caller
    this.inbox = new Inbox({ store: log.store, ref, onCancel: (row) => this.#hearCancel(row) });
    this.writer = new TaskWriter({
      settings,
      ref,
      contextId,
      committer,
      hub: log.hub,
      first: first?.request,
      attempt: first?.attempt,
      requestKey: first?.key,
      stored: claimed,
      onCreated: () => this.#open({ kind: 'task' }),
      onState: () => this.waitChanged(),
      onLost: (error) => this.#lose(error),
    });
    this.#loop = new TurnLoop(this);
  }

  get settings(): Settings {
    return this.#parts.settings;
  }

  get timers(): LateTimers {
    return this.#parts.timers;
  }

  get store(): TaskStore {
    return this.#parts.log.store;
  }

  get attempt(): number {
    return this.#loop.attempt;
  }

  /**
   * A row was posted for this task. While the task is being released or is lost, this only sets a flag, and the task is claimed again
   * afterwards.
   */
  poke(): void {
    if (this.#loop.isLeaving || this.writer.isLost) this.#poked = true;
    else this.inbox.read().catch(() => this.#pokeLater());
  }

  /** The position that the store has: there may be an inbox row that no node announced, or another owner. */
  found(position: TaskPosition | undefined): void {
    if (this.writer.isLost) return;
    if (position === undefined) this.writer.lose({ kind: 'missing' });
    else if (position.epoch > this.writer.epoch) this.writer.lose({ kind: 'fenced' });
    else if (position.posted > this.inbox.seen) this.poke();
  }

  /** The sender waits for the row that could not be read: retry until the read succeeds or the task is no longer owned here. */
  #pokeLater(): void {
    if (this.#takeBackPoke !== undefined || this.inbox.isClosed) return;
    this.#takeBackPoke = this.#parts.settings.clock.after(RETRY_MS, () => {
      this.#takeBackPoke = undefined;
      this.poke();
    });
  }

  /** Whether the task must be claimed again because its inbox has rows. Rows older than the open question do not restart a kept task. */
  get wasPoked(): boolean {
    const hasMail = this.isKept ? this.#loop.hasReply : this.inbox.has();
    return this.#poked || (hasMail && !this.writer.isLost && !this.#gaveUp);
  }

  /** The task waits for its caller without a run, and this node remains its owner. */
  get isKept(): boolean {
    return this.#loop.isKept && !this.writer.isLost && !this.#gaveUp;
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
      while (goesOn) goesOn = await this.#loop.next();
    } catch (cause) {
      await this.#giveUp(cause);
    }
    await this.writer.flush().catch(() => {}); // the next owner must find everything that was accepted
    this.inbox.close();
    this.#takeBackPoke?.();
    this.#parts.place.end();
  }

  async #begin(): Promise<boolean> {
    const { first, claimed } = this.#parts;
    if (first) return this.#runFirst(first);
    if (claimed === undefined) return false;
    this.inbox.add(claimed.inbox);
    return this.#loop.takeUp(claimed);
  }

  async expireIfDue(): Promise<void> {
    const { expires } = this.#parts;
    if (expires !== undefined) await this.expire(expires);
  }

  async #runFirst({ request, attempt }: FirstTurn): Promise<boolean> {
    const end = await this.#loop.first(request, attempt);
    if (end.kind === 'message') this.#open({ kind: 'message', message: end.message });
    if (end.kind === 'error') this.#refuse(end.error);
    return this.#loop.goOn(end);
  }

  /** The inbox cannot be read, or the server closes: releases the task as far as possible and tells waiting callers to retry. */
  async #giveUp(cause: unknown): Promise<void> {
    this.#gaveUp = true;
    if (this.writer.isLost) return;
    const error = toA2AError(cause);
    if (error !== cause) this.report(error); // errors of the store are already reported
    const mayRest = this.writer.exists && !this.writer.isFinal && !this.#loop.isUnread;
    if (mayRest) await this.#loop.rest(true).catch(() => {}); // if this fails, the task stays ours, unchanged, and is claimed again
    this.#refuse(error);
    this.#parts.log.hub.lost(this.ref, error);
  }

  /** Number of messages that wait for a turn. */
  get mail(): number {
    return this.inbox.size;
  }

  /** The share that the run counts against. */
  get share(): Share {
    return this.#parts.place.share;
  }

  /** The run waits for its caller. It does not count as running. */
  get isWaiting(): boolean {
    return this.#parts.place.isWaiting;
  }

  /** The task counts as running. */
  get isBusy(): boolean {
    return this.#parts.place.isBusy;
  }

  /**
   * A message is being posted: until it was taken or refused, the waiting run counts as running and is not parked. Call the result once
   * then.
   */
  expect(): () => void {
    this.#expected += 1;
    this.waitChanged();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#expected -= 1;
      this.waitChanged();
    };
  }

  waitChanged(): void {
    const { place } = this.#parts;
    const turn = this.#turn;
    if (turn === undefined) return; // a parked task stays parked until it is removed
    if (turn.isLetGo) place.park();
    else if (turn.isWaiting && this.#expected === 0) place.wait(this, this.writer.chars);
    else place.work();
  }

  /** Parks the waiting run before its time. */
  park(): void {
    this.#turn?.park();
  }

  /** The server closes: no new turn begins, and a waiting turn is parked. */
  drain(): void {
    this.#closing = shuttingDown();
    if (this.#turn?.isWaiting) this.#turn.letGo(this.#closing);
  }

  /** Ends a run that is still active: the next owner continues it (`restart`), or the task fails with a reason that its caller can read. */
  async shutDown(): Promise<void> {
    const error = this.#closing ?? shuttingDown();
    // The task waits for its caller, and only the commit of that state is slow.
    if (this.#turn?.isLetGo || this.#loop.isLeaving) return;
    if (this.#turn?.isWaiting) return this.#turn.letGo(error);
    if (this.#parts.settings.recovery !== 'restart') return this.#endWith(error);
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
    if (!isRead || this.#loop.hasReply || this.#loop.isLeaving) return;
    if (isExpired(this.writer, before)) await this.#endWith(waitedTooLong());
  }

  /** Sets the task to FAILED, whether or not a run is active. */
  async #endWith(error: A2AError): Promise<void> {
    this.#turn?.abort(error);
    if (this.writer.exists) await this.#end('TASK_STATE_FAILED', error).catch(() => {});
    this.#turn?.stop();
  }

  /** Nothing can be written any more: rejects the waiting callers and ends the run, even if `execute` ignores its signal. */
  #lose(error: A2AError): void {
    if (error.reason !== 'TASK_NOT_FOUND') this.report(error); // a deletion is not an error
    // Not before the commit in flight has ended, because it may still create the task: a caller that is refused drops its idempotency key,
    // and its next try would create a second task.
    void this.writer.settled().then(() => this.#refuse(error));
    this.#turn?.abort(error);
    this.#turn?.stop();
  }

  get closing(): A2AError | undefined {
    return this.#closing;
  }

  get isClosing(): boolean {
    return this.#closing !== undefined;
  }

  get isHandingOver(): boolean {
    return this.#isHandingOver;
  }

  isAt(turn: Turn): boolean {
    return this.#turn === turn;
  }

  get isEnding(): boolean {
    return this.#canceling !== undefined || this.writer.isFinal;
  }

  async ended(): Promise<void> {
    await this.#canceling;
  }

  noteRestart(after: 'crash' | 'hand-over'): void {
    const { logger } = this.settings;
    if (after === 'crash') logger.warn(this.#where(), 'run was ended by a crash; execute runs again');
    else logger.info(this.#where(), 'run was handed over; execute runs again');
  }

  noteChanged(): void {
    this.settings.logger.warn(this.#where(), 'a question changed when the turn was run again; its recorded reply is not used');
  }

  cutOff(turn: OpenTurn): Promise<void> {
    const error = cutOff(turn, this.settings);
    this.report(error);
    return this.#endWith(error);
  }

  async enter(open: OpenTurn): Promise<TurnEnd> {
    const turn = new Turn(this, open);
    this.#turn = turn;
    this.waitChanged();
    const end = await turn.run();
    if (end.kind !== 'parked') this.#parts.place.work(); // until the task is removed
    this.#turn = undefined;
    this.inbox.dismiss(turnIsOver);
    return end;
  }

  stopWaiting(reason: A2AError): void {
    this.inbox.dismiss(() => reason);
  }

  report(error: A2AError): void {
    this.#parts.report(error, this.#where());
  }

  warn(text: string): void {
    this.settings.logger.error({ ...this.#where(), reason: 'INVALID_AGENT_RESPONSE' }, text);
  }

  /** A cancel that arrives while the task is being released is for the next owner: another node may own the task already. */
  #hearCancel(row: InboxRow): void {
    if (this.#loop.isLeaving) this.#poked = true;
    else void this.#cancel(row);
  }

  #cancel(row: InboxRow): Promise<void> {
    this.#canceling ??= this.#doCancel(row);
    return this.#canceling;
  }

  /** Never rejects: a store failure is reported through `onLost`. */
  async #doCancel(row: InboxRow): Promise<void> {
    const turn = this.#turn ?? (this.writer.isFinal ? undefined : await this.#lastTurn());
    if (turn) await this.#tellCancel(turn, row);
    await this.writer.end({ state: 'TASK_STATE_CANCELED', row: row.n }).catch(() => {});
    turn?.stop();
  }

  /**
   * The turn to pass to `cancel()` when no run is active, because the work may continue elsewhere. Not needed when the executor has no
   * `cancel()`.
   */
  async #lastTurn(): Promise<Turn | undefined> {
    if (this.settings.executor.cancel === undefined) return undefined;
    try {
      const open = await readLastTurn(this.store, this.ref);
      return open && new Turn(this, open);
    } catch {
      return undefined; // the store reported it, and the task can end without this turn
    }
  }

  #tellCancel(turn: Turn, row: InboxRow): Promise<void> {
    const { executor, clock, cancelGraceMs: graceMs } = this.settings;
    const { metadata = {} }: { metadata?: JsonObject } = JSON.parse(row.json);
    const buildContext = (): Promise<RequestContext> => this.buildContext(turn, { metadata });
    const onThrown = (thrown: unknown): void => {
      const { error, crashed } = readThrown(thrown, this.settings.card.name);
      // A task that ended before the cancel took effect is not a failure.
      if (crashed || !this.writer.isFinal) this.report(error);
    };
    return cancelTurn(turn, { executor, clock, graceMs, buildContext, onThrown });
  }

  async #end(state: TaskState, error: A2AError): Promise<void> {
    const ids = { messageId: this.#parts.settings.ids.messageId(), taskId: this.ref.id, contextId: this.contextId };
    await this.writer.end({ state, message: failureMessage(error, ids, this.#turn?.isUnpublished) });
  }

  buildContext(turn: Turn, cancel?: { readonly metadata: JsonObject }): Promise<RequestContext> {
    const { settings, log, loadTask } = this.#parts;
    const ask: Ask = (question) => askQuestion(this, turn, question);
    return buildTurnContext(turn, { settings, log, loadTask, writer: this.writer, ask }, cancel);
  }

  #where(): ErrorContext {
    const { caller, requestId } = this.#turn?.request ?? this.#parts.first?.request ?? { caller: { id: this.ref.owner }, requestId: '' };
    return { requestId, taskId: this.ref.id, contextId: this.contextId, caller: caller.id, attempt: this.attempt };
  }
}
