// Installs what only some tests need: Debian packages, and tools outside the workspaces. `npm test` runs this beside `npm ci`.
// Uses only Node's built-in modules, because nothing may be installed yet.
import { CHROMIUM_PACKAGE } from './chromium.mjs';
import { PGBOUNCER_PACKAGE } from './databases/pgbouncer.mjs';
import { POSTGRES_PACKAGE } from './databases/postgres.mjs';
import { REDIS_PACKAGE } from './databases/redis.mjs';
import { installHosts } from './fences.mjs';
import { PYTHON_PACKAGE } from './python.mjs';
import { installBeside, installDebian, stopWithParent } from './setup.mjs';

stopWithParent();
// In one call: each call of apt-get reads the lists of packages and updates the index of the manuals.
installDebian({ ...POSTGRES_PACKAGE, ...REDIS_PACKAGE, ...PGBOUNCER_PACKAGE, ...CHROMIUM_PACKAGE, ...PYTHON_PACKAGE });
installHosts();
for (const folder of ['test/peers/oidc', 'scripts/runtimes']) installBeside(folder);
