// `npm start`: the demo agent, from a bare clone too.
import { build, install, requireNode, stop, stopWithParent } from './setup.mjs';

requireNode();
stopWithParent();
install('start');
if (!build()) stop('The build failed, see above. If node_modules came from another machine, delete it and try again.');
await import('../packages/demo/dist/main.js');
