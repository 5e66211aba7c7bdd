// Starts a Redis: Debian's package with its own folder and port, loopback only, without persistence.
import { connect } from 'node:net';
import { ownPort } from '../own-port.mjs';
import { installDebian } from '../setup.mjs';
import { dataFolder, Program } from './program.mjs';

const SERVER = '/usr/bin/redis-server';

export const REDIS_PACKAGE = { 'redis-server': SERVER };

/** Installs Redis if it is missing; exits with a message if that is impossible. */
export function installRedis() {
  installDebian(REDIS_PACKAGE);
}

/**
 * @typedef {object} Redis
 * @property {string} url
 * @property {number} port
 * @property {() => number | undefined} pid
 * @property {() => Promise<void>} down
 * @property {() => Promise<void>} up
 * @property {() => Promise<void>} remove
 */

/** @returns {Promise<Redis>} */
export async function startRedis() {
  const folder = dataFolder('redis', undefined);
  const port = await ownPort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const program = new Program(SERVER, args, { folder });
  const up = () => program.start(() => answers(port));
  await up();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: () => program.pid,
    down: () => program.stop('SIGKILL'),
    up,
    remove: () => program.remove('SIGKILL'),
  };
}

/** @param {number} port @returns {Promise<boolean>} */
function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const end = (/** @type {boolean} */ isReady) => {
      resolve(isReady);
      socket.destroy();
    };
    socket.once('data', (data) => end(data.toString().startsWith('+PONG')));
    socket.once('error', () => end(false)).once('close', () => end(false));
  });
}
