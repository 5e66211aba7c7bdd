// The options of the command line. `--quick` is the short run, `--seed n` repeats a plan, `--rolling` restarts nodes in turn instead,
// `--keep` keeps all records even if there is no violation.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

/** @typedef {'postgres' | 'redis'} Bus how nodes notify each other */

/**
 * `clients` is per bus. `pace` multiplies the times of faults and jobs. `atOnce` runs the buses in parallel, each on its own databases, and
 * `halfOfKinds` splits the kinds of faults between them. `leaseMs` is short, so that there are many take-overs, and `patienceMs` must be
 * below it. But a PostgreSQL that restarts on a busy machine is away for a second, and calls fail if `patienceMs` is not longer than that.
 * `slackMs` is the time beyond the lease that 99 of 100 take-overs may need. The quick run has few take-overs, and other tests run in
 * parallel.
 */
const FULL = {
  minutes: 10,
  faultsPerMinute: 10.5,
  clients: 200,
  settleMs: 60_000,
  pace: 1,
  atOnce: false,
  halfOfKinds: false,
  leaseMs: 4_000,
  patienceMs: 3_000,
  slackMs: 5_000,
};
/** Less than 20 s in total, 6 s of faults: every kind once. */
const QUICK = {
  minutes: 6 / 30,
  faultsPerMinute: 53,
  clients: 12,
  settleMs: 20_000,
  pace: 0.375,
  atOnce: true,
  halfOfKinds: true,
  leaseMs: 2_500,
  patienceMs: 2_000,
  slackMs: 15_000,
};
const ROLLING = { clients: 100, rounds: 2 };

/** @typedef {typeof FULL & { seed: number, buses: readonly Bus[], rolling: boolean, rounds: number, keep: boolean }} Options */

/**
 * @param {string[]} args
 * @returns {Options}
 */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string' },
      minutes: { type: 'string' },
      clients: { type: 'string' },
      bus: { type: 'string', default: 'both' },
      quick: { type: 'boolean', default: false },
      rolling: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  });
  const size = {
    ...(values.quick ? QUICK : FULL),
    ...(values.rolling && !values.quick && ROLLING),
    rounds: values.quick ? 1 : ROLLING.rounds,
  };
  return {
    ...size,
    minutes: toNumber('minutes', values.minutes, 1_000) ?? size.minutes,
    clients: toNumber('clients', values.clients, 1_000) ?? size.clients,
    seed: toNumber('seed', values.seed, 2 ** 32 - 1) ?? randomInt(2 ** 32),
    buses: toBuses(values.bus),
    rolling: values.rolling,
    keep: values.keep,
  };
}

/**
 * @param {string} text
 * @returns {readonly Bus[]}
 */
function toBuses(text) {
  if (text === 'both') return ['postgres', 'redis'];
  if (text === 'postgres' || text === 'redis') return [text];
  throw new Error(`--bus must be postgres, redis or both, got ${text}`);
}

/**
 * @param {string} name
 * @param {string | undefined} text
 * @param {number} most
 */
function toNumber(name, text, most) {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > most)
    throw new Error(`--${name} must be a whole number from 1 to ${most}, got ${text}`);
  return number;
}
