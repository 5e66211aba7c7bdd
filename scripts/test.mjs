// `npm test`: everything that must hold, from a bare clone too.
import { install, requireNode, stopWithParent } from './setup.mjs';

requireNode();
stopWithParent();
console.log(`Node ${process.version}`);
install('all');
await import('./check.mjs');
