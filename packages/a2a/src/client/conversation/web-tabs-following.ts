/**
 * How a tab follows the leader. Each event of a leader has a number, and a snapshot states the number of its last event. A channel keeps
 * the order of one sender, so a snapshot contains all events that were sent before it. A missing number can only be recovered with a new
 * snapshot.
 *
 * The order between two senders is unknown. But only one tab leads at a time, so the tab that answers a snapshot request leads later than
 * all leaders that were heard before the request. Therefore a message from an unknown leader triggers a request, and after the answer all
 * other leaders from before the request are ignored as former leaders.
 */
import type { JsonValue } from '../../protocol/types.js';
import type { SentMessage } from './web-tabs-messages.js';

export interface FollowTools {
  newId(): string;
  hello(nonce: string): void;
  adopt(snapshot: JsonValue): void;
  receive(event: JsonValue): void;
}

type LeaderMessage = Extract<SentMessage, { readonly kind: 'lead' | 'event' | 'lost' }>;
type Reply = Extract<SentMessage, { readonly kind: 'snapshot' | 'unable' }>;

export class Following {
  readonly #tools: FollowTools;
  #leader: string | undefined;
  /** The number of the last applied event of the leader. */
  #n = 0;
  /** The pending snapshot request. */
  #nonce: string | undefined;
  /** Tabs that sent messages as the leader before the pending request, and since. */
  readonly #before = new Set<string>();
  readonly #since = new Set<string>();
  readonly #past = new Set<string>();

  constructor(tools: FollowTools) {
    this.#tools = tools;
  }

  /** Requests a snapshot from the current leader. */
  ask(): void {
    for (const seat of this.#since) this.#before.add(seat);
    this.#since.clear();
    this.#nonce = this.#tools.newId();
    this.#tools.hello(this.#nonce);
  }

  hear(message: LeaderMessage): void {
    const { from } = message;
    if (this.#past.has(from)) return;
    if (from !== this.#leader) this.#suspect(message);
    else if (message.kind !== 'lead' && message.n > this.#n) this.#take(message);
  }

  /** Handles the answer to a snapshot request. undefined: the answer is not to our pending request. */
  answered(message: Reply): { readonly isNewLeader: boolean } | undefined {
    if (message.nonce !== this.#nonce) return undefined;
    this.#nonce = undefined;
    const isNewLeader = message.from !== this.#leader;
    this.#settle(message.from);
    // Without a snapshot the events cannot be applied, so all events of this leader are ignored.
    this.#n = message.kind === 'snapshot' ? message.n : Number.POSITIVE_INFINITY;
    if (message.kind === 'snapshot') this.#tools.adopt(message.snapshot);
    if (this.#since.size > 0) this.ask();
    return { isNewLeader };
  }

  #take(message: Extract<LeaderMessage, { readonly n: number }>): void {
    if (message.kind === 'event' && message.n === this.#n + 1) {
      this.#n = message.n;
      this.#tools.receive(message.event);
    } else if (this.#nonce === undefined) this.ask();
  }

  /** A new leader may have missed the pending request, so a new request is sent. A tab that already led has received it. */
  #suspect({ from, kind }: LeaderMessage): void {
    if (this.#before.has(from)) return;
    this.#since.add(from);
    if (kind === 'lead' || this.#nonce === undefined) this.ask();
  }

  #settle(leader: string): void {
    if (this.#leader !== undefined) this.#before.add(this.#leader);
    this.#before.delete(leader);
    this.#since.delete(leader);
    for (const seat of this.#before) this.#past.add(seat);
    this.#before.clear();
    this.#leader = leader;
  }
}
