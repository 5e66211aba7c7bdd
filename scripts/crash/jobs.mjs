// A job is the request of a caller, sent as JSON in the text of its message. This file also computes the result of an undisturbed run.

/** @typedef {'fail' | 'restart'} Policy the recovery policy: what happens to a killed run */
/** @typedef {{ salt: string, chunks: number, pauseMs: number }} Work */

/**
 * `stream` writes an artifact. `question` first asks and then uses the replies. `turn` writes its own artifact and leaves the task open,
 * unless it is the last. `reply` returns a Message.
 * @typedef {Work & { kind: 'stream' }} StreamJob
 * @typedef {Work & { kind: 'question', prompts: string[] }} QuestionJob
 * @typedef {Work & { kind: 'turn', last: boolean }} TurnJob
 * @typedef {{ kind: 'reply', salt: string }} ReplyJob
 * @typedef {StreamJob | QuestionJob | TurnJob | ReplyJob} Job
 */

/** @type {readonly Policy[]} */
export const POLICIES = ['fail', 'restart'];

/** The artifact id of a job. Each turn has its own, so that a missing turn is visible. */
export function artifactIdOf(/** @type {Job} */ job) {
  return job.kind === 'turn' ? `turn-${job.salt}` : 'answer';
}

/**
 * @param {Work} work
 * @param {readonly string[]} answers
 */
export function chunksOf({ salt, chunks }, answers) {
  const words = [salt, ...answers].join(' ');
  return Array.from({ length: chunks }, (_, index) => `${words} #${index}\n`);
}

/**
 * The artifact of an undisturbed run: its chunks form one text.
 * @param {Exclude<Job, ReplyJob>} job
 * @param {readonly string[]} answers
 */
export function artifactOf(job, answers) {
  return { artifactId: artifactIdOf(job), parts: [{ text: chunksOf(job, answers).join('') }] };
}

/** The text of a turn that leaves the task open. */
export function doneText(/** @type {string} */ salt) {
  return `${salt} is done`;
}
