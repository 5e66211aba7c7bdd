// What happened, as a table with a column for each bus; and what must not have happened, all of it zero.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ZEROS } from './findings.mjs';
import { LEASE_MS } from './world.mjs';

/** @typedef {import('./phase.mjs').Outcome} Outcome */

const MOST_EXAMPLES = 5;
const MOST_CHARACTERS = 1_500;
const MOST_TASKS = 20;

/**
 * @param {readonly Outcome[]} phases
 * @returns {boolean} whether all is well
 */
export function report(phases) {
  const isClean = phases.every(({ findings, isFast }) => findings.isClean && isFast);
  console.log(`\n${toLine(['the bus is', ...phases.map(({ bus }) => bus)])}`);
  for (const [name, count] of facts(phases)) console.log(toLine([name, ...phases.map(count)]));
  console.log('');
  for (const zero of ZEROS) console.log(toLine([zero, ...phases.map(({ findings }) => findings.count(zero))]));
  for (const { bus, findings } of phases) {
    for (const zero of ZEROS) {
      const examples = findings.all.filter((finding) => finding.zero === zero).slice(0, MOST_EXAMPLES);
      for (const { words } of examples) console.error(`\n✗ ${bus}, ${zero}: ${words.slice(0, MOST_CHARACTERS)}`);
    }
  }
  for (const { bus, isFast, slowTakeOverMs } of phases) {
    if (!isFast)
      console.error(
        `\n✗ ${bus}: one in a hundred take-overs takes more than ${seconds(slowTakeOverMs)}, the lease is ${seconds(LEASE_MS)}`,
      );
  }
  return isClean;
}

/**
 * @param {readonly Outcome[]} phases
 * @returns {[name: string, count: (phase: Outcome) => string | number][]}
 */
function facts(phases) {
  const kinds = [...new Set(phases.flatMap(({ happened }) => happened.map(({ kind }) => kind)))].sort();
  const isRolling = phases.some(({ restarts }) => restarts.length > 0);
  /** @type {[string, (phase: Outcome) => string | number][]} */
  const ofStorm = [
    ['faults', ({ happened }) => happened.length],
    ...kinds
      .map(
        (kind) =>
          /** @type {const} */ ([`  ${kind}`, (/** @type {Outcome} */ phase) => phase.happened.filter((one) => one.kind === kind).length]),
      )
      .map(([a, b]) => /** @type {[string, (phase: Outcome) => number]} */ ([a, b])),
    ['take-overs', ({ takeOvers }) => takeOvers.length],
    ['  after, median', ({ takeOverMs }) => seconds(takeOverMs)],
    ['  after, 99 of 100', ({ slowTakeOverMs }) => seconds(slowTakeOverMs)],
  ];
  /** @type {[string, (phase: Outcome) => string | number][]} */
  const ofRolling = [
    ['restarts', ({ restarts }) => restarts.length],
    ['  time to end, average', ({ restarts }) => seconds(average(restarts.map(({ drainMs }) => drainMs)))],
    ['  time to listen again, average', ({ restarts }) => seconds(average(restarts.map(({ startMs }) => startMs)))],
  ];
  return [
    ...(isRolling ? ofRolling : ofStorm),
    ['tasks', ({ evidence }) => evidence.logs.size],
    ['runs', ({ evidence }) => evidence.ledger.filter(({ what }) => what === 'entered').length],
    ['  of them entered again', ({ evidence }) => evidence.ledger.filter(({ what, attempt }) => what === 'entered' && attempt > 1).length],
    ['events acknowledged', ({ toReaders, toExecutors }) => toReaders + toExecutors],
    ['  given to readers', ({ toReaders }) => toReaders],
    ['  seen committed by executors', ({ toExecutors }) => toExecutors],
    ['calls', ({ tally }) => tally.calls],
    ['  tries repeated by the client', ({ tally }) => tally.retries],
    ['  streams and polls come back to', ({ tally }) => tally.reconnects],
    ['seconds', (phase) => phase.seconds.toFixed(0)],
  ];
}

/** @param {readonly (string | number)[]} row */
function toLine([name = '', ...cells]) {
  return [String(name).padEnd(42), ...cells.map((cell) => String(cell).padStart(10))].join('').trimEnd();
}

/** @param {number} ms */
function seconds(ms) {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** @param {readonly number[]} numbers */
function average(numbers) {
  return numbers.reduce((all, number) => all + number, 0) / Math.max(1, numbers.length);
}

/**
 * All that is known of the tasks that something is wrong with, in a file beside the ledgers; answers its name.
 * @param {Outcome} phase
 * @param {import('./options.mjs').Options} options
 */
export function writeReport({ evidence, findings, happened, folder, takeOvers }, options) {
  const ids = [...new Set(findings.all.flatMap(({ taskId }) => taskId ?? []))].slice(0, MOST_TASKS);
  const tasks = ids.map((taskId) => ({
    taskId,
    findings: findings.all.filter((finding) => finding.taskId === taskId).map(({ zero, words }) => `${zero}: ${words}`),
    log: evidence.logs.get(taskId),
    ledger: evidence.ledger.filter((line) => line.taskId === taskId),
    stories: evidence.stories.filter((story) => story.taskId === taskId),
  }));
  const absences = evidence.nodes.map(({ name, absences: list }) => ({ node: name, absences: list }));
  const slowest = [...takeOvers].sort((a, b) => b.ms - a.ms).slice(0, MOST_TASKS);
  const others = findings.all.filter(({ taskId }) => taskId === undefined);
  const file = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify({ options, happened, absences, slowest, others, tasks }, undefined, 1));
  return file;
}
