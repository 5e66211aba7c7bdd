// Runs the clients in separate processes, so that faults of the nodes do not delay what the clients measure.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** @typedef {import('./tally.mjs').Tally} Tally */

const PROGRAM = fileURLToPath(new URL('client-process.mjs', import.meta.url));
const PER_PROCESS = 100;
/** Interval at which a client process reports its tally. */
const TELL_MS = 200;

export class Clients {
  #parts;
  /** @type {import('node:child_process').ChildProcess[]} */
  #children = [];
  /** @type {Map<import('node:child_process').ChildProcess, Tally>} */
  #tallies = new Map();

  /** @param {{ folder: string, clients: number, seed: number, pace: number }} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /** @param {string} url */
  async start(url) {
    const { folder, clients, seed, pace } = this.#parts;
    const processes = Math.ceil(clients / PER_PROCESS);
    this.#children = Array.from({ length: processes }, (_, index) => {
      const [first, next] = [index, index + 1].map((part) => Math.floor((clients * part) / processes));
      const config = JSON.stringify({ url, folder, seed, pace, first, next, tellMs: TELL_MS });
      const child = spawn(process.execPath, [PROGRAM, config], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      child.on('message', (tally) => void this.#tallies.set(child, /** @type {Tally} */ (tally)));
      return child;
    });
    await Promise.all(this.#children.map((child) => once(child, 'spawn')));
  }

  /** The progress of each process. */
  get tallies() {
    return [...this.#tallies.values()];
  }

  /** Resolves when the clients have started as many tasks as there are clients. Earlier faults would hit idle nodes. */
  async busy(/** @type {AbortSignal} */ signal) {
    const begun = () => this.tallies.reduce((all, tally) => all + tally.begun, 0);
    while (begun() < this.#parts.clients) await pause(TELL_MS, undefined, { signal });
  }

  /** Tells the clients to finish their current task and start no other. Resolves when all have ended. */
  async finish(/** @type {number} */ withinMs) {
    const tooLate = setTimeout(() => void this.kill(), withinMs);
    const ends = this.#children.filter(isAlive).map((child) => once(child, 'exit'));
    for (const child of this.#children.filter(isAlive)) child.send('finish');
    const codes = await Promise.all(ends).finally(() => clearTimeout(tooLate));
    return codes.every(([code]) => code === 0);
  }

  async kill() {
    const alive = this.#children.filter(isAlive);
    const ends = alive.map((child) => once(child, 'exit'));
    for (const child of alive) child.kill('SIGKILL');
    await Promise.all(ends);
  }
}

/** @param {import('node:child_process').ChildProcess} child */
function isAlive({ exitCode, signalCode }) {
  return exitCode === null && signalCode === null;
}
