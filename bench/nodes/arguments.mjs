// Reads the command line.
import { parseArgs } from 'node:util';

/** @typedef {'latency' | 'cost' | 'list'} Part */

/**
 * @typedef {object} Options
 * @property {import('./sizes.mjs').Mode} mode
 * @property {readonly Part[]} parts
 * @property {boolean} write whether to update docs/benchmarks.md
 * @property {boolean} help
 */

/** @type {readonly Part[]} */
const PARTS = ['latency', 'cost', 'list'];

export const USAGE = `npm run bench:nodes -- [options]

  --quick               in a minute or two; shows whether something broke, not for publication
  --only latency,cost   only these parts of: ${PARTS.join(', ')}
  --write               updates docs/benchmarks.md; the default for a full run of all parts
  --no-write            does not update it
`;

/**
 * @param {readonly string[]} args
 * @returns {Options}
 */
export function readArguments(args) {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      write: { type: 'boolean' },
      help: { type: 'boolean', default: false },
    },
  });
  const only = values.only.split(',').filter((name) => name !== '');
  const unknown = only.find((name) => !PARTS.some((part) => part === name));
  if (unknown !== undefined) throw new Error(`no such part: ${unknown}; the parts are ${PARTS.join(', ')}`);
  const parts = PARTS.filter((part) => only.length === 0 || only.includes(part));
  const isWhole = !values.quick && parts.length === PARTS.length;
  return { mode: values.quick ? 'quick' : 'full', parts, write: values.write ?? isWhole, help: values.help };
}
