// What the command line may say: `--quick` is the size for every day, `--self-check` shows that the judge can say no, `--only` picks cases.
import { parseArgs } from 'node:util';

/** Every so many bytes and events something is done, and how often a server is killed. */
const FULL = { everyByte: 1, everyFrame: 1, kills: 8 };
const QUICK = { everyByte: 997, everyFrame: 25, kills: 1 };

/** @typedef {typeof FULL & { selfCheck: boolean, only: string | undefined }} Options */

/**
 * @param {string[]} args
 * @returns {Options}
 */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: { quick: { type: 'boolean' }, 'self-check': { type: 'boolean' }, only: { type: 'string' } },
  });
  return { ...(values.quick ? QUICK : FULL), selfCheck: values['self-check'] ?? false, only: values.only };
}
