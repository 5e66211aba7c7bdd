// What the callers ask of the agent, and what an undisturbed run makes of it. Said in the text of the message, as JSON.

/** @typedef {'fail' | 'restart'} Policy what becomes of a run that was killed */
/** @typedef {{ salt: string, chunks: number, pauseMs: number }} Work */

/**
 * `stream` writes an artifact. `question` asks first and uses the answers. `turn` writes an artifact of its own and leaves the task open,
 * unless it is the last. `reply` is answered by a Message.
 * @typedef {Work & { kind: 'stream' }} StreamJob
 * @typedef {Work & { kind: 'question', prompts: string[] }} QuestionJob
 * @typedef {Work & { kind: 'turn', last: boolean }} TurnJob
 * @typedef {{ kind: 'reply', salt: string }} ReplyJob
 * @typedef {StreamJob | QuestionJob | TurnJob | ReplyJob} Job
 */

/** @type {readonly Policy[]} */
export const POLICIES = ['fail', 'restart'];

/** The id of the artifact that a job writes. A turn has one of its own, so that none can hide behind another. */
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
 * The artifact of an undisturbed run: its chunks are one text.
 * @param {Exclude<Job, ReplyJob>} job
 * @param {readonly string[]} answers
 */
export function artifactOf(job, answers) {
  return { artifactId: artifactIdOf(job), parts: [{ text: chunksOf(job, answers).join('') }] };
}

/** What a turn says when it leaves the task open. */
export function doneText(/** @type {string} */ salt) {
  return `${salt} is done`;
}
