// What the command line may say. `--quick` is the size for every day, `--seed n` repeats a plan, `--rolling` restarts nodes in turn instead,
// `--keep` leaves what everybody wrote down also when all is well.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

/** @typedef {'postgres' | 'redis'} Bus how nodes hear each other */

const FULL = { minutes: 10, faultsPerMinute: 10.5, clients: 200, settleMs: 60_000 };
const QUICK = { minutes: 0.75, faultsPerMinute: 24, clients: 60, settleMs: 40_000 };
/** Of each node in turn, twice. */
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
