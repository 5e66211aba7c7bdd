/** One conversation's place among the tabs: it follows until it becomes the leader, and then leads until it leaves. */
import type { Clock } from '../../protocol/clock.js';
import { A2AError, toA2AError } from '../../protocol/errors.js';
import type { JsonValue } from '../../protocol/types.js';
import { fromPlainError, toPlainError } from './status.js';
import { nameOf } from './storage-error.js';
import type { TabMember, TabSeat } from './tabs.js';
import { leftError } from './tabs-solo.js';
import { TabCommands } from './web-tabs-commands.js';
import { Following } from './web-tabs-following.js';
import { readTabMessage, type SentMessage, type TabMessage } from './web-tabs-messages.js';

/** The interface of a `BroadcastChannel`. */
export interface TabChannel {
  postMessage(message: unknown): void;
  addEventListener(type: 'message' | 'messageerror', listener: (event: { readonly data: unknown }) => void): void;
  close(): void;
}

export class WebSeat implements TabSeat {
  readonly #id: string;
  readonly #member: TabMember;
  readonly #channel: TabChannel;
  readonly #commands: TabCommands;
  readonly #following: Following;
  readonly #leaving = new AbortController();
  #role: 'following' | 'leading' | 'left' = 'following';
  /** The number of events that this leader has sent. */
  #told = 0;
  /** Snapshot requests that arrived while the new leader was still loading; undefined: it has loaded. */
  #waiting: string[] | undefined;

  constructor(member: TabMember, channel: TabChannel, { newId, clock }: { newId(): string; readonly clock: Clock }) {
    this.#id = newId();
    this.#member = member;
    this.#channel = channel;
    this.#commands = new TabCommands({
      newId,
      clock,
      handle: (command) => member.handle(command),
      post: (message) => this.#post(message),
      fail: (thrown) => this.fail(thrown),
    });
    this.#following = new Following({
      newId,
      hello: (nonce) => this.#attempt(() => this.#post({ kind: 'hello', nonce })),
      adopt: (snapshot) => this.#attempt(() => member.adopt(snapshot)),
      receive: (event) => this.#attempt(() => member.receive(event)),
    });
    channel.addEventListener('message', ({ data }) => this.#hear(readTabMessage(data)));
    channel.addEventListener('messageerror', () => this.#missed());
  }

  get isLeader(): boolean {
    return this.#role === 'leading';
  }

  /** Aborted when this tab leaves. */
  get leaving(): AbortSignal {
    return this.#leaving.signal;
  }

  tell(event: JsonValue): void {
    if (this.#role !== 'leading') return;
    this.#told += 1;
    const n = this.#told;
    this.#attempt(
      () => this.#post({ kind: 'event', n, event }),
      () => this.#post({ kind: 'lost', n }),
    );
  }

  async ask(command: JsonValue): Promise<JsonValue> {
    if (this.#role === 'left') throw leftError();
    return this.isLeader ? this.#member.handle(command) : this.#commands.ask(command);
  }

  leave(saved?: Promise<void>): void {
    if (this.#role === 'left') return;
    this.#role = 'left';
    this.#commands.abandon(leftError());
    this.#channel.close();
    const free = (): void => this.#leaving.abort();
    if (saved === undefined) free();
    else void saved.then(free, free);
  }

  /** Requests a snapshot from the leader, which is another tab. */
  follow(): void {
    if (this.#role === 'following') this.#following.ask();
  }

  /** Called when this tab holds the lock. Resolves when the lock is to be released. */
  async lead(): Promise<void> {
    if (this.#role !== 'following') return;
    this.#role = 'leading';
    this.#waiting = [];
    this.#attempt(() => this.#post({ kind: 'lead' }));
    void this.#takeLead();
    this.#commands.performOwn();
    const { signal } = this.#leaving;
    if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  }

  /** Answers snapshot requests only after the member has loaded its state. */
  async #takeLead(): Promise<void> {
    try {
      await this.#member.lead();
    } catch (thrown) {
      this.fail(thrown);
    }
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const nonce of waiting) this.#tellAll(nonce);
  }

  fail(thrown: unknown): void {
    try {
      this.#member.fail?.(toA2AError(thrown));
    } catch {
      // No handler is left for this error.
    }
  }

  #hear(message: SentMessage | undefined): void {
    if (message === undefined || this.#role === 'left') return;
    switch (message.kind) {
      case 'answer':
        this.#commands.learn(message.id, message.answer);
        return;
      case 'heard':
        this.#commands.heard(message.id);
        return;
      case 'ask':
        if (this.isLeader) void this.#commands.perform(message.id, message.command);
        return;
      case 'hello':
        if (this.isLeader) this.#tellAll(message.nonce);
        return;
      case 'snapshot':
      case 'unable':
        if (!this.isLeader) this.#learnAll(message);
        return;
      default:
        if (!this.isLeader) this.#following.hear(message);
    }
  }

  /** A message could not be deserialized. If the leader sent it, an event is missing, so a new snapshot is requested. */
  #missed(): void {
    if (this.#role === 'left') return;
    this.fail(new A2AError('INTERNAL_ERROR', 'a message from another tab could not be read'));
    this.follow();
  }

  #tellAll(nonce: string): void {
    if (this.#waiting !== undefined) {
      this.#waiting.push(nonce);
      return;
    }
    this.#attempt(
      () => this.#post({ kind: 'snapshot', nonce, n: this.#told, snapshot: this.#member.snapshot(), answers: this.#commands.answers }),
      (thrown) => this.#post({ kind: 'unable', nonce, error: toPlainError(toA2AError(thrown)) }),
    );
  }

  #learnAll(message: Extract<SentMessage, { readonly kind: 'snapshot' | 'unable' }>): void {
    const taken = this.#following.answered(message);
    if (taken === undefined) return;
    if (message.kind === 'unable') this.fail(fromPlainError(message.error));
    else for (const [id, answer] of message.answers) this.#commands.learn(id, answer);
    if (taken.isNewLeader) this.#attempt(() => this.#commands.askAgain());
  }

  /** Throws if the channel cannot send the message. */
  #post(message: TabMessage): void {
    if (this.#role === 'left') return;
    try {
      this.#channel.postMessage({ ...message, from: this.#id });
    } catch (cause) {
      throw toChannelError(cause, message.kind);
    }
  }

  /** Reports an error of the member or the channel without stopping the caller. */
  #attempt(work: () => void, otherwise?: (thrown: unknown) => void): void {
    try {
      work();
    } catch (thrown) {
      this.fail(thrown);
      if (otherwise !== undefined) this.#attempt(() => otherwise(thrown));
    }
  }
}

function toChannelError(cause: unknown, kind: TabMessage['kind']): A2AError {
  const reason = nameOf(cause) === 'DataCloneError' ? 'CONTENT_TOO_LARGE' : 'INTERNAL_ERROR';
  return new A2AError(reason, `this ${kind} cannot be sent to other tabs: it is too large, or not plain JSON`, { cause });
}
