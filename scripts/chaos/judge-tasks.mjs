// Checks that every task ended once, in the right state, with the answer of an undisturbed run.
import { ARTIFACT, chunksOf } from './jobs.mjs';
import { foldLog, isFinal } from './logs.mjs';

/** @typedef {import('./evidence.mjs').Evidence} Evidence */
/** @typedef {import('./findings.mjs').Findings} Findings */
/** @typedef {import('./logs.mjs').Log} Log */
/** @typedef {import('./stories.mjs').Story} Story */

/**
 * @param {Evidence} evidence
 * @param {Findings} findings
 */
export function judgeTasks({ logs, stories }, findings) {
  /** @type {Map<string, string>} */
  const bySalt = new Map();
  const tellers = new Map(stories.map((story) => [story.salt, story]));
  for (const log of logs.values()) {
    const job = jobOf(log);
    const other = bySalt.get(job.salt);
    if (other !== undefined) findings.add('sends that created a second task', `${job.salt} created ${other} and ${log.taskId}`, log.taskId);
    bySalt.set(job.salt, log.taskId);
    judgeLog(log, findings);
    judgeEnd(log, tellers.get(job.salt), findings);
    judgeQuestions(log, findings);
    if (log.state === 'TASK_STATE_COMPLETED') judgeAnswer(log, job, findings);
  }
  for (const story of stories) judgeStory(story, logs, findings);
}

/**
 * The job in the first entry of the log.
 * @param {Log} log
 * @returns {import('./jobs.mjs').Job}
 */
function jobOf({ entries }) {
  return JSON.parse(JSON.parse(entries[0]?.json ?? '').input.request.message.parts[0].text);
}

/**
 * Checks that the log has no gap, one final state, and no entry for readers after it.
 * @param {Log} log
 * @param {Findings} findings
 */
function judgeLog({ taskId, entries }, findings) {
  const hole = entries.findIndex(({ seq }, index) => seq !== index + 1);
  if (hole >= 0) findings.add('events lost', `the log of ${taskId} has a gap at ${hole + 1}`, taskId);
  const ends = entries.filter((entry) => isFinal(stateOf(entry) ?? ''));
  if (ends.length > 1) findings.add('tasks with two final states', `${taskId}: ${ends.map(({ json }) => json).join(', ')}`, taskId);
  const late = entries.filter(({ kind, seq }) => kind !== 'note' && seq > (ends[0]?.seq ?? Number.POSITIVE_INFINITY));
  for (const { json } of late) findings.add('events out of order', `${taskId}: after its final state the log has ${json}`, taskId);
}

/** @param {import('./logs.mjs').Entry} entry @returns {string | undefined} */
function stateOf({ kind, json }) {
  return kind === 'status' ? JSON.parse(json).statusUpdate.status.state : undefined;
}

/**
 * @param {Log} log
 * @param {Story | undefined} story
 * @param {Findings} findings
 */
function judgeEnd({ taskId, state, entries }, story, findings) {
  if (!isFinal(state)) {
    const last = entries.slice(-3).map(({ seq, kind, json }) => `${seq} ${kind} ${json}`);
    return findings.add('stuck tasks', `${taskId} is ${state}, its last entries: ${last.join(' | ')}`, taskId);
  }
  const isRight = state === 'TASK_STATE_COMPLETED' || (state === 'TASK_STATE_CANCELED' && story?.way === 'cancel');
  if (!isRight) findings.add('tasks that failed', `${taskId} (${story?.way}) is ${state}: ${entries.findLast(isStatus)?.json}`, taskId);
}

/** @param {import('./logs.mjs').Entry} entry */
function isStatus({ kind }) {
  return kind === 'status';
}

/**
 * @param {Log} log
 * @param {Findings} findings
 */
function judgeQuestions({ taskId, entries }, findings) {
  const asked = new Set();
  for (const entry of entries) {
    if (stateOf(entry) !== 'TASK_STATE_INPUT_REQUIRED') continue;
    const prompt = JSON.parse(entry.json).statusUpdate.status.message.parts[0].text;
    if (asked.has(prompt)) findings.add('questions asked twice', `${taskId}: ${prompt}`, taskId);
    asked.add(prompt);
  }
}

/**
 * Checks that the answer has all chunks of one attempt, each once, with the replies of its caller.
 * @param {Log} log
 * @param {import('./jobs.mjs').Job} job
 * @param {Findings} findings
 */
function judgeAnswer(log, job, findings) {
  const artifact = foldLog(log)?.artifacts.find(({ artifactId }) => artifactId === ARTIFACT);
  const got = artifact?.parts.map(({ text }) => text).join('') ?? '';
  const attempt = Number(got.match(/\/(\d+) /)?.[1]);
  const expected = chunksOf(job, attempt).join('');
  if (got === expected) return;
  const words = `${log.taskId}: ${JSON.stringify(got)}, expected ${JSON.stringify(expected)}`;
  findings.add('answers that differ from an undisturbed run', words, log.taskId);
}

/**
 * @param {Story} story
 * @param {ReadonlyMap<string, Log>} logs
 * @param {Findings} findings
 */
function judgeStory({ salt, way, taskId = '', state, reply, error, readers }, logs, findings) {
  if (error !== undefined) return findings.add('calls that failed for the caller', `${salt} (${way}), task ${taskId}: ${error}`, taskId);
  const log = logs.get(taskId);
  if (log?.state !== state)
    return findings.add('events lost', `${salt} (${way}): the client got ${state}, the store has ${log?.state}`, taskId);
  if (reply === undefined || reply === readers.at(way === 'watch' ? 0 : -1)?.text) return;
  findings.add('events out of order', `${salt} (${way}): the reply differs from the text received in chunks: ${reply}`, taskId);
}
