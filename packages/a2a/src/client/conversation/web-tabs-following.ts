/**
 * How a tab follows whoever leads. Each event of a leader has a number, and a snapshot says up to which number it goes. A channel keeps the
 * order of one sender, so what comes before a snapshot is in it, and a number that is missing can only be asked for: with a new snapshot.
 *
 * Of two senders nobody knows who came first. But only one leads at a time: who answers a question led after everybody who was heard before the
 * question was put. So whenever somebody unknown speaks as the leader, the question is put, and all but the one who answers are past.
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
  /** Of the leader's events the last that was taken. */
  #n = 0;
  /** The question that is open. */
  #nonce: string | undefined;
  /** Who spoke as the leader before the question was put, and since. */
  readonly #before = new Set<string>();
  readonly #since = new Set<string>();
  readonly #past = new Set<string>();

  constructor(tools: FollowTools) {
    this.#tools = tools;
  }

  /** Asks whoever leads for everything. */
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

  /** undefined: it answers no question of ours. */
  answered(message: Reply): { readonly isNewLeader: boolean } | undefined {
    if (message.nonce !== this.#nonce) return undefined;
    this.#nonce = undefined;
    const isNewLeader = message.from !== this.#leader;
    this.#settle(message.from);
    // What can not be told can not be followed: nothing of this leader is taken then.
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

  /** Who begins to lead may not have been there for the question; who led already was. */
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
