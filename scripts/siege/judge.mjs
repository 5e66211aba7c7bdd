// Decides whether the outcome of a case is within the bounds. Pure, so that its tests can plant every failure.

/** @typedef {{ maxRssMiB: number, p99Ms: number }} Bounds */
/** @typedef {{ count: number, p50: number, p99: number }} Latency in milliseconds */

/**
 * The outcome of an attack for the well-behaved caller and for the server.
 * @typedef {object} Outcome
 * @property {string} name
 * @property {string} title
 * @property {string} store
 * @property {Latency} alone
 * @property {Latency} attacked
 * @property {number} tasks
 * @property {number} failed
 * @property {number} lost
 * @property {number} doubled
 * @property {number} peakRssMiB of the server, with two nodes the higher one
 * @property {string} [death] why a server did not survive
 * @property {boolean} haveAttacked whether all attackers have finished their preparations
 * @property {boolean} judgesLatency
 * @property {Readonly<Record<string, number>>} tally what the attackers counted
 * @property {readonly string[]} examples of failed tasks
 */

/** A node was taken away: how long its tasks stayed without an owner. @typedef {{ name: string, title: string, takeOverMs: number | undefined, limitMs: number }} TakeOver */

/** A client met a hostile card. @typedef {{ name: string, title: string, stallMs: number, isAccepted: boolean, mayAccept: boolean }} HostileCard */

/** The longest time that a card may hold the event loop of the client. */
const MOST_STALL_MS = 250;

/**
 * @param {Outcome} outcome
 * @param {Bounds} bounds
 * @returns {readonly string[]} the violations
 */
export function judge(outcome, { maxRssMiB, p99Ms }) {
  const { death, peakRssMiB, tasks, failed, lost, doubled, attacked, haveAttacked, judgesLatency } = outcome;
  return [
    ...(death === undefined ? [] : [`the server did not survive: ${death}`]),
    ...(haveAttacked || death !== undefined ? [] : ['the attackers did not begin: their preparations failed or took too long']),
    ...(peakRssMiB < maxRssMiB ? [] : [`peak memory ${peakRssMiB.toFixed(0)} MiB, must be below ${maxRssMiB}`]),
    ...(peakRssMiB > 0 ? [] : ['the memory of the server was not measured']),
    ...(tasks > 0 && attacked.count > 0 ? [] : ['the caller did nothing while the attackers ran']),
    ...(failed === 0 ? [] : [`${failed} of ${tasks} tasks of the other caller failed`]),
    ...(lost === 0 ? [] : [`${lost} events lost`]),
    ...(doubled === 0 ? [] : [`${doubled} events doubled`]),
    ...(!judgesLatency || attacked.p99 < p99Ms ? [] : [`p99 ${attacked.p99.toFixed(0)} ms, must be below ${p99Ms}`]),
  ];
}

/** @param {TakeOver} takeOver @returns {readonly string[]} */
export function judgeTakeOver({ takeOverMs, limitMs }) {
  if (takeOverMs === undefined) return [`the tasks had no new owner after ${limitMs} ms`];
  return takeOverMs <= limitMs ? [] : [`the tasks had a new owner after ${takeOverMs.toFixed(0)} ms, must be at most ${limitMs}`];
}

/** @param {HostileCard} card @returns {readonly string[]} */
export function judgeCard({ stallMs, isAccepted, mayAccept }) {
  return [
    ...(stallMs < MOST_STALL_MS ? [] : [`the card held the event loop for ${stallMs.toFixed(0)} ms, must be below ${MOST_STALL_MS}`]),
    ...(isAccepted && !mayAccept ? ['the card was accepted'] : []),
  ];
}

/**
 * @param {readonly { ms: number }[]} samples
 * @returns {Latency} NaN without samples
 */
export function latencyOf(samples) {
  const sorted = samples.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99) };
}
