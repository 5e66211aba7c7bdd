// Starts the servers behind the nodes and measures their CPU time.
import { readdirSync, readFileSync } from 'node:fs';
import { startPgBouncer } from '../../scripts/databases/pgbouncer.mjs';
import { startPostgres } from '../../scripts/databases/postgres.mjs';
import { startRedis } from '../../scripts/databases/redis.mjs';

/**
 * @typedef {object} Servers
 * @property {string} url of the PostgreSQL, which waits for the disk, as in production
 * @property {string} bouncedUrl the same through a PgBouncer in transaction mode, which does not pass notifications
 * @property {string} redisUrl
 * @property {() => string} newSchema returns an unused name
 * @property {() => number | undefined} postgresCpu microseconds of CPU time of all its processes so far; undefined if /proc is missing
 * @property {() => number | undefined} redisCpu the same for Redis
 * @property {() => Promise<void>} stopRedis
 * @property {() => Promise<void>} startRedis
 * @property {() => Promise<void>} remove
 */

/** @returns {Promise<Servers>} */
export async function startServers() {
  const postgres = await startPostgres({ isDurable: true });
  const bouncer = await startPgBouncer({ url: postgres.url, mode: 'transaction' });
  const redis = await startRedis();
  let schemas = 0;
  return {
    url: postgres.url,
    bouncedUrl: bouncer.url,
    redisUrl: redis.url,
    newSchema: () => {
      schemas += 1;
      return `bench_${schemas}`;
    },
    postgresCpu: () => cpuOfTree(postgres.pid() ?? 0),
    redisCpu: () => cpuOfTree(redis.pid() ?? 0),
    stopRedis: redis.down,
    startRedis: redis.up,
    remove: async () => {
      await bouncer.remove();
      await Promise.all([postgres.remove(), redis.remove()]);
    },
  };
}

/** A tick is a hundredth of a second on every Linux that Node runs on. */
const TICK_MICROS = 10_000;

/**
 * CPU time of a process and its children, including ended ones.
 * @param {number} pid
 * @returns {number | undefined}
 */
function cpuOfTree(pid) {
  try {
    const parent = readStat(pid);
    if (parent === undefined) return undefined;
    let ticks = parent.own + parent.ended;
    for (const name of readdirSync('/proc')) {
      const child = /^\d+$/.test(name) ? readStat(Number(name)) : undefined;
      if (child?.parent === pid) ticks += child.own;
    }
    return ticks * TICK_MICROS;
  } catch {
    return undefined;
  }
}

/**
 * @param {number} pid
 * @returns {{ parent: number, own: number, ended: number } | undefined} undefined for a process that has ended
 */
function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process name before this may contain any character.
    const [, parent, ...rest] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = rest.slice(9);
    return { parent: parent ?? 0, own: user + system, ended: endedUser + endedSystem };
  } catch {
    return undefined;
  }
}
