// Counts violations, and keeps the first few as text.

/** The kinds of violations. Each count must be zero. */
export const ZEROS = /** @type {const} */ ([
  'acknowledged events lost',
  'gaps in the events of readers',
  'duplicates in the events of readers',
  'events out of order',
  'gaps in the stored logs',
  'questions asked twice',
  'messages executed twice',
  'accepted messages not stored exactly once',
  'sends that created a second task',
  'Messages that differ when repeated',
  'tasks left SUBMITTED or WORKING',
  'killed runs that violate their policy',
  'artifacts that differ from an undisturbed run',
  'unexpected refusals and failures',
]);

/** @typedef {(typeof ZEROS)[number]} Zero */

const MOST_EXAMPLES = 5;
const MOST_CHARACTERS = 1_000;

export class Findings {
  /** @type {Map<Zero, number>} */
  #counts = new Map();
  /** @type {string[]} */
  examples = [];

  /**
   * @param {Zero} zero
   * @param {string} words
   */
  add(zero, words) {
    const count = this.count(zero) + 1;
    this.#counts.set(zero, count);
    if (count <= MOST_EXAMPLES) this.examples.push(`${zero}: ${words.slice(0, MOST_CHARACTERS)}`);
  }

  /** @param {Zero} zero */
  count(zero) {
    return this.#counts.get(zero) ?? 0;
  }

  get isClean() {
    return this.#counts.size === 0;
  }
}
