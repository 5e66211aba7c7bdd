// Runs all repetitions of one workload, interleaved, and computes the ratios.
import { repeat } from './measure.mjs';
import { median } from './median.mjs';
import { sizeOf } from './sizes.mjs';

/** @typedef {import('./server.mjs').Contestant} Contestant */
/** @typedef {import('./measure.mjs').Workload} Workload */

/**
 * @typedef {object} Outcome
 * @property {Workload} workload
 * @property {Partial<Record<Contestant, number>>} values medians, in the unit of the workload
 * @property {Partial<Record<Contestant, number>>} ratios medians of value ÷ floor, pair by pair, or as `by` of the workload defines
 */

/**
 * Contestants take turns, so that other load on the machine affects all of them equally. Each value is divided by the floor of the same
 * round.
 * @param {Workload} workload
 * @param {readonly Contestant[]} contestants
 * @param {import('./sizes.mjs').Mode} mode
 * @returns {Promise<Outcome>}
 */
export async function compare(workload, contestants, mode) {
  const entries = contestants
    .filter((contestant) => workload.contestants.includes(contestant))
    .map((contestant) => ({ contestant, size: sizeOf(workload, contestant, mode), values: /** @type {number[]} */ ([]) }))
    .filter(({ size }) => size.repetitions > 0);
  const rounds = Math.max(...entries.map(({ size }) => size.repetitions));
  for (let round = 0; round < rounds; round += 1) {
    for (const { contestant, size, values } of entries) {
      if (round < size.repetitions) values.push(await repeat(workload, contestant, size));
    }
  }
  const floor = entries[0]?.values ?? [];
  const relate = RELATIONS[workload.by ?? 'ratio'];
  return {
    workload,
    values: Object.fromEntries(entries.map(({ contestant, values }) => [contestant, median(values)])),
    ratios: Object.fromEntries(
      entries.slice(1).map(({ contestant, values }) => [contestant, median(values.map((value, round) => relate(value, floor[round])))]),
    ),
  };
}

/** @type {Readonly<Record<NonNullable<Workload['by']>, (value: number, floor?: number) => number>>} */
const RELATIONS = {
  ratio: (value, floor = Number.NaN) => value / floor,
  difference: (value, floor = Number.NaN) => value - floor,
  value: (value) => value,
};
