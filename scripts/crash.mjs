// `npm run crash`: kills a server repeatedly while it works. No acknowledged event may be lost and no work may be done twice.
import { build, install, requireNode, stop, stopWithParent } from './setup.mjs';

requireNode();
stopWithParent();
install('all');
if (!build()) stop('The build failed, see above.');
await import('./crash/main.mjs');
