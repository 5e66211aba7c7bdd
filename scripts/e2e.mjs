// `npm run e2e`: tests Studio in a real Chromium, against a real `npm start`. Options: `-- --only name`, `-- --quick`, `-- --out folder`.
import { buildStudio } from './build-studio.mjs';
import { CHROMIUM_PACKAGE } from './chromium.mjs';
import { build, install, installDebian, requireNode, stop, stopWithParent } from './setup.mjs';

// A variable, so that the type checker does not follow it: that folder has its own tsconfig, because parts of it run in pages.
const MAIN = './e2e/main.mjs';

requireNode();
stopWithParent();
install('all');
installDebian(CHROMIUM_PACKAGE);
if (!build() || !buildStudio()) stop('The build failed, see above.');
await import(MAIN);
