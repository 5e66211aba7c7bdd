/** The loop over the turns of a task: selects the next message, starts, continues or recovers a turn, and releases the task. */
import { isInterrupted } from '../../protocol/task-state.js';
import type { ClaimedTask, InboxRow, TaskStore } from '../../stores/store.js';
import type { TurnRequest } from '../log/entries.js';
import type { TaskWriter } from '../log/writer.js';
import type { Settings } from '../options.js';
import { type Inbox, type MailFilter, takeMessage } from './inbox.js';
import { addReply, isReplyTo, newTurn, type OpenQuestion, type OpenTurn, readOpenTurn } from './open-turn.js';
import { mayEnterAgain } from './recovery.js';
import type { TurnEnd } from './turn.js';

/** The task that owns the loop. */
export interface LoopHost {
  readonly settings: Settings;
  readonly store: TaskStore;
  readonly writer: TaskWriter;
  readonly inbox: Inbox;
  /** The server closes: turns that have not begun are left to the next owner. */
  readonly isClosing: boolean;
  /** The time to drain is over: the next owner runs the turn again. */
  readonly isHandingOver: boolean;
  /** The task is being ended: no turn begins any more. */
  readonly isEnding: boolean;
  /** Resolves when the task has ended. */
  ended(): Promise<void>;
  /** Ends a task that was claimed because it has waited too long for its caller. */
  expireIfDue(): Promise<void>;
  /** Calls `execute` once. */
  enter(turn: OpenTurn): Promise<TurnEnd>;
  /** Logs that `execute` is about to run again after a crash or a hand-over. */
  noteRestart(after: 'crash' | 'hand-over'): void;
  /** Ends the task: its run crashed and must not run again. */
  cutOff(turn: OpenTurn): Promise<void>;
}

export class TurnLoop {
  readonly #host: LoopHost;
  /** The turn as in the log, from its message to its end, across all its runs. */
  #turn: OpenTurn | undefined;
  #isLeaving = false;
  #isKept = false;
  #isUnread = false;

  constructor(host: LoopHost) {
    this.#host = host;
  }

  get attempt(): number {
    return this.#turn?.attempt ?? 1;
  }

  /** The task is being released: new rows are for the next owner. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /**
   * The task was left without a run, and this node remains its owner: its inbox has messages that are older than its open question. A
   * released task with such messages would be claimed again and again.
   */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** The open turn could not be read from the log yet, so nothing may be written about it. */
  get isUnread(): boolean {
    return this.#isUnread;
  }

  /** Runs the turn that creates a new task. Returns how it ended; pass that to `goOn`. */
  first(request: TurnRequest, attempt: number): Promise<TurnEnd> {
    return this.#enter(newTurn(1, request, attempt));
  }

