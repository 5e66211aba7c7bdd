// Reads one stream of the well-behaved caller and checks each event: every chunk once and in order, then one end.
import { chunkText } from './jobs.mjs';

/** @typedef {{ lost: number, doubled: number, failure?: string }} Verdict */

export class Watch {
  #salt;
  #chunks;
  /** @type {number[]} */
  #seen = [];
  #lastId = 0;
  #doubledIds = 0;
  #state = '';
  #foreign = '';

  /**
   * @param {string} salt
   * @param {number} chunks
   */
  constructor(salt, chunks) {
    this.#salt = salt;
    this.#chunks = chunks;
  }

  /** @param {{ id: number, event: any }} frame */
  see({ id, event: { task, statusUpdate, artifactUpdate } }) {
    if (id <= this.#lastId) this.#doubledIds += 1;
    this.#lastId = Math.max(this.#lastId, id);
    this.#state = (statusUpdate ?? task)?.status?.state ?? this.#state;
    if (artifactUpdate === undefined) return;
    const text = artifactUpdate.artifact?.parts?.[0]?.text ?? '';
    const index = Number(/#(\d+)\n$/.exec(text)?.[1] ?? Number.NaN);
    if (text === chunkText(this.#salt, index)) this.#seen.push(index);
    else this.#foreign = text.slice(0, 100);
  }

  get state() {
    return this.#state;
  }

  /** @returns {Verdict} of a stream that has ended */
  verdict() {
    const distinct = new Set(this.#seen);
    const verdict = { lost: this.#chunks - distinct.size, doubled: this.#doubledIds + this.#seen.length - distinct.size };
    const failure = this.#failure();
    return failure === undefined ? verdict : { ...verdict, failure };
  }

  #failure() {
    if (this.#foreign !== '') return `an event of another task: ${this.#foreign}`;
    if (this.#seen.some((index, place) => place > 0 && index < (this.#seen[place - 1] ?? 0))) return 'events out of order';
    if (this.#state !== 'TASK_STATE_COMPLETED') return `the task ended as ${this.#state || 'nothing'}`;
    return undefined;
  }
}
