// `npm run interop`: the official SDK's client calls our agents and our client calls its agents, over JSON-RPC and HTTP+JSON.
import { build, install, requireNode, stop, stopWithParent } from './setup.mjs';

requireNode();
stopWithParent();
install('all');
if (!build()) stop('The build failed, see above.');
await import('./interop/run.mjs');