  /** Continues a claimed task. Its turn may be open, because it waits for a reply or because its owner died. */
  async takeUp(claimed: ClaimedTask): Promise<boolean> {
    this.#isUnread = true;
    const turn = await readOpenTurn(this.#host.store, claimed);
    this.#isUnread = false;
    this.#turn = turn; // its question tells replies from earlier messages
    await this.#host.expireIfDue();
    if (this.#host.isEnding) return this.#leave();
    if (turn === undefined) return true;
    const { state } = claimed.head;
    if (turn.asked && isInterrupted(state)) return this.#answer(turn, turn.asked);
    if (state !== 'TASK_STATE_INPUT_REQUIRED') return this.#recover(turn);
    this.#turn = undefined; // INPUT_REQUIRED was set without `requireInput`: the next message begins a new turn
    return true;
  }

  /** Takes the next message, if there is one. Returns false when the task does not continue on this node. */
  async next(): Promise<boolean> {
    const host = this.#host;
    await host.inbox.read();
    if (host.isEnding) return this.#leave();
    const row = this.#nextRow();
    if (row === undefined) return this.#park();
    const { seq, request, resumedFrom } = await takeMessage(host.writer, row, { as: 'turn' });
    if (host.isEnding) return this.#leave(); // the cancel arrived while the message was taken, when there was no turn to abort
    return this.goOn(await this.#enter({ ...newTurn(seq, request), resumedFrom }));
  }

  /** After a turn: continue with the next message, or release the task until there is one. */
  async goOn(end: TurnEnd): Promise<boolean> {
    if (end.kind === 'stopped') return this.#host.isHandingOver ? this.#handOver() : this.#leave();
    if (end.kind === 'parked') return this.#parkTurn();
    this.#turn = undefined;
    if (end.kind !== 'open') return false;
    const host = this.#host;
    await host.inbox.read();
    if (host.isEnding) return this.#leave();
    if (!host.inbox.has() || host.isClosing) return this.#park();
    await this.rest(false);
    return true;
  }

  /** Writes to the log whether the turn is over or continues with the next message. With `release`, no node owns the task until then. */
  rest(release: boolean): Promise<void> {
    const turn = this.#turn;
    return this.#host.writer.rest(turn ? { kind: 'parked', turn: turn.seq } : { kind: 'turn-ended' }, release);
  }

  /** A message that the task waits for has arrived. */
  get hasReply(): boolean {
    const asked = this.#turn?.asked;
    return this.#host.inbox.has(asked && isReplyTo(asked));
  }

  #nextRow(filter?: MailFilter): InboxRow | undefined {
    return this.#host.isClosing ? undefined : this.#host.inbox.next(filter);
  }

  #enter(turn: OpenTurn): Promise<TurnEnd> {
    this.#turn = turn;
    return this.#host.enter(turn);
  }

  /** The run is gone and its question is open: the reply starts the turn again. */
  async #answer(turn: OpenTurn, asked: OpenQuestion): Promise<boolean> {
    const host = this.#host;
    this.#turn = turn;
    const row = this.#nextRow(isReplyTo(asked));
    if (row === undefined) return host.inbox.has() && !host.isClosing ? this.#keep() : this.#park();
    turn.attempt += 1;
    const { request, resumedFrom } = await takeMessage(host.writer, row, { as: 'reply', attempt: turn.attempt });
    addReply(turn, request);
    turn.resumedFrom = resumedFrom;
    if (host.isEnding) return this.#leave();
    return this.goOn(await this.#enter(turn));
  }

  /** The run was parked. Its replies so far are only in the log. */
  async #parkTurn(): Promise<boolean> {
    const host = this.#host;
    if (host.isEnding || host.isClosing || this.hasReply || !host.inbox.has()) return this.#park();
    this.#isLeaving = true;
    await this.rest(false);
    return this.#keep();
  }

  /** Messages older than the question wait for the next turn. The reply to the question starts this turn again. */
  async #keep(): Promise<boolean> {
    this.#isLeaving = true;
    await this.#host.inbox.read(); // rows that were posted before and not read yet
    this.#isKept = true;
    return this.#leave();
  }

  /** The run crashed: the agent's recovery policy decides (D18). */
  async #recover(turn: OpenTurn): Promise<boolean> {
    const host = this.#host;
    this.#turn = turn;
    if (!mayEnterAgain(turn, host.settings)) {
      await host.cutOff(turn);
      return this.#leave();
    }
    if (host.isClosing) return this.#leave(); // the task stays ours until the lease ends; then the next owner runs it
    const after = turn.isHandedOver ? 'hand-over' : 'crash';
    turn.attempt += 1;
    turn.crashes += after === 'crash' ? 1 : 0;
    turn.isHandedOver = false;
    void host.writer.accept({ kind: 'note', note: { kind: 'attempt', attempt: turn.attempt, after } });
    await host.writer.flush();
    host.noteRestart(after);
    if (host.isEnding) return this.#leave();
    return this.goOn(await this.#enter(turn));
  }

  /** The task stays ours until the lease ends: without an owner and without a new message, no node would look for it. */
  async #handOver(): Promise<boolean> {
    const turn = this.#turn;
    if (this.#host.isEnding) return this.#leave();
    this.#isLeaving = true;
    if (turn) await this.#host.writer.rest({ kind: 'handed-over', turn: turn.seq }, false);
    return this.#leave();
  }

  async #park(): Promise<boolean> {
    if (this.#host.isEnding) return this.#leave(); // A cancel came first, and there is nothing to release.
    this.#isLeaving = true;
    await this.rest(true);
    await this.#host.inbox.read(); // rows that were posted before the release and not read yet
    return this.#leave();
  }

  async #leave(): Promise<boolean> {
    await this.#host.ended();
    return false;
  }
}
