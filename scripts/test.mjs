// `npm test`: runs all checks and tests, also from a fresh clone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { install, requireNode, stop, stopWithParent } from './setup.mjs';

requireNode();
stopWithParent();
console.log(`Node ${process.version}`);
// At the same time, because each of the two mostly waits.
const tools = once(spawn(process.execPath, [fileURLToPath(new URL('install-tools.mjs', import.meta.url))], { stdio: 'inherit' }), 'exit');
install('all');
const [code] = await tools;
if (code !== 0) stop('The tools of the tests could not be installed, see above.');
await import('./check.mjs');
