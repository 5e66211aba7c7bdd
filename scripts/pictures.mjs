// `npm run pictures`: takes the README's pictures of Studio from a running `npm start`, in light and in dark, and writes them to docs/pictures.
import { buildStudio } from './build-studio.mjs';
import { CHROMIUM_PACKAGE } from './chromium.mjs';
import { build, install, installDebian, requireNode, stop, stopWithParent } from './setup.mjs';

// The type checker must not follow this import: the folder e2e has a tsconfig of its own, because some of its code runs in pages.
const MAIN = './e2e/take-pictures.mjs';

requireNode();
stopWithParent();
install('all');
installDebian(CHROMIUM_PACKAGE);
if (!build() || !buildStudio()) stop('The build failed, see above.');
await import(MAIN);
