// `npm run crash`: a server is killed again and again in the middle of its work; nothing that it acknowledged may be lost or done twice.
import { build, install, requireNode, stop, stopWithParent } from './setup.mjs';

requireNode();
stopWithParent();
install('all');
if (!build()) stop('The build failed, see above.');
await import('./crash/main.mjs');
