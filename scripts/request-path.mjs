// `npm run path`: prints the modules that one request visits between the socket and the store.
import { build, install, requireNode, stop, stopWithParent } from './setup.mjs';

requireNode();
stopWithParent();
install('all');
if (!build()) stop('The build failed, see above.');
await import('./request-path/main.mjs');
