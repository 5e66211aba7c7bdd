// `npm run bench:nodes`: measures the cost of several nodes. Also works from a fresh clone; starts its own PostgreSQL, PgBouncer and Redis.
import { installPgBouncer } from '../scripts/databases/pgbouncer.mjs';
import { installPostgres } from '../scripts/databases/postgres.mjs';
import { installRedis } from '../scripts/databases/redis.mjs';
import { build, install, requireNode, stop, stopWithParent } from '../scripts/setup.mjs';

requireNode();
stopWithParent();
install('all');
if (!build()) stop('The build failed, see above.');
installPostgres();
installPgBouncer();
installRedis();
await import('./nodes/run.mjs');
