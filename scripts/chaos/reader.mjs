// One reader's view of one task: what came over the wire, by number, and what its user was told.
import { ARTIFACT } from './jobs.mjs';

/** @typedef {import('@parley/a2a/client').Update} Update */
/** @typedef {import('@parley/a2a/client').StreamedEvent} StreamedEvent */

/**
 * @typedef {object} Seen
 * @property {number} after what it had already when it began
 * @property {[seq: number, json: string][]} events in the order of the wire; the number of a task that was asked for is LOOK
 * @property {string} text the artifact as it adds up for somebody who only follows the text updates
 * @property {number} outOfOrder updates whose number is below that of one before
 * @property {boolean} isThrough it read to the end of the task
 */

export const LOOK = -1;

export class Reader {
  /** @type {Seen} */
  seen;
  reconnects = 0;
  /** Text updates so far. */
  texts = 0;
  #last = 0;

  /** @param {import('@parley/a2a/client').RunPlace} [place] where it goes on */
  constructor(place) {
    const parts = place?.task.artifacts?.find(({ artifactId }) => artifactId === ARTIFACT)?.parts ?? [];
    const text = parts.map((part) => part.text ?? '').join('');
    this.seen = { after: place?.seq ?? 0, events: [], text, outOfOrder: 0, isThrough: false };
  }

  /** For the option of the same name. */
  onEvent = (/** @type {StreamedEvent} */ { seq, response }) => {
    this.seen.events.push([seq ?? (response.task ? LOOK : 0), JSON.stringify(response)]);
  };

  /** @param {Update} update */
  see(update) {
    if (update.kind === 'reconnect') this.reconnects += 1;
    const { seq = this.#last } = update;
    if (seq < this.#last) this.seen.outOfOrder += 1;
    this.#last = seq;
    if (update.kind !== 'text' || update.artifactId !== ARTIFACT) return;
    this.texts += 1;
    this.seen.text = update.append ? this.seen.text + update.delta : update.delta;
  }
}
