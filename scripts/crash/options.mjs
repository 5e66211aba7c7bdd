// The options of the command line: `--seed n` repeats a run, `--rounds n` sets the number of kills, `--quick` is the short run.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

/** Number of concurrent walkers of each kind (see walks.mjs). About two in three of those with questions are waiting at any time. */
const FULL = { rounds: 50, streams: 100, questions: 32, turns: 10, replies: 10 };
const QUICK = { rounds: 4, streams: 24, questions: 8, turns: 4, replies: 4 };

/** @typedef {typeof FULL & { seed: number }} Options */

/**
 * @param {string[]} args
 * @returns {Options}
 */
export function readOptions(args) {
  const { values } = parseArgs({ args, options: { seed: { type: 'string' }, rounds: { type: 'string' }, quick: { type: 'boolean' } } });
  const size = values.quick ? QUICK : FULL;
  const seed = toNumber('seed', values.seed, 2 ** 32 - 1) ?? randomInt(2 ** 32);
  return { ...size, rounds: toNumber('rounds', values.rounds, 1_000) ?? size.rounds, seed };
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
