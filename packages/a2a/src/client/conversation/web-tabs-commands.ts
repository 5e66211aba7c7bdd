/**
 * Commands from follower tabs to the leader, both sides. A repeated command has the same id: it gets the stored answer and does not run
 * again.
 */
import type { Clock } from '../../protocol/clock.js';
import { A2AError, toA2AError } from '../../protocol/errors.js';
import type { JsonValue } from '../../protocol/types.js';
import { fromPlainError, toPlainError } from './status.js';
import type { TabAnswer, TabMessage } from './web-tabs-messages.js';

export interface CommandTools {
  readonly clock: Clock;
  newId(): string;
  handle(command: JsonValue): Promise<JsonValue>;
  /** Throws if the message cannot be sent. */
  post(message: TabMessage): void;
  fail(thrown: unknown): void;
}

interface Asked {
  readonly command: JsonValue;
  resolve(value: JsonValue): void;
  reject(error: A2AError): void;
  /** true: the leader has acknowledged the command since it was last sent. */
  isHeard: boolean;
  stopWaiting(): void;
}

/**
 * How long the leader may take to acknowledge a command. At this interval an acknowledged command is sent again, to check that the leader
 * still responds.
 */
const HEARD_WITHIN_MS = 15_000;

/** Answers are stored for commands that are repeated after a change of leader. A handful would be enough. */
const MAX_ANSWERS = 64;

export class TabCommands {
  readonly #tools: CommandTools;
  readonly #asked = new Map<string, Asked>();
  readonly #running = new Set<string>();
  readonly #answers = new Map<string, TabAnswer>();

  constructor(tools: CommandTools) {
    this.#tools = tools;
  }

  /** Oldest first; for a tab that joins later and may become the leader. */
  get answers(): readonly (readonly [string, TabAnswer])[] {
    return [...this.#answers];
  }

  /** Sends a command to the current leader. Rejects if no leader acknowledges it; a frozen tab may still execute it when it resumes. */
  ask(command: JsonValue): Promise<JsonValue> {
    const id = this.#tools.newId();
    return new Promise((resolve, reject) => {
      const asked: Asked = { command, resolve, reject, isHeard: false, stopWaiting() {} };
      this.#post(id, asked); // a throw rejects the promise
      this.#asked.set(id, asked);
    });
  }

  /** Sends pending commands again: a new leader may not have received them. */
  askAgain(): void {
    for (const [id, asked] of this.#asked) this.#post(id, asked);
  }

  /** This tab is now the leader: it executes its own pending commands. */
  performOwn(): void {
    for (const [id, { command, stopWaiting }] of this.#asked) {
      stopWaiting();
      void this.perform(id, command);
    }
  }

  /** Executes a command as the leader. Never rejects. */
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

  /** The leader has acknowledged the command. */
  heard(id: string): void {
    const asked = this.#asked.get(id);
    if (asked !== undefined) asked.isHeard = true;
  }

  /** Stores an answer of the leader to any tab, because this tab may be the next leader. Settles the command if this tab sent it. */
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

  /** Rejects all pending commands. */
  abandon(error: A2AError): void {
    for (const { reject, stopWaiting } of this.#asked.values()) {
      stopWaiting();
      reject(error);
    }
    this.#asked.clear();
  }

  /** Throws if the message cannot be sent. */
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
    // Not retryable: the command may still be executed, so the user decides whether to repeat it.
    asked.reject(
      new A2AError('AGENT_UNAVAILABLE', 'the leader tab does not respond; it may still execute the command later', { retryable: false }),
    );
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
