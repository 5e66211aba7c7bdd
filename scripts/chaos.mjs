// `npm run chaos`: three nodes on one PostgreSQL are killed, paused and cut off while 200 clients stream; nothing may be lost or done twice.
import { build, install, requireNode, stop, stopWithParent } from './setup.mjs';

requireNode();
stopWithParent();
install('all');
if (!build()) stop('The build failed, see above.');
await import('./chaos/main.mjs');
