// Starts a PgBouncer in front of a PostgreSQL: Debian's package with its own folder and port, loopback only.
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ownPort } from '../own-port.mjs';
import { installDebian } from '../setup.mjs';
import { dataFolder, identityOf, Program } from './program.mjs';

const BOUNCER = '/usr/sbin/pgbouncer';

export const PGBOUNCER_PACKAGE = { pgbouncer: BOUNCER };

/** Installs PgBouncer if it is missing; exits with a message if that is impossible. */
export function installPgBouncer() {
  installDebian(PGBOUNCER_PACKAGE);
}

/**
 * @param {{ url: string, mode: 'session' | 'transaction' }} options `url` of the PostgreSQL
 * @returns {Promise<{ url: string, remove: () => Promise<void> }>}
 */
export async function startPgBouncer({ url, mode }) {
  const { hostname, port: behind, username, pathname } = new URL(url);
  const identity = identityOf('postgres');
  const folder = dataFolder('pgbouncer', identity);
  const port = await ownPort();
  const settings = join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${behind} user=${username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
  ];
  writeFileSync(settings, `${lines.join('\n')}\n`);
  const program = new Program(BOUNCER, ['-q', settings], { folder, identity });
  await program.start(() => answers(port));
  return { url: `postgresql://${username}@127.0.0.1:${port}${pathname}`, remove: () => program.remove('SIGKILL') };
}

/** @param {number} port @returns {Promise<boolean>} */
function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      resolve(true);
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
  });
}
