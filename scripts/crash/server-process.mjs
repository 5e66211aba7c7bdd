// Starts the server, kills it, and gives callers its current URL. Signals only the process that it started.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** @typedef {import('./jobs.mjs').Policy} Policy */
/** @typedef {Record<Policy, string>} Urls */

const SERVER = fileURLToPath(new URL('server.mjs', import.meta.url));

export class ServerProcess {
  /** Number of starts. */
  boots = 0;
  /** Number of kills. */
  kills = 0;
  /** Number of unexpected exits. */
  deaths = 0;
  #folder;
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  /** @type {Promise<unknown>} */
  #exited = Promise.resolve();
  #listens = false;
  /** @type {Later<Urls>} */
  #urls = later();
  /** @type {Later<void>} */
  #killed = later();

  /** @param {string} folder for its files */
  constructor(folder) {
    this.#folder = folder;
  }

  /** The URL of an agent. If no server is running, waits for the next one. */
  async url(/** @type {Policy} */ policy) {
    return (await this.#urls.promise)[policy];
  }

  /** Resolves at the next kill. */
  get killed() {
    return this.#killed.promise;
  }

  /** Starts the server. The strict schema checks every message that it sends. */
  start() {
    this.boots += 1;
    const args = ['--conditions=check-output', SERVER, this.#folder, String(this.boots)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#child = child;
    child.once('message', (/** @type {any} */ urls) => {
      if (this.#child !== child) return; // killed while it sent this message
      this.#listens = true;
      this.#urls.resolve(urls);
    });
    this.#exited = new Promise((resolve) => child.once('exit', resolve)).then(() => {
      if (this.#child === child) this.deaths += 1;
    });
  }

  /** Resolves when the server listens; rejects if it exits unexpectedly. */
  async listening() {
    const ended = this.#exited.then(() => Promise.reject(new Error('the server exited unexpectedly')));
    await Promise.race([this.#urls.promise, ended]);
  }

  /** Resolves when the server has exited. */
  async kill() {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    child.kill('SIGKILL');
    // Callers that wait for a server that never listened keep waiting for the next one.
    if (this.#listens) this.#urls = later();
    this.#listens = false;
    this.kills += 1;
    await this.#exited;
    this.#killed.resolve();
    this.#killed = later();
  }
}

/**
 * @template T
 * @typedef {{ promise: Promise<T>, resolve(value: T): void }} Later
 */

/**
 * @template T
 * @returns {Later<T>}
 */
function later() {
  /** @type {(value: T) => void} */
  let resolve = () => {};
  /** @type {Promise<T>} */
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
