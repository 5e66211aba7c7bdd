// `npm run build`: the library and the demo, file per file.
import { build } from './setup.mjs';

if (!build()) process.exit(1);
