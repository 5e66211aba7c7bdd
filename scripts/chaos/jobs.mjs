// What a client asks of the agent, as JSON in the text of its message, and what an undisturbed run makes of it.

/**
 * `questions` are the chunks before which one is asked. `pauseMs` stands between chunks, more or less. After every `flushEvery` chunks the
 * executor waits for the commit, and writes into its ledger that it saw it.
 * @typedef {{ salt: string, seed: number, chunks: number, pauseMs: number, flushEvery: number, questions: readonly number[] }} Job
 */

export const ARTIFACT = 'answer';

/**
 * One chunk of one attempt: no other chunk of any run says the same.
 * @param {Job} job
 * @param {number} attempt
 * @param {number} index
 * @param {readonly string[]} answers
 */
export function chunkOf({ salt }, attempt, index, answers) {
  return `${[`${salt}/${attempt}`, ...answers].join(' ')} #${index}\n`;
}

/** All chunks of an attempt that came to its end. @param {Job} job @param {number} attempt */
export function chunksOf(job, attempt) {
  return Array.from({ length: job.chunks }, (_, index) => {
    const asked = job.questions.filter((before) => before <= index);
    const answers = asked.map((_before, k) => answerTo(promptOf(job, k)));
    return chunkOf(job, attempt, index, answers);
  });
}

/** @param {Job} job @param {number} k which of its questions */
export function promptOf({ salt }, k) {
  return `${salt}: question ${k}?`;
}

/** @param {string} prompt */
export function answerTo(prompt) {
  return `(answer to ${prompt})`;
}
