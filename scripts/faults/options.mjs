// The options of the command line: `--quick` is the short run, `--self-check` tests the judge, `--only` selects cases.
import { parseArgs } from 'node:util';

/** The step in bytes and in events between faults, and the number of kills. */
const FULL = { everyByte: 1, everyFrame: 1, kills: 8 };
const QUICK = { everyByte: 1_997, everyFrame: 25, kills: 1 };

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
