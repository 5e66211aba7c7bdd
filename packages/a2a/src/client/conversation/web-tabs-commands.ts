/** What tabs ask their leader for, on both sides. Each command has an id: asked again, of this leader or the next, it is answered and not done again. */
import type { Clock } from '../../protocol/clock.js';
import { A2AError, toA2AError } from '../../protocol/errors.js';
import type { JsonValue } from '../../protocol/types.js';
import { fromPlainError, toPlainError } from './status.js';
import type { TabAnswer, TabMessage } from './web-tabs-messages.js';

export interface CommandTools {
  readonly clock: Clock;
  newId(): string;
  handle(command: JsonValue): Promise<JsonValue>;
  /** Throws what can not be sent. */
  post(message: TabMessage): void;
  fail(thrown: unknown): void;
}

interface Asked {
  readonly command: JsonValue;
  resolve(value: JsonValue): void;
  reject(error: A2AError): void;
  /** The leader has said so since it was asked last. */
  isHeard: boolean;
  stopWaiting(): void;
}

/** So long a leader may take to say that it has heard a command. It is asked that often whether it is still at it. */
const HEARD_WITHIN_MS = 15_000;

/** Answers are kept for those who ask again when a leader went away: a handful would do. */
const MAX_ANSWERS = 64;

export class TabCommands {
  readonly #tools: CommandTools;
  readonly #asked = new Map<string, Asked>();
  readonly #running = new Set<string>();
  readonly #answers = new Map<string, TabAnswer>();

  constructor(tools: CommandTools) {
    this.#tools = tools;
  }

  /** Oldest first, for a tab that comes in late: it may lead one day. */
  get answers(): readonly (readonly [string, TabAnswer])[] {
    return [...this.#answers];
  }

  /** Of the leader, whoever that is. Rejects when none says that it has heard it: a tab that is frozen may still do it when it wakes up. */
  ask(command: JsonValue): Promise<JsonValue> {
    const id = this.#tools.newId();
    return new Promise((resolve, reject) => {
      const asked: Asked = { command, resolve, reject, isHeard: false, stopWaiting() {} };
      this.#post(id, asked); // what throws here rejects
      this.#asked.set(id, asked);
    });
  }

  /** There is a new leader: it may never have heard of what the old one was asked. */
  askAgain(): void {
    for (const [id, asked] of this.#asked) this.#post(id, asked);
  }

  /** This tab leads now: what it asked for it does itself. */
  performOwn(): void {
    for (const [id, { command, stopWaiting }] of this.#asked) {
      stopWaiting();
      void this.perform(id, command);
    }
  }

  /** As the leader. Never rejects. */
  async perform(id: string, command: JsonValue): Promise<void> {
    const known = this.#answers.get(id);
    if (known !== undefined) return this.#reply(id, known);
    this.#attempt(() => this.#tools.post({ kind: 'heard', id }));
    if (this.#running.has(id)) return;
    this.#running.add(id);
    const answer = await this.#run(command);
    this.#running.delete(id);
    this.learn(id, answer);
    this.#reply(id, answer);
  }

  /** The leader is at it. */
  heard(id: string): void {
    const asked = this.#asked.get(id);
    if (asked !== undefined) asked.isHeard = true;
  }

  /** A leader has answered somebody: whoever leads next has to know. */
  learn(id: string, answer: TabAnswer): void {
    this.#answers.set(id, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MAX_ANSWERS && oldest !== undefined) this.#answers.delete(oldest);
    const asked = this.#asked.get(id);
    if (asked === undefined) return;
    this.#asked.delete(id);
    asked.stopWaiting();
    if ('error' in answer) asked.reject(fromPlainError(answer.error));
    else asked.resolve(answer.value);
  }

  /** Nobody waits any more. */
  abandon(error: A2AError): void {
    for (const { reject, stopWaiting } of this.#asked.values()) {
      stopWaiting();
      reject(error);
    }
    this.#asked.clear();
  }

  /** Throws what can not be sent. */
  #post(id: string, asked: Asked): void {
    this.#tools.post({ kind: 'ask', id, command: asked.command });
    asked.isHeard = false;
    asked.stopWaiting();
    asked.stopWaiting = this.#tools.clock.after(HEARD_WITHIN_MS, () => this.#waited(id, asked), { background: true });
  }

  #waited(id: string, asked: Asked): void {
    if (asked.isHeard) {
      this.#attempt(() => this.#post(id, asked));
      return;
    }
    this.#asked.delete(id);
    // To do it again is the user's choice: it may still be done.
    asked.reject(new A2AError('AGENT_UNAVAILABLE', 'the tab that leads does not answer', { retryable: false }));
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      this.#tools.fail(thrown);
    }
  }

  async #run(command: JsonValue): Promise<TabAnswer> {
    try {
      return { value: (await this.#tools.handle(command)) ?? null };
    } catch (thrown) {
      return { error: toPlainError(toA2AError(thrown)) };
    }
  }

  #reply(id: string, answer: TabAnswer): void {
    try {
      this.#tools.post({ kind: 'answer', id, answer });
    } catch (thrown) {
      this.#tools.fail(thrown);
      if ('value' in answer) this.#reply(id, { error: toPlainError(toA2AError(thrown)) });
    }
  }
}
