// `npm run interop`: clients of the official SDK, 1.3.0 and 0.3.14, and of other frameworks call our agents, and our client calls their
// agents.
import { parseArgs } from 'node:util';
import { FOLDER } from './interop/frameworks/programs.mjs';
import { build, install, installBeside, requireNode, stop, stopWithParent } from './setup.mjs';

const { values } = parseArgs({ options: { frameworks: { type: 'boolean' }, 'self-check': { type: 'boolean' } } });
requireNode();
stopWithParent();
install('all');
installBeside(FOLDER);
if (!build()) stop('The build failed, see above.');
if (values.frameworks || values['self-check']) {
  const { frameworks, selfCheck } = await import('./interop/frameworks/run.mjs');
  process.exitCode = (await (values.frameworks ? frameworks() : selfCheck())) > 0 ? 1 : 0;
} else await import('./interop/run.mjs');
