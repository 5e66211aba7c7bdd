// Prints the facts as a table, then the counts of violations, which must all be zero.
import { ZEROS } from './findings.mjs';
import { POLICIES } from './jobs.mjs';

/** @typedef {import('./run.mjs').Outcome} Outcome */

/**
 * @param {Outcome} outcome
 * @param {number} seconds
 */
export function report(outcome, seconds) {
  const { world } = outcome;
  for (const row of facts(outcome)) console.log(toLine(row));
  console.log('');
  for (const zero of ZEROS) console.log(toLine([zero, world.findings.count(zero)]));
  for (const example of world.findings.examples) console.error(`\n✗ ${example}`);
  console.log(`\n${world.findings.isClean ? 'No violations' : 'VIOLATIONS FOUND'}, in ${seconds.toFixed(0)} s`);
}

/** @param {(string | number)[]} row */
function toLine([name = '', ...cells]) {
  return [String(name).padEnd(46), ...cells.map((cell) => String(cell).padStart(9))].join('').trimEnd();
}

/**
 * @param {Outcome} outcome
 * @returns {(string | number)[][]}
 */
function facts(outcome) {
  const { world, loads, acknowledged } = outcome;
  const both = (/** @type {(policy: import('./jobs.mjs').Policy) => number} */ count) => POLICIES.map(count);
  return [
    ['', 'average', 'most'],
    ['open streams at a kill', ...averageAndMost(loads.map(({ streams }) => streams))],
    ['open questions at a kill', ...averageAndMost(loads.map(({ questions }) => questions))],
    [],
    ['events acknowledged', acknowledged],
    ['sends repeated after a lost response', world.repeats],
    [],
    ['', ...POLICIES],
    ['sends that create a task', ...both((policy) => countSends(outcome, policy, true))],
    ['tasks', ...both((policy) => countTasks(outcome, policy))],
    ['  COMPLETED', ...both((policy) => countTasks(outcome, policy, 'TASK_STATE_COMPLETED'))],
    ['  FAILED, with the reason', ...both((policy) => countTasks(outcome, policy, 'TASK_STATE_FAILED'))],
    ['sends that return a Message', ...both((policy) => countSends(outcome, policy, false))],
    ['runs', ...both((policy) => outcome.entered.filter((run) => run.policy === policy).length)],
    ['  restarted after a kill', ...both((policy) => outcome.entered.filter((run) => run.policy === policy && run.attempt > 1).length)],
    ['questions', ...both((policy) => countQuestions(outcome, policy))],
    ['follow-ups accepted', ...both((policy) => countFollowUps(outcome, policy))],
  ];
}

/** @param {number[]} numbers */
function averageAndMost(numbers) {
  return [Math.round(numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length)), Math.max(0, ...numbers)];
}

/**
 * @param {Outcome} outcome
 * @param {import('./jobs.mjs').Policy} policy
 * @param {boolean} makesTask
 */
function countSends({ world }, policy, makesTask) {
  return world.stories.filter((story) => story.policy === policy && (story.kind !== 'reply') === makesTask).length;
}

/**
 * @param {Outcome} outcome
 * @param {import('./jobs.mjs').Policy} policy
 * @param {string} [state]
 */
function countTasks({ tasks }, policy, state) {
  return tasks.filter((found) => found.policy === policy && (state === undefined || found.task.status.state === state)).length;
}

/**
 * Each question is one status in a log, answered or not.
 * @param {Outcome} outcome
 * @param {import('./jobs.mjs').Policy} policy
 */
function countQuestions({ world, tasks }, policy) {
  const asking = new Set(world.stories.flatMap(({ kind, sends }) => (kind === 'question' ? [sends[0]?.taskId] : [])));
  const logs = tasks.filter((found) => found.policy === policy && asking.has(found.task.id)).flatMap(({ log }) => [...log.values()]);
  return logs.filter((json) => json.includes('"state":"TASK_STATE_INPUT_REQUIRED"')).length;
}

/**
 * Messages to an existing task, including replies.
 * @param {Outcome} outcome
 * @param {import('./jobs.mjs').Policy} policy
 */
function countFollowUps({ world }, policy) {
  const stories = world.stories.filter((story) => story.policy === policy);
  return stories.flatMap(({ sends }) => sends.slice(1)).filter(({ accepted }) => accepted).length;
}
