// What must not happen: how often it did, and the first few times in words.

/** Each is zero when all is well. */
export const ZEROS = /** @type {const} */ ([
  'acknowledged events lost',
  'gaps in what readers got',
  'duplicates in what readers got',
  'events out of order',
  'holes in the stored logs',
  'questions asked twice',
  'messages executed twice',
  'accepted messages not taken once',
  'sends that made a second task',
  'Messages that changed when repeated',
  'tasks left SUBMITTED or WORKING',
  'killed runs not settled by policy',
  'artifacts unlike an undisturbed run',
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
