// `npm run siege`: attacks a server with allowed requests, and checks that a well-behaved caller beside the attackers notices nothing.
import { build, install, requireNode, stop, stopWithParent } from './setup.mjs';

requireNode();
stopWithParent();
install('all');
if (!build()) stop('The build failed, see above.');
await import('./siege/main.mjs');
