// Collects the evidence after a run, and judges it.
import { readClaims } from './claims.mjs';
import { Findings } from './findings.mjs';
import { judgeReaders } from './judge-readers.mjs';
import { judgeRuns } from './judge-runs.mjs';
import { judgeTasks } from './judge-tasks.mjs';
import { readLedgers } from './ledger.mjs';
import { readLogs } from './logs.mjs';
import { readStories } from './stories.mjs';
import { findTakeOvers, quantile } from './take-overs.mjs';

/**
 * @typedef {object} Evidence
 * @property {ReadonlyMap<string, import('./logs.mjs').Log>} logs
 * @property {readonly import('./stories.mjs').Story[]} stories
 * @property {readonly import('./ledger.mjs').Line[]} ledger
 * @property {readonly import('./claims.mjs').Claim[]} claims
 * @property {readonly Pick<import('./node.mjs').ChaosNode, 'name' | 'absences' | 'deaths'>[]} nodes
 */

/**
 * @typedef {object} Verdict
 * @property {Evidence} evidence
 * @property {Findings} findings
 * @property {number} toReaders number of events that readers received
 * @property {number} toExecutors number of events whose commit executors saw
 * @property {readonly import('./take-overs.mjs').TakeOver[]} takeOvers
 * @property {number} takeOverMs the median
 * @property {number} slowTakeOverMs the 99th percentile
 */

/**
 * @param {import('./world.mjs').World} world whose clients have finished
 * @param {number} settleMs time for the remaining tasks to end
 * @returns {Promise<Evidence>}
 */
export async function gather({ postgres, schema, folder, nodes }, settleMs) {
  const logs = await readLogs(postgres.url, schema, settleMs);
  const claims = await readClaims(postgres.url, schema);
  return { logs, stories: readStories(folder), ledger: readLedgers(folder), claims, nodes };
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
  for (const death of evidence.nodes.flatMap(({ deaths }) => deaths)) findings.add('nodes that exited unexpectedly', death);
  const takeOvers = findTakeOvers(evidence);
  const takeOverMs = quantile(takeOvers, 0.5);
  const slowTakeOverMs = quantile(takeOvers, 0.99);
  return { evidence, findings, toReaders, toExecutors, takeOvers, takeOverMs, slowTakeOverMs };
}
