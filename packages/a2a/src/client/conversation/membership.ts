/** The role of this conversation among the browser's tabs, leader or follower, and its saved state. */
import type { Clock } from '../../protocol/clock.js';
import { type A2AError, toA2AError } from '../../protocol/errors.js';
import { isObject } from '../../protocol/is-object.js';
import { toIsoTime } from '../../protocol/iso-time.js';
import type { JsonValue } from '../../protocol/types.js';
import type { Callbacks } from './callbacks.js';
import type { Command } from './commands.js';
import type { ConversationEvent } from './conversation.js';
import { asItWas, HistoryWriter, historyError } from './history.js';
import { Keeper } from './keeper.js';
import type { Leader } from './leader.js';
import type { ConversationOptions } from './options.js';
import { onPageHidden } from './page.js';
import { readCommand, readEvent, readSnapshot, toPlainCommand, toPlainEvent } from './plain-events.js';
import { readError, readExported } from './read-message.js';
import type { Recorder } from './recorder.js';
import { readSaved, type SavedConversation, savedKey, toJson, toSaved } from './saved.js';
import { fromPlainError, toPlainError } from './status.js';
import type { TabMember, TabSeat, Tabs } from './tabs.js';
import type { Transcript } from './transcript.js';
import type { Turns } from './turns.js';
import { webTabs } from './web-tabs.js';

export interface MembershipParts {
  readonly id: string;
  readonly options: ConversationOptions;
  readonly clock: Clock;
  readonly transcript: Transcript;
  readonly recorder: Recorder;
  readonly leader: Leader;
  readonly turns: Turns;
  readonly callbacks: Callbacks;
  /** Called when something besides the messages has changed. */
  onChange(): void;
  /** Called when all messages were replaced by the saved state or by the leader's snapshot. */
  onRestore(): void;
}

/** How long to wait for the leader's snapshot: a frozen page, or one at a breakpoint, does not respond. */
const SNAPSHOT_WITHIN_MS = 3_000;

export class Membership implements TabMember {
  readonly #parts: MembershipParts;
  readonly #tabs: Tabs | undefined;
  readonly #keeper: Keeper | undefined;
  readonly #history: HistoryWriter | undefined;
  #stopListening: (() => void) | undefined;
  #seat: TabSeat | undefined;
  #joined: Promise<void> | undefined;
  #leading: Promise<void> | undefined;
  /** The saved state is loaded, and it is known which tab is the leader. */
  #isReady: boolean;
  #isLeader: boolean;
  #hasAdopted = false;
  /** The leader did not send its snapshot in time: the saved state is used. */
  #isOverdue = false;
  #endLoading: (() => void) | undefined;
  #isMoment = false;
  /** Time of the last event or snapshot from the leader. */
  #followedAt = '';
  #isClosed = false;

