// `npm run build`: compiles the library and the demo file by file, and bundles Studio.
import { buildStudio } from './build-studio.mjs';
import { build } from './setup.mjs';

if (!build() || !buildStudio()) process.exit(1);
