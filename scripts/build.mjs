// `npm run build`: the library and the demo, file per file, and Studio.
import { buildStudio } from './build-studio.mjs';
import { build } from './setup.mjs';

if (!build() || !buildStudio()) process.exit(1);
