// `npm start`: runs the demo agent, also from a fresh clone.
import { buildStudio } from './build-studio.mjs';
import { build, install, requireNode, stop, stopWithParent } from './setup.mjs';

requireNode();
stopWithParent();
install('start');
if (!build()) stop('The build failed, see above. If node_modules was copied from another machine, delete it and try again.');
if (!buildStudio()) console.error('\nThe build of Studio failed, see above. The agent starts with the previous build, if there is one.\n');
await import('../packages/demo/dist/main.js');
