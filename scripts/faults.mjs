// `npm run faults`: streams are cut, stalled and garbled, servers killed; the client still tells everything once and in order.
import { build, install, requireNode, stop, stopWithParent } from './setup.mjs';

requireNode();
stopWithParent();
install('all');
if (!build()) stop('The build failed, see above.');
await import('./faults/main.mjs');
