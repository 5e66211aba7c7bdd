// The rows of the report: a name, and the value for each phase.
import { seconds } from './seconds.mjs';

/** @typedef {import('./phase.mjs').Outcome} Outcome */
/** @typedef {[name: string, count: (phase: Outcome) => string | number]} Fact */

/**
 * @param {readonly Outcome[]} phases
 * @returns {Fact[]}
 */
export function factsOf(phases) {
  const isRolling = phases.some(({ restarts }) => restarts.length > 0);
  return [...(isRolling ? ROLLING : stormFacts(phases)), ...LOAD];
}

/** @type {readonly Fact[]} */
const ROLLING = [
  ['restarts', ({ restarts }) => restarts.length],
  ['  time to exit, average', ({ restarts }) => seconds(average(restarts.map(({ drainMs }) => drainMs)))],
  ['  time to be ready again, average', ({ restarts }) => seconds(average(restarts.map(({ startMs }) => startMs)))],
];

/** @type {readonly Fact[]} */
const TAKE_OVERS = [
  ['take-overs', ({ takeOvers }) => takeOvers.length],
  ['  delay, median', ({ takeOverMs }) => seconds(takeOverMs)],
  ['  after, 99 of 100', ({ slowTakeOverMs }) => seconds(slowTakeOverMs)],
];

/** @type {readonly Fact[]} */
const LOAD = [
  ['tasks', ({ evidence }) => evidence.logs.size],
  ['runs', ({ evidence }) => evidence.ledger.filter(({ what }) => what === 'entered').length],
  ['  with attempt > 1', ({ evidence }) => evidence.ledger.filter(({ what, attempt }) => what === 'entered' && attempt > 1).length],
  ['events acknowledged', ({ toReaders, toExecutors }) => toReaders + toExecutors],
  ['  received by readers', ({ toReaders }) => toReaders],
  ['  commits seen by executors', ({ toExecutors }) => toExecutors],
  ['calls', ({ tally }) => tally.calls],
  ['  retries by the client', ({ tally }) => tally.retries],
  ['  reconnects of streams and polls', ({ tally }) => tally.reconnects],
  ['seconds', (phase) => phase.seconds.toFixed(0)],
];

/**
 * @param {readonly Outcome[]} phases
 * @returns {Fact[]}
 */
function stormFacts(phases) {
  const kinds = [...new Set(phases.flatMap(({ happened }) => happened.map(({ kind }) => kind)))].sort();
  /** @type {(kind: string) => Fact} */
  const ofKind = (kind) => [`  ${kind}`, ({ happened }) => happened.filter((one) => one.kind === kind).length];
  return [['faults', ({ happened }) => happened.length], ...kinds.map(ofKind), ...TAKE_OVERS];
}

/** @param {readonly number[]} numbers */
function average(numbers) {
  return numbers.reduce((all, number) => all + number, 0) / Math.max(1, numbers.length);
}
