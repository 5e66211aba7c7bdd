// A port for a server that goes away and comes back. Free ones that the system gives are also given to whoever connects somewhere
// meanwhile; these are below the range that it takes those from.
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
  throw new Error(`no port between ${FROM} and ${TO} is free`);
}

/** @param {number} port @returns {Promise<boolean>} */
function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
