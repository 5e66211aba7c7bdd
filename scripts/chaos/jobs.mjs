// A job is the request of a client, sent as JSON in the text of its message. This file also computes the result of an undisturbed run.

/**
 * `questions` are the indexes of the chunks before which the executor asks a question. `pauseMs` is the average pause between chunks. After
 * every `flushEvery` chunks the executor waits for the commit and records it in its ledger.
 * @typedef {{ salt: string, seed: number, chunks: number, pauseMs: number, flushEvery: number, questions: readonly number[] }} Job
 */

export const ARTIFACT = 'answer';

/**
 * The text of one chunk of one attempt; unique across all runs.
 * @param {Job} job
 * @param {number} attempt
 * @param {number} index
 * @param {readonly string[]} answers
 */
export function chunkOf({ salt }, attempt, index, answers) {
  return `${[`${salt}/${attempt}`, ...answers].join(' ')} #${index}\n`;
}

/** All chunks of a complete attempt. @param {Job} job @param {number} attempt */
export function chunksOf(job, attempt) {
  return Array.from({ length: job.chunks }, (_, index) => {
    const asked = job.questions.filter((before) => before <= index);
    const answers = asked.map((_before, k) => answerTo(promptOf(job, k)));
    return chunkOf(job, attempt, index, answers);
  });
}

/** @param {Job} job @param {number} k index of the question */
export function promptOf({ salt }, k) {
  return `${salt}: question ${k}?`;
}

/** @param {string} prompt */
export function answerTo(prompt) {
  return `(answer to ${prompt})`;
}
