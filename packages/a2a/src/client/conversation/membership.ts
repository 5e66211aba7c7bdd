/** What a conversation is among others: the tab that leads or one that follows, with what was kept of it before. */
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
  /** Something besides the messages has changed. */
  onChange(): void;
  /** All messages were replaced by what was kept, or by what the tab that leads has. */
  onRestore(): void;
}

/** A page that is frozen, or stands at a breakpoint, says nothing. */
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
  /** It is known what was there before, and who leads. */
  #isReady: boolean;
  #isLeader: boolean;
  #hasAdopted = false;
  /** The tab that leads does not say what there is: what was kept counts. */
  #isOverdue = false;
  #endLoading: (() => void) | undefined;
  #isMoment = false;
  /** When the last that was heard of the leader happened. */
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

  /** What was there before is here. */
  get isLoaded(): boolean {
    return this.#isReady && (this.#isLeader || this.#hasAdopted || this.#isOverdue);
  }

  get isLeader(): boolean {
    return this.#isLeader;
  }

  /** Never rejects; asked again, it gives the same promise. */
  join(): Promise<void> {
    this.#joined ??= this.#join();
    return this.#joined;
  }

  /** Resolves when what was there before is here; a leader that does not tell is not waited for for ever. Never rejects. */
  async load(): Promise<void> {
    await this.join();
    if (this.isLoaded || this.#isClosed) return;
    await new Promise<void>((resolve) => {
      const stop = this.#parts.clock.after(SNAPSHOT_WITHIN_MS, () => this.#overdue());
      this.#endLoading = () => {
        stop();
        resolve();
      };
    });
  }

  /** Does it, or has it done by the tab that leads. Gives the id of the answer. */
  async do(command: Command): Promise<string | undefined> {
    if (this.#seat === undefined || this.#isLeader) return this.#parts.leader.handle(command);
    return this.#take(await this.#seat.ask(toPlainCommand(command)));
  }

  /** After it was recorded here. */
  happened(event: ConversationEvent): void {
    if (!this.#isLeader) return;
    this.#seat?.tell(toPlainEvent(event));
    this.#history?.note(event);
    if (isMoment(event)) this.#isMoment = true;
  }

  /** After all that belongs together was recorded. */
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
      // The tab that leads may be slow to say what there is: until then, what was kept is shown.
      await (this.#leading ?? (this.#keeper && this.#readKept()));
    } catch (thrown) {
      callbacks.error(toA2AError(thrown));
      await this.#takeOver();
    }
    this.#isReady = true;
    if (!this.#isClosed) onChange();
  }

  /** From here on this tab does everything itself. */
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
      callbacks.error(historyError('What was kept of the conversation can not be had', thrown));
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

  /** What a follower has is newer than what was kept, unless the last that its leader said never came. */
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

  /** What the tab that leads says came of it. */
  #take(value: JsonValue): string | undefined {
    const { answerId, error } = isObject(value) ? value : {};
    const id = typeof answerId === 'string' ? answerId : undefined;
    if (error === undefined) return id;
    const answer = id === undefined ? undefined : this.#parts.transcript.answer(id);
    const status = answer?.status;
    // The one that is on the message, where it is the same.
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

/** An answer begins, ends or asks; or everything is another. */
function isMoment(event: ConversationEvent): boolean {
  if (event.kind === 'put') return event.message.role === 'ROLE_AGENT';
  return event.kind === 'status' || event.kind === 'reset';
}
