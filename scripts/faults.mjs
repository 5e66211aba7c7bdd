// `npm run faults`: cuts, stalls and corrupts streams and kills servers. The client must still deliver every event once and in order.
import { build, install, requireNode, stop, stopWithParent } from './setup.mjs';

requireNode();
stopWithParent();
install('all');
if (!build()) stop('The build failed, see above.');
await import('./faults/main.mjs');
