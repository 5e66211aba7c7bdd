// All that is known when everything is over, and what it says.
import { Findings } from './findings.mjs';
import { judgeReaders } from './judge-readers.mjs';
import { findTakeOvers, judgeRuns, quantile } from './judge-runs.mjs';
import { judgeTasks } from './judge-tasks.mjs';
import { readLedgers } from './ledger.mjs';
import { readLogs } from './logs.mjs';
import { readStories } from './stories.mjs';

/**
 * @typedef {object} Evidence
 * @property {ReadonlyMap<string, import('./logs.mjs').Log>} logs
 * @property {readonly import('./stories.mjs').Story[]} stories
 * @property {readonly import('./ledger.mjs').Line[]} ledger
 * @property {readonly Pick<import('./node.mjs').ChaosNode, 'name' | 'absences' | 'deaths'>[]} nodes
 */

/**
 * @typedef {object} Verdict
 * @property {Evidence} evidence
 * @property {Findings} findings
 * @property {number} toReaders events that readers were given
 * @property {number} toExecutors events that executors saw committed
 * @property {readonly import('./judge-runs.mjs').TakeOver[]} takeOvers
 * @property {number} takeOverMs the median of them
 * @property {number} slowTakeOverMs what one in a hundred exceeds
 */

/**
 * @param {import('./world.mjs').World} world whose clients have finished
 * @param {number} settleMs how long tasks may take to end without them
 * @returns {Promise<Evidence>}
 */
export async function gather({ postgres, schema, folder, nodes }, settleMs) {
  const logs = await readLogs(postgres.url, schema, settleMs);
  return { logs, stories: readStories(folder), ledger: readLedgers(folder), nodes };
}

/**
 * @param {Evidence} evidence
 * @returns {Verdict}
 */
export function judge(evidence) {
  const findings = new Findings();
  const toReaders = judgeReaders(evidence, findings);
  const toExecutors = judgeRuns(evidence, findings);
  judgeTasks(evidence, findings);
  for (const death of evidence.nodes.flatMap(({ deaths }) => deaths)) findings.add('nodes that ended by themselves', death);
  const takeOvers = findTakeOvers(evidence);
  const takeOverMs = quantile(takeOvers, 0.5);
  const slowTakeOverMs = quantile(takeOvers, 0.99);
  return { evidence, findings, toReaders, toExecutors, takeOvers, takeOverMs, slowTakeOverMs };
}
