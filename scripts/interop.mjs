// `npm run interop`: the client of the official SDK drives our agents and ours drives its agents, over JSON-RPC and over HTTP+JSON.
import { build, install, requireNode, stop, stopWithParent } from './setup.mjs';

requireNode();
stopWithParent();
install('all');
if (!build()) stop('The build failed, see above.');
await import('./interop/run.mjs');
