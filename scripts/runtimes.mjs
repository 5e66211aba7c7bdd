// `npm run runtimes`: tests the client on every supported platform, and the fetch handler on every platform that can serve.
import { CHROMIUM_PACKAGE } from './chromium.mjs';
import { build, install, installBeside, installDebian, requireNode, stop, stopWithParent } from './setup.mjs';

requireNode();
stopWithParent();
install('all');
installBeside('scripts/runtimes');
installDebian(CHROMIUM_PACKAGE);
if (!build()) stop('The build failed, see above.');
await import('./runtimes/run.mjs');
