// `npm test`: runs all checks and tests, also from a fresh clone.
import { install, requireNode, stopWithParent } from './setup.mjs';

requireNode();
stopWithParent();
console.log(`Node ${process.version}`);
install('all');
await import('./check.mjs');
