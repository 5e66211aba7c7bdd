// What the command line may say. `--quick` is the size for every day, `--seed n` repeats a plan, `--rolling` restarts nodes in turn instead,
// `--keep` leaves what everybody wrote down also when all is well.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

/** @typedef {'postgres' | 'redis'} Bus how nodes hear each other */

/**
 * `clients` are per bus. `pace` multiplies the times of faults and jobs. `atOnce` runs the buses side by side, each on databases of its own,
 * and `halfOfKinds` deals the kinds of faults to them. `leaseMs` is short, so that many take-overs fit in, and `patienceMs` below it, as it
 * should be; but a PostgreSQL that restarts on a busy machine is away for a second, and calls fail when `patienceMs` is not longer than that.
 * `slackMs` is what a take-over may take beyond the lease, for 99 of 100; the quick form has few take-overs, and other tests run beside it.
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
/** Less than 20 s, of which the plans have 6: every kind of fault once. */
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
  throw new Error(`--bus is postgres, redis or both, not ${text}`);
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
    throw new Error(`--${name} is a whole number from 1 to ${most}, not ${text}`);
  return number;
}
