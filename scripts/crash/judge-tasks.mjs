// Checks that every task ended once, as its policy promises, with the right answer.
import { isDeepStrictEqual } from 'node:util';
import { isAtWork } from './evidence.mjs';
import { artifactOf } from './jobs.mjs';

/** @typedef {import('./evidence.mjs').Evidence} Evidence */
/** @typedef {import('./evidence.mjs').Entered} Entered */
/** @typedef {import('./findings.mjs').Findings} Findings */
/** @typedef {import('./world.mjs').Story} Story */

/**
 * @param {import('./world.mjs').World} world
 * @param {ReadonlyMap<string, Evidence>} evidence
 * @param {readonly Entered[]} entered
 */
export function judgeTasks({ stories, findings, server }, evidence, entered) {
  const disturbed = new Set(entered.filter(({ boot }) => boot < server.boots).map(({ taskId }) => taskId));
  const told = new Set();
  for (const story of stories) {
    const taskId = story.sends[0]?.taskId;
    const found = taskId === undefined ? undefined : evidence.get(taskId);
    if (found === undefined) continue; // answered by a Message, or a send that was abandoned, which is reported elsewhere
    told.add(taskId);
    judgeEnd(found, !story.isUndisturbed && disturbed.has(found.task.id), findings);
    if (found.task.status.state === 'TASK_STATE_COMPLETED') judgeArtifacts(story, found.task, findings);
    if (story.kind === 'question') judgeQuestions(story, found, findings);
  }
  for (const { policy, task } of evidence.values()) {
    if (!told.has(task.id)) findings.add('sends that created a second task', `${policy} ${task.id}: no caller received its id`);
  }
}

/**
 * @param {Evidence} evidence
 * @param {boolean} wasKilled whether it ran in a process that was killed
 * @param {Findings} findings
 */
function judgeEnd({ policy, task }, wasKilled, findings) {
  const { state, message } = task.status;
  if (isAtWork(task)) return findings.add('tasks left SUBMITTED or WORKING', `${policy} ${task.id}`);
  if (state === 'TASK_STATE_COMPLETED') return;
  const reason = message?.metadata?.['urn:parley:a2a:error']?.reason;
  if (policy === 'fail' && state === 'TASK_STATE_FAILED' && wasKilled && typeof reason === 'string') return;
  findings.add(
    'killed runs that violate their policy',
    `${policy} ${task.id}, ${wasKilled ? 'killed' : 'never killed'}: ${JSON.stringify(task.status)}`,
  );
}

/**
 * @param {Story} story
 * @param {any} task
 * @param {Findings} findings
 */
function judgeArtifacts({ policy, sends, answers }, task, findings) {
  const expected = sends.flatMap(({ job }) => (job && job.kind !== 'reply' ? [artifactOf(job, answers)] : []));
  if (isDeepStrictEqual(task.artifacts, expected)) return;
  const words = `${policy} ${task.id}: ${JSON.stringify(task.artifacts)}, expected ${JSON.stringify(expected)}`;
  findings.add('artifacts that differ from an undisturbed run', words);
}

/**
 * @param {Story} story
 * @param {Evidence} evidence
 * @param {Findings} findings
 */
function judgeQuestions({ sends }, { policy, task, log }, findings) {
  const job = sends[0]?.job;
  const asked = [...log.values()].flatMap((json) => {
    const { state, message } = JSON.parse(json).statusUpdate?.status ?? {};
    return state === 'TASK_STATE_INPUT_REQUIRED' ? [message.parts[0].text] : [];
  });
  const isDone = task.status.state === 'TASK_STATE_COMPLETED';
  for (const prompt of job?.kind === 'question' ? job.prompts : []) {
    const times = asked.filter((text) => text === prompt).length;
    if (times > 1 || (isDone && times !== 1))
      findings.add('questions asked twice', `${policy} ${task.id}: ${prompt} was asked ${times} times`);
  }
}
