// `npm run e2e`: Studio in a real Chromium, against a real `npm start`. `-- --only name`, `-- --quick`, `-- --out folder`.
import { buildStudio } from './build-studio.mjs';
import { CHROMIUM } from './chromium.mjs';
import { build, install, installDebian, requireNode, stop, stopWithParent } from './setup.mjs';

// By a name that the type checker does not follow: what is in there has a tsconfig of its own, because it also runs in pages.
const MAIN = './e2e/main.mjs';

requireNode();
stopWithParent();
install('all');
installDebian({ chromium: CHROMIUM });
if (!build() || !buildStudio()) stop('The build failed, see above.');
await import(MAIN);
