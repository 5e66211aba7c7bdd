// Finds a port for a server that restarts on the same port. The system may give an ephemeral port to an outgoing connection while the
// server is down; these ports are below the ephemeral range.
import { createServer } from 'node:net';

const FROM = 10_000;
const TO = 30_000;
const TRIES = 50;

/** @returns {Promise<number>} */
export async function ownPort() {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = FROM + Math.floor(Math.random() * (TO - FROM));
    if (await isFree(port)) return port;
  }
  throw new Error(`found no free port between ${FROM} and ${TO}`);
}

/** @param {number} port @returns {Promise<boolean>} */
function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
