// `npm run bench`: measures the cost of Parley next to a bare node:http floor and the official SDK. Also works from a fresh clone.
import { build, install, requireNode, stop, stopWithParent } from '../scripts/setup.mjs';

requireNode();
stopWithParent();
install('all');
if (!build()) stop('The build failed, see above.');
await import('./run.mjs');
