// Starts the server, kills it, and tells callers where it is now. Only ever signals the process that it started.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** @typedef {import('./jobs.mjs').Policy} Policy */
/** @typedef {Record<Policy, string>} Urls */

const SERVER = fileURLToPath(new URL('server.mjs', import.meta.url));

export class ServerProcess {
  /** How often it was started. */
  boots = 0;
  /** How often it was killed. */
  kills = 0;
  /** How often it ended although nobody killed it. */
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

  /** @param {string} folder where it keeps its files */
  constructor(folder) {
    this.#folder = folder;
  }

  /** Where an agent is reached; while there is no server, waits for the next. */
  async url(/** @type {Policy} */ policy) {
    return (await this.#urls.promise)[policy];
  }

  /** Resolves at the next kill. */
  get killed() {
    return this.#killed.promise;
  }

  /** Every message that it sends is checked against the strict schema. */
  start() {
    this.boots += 1;
    const args = ['--conditions=check-output', SERVER, this.#folder, String(this.boots)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#child = child;
    child.once('message', (/** @type {any} */ urls) => {
      if (this.#child !== child) return; // it was killed while it said so
      this.#listens = true;
      this.#urls.resolve(urls);
    });
    this.#exited = new Promise((resolve) => child.once('exit', resolve)).then(() => {
      if (this.#child === child) this.deaths += 1;
    });
  }

  /** Resolves when it listens; rejects when it ended by itself. */
  async listening() {
    const ended = this.#exited.then(() => Promise.reject(new Error('the server ended by itself')));
    await Promise.race([this.#urls.promise, ended]);
  }

  /** Resolves when it is gone. */
  async kill() {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    child.kill('SIGKILL');
    // Who waits for a server that never listened waits on, for the next one.
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
