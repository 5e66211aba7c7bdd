// `npm run chaos`: kills, pauses and disconnects three nodes on one PostgreSQL while 200 clients stream. Nothing may be lost or run twice.
import { build, install, requireNode, stop, stopWithParent } from './setup.mjs';

requireNode();
stopWithParent();
install('all');
if (!build()) stop('The build failed, see above.');
await import('./chaos/main.mjs');
