// One reader's view of one task: the events received over the wire, by seq, and the text of its updates.
import { ARTIFACT } from './jobs.mjs';

/** @typedef {import('@parley/a2a/client').Update} Update */
/** @typedef {import('@parley/a2a/client').StreamedEvent} StreamedEvent */

/**
 * @typedef {object} Seen
 * @property {number} after the last seq that it already had at its start
 * @property {[seq: number, json: string][]} events in the order of the wire; a polled task has the number LOOK
 * @property {string} text the artifact text as a caller sees it that reads only the text updates
 * @property {number} outOfOrder number of updates with a seq below an earlier one
 * @property {boolean} isThrough whether it read until the end of the task
 */

export const LOOK = -1;

export class Reader {
  /** @type {Seen} */
  seen;
  reconnects = 0;
  /** Number of text updates so far. */
  texts = 0;
  #last = 0;

  /** @param {import('@parley/a2a/client').RunPlace} [place] where it resumes */
  constructor(place) {
    const parts = place?.task.artifacts?.find(({ artifactId }) => artifactId === ARTIFACT)?.parts ?? [];
    const text = parts.map((part) => part.text ?? '').join('');
    this.seen = { after: place?.seq ?? 0, events: [], text, outOfOrder: 0, isThrough: false };
  }

  /** For the client option of the same name. */
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
