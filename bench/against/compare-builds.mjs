// Measures one workload with two builds that alternate, and relates the values of each pair.
import { median } from '../median.mjs';
import { alternate } from './alternate.mjs';

/** @typedef {'ours' | 'other'} Build */
/** @typedef {'memory' | 'sqlite'} Store */

/**
 * @typedef {object} Comparison
 * @property {{ id: string, title: string, unit: string }} workload
 * @property {Store} store
 * @property {number} ours median, in the unit of the workload
 * @property {number} other
 * @property {number} ratio median of ours ÷ other, without the influence of the order
 * @property {readonly [lower: number, upper: number]} spread the quartiles of these ratios
 */

/**
 * The order of all repetitions. The first build alternates, because the second of a pair may find a warmer or a busier machine.
 * @param {number} repetitions
 * @returns {readonly (readonly [Build, Build])[]}
 */
export function planOf(repetitions) {
  return Array.from({ length: repetitions }, (_, n) => (n % 2 === 0 ? /** @type {const} */ (['ours', 'other']) : ['other', 'ours']));
}

/**
 * @param {{ workload: Comparison['workload'], store: Store, repetitions: number }} what
 * @param {(build: Build, turn: import('./alternate.mjs').Turn) => Promise<number>} measure one repetition in a fresh process
 * @returns {Promise<Comparison>}
 */
export async function compareBuilds({ workload, store, repetitions }, measure) {
  const values = { ours: /** @type {number[]} */ ([]), other: /** @type {number[]} */ ([]) };
  for (const [first, second] of planOf(repetitions)) {
    const [a, b] = await alternate([(turn) => measure(first, turn), (turn) => measure(second, turn)]);
    values[first].push(a);
    values[second].push(b);
  }
  const ratios = balance(values.ours.map((value, n) => value / (values.other[n] ?? Number.NaN)));
  return {
    workload,
    store,
    ours: median(values.ours),
    other: median(values.other),
    ratio: median(ratios),
    spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
  };
}

/**
 * The geometric mean of each ratio and the next one, which has the other order. With one connection, the first build of a pair can be 12 %
 * cheaper than the second, also if both are equal; the median of the single ratios would then depend on which order occurs more often.
 * @param {readonly number[]} ratios
 */
export function balance(ratios) {
  return ratios.slice(1).map((ratio, n) => Math.sqrt(ratio * (ratios[n] ?? Number.NaN)));
}

/**
 * The value below which this share of the values lies, interpolated.
 * @param {readonly number[]} values
 * @param {number} share from 0 to 1
 */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}
