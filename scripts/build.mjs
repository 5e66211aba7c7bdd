// `npm run build`: compiles the library and the demo file by file, and bundles Studio. Installs what they need when it is missing.
import { buildStudio } from './build-studio.mjs';
import { build, install, requireNode } from './setup.mjs';

requireNode();
install('start');
if (!build() || !buildStudio()) process.exit(1);