  constructor(parts: MembershipParts) {
    this.#parts = parts;
    const { options, callbacks, transcript } = parts;
    const { storage, history, tabs = storage === undefined ? false : webTabs({ clock: parts.clock }) } = options;
    this.#tabs = tabs === false ? undefined : tabs;
    this.#isReady = storage === undefined && history === undefined && this.#tabs === undefined;
    this.#isLeader = this.#tabs === undefined;
    this.#keeper = storage && this.#createKeeper(storage);
    this.#history =
      history && new HistoryWriter({ history, message: (id) => transcript.message(id), onError: (error) => callbacks.error(error) });
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** The earlier state of the conversation is loaded. */
  get isLoaded(): boolean {
    return this.#isReady && (this.#isLeader || this.#hasAdopted || this.#isOverdue);
  }

  get isLeader(): boolean {
    return this.#isLeader;
  }

  /** Never rejects; each call returns the same promise. */
  join(): Promise<void> {
    this.#joined ??= this.#join();
    return this.#joined;
  }

  /** Resolves when the earlier state is loaded, or when the leader's snapshot is overdue. Never rejects. */
  async load(): Promise<void> {
    await this.join();
    if (this.isLoaded || this.#isClosed) return;
    await new Promise<void>((resolve) => {
      const stop = this.#parts.clock.after(SNAPSHOT_WITHIN_MS, () => this.#overdue());
      const endLoading = (): void => {
        stop();
        resolve();
      };
      this.#endLoading = endLoading;
    });
  }

  /** Executes the command here if this tab leads, otherwise in the leader tab. Resolves with the id of the answer. */
  async do(command: Command): Promise<string | undefined> {
    if (this.#seat === undefined || this.#isLeader) return this.#parts.leader.handle(command);
    return this.#take(await this.#seat.ask(toPlainCommand(command)));
  }

  /** Call it after the event was recorded here. */
  happened(event: ConversationEvent): void {
    if (!this.#isLeader) return;
    this.#seat?.tell(toPlainEvent(event));
    this.#history?.note(event);
    if (isMoment(event)) this.#isMoment = true;
  }

  /** Call it after all events of one change were recorded. */
  keep(): void {
    if (!this.#isLeader || this.#keeper === undefined) return;
    if (this.#isMoment) void this.#keeper.flush();
    else this.#keeper.soon();
    this.#isMoment = false;
  }

  close(): void {
    this.#isClosed = true;
    this.#endLoading?.();
    this.#stopListening?.();
    const saved = this.#isLeader ? this.#keeper?.close() : undefined;
    this.#seat?.leave(saved);
  }

  lead(): Promise<void> {
    this.#leading = this.#takeOver();
    return this.#leading;
  }

  receive(told: JsonValue): void {
    if (this.#isLeader || this.#isClosed) return;
    const event = readEvent(told);
    this.#followedAt = event.at;
    this.#parts.recorder.follow(event);
  }

  snapshot(): JsonValue {
    const { transcript } = this.#parts;
    return toJson({ saved: this.#toSaved('whole'), connection: transcript.connection });
  }

  adopt(snapshot: JsonValue): void {
    if (this.#isLeader || this.#isClosed) return;
    const { saved, connection } = readSnapshot(snapshot);
    const { transcript, recorder, onRestore } = this.#parts;
    transcript.restore(saved);
    this.#hasAdopted = true;
    this.#followedAt = saved.savedAt;
    onRestore();
    recorder.follow({ kind: 'connection', connection, at: saved.savedAt });
    this.#endLoading?.();
  }

  async handle(command: JsonValue): Promise<JsonValue> {
    await this.#leading;
    try {
      const answerId = await this.#parts.leader.handle(readCommand(command));
      return { answerId: answerId ?? null };
    } catch (thrown) {
      const answerId = isObject(command) && typeof command.answerId === 'string' ? command.answerId : null;
      return toJson({ answerId, error: toPlainError(toA2AError(thrown)) });
    }
  }

  fail(error: A2AError): void {
    this.#parts.callbacks.error(error);
  }

  async #join(): Promise<void> {
    const { id, callbacks, onChange } = this.#parts;
    try {
      this.#seat = await this.#tabs?.join(id, this);
      if (this.#isClosed) this.#seat?.leave();
      if (this.#seat === undefined) void this.lead();
      // The leader's snapshot may take a while: until it arrives, the saved state is shown.
      await (this.#leading ?? (this.#keeper && this.#readKept()));
    } catch (thrown) {
      callbacks.error(toA2AError(thrown));
      await this.#takeOver();
    }
    this.#isReady = true;
    if (!this.#isClosed) onChange();
  }

  /** Makes this tab the leader: it executes commands, saves, and holds the stream. */
  async #takeOver(): Promise<void> {
    const { turns, onChange } = this.#parts;
    await this.#readKept();
    if (this.#isClosed) return;
    this.#isLeader = true;
    if (this.#keeper !== undefined) this.#stopListening = onPageHidden(() => this.#keeper?.hurry());
    onChange();
    this.#endLoading?.();
    void turns.resume();
  }

  #overdue(): void {
    this.#isOverdue = true;
    this.#parts.onChange();
    this.#endLoading?.();
  }

  async #readKept(): Promise<void> {
    const { options, callbacks } = this.#parts;
    try {
      if (options.storage !== undefined) await this.#readStorage();
      else if (options.history !== undefined && !this.#hasAdopted) await this.#readHistory();
    } catch (thrown) {
      callbacks.error(historyError('The saved conversation could not be loaded', thrown));
    }
  }

  async #readStorage(): Promise<void> {
    const { options, id, transcript, onRestore } = this.#parts;
    const kept = await options.storage?.get(savedKey(id));
    if (kept === undefined || kept === null || this.#isClosed) return;
    const saved = readSaved(kept);
    if (this.#hasAdopted && !this.#isAhead(saved)) return;
    transcript.restore(saved);
    onRestore();
  }

  /** A follower's state is newer than the saved one, unless the leader's last messages were lost. */
  #isAhead({ savedAt, nodes }: SavedConversation): boolean {
    const { tree } = this.#parts.transcript;
    return savedAt >= this.#followedAt && nodes.some(({ id }) => !tree.has(id));
  }

  async #readHistory(): Promise<void> {
    const { options, transcript, recorder } = this.#parts;
    const kept = readExported(await options.history?.load());
    if (this.#isClosed || kept.messages.length === 0) return;
    const messages = kept.messages.map(({ parentId, message }) => ({ parentId, message: asItWas(message) }));
    recorder.record({ kind: 'reset', exported: { ...kept, messages }, contextId: transcript.contextId });
  }

  /** Reads the leader's result of a command. */
  #take(value: JsonValue): string | undefined {
    const { answerId, error } = isObject(value) ? value : {};
    const id = typeof answerId === 'string' ? answerId : undefined;
    if (error === undefined) return id;
    const answer = id === undefined ? undefined : this.#parts.transcript.answer(id);
    const status = answer?.status;
    // Prefer the error object on the message, so that both are the same object.
    throw status?.type === 'incomplete' && status.reason === 'error' ? status.error : fromPlainError(readError(error), answer?.task);
  }

  #createKeeper(storage: NonNullable<ConversationOptions['storage']>): Keeper {
    const { clock, callbacks, id } = this.#parts;
    return new Keeper({
      storage,
      clock,
      key: savedKey(id),
      snapshot: (size) => toJson(this.#toSaved(size)),
      onError: (error) => callbacks.error(error),
    });
  }

  #toSaved(size: 'whole' | 'slim') {
    const { transcript, id, clock } = this.#parts;
    return toSaved(transcript, { id, savedAt: toIsoTime(clock.now()), isSlim: size === 'slim' });
  }
}

/** Whether an answer starts, ends or asks a question, or all messages are replaced. */
function isMoment(event: ConversationEvent): boolean {
  if (event.kind === 'put') return event.message.role === 'ROLE_AGENT';
  return event.kind === 'status' || event.kind === 'reset';
}
