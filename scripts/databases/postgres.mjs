// Starts a PostgreSQL: Debian's package with its own data folder and port, loopback only.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ownPort } from '../own-port.mjs';
import { installDebian } from '../setup.mjs';
import { dataFolder, identityOf, Program } from './program.mjs';

const BIN = '/usr/lib/postgresql/15/bin';
const USER = 'parley';

export const POSTGRES_PACKAGE = { 'postgresql-15': join(BIN, 'initdb') };

/** Installs PostgreSQL if it is missing; exits with a message if that is impossible. */
export function installPostgres() {
  installDebian(POSTGRES_PACKAGE);
}

/**
 * @typedef {object} Postgres
 * @property {string} url of a superuser in an empty database
 * @property {number} port
 * @property {() => number | undefined} pid of its main process
 * @property {(mode?: 'fast' | 'immediate') => Promise<void>} down `immediate` is like a power cut: the server recovers at the next start
 * @property {() => Promise<void>} up
 * @property {() => () => void} freeze stops all its processes, with connections open; the returned function resumes them
 * @property {() => Promise<void>} remove
 */

/**
 * @param {{ isDurable?: boolean, settings?: Record<string, string | number> }} [options] `isDurable`: wait for the disk, as in production.
 *   Otherwise the data survives the end of the processes, but not of the machine.
 * @returns {Promise<Postgres>}
 */
export async function startPostgres({ isDurable = false, settings = {} } = {}) {
  const identity = identityOf('postgres');
  const folder = dataFolder('postgres', identity);
  const data = join(folder, 'data');
  const port = await ownPort();
  const made = spawnSync(join(BIN, 'initdb'), ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'], {
    cwd: folder,
    encoding: 'utf8',
    ...identity,
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
  const all = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    ...(isDurable ? {} : { fsync: 'off', full_page_writes: 'off' }),
    ...settings,
  };
  const args = ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const program = new Program(join(BIN, 'postgres'), args, { folder, identity });
  const up = () => program.start(() => answers(port));
  await up();
  return {
    url: `postgresql://${USER}@127.0.0.1:${port}/postgres`,
    port,
    pid: () => program.pid,
    down: (mode = 'fast') => program.stop(mode === 'fast' ? 'SIGINT' : 'SIGQUIT'),
    up,
    freeze: () => freeze(program.pid),
    remove: () => program.remove('SIGQUIT'),
  };
}

/** Stops the main process first, so that it cannot fork new ones meanwhile. @param {number | undefined} pid @returns {() => void} */
function freeze(pid) {
  if (pid === undefined) return () => {};
  process.kill(pid, 'SIGSTOP');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  const signal = (/** @type {NodeJS.Signals} */ name) => {
    for (const one of [...children, pid]) {
      try {
        process.kill(one, name);
      } catch {
        // The process has already ended.
      }
    }
  };
  signal('SIGSTOP');
  return () => signal('SIGCONT');
}

/**
 * PostgreSQL accepts connections before it can serve them. It replies to a TLS request only when it can serve. @param {number} port
 * @returns {Promise<boolean>}
 */
function answers(port) {
  const startup = Buffer.from(`\0\x03\0\0user\0${USER}\0database\0postgres\0\0`, 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(startup.length + 4);
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.concat([length, startup])));
    const end = (/** @type {boolean} */ isReady) => {
      resolve(isReady);
      socket.destroy();
    };
    // R: authentication continues. E: refused, the server is still starting.
    socket.once('data', (data) => end(data[0] === 'R'.charCodeAt(0)));
    socket.once('error', () => end(false)).once('close', () => end(false));
  });
}
