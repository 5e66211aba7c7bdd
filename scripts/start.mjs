// `npm start`: the demo agent, from a bare clone too.
import { buildStudio } from './build-studio.mjs';
import { build, install, requireNode, stop, stopWithParent } from './setup.mjs';

requireNode();
stopWithParent();
install('start');
if (!build()) stop('The build failed, see above. If node_modules came from another machine, delete it and try again.');
if (!buildStudio()) console.error('\nStudio could not be built, see above. The agent starts without what is new in it.\n');
await import('../packages/demo/dist/main.js');
