// Counts violations, with the affected tasks.

/** The kinds of violations. Each count must be zero. */
export const ZEROS = /** @type {const} */ ([
  'events lost',
  'events duplicated',
  'events out of order',
  'tasks with two final states',
  'execute called twice for one attempt',
  'stuck tasks',
  'sends that created a second task',
  'questions asked twice',
  'answers that differ from an undisturbed run',
  'tasks that failed',
  'calls that failed for the caller',
  'nodes that exited unexpectedly',
]);

/** @typedef {(typeof ZEROS)[number]} Zero */
/** @typedef {{ zero: Zero, words: string, taskId: string | undefined }} Finding */

export class Findings {
  /** @type {Finding[]} */
  all = [];

  /**
   * @param {Zero} zero
   * @param {string} words
   * @param {string} [taskId]
   */
  add(zero, words, taskId) {
    this.all.push({ zero, words, taskId });
  }

  /** @param {Zero} zero */
  count(zero) {
    return this.all.filter((finding) => finding.zero === zero).length;
  }

  get isClean() {
    return this.all.length === 0;
  }
}
