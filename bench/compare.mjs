// Runs all repetitions of one workload, interleaved, and computes the ratios.
import { repeat } from './measure.mjs';
import { median } from './median.mjs';
import { sizeOf } from './sizes.mjs';

/** @typedef {import('./server.mjs').Contestant} Contestant */
/** @typedef {import('./measure.mjs').Workload} Workload */
/** @typedef {Partial<Record<Contestant, number>>} ByContestant */
/** The value of each round. @typedef {Partial<Record<Contestant, readonly number[]>>} Rounds */

/**
 * @typedef {object} Outcome
 * @property {Workload} workload
 * @property {ByContestant} values medians, in the unit of the workload
 * @property {ByContestant} ratios medians of value ÷ floor, pair by pair, or as `by` of the workload defines
 * @property {ByContestant} [gathered] the same ÷ gathered floor, if that was measured
 * @property {ByContestant} [shares] the overhead share of each store, if the official SDK was measured: see `shareOf`
 */

/** @type {readonly Contestant[]} */
const STORES = ['memory', 'sqlite'];

/**
 * Contestants take turns, so that other load on the machine affects all of them equally. Each value is related to the floor of the same
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
  if (workload.base !== undefined) return compareWithBase({ ...workload, base: workload.base }, entries);
  const rounds = Math.max(...entries.map(({ size }) => size.repetitions));
  for (let round = 0; round < rounds; round += 1) {
    for (const { contestant, size, values } of entries) {
      if (round < size.repetitions) values.push(await repeat(workload, contestant, size));
    }
  }
  return relate(workload, Object.fromEntries(entries.map(({ contestant, values }) => [contestant, values])));
}

/**
 * Both workloads of a pair run one after the other; the first of them alternates, because the second may find a warmer or a busier machine.
 * @param {Workload & { base: Workload }} workload
 * @param {readonly { contestant: Contestant, size: import('./measure.mjs').Size, values: number[] }[]} entries
 * @returns {Promise<Outcome>}
 */
async function compareWithBase(workload, entries) {
  const compared = entries.map((entry) => ({ ...entry, ratios: /** @type {number[]} */ ([]) }));
  for (let round = 0; compared.some(({ size }) => round < size.repetitions); round += 1) {
    for (const { contestant, size, values, ratios } of compared.filter(({ size }) => round < size.repetitions)) {
      const measureBase = () => repeat(workload.base, contestant, size);
      const early = round % 2 === 0 ? await measureBase() : undefined;
      const value = await repeat(workload, contestant, size);
      values.push(value);
      ratios.push(value / (early ?? (await measureBase())));
    }
  }
  return {
    workload,
    values: Object.fromEntries(compared.map(({ contestant, values }) => [contestant, median(values)])),
    ratios: Object.fromEntries(compared.map(({ contestant, ratios }) => [contestant, median(ratios)])),
  };
}

/**
 * @param {Workload} workload
 * @param {Rounds} rounds
 * @returns {Outcome}
 */
export function relate(workload, rounds) {
  const toRatio = RELATIONS[workload.by ?? 'ratio'];
  const { floor = [], gathered, peer } = rounds;
  const others = /** @type {Contestant[]} */ (Object.keys(rounds)).filter((name) => name !== 'floor');
  const stores = STORES.filter((name) => rounds[name] !== undefined);
  /**
   * @param {readonly Contestant[]} names
   * @param {(value: number, round: number) => number} toNumber
   */
  const each = (names, toNumber) => Object.fromEntries(names.map((name) => [name, median((rounds[name] ?? []).map(toNumber))]));
  return {
    workload,
    values: each(/** @type {Contestant[]} */ (Object.keys(rounds)), (value) => value),
    ratios: each(others, (value, round) => toRatio(value, floor[round])),
    ...(gathered && { gathered: each(stores, (value, round) => toRatio(value, gathered[round])) }),
    ...(peer && gathered && { shares: each(stores, (value, round) => shareOf(value, floor[round], peer[round])) }),
  };
}

/**
 * The share of the official SDK's overhead that Parley has: (ours − floor) ÷ (official SDK in memory − floor). It depends less on how tight
 * the floor is than a ratio does, so it differs less between machines.
 * @param {number} ours
 * @param {number} [floor]
 * @param {number} [peer]
 */
function shareOf(ours, floor = Number.NaN, peer = Number.NaN) {
  return (ours - floor) / (peer - floor);
}

/** @type {Readonly<Record<NonNullable<Workload['by']>, (value: number, floor?: number) => number>>} */
const RELATIONS = {
  ratio: (value, floor = Number.NaN) => value / floor,
  difference: (value, floor = Number.NaN) => value - floor,
  value: (value) => value,
};
