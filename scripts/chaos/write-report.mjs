// Writes everything known about the affected tasks, to find the cause of a violation.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MOST_TASKS = 20;
const MOST_SLOW = 10;

/**
 * Writes the report next to the ledgers and returns its path.
 * @param {import('./phase.mjs').Outcome} phase
 * @param {import('./options.mjs').Options} options
 */
export function writeReport({ evidence, findings, happened, folder, takeOvers }, options) {
  const slowest = [...takeOvers].sort((a, b) => b.ms - a.ms).slice(0, MOST_TASKS);
  const wrong = [...new Set(findings.all.flatMap(({ taskId }) => taskId ?? []))].slice(0, MOST_TASKS);
  const ids = [...new Set([...wrong, ...slowest.slice(0, MOST_SLOW).map(({ taskId }) => taskId)])];
  const tasks = ids.map((taskId) => ({
    taskId,
    findings: findings.all.filter((finding) => finding.taskId === taskId).map(({ zero, words }) => `${zero}: ${words}`),
    log: evidence.logs.get(taskId),
    ledger: evidence.ledger.filter((line) => line.taskId === taskId),
    claims: evidence.claims.filter((claim) => claim.taskId === taskId),
    stories: evidence.stories.filter((story) => story.taskId === taskId),
  }));
  const absences = evidence.nodes.map(({ name, absences: list }) => ({ node: name, absences: list }));
  const others = findings.all.filter(({ taskId }) => taskId === undefined);
  const file = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify({ options, happened, absences, slowest, others, tasks }, undefined, 1));
  return file;
}
