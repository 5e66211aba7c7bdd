/** Turn after turn: which message is next, whether a turn begins, goes on or is over, and when the task is let go. */
import { isInterrupted } from '../protocol/task-state.js';
import type { ClaimedTask, InboxRow, TaskStore } from '../stores/store.js';
import type { TurnRequest } from './entries.js';
import type { Inbox, MailFilter } from './inbox.js';
import { addReply, isReplyTo, newTurn, type OpenQuestion, type OpenTurn, readOpenTurn } from './open-turn.js';
import type { Settings } from './options.js';
import { mayEnterAgain } from './recovery.js';
import { takeMessage } from './take-message.js';
import type { TurnEnd } from './turn.js';
import type { TaskWriter } from './writer.js';

/** The task whose turns these are. */
export interface LoopHost {
  readonly settings: Settings;
  readonly store: TaskStore;
  readonly writer: TaskWriter;
  readonly inbox: Inbox;
  /** The server goes away: what is not begun is for whoever comes after us. */
  readonly isClosing: boolean;
  /** Its time to end by itself is over: whoever comes after us enters the turn again. */
  readonly isHandingOver: boolean;
  /** Somebody ends the task: no turn begins any more. */
  readonly isEnding: boolean;
  /** Resolves when whoever ends it has done so. */
  ended(): Promise<void>;
  /** One call of `execute`. */
  enter(turn: OpenTurn): Promise<TurnEnd>;
  /** The run was cut off, or handed over, and is about to be entered again. */
  noteRestart(after: 'crash' | 'hand-over'): void;
  /** The run was cut off and is not entered again. */
  cutOff(turn: OpenTurn): Promise<void>;
}

export class TurnLoop {
  readonly #host: LoopHost;
  /** As the log knows it, from its message to its end, however often it is entered. */
  #turn: OpenTurn | undefined;
  #isLeaving = false;
  #isHolding = false;
  #isUnread = false;

  constructor(host: LoopHost) {
    this.#host = host;
  }

  get attempt(): number {
    return this.#turn?.attempt ?? 1;
  }

  /** The task is being let go: what comes now is for whoever claims it next. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** No run is under way, and the task stays here until the reply to its question comes. */
  get isHolding(): boolean {
    return this.#isHolding;
  }

  /** What the log says of its turn could not be read yet: nothing can be said of it either. */
  get isUnread(): boolean {
    return this.#isUnread;
  }

  /** The turn that makes a new task. Answers how it ended; `goOn` says what follows. */
  first(request: TurnRequest, attempt: number): Promise<TurnEnd> {
    return this.#enter(newTurn(1, request, attempt));
  }

  /** A task from the store: its turn may be open, because it waits for an answer, or because whoever ran it is gone. */
  async takeUp(claimed: ClaimedTask): Promise<boolean> {
    this.#isUnread = true;
    const turn = await readOpenTurn(this.#host.store, claimed);
    this.#isUnread = false;
    if (this.#host.isEnding) return this.#leave();
    if (turn === undefined) return true;
    const { state } = claimed.head;
    if (turn.asked && isInterrupted(state)) return this.#answer(turn, turn.asked);
    // Said without `requireInput`: whatever comes begins a turn of its own.
    return state === 'TASK_STATE_INPUT_REQUIRED' ? true : this.#recover(turn);
  }

  /** The next message, if there is one; false when the task goes no further here. */
  async next(): Promise<boolean> {
    const host = this.#host;
    await host.inbox.read();
    if (host.isEnding) return this.#leave();
    const row = this.#nextRow();
    if (row === undefined) return this.#park();
    const { seq, request, resumedFrom } = await takeMessage(host.writer, row, { as: 'turn' });
    if (host.isEnding) return this.#leave(); // the cancel came while the message was taken: there was no turn to tell
    return this.goOn(await this.#enter({ ...newTurn(seq, request), resumedFrom }));
  }

  /** After a turn: on to the next message, or let the task go until there is one. */
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

  /** Says in the log whether the turn is over or goes on with the next message; with `release` nobody owns the task until then. */
  rest(release: boolean): Promise<void> {
    const turn = this.#turn;
    return this.#host.writer.rest(turn ? { kind: 'parked', turn: turn.seq } : { kind: 'turn-ended' }, release);
  }

  /** A message has come that the task waits for. */
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

  /** The run is gone, and its question is open: the reply enters the turn again. */
  async #answer(turn: OpenTurn, asked: OpenQuestion): Promise<boolean> {
    const host = this.#host;
    this.#turn = turn;
    const row = this.#nextRow(isReplyTo(asked));
    if (row === undefined) return host.inbox.has() && !host.isClosing ? this.#hold(turn, asked) : this.#park();
    turn.attempt += 1;
    const { request, resumedFrom } = await takeMessage(host.writer, row, { as: 'reply', attempt: turn.attempt });
    addReply(turn, request);
    turn.resumedFrom = resumedFrom;
    if (host.isEnding) return this.#leave();
    return this.goOn(await this.#enter(turn));
  }

  /**
   * Messages older than the question wait for the next turn. A released task that has such messages would be claimed again and again, so
   * this node stays its owner until the reply comes.
   */
  async #hold(turn: OpenTurn, asked: OpenQuestion): Promise<boolean> {
    const host = this.#host;
    if (host.isEnding || host.writer.isLost) return this.#leave(); // nothing would end the wait
    this.#isHolding = true;
    await host.inbox.arrival(isReplyTo(asked)).catch(() => {}); // dismissed: the task ends, is lost, or the server closes
    this.#isHolding = false;
    if (host.isEnding || host.writer.isLost) return this.#leave();
    return this.#answer(turn, asked);
  }

  /** The run was parked. Its replies so far are in the log only. */
  async #parkTurn(): Promise<boolean> {
    const host = this.#host;
    if (host.isEnding || host.isClosing || this.hasReply || !host.inbox.has()) return this.#park();
    await this.rest(false);
    const turn = await readOpenTurn(host.store, { ref: host.writer.ref, seq: host.writer.committed });
    return turn?.asked ? this.#answer(turn, turn.asked) : this.#park();
  }

  /** The run was cut off: what becomes of it is the agent's to say (D18). */
  async #recover(turn: OpenTurn): Promise<boolean> {
    const host = this.#host;
    this.#turn = turn;
    if (!mayEnterAgain(turn, host.settings)) {
      await host.cutOff(turn);
      return this.#leave();
    }
    if (host.isClosing) return this.#leave(); // ours until the lease is ended: then whoever comes after us enters it
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

  /** Ours until the lease is ended: what nobody owns, and nobody wrote to, would be looked for by nobody. */
  async #handOver(): Promise<boolean> {
    const turn = this.#turn;
    if (this.#host.isEnding) return this.#leave();
    this.#isLeaving = true;
    if (turn) await this.#host.writer.rest({ kind: 'handed-over', turn: turn.seq }, false);
    return this.#leave();
  }

  async #park(): Promise<boolean> {
    if (this.#host.isEnding) return this.#leave(); // a cancel was quicker, and there is nothing to let go
    this.#isLeaving = true;
    await this.rest(true);
    await this.#host.inbox.read(); // what was posted before we let go and read by nobody
    return this.#leave();
  }

  async #leave(): Promise<boolean> {
    await this.#host.ended();
    return false;
  }
}
