// Reads the command line.
import { parseArgs } from 'node:util';

/**
 * @typedef {object} Options
 * @property {'full' | 'quick'} mode
 * @property {readonly string[]} only ids of workloads; empty means all. `5` means `5 × 1`, `5 × 16` and `5 × 64`
 * @property {boolean} peer
 * @property {boolean} write whether to update docs/benchmarks.md
 * @property {string | undefined} against a commit: compare with its build instead of with the floor and the official SDK
 * @property {number} bound the highest accepted ratio to that build
 * @property {boolean} help
 */

export const USAGE = `npm run bench -- [options]

  --quick         shorter, about five minutes; shows whether something broke, not for publication
  --only 2,5      only these workloads
  --no-peer       without the official SDK
  --write         updates docs/benchmarks.md; the default for a full run of all workloads
  --no-write      does not update it

  --against <commit>   compares this checkout with the build of another commit; --only and --quick apply
  --bound 1.05         fails if a median ratio is higher
`;

const BOUND = 1.05;

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
      against: { type: 'string' },
      bound: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const { against } = values;
  if (against === undefined && values.bound !== undefined) throw new Error('--bound needs --against <commit>');
  if (against !== undefined && values.write)
    throw new Error('--write cannot be combined with --against: the page shows ratios to the floor');
  const only = values.only.split(',').filter((id) => id !== '');
  const isWhole = !values.quick && only.length === 0 && values.peer && against === undefined;
  const mode = values.quick ? 'quick' : 'full';
  return { mode, only, peer: values.peer, write: values.write ?? isWhole, against, bound: readBound(values.bound), help: values.help };
}

/** @param {string | undefined} text */
function readBound(text) {
  const bound = text === undefined ? BOUND : Number(text);
  if (!(bound > 0 && bound <= 100)) throw new Error(`--bound must be a number above 0 and at most 100, got ${text}`);
  return bound;
}
