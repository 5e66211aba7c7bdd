// What the command line may say.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** @typedef {{ only: string[], quick: boolean, out: string }} Options */

/**
 * `--only` takes names or their beginnings, once or more; `--quick` is the list for every day; `--out` is where screenshots go.
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
