// The options of the command line.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** @typedef {{ only: string[], quick: boolean, out: string }} Options */

/**
 * `--only` takes the beginning of scenario names and can be repeated; `--quick` selects the short list; `--out` is the folder for
 * screenshots.
 * @param {string[]} args
 * @returns {Options}
 */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: { only: { type: 'string', multiple: true }, quick: { type: 'boolean' }, out: { type: 'string' } },
  });
  const only = (values.only ?? []).flatMap((names) => names.split(',')).filter((name) => name !== '');
  return { only, quick: values.quick ?? false, out: resolve(values.out ?? '.screenshots') };
}
