// `npm run bench`: what Parley costs, beside a bare node:http floor and the official SDK. From a bare clone too.
import { build, install, requireNode, stop, stopWithParent } from '../scripts/setup.mjs';

requireNode();
stopWithParent();
install('all');
if (!build()) stop('The build failed, see above.');
await import('./run.mjs');
