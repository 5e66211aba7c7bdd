// Prints the recorded modules. Uses the existing build; `npm run path` builds first. `--dist <folder>` measures another build, `--json` prints
// JSON. A module counts if V8 coverage shows that one of its functions ran for the request; loading it does not count.
import { basename, dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../setup.mjs';
import { recordPaths } from './record.mjs';

const { values } = parseArgs({ options: { dist: { type: 'string', default: `${root}/packages/a2a/dist` }, json: { type: 'boolean' } } });
const paths = await recordPaths(values.dist);
if (values.json) console.log(JSON.stringify(paths));
else for (const [kind, modules] of Object.entries(paths)) print(kind, modules);

/**
 * @param {string} kind
 * @param {readonly string[]} modules
 */
function print(kind, modules) {
  console.log(
    `\n${kind}: ${modules.length} modules, ${modules.filter((module) => module.startsWith('server/')).length} of them in server/`,
  );
  for (const folder of new Set(modules.map(dirname))) {
    console.log(
      `  ${folder}: ${modules
        .filter((module) => dirname(module) === folder)
        .map((module) => basename(module))
        .join(', ')}`,
    );
  }
}
