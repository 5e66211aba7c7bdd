// Reads the command line.
import { parseArgs } from 'node:util';

/**
 * @typedef {object} Options
 * @property {'full' | 'quick'} mode
 * @property {readonly string[]} only ids of workloads; empty means all. `5` means `5 × 1`, `5 × 16` and `5 × 64`
 * @property {boolean} peer
 * @property {boolean} write whether to update docs/benchmarks.md
 * @property {boolean} help
 */

export const USAGE = `npm run bench -- [options]

  --quick         shorter, under four minutes; shows whether something broke, not for publication
  --only 2,5      only these workloads
  --no-peer       without the official SDK
  --write         updates docs/benchmarks.md; the default for a full run of all workloads
  --no-write      does not update it
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
      peer: { type: 'boolean', default: true },
      write: { type: 'boolean' },
      help: { type: 'boolean', default: false },
    },
  });
  const only = values.only.split(',').filter((id) => id !== '');
  const isWhole = !values.quick && only.length === 0 && values.peer;
  return { mode: values.quick ? 'quick' : 'full', only, peer: values.peer, write: values.write ?? isWhole, help: values.help };
}
