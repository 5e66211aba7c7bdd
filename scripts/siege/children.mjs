// Starts servers and attackers as child processes, and samples the memory of servers. Signals only the processes that it started.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @typedef {import('./server-process.mjs').ServerConfig} ServerConfig */

const SERVER = fileURLToPath(new URL('server-process.mjs', import.meta.url));
const ATTACKER = fileURLToPath(new URL('attacker-process.mjs', import.meta.url));
const SAMPLE_MS = 100;
const START_MS = 60_000;

/** A server above this is ended, so that the attack does not use up the memory of the machine. It has then not survived. */
const MOST_RSS_MIB = 1_500;

export class ServerUnderSiege {
  port = 0;
  peakRssMiB = 0;
  /** Why the server ended by itself, or was ended because of its memory. @type {string | undefined} */
  death;
  #child;
  #printed = '';
  #isStopped = false;
  #sampler;

  /** @param {ServerConfig} config */
  constructor(config) {
    // NODE_OPTIONS could set the size of the heap, or a condition that checks all output.
    const { NODE_OPTIONS: _, ...env } = process.env;
    const child = spawn(process.execPath, ['--no-warnings', SERVER, JSON.stringify(config)], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...env, NODE_ENV: 'production' },
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        this.#printed = (this.#printed + text).slice(-10_000);
      });
    }
    this.#child = child;
    this.exited = new Promise((resolve) => child.once('exit', resolve)).then((code) => {
      if (!this.#isStopped) this.death ??= `exited with ${child.signalCode ?? code}: ${errorOf(this.#printed)}`;
    });
    this.#sampler = setInterval(() => this.#sample(), SAMPLE_MS);
  }

  /** Resolves when the server listens; rejects if it ends before. */
  async listening() {
    const message = new Promise((resolve, reject) => {
      this.#child.once('message', resolve);
      setTimeout(() => reject(new Error(`the server does not listen after ${START_MS} ms`)), START_MS).unref();
    });
    const ended = this.exited.then(() => Promise.reject(new Error(`the server did not start: ${this.death}`)));
    ({ port: this.port } = /** @type {{ port: number }} */ (await Promise.race([message, ended])));
  }

  #sample() {
    this.peakRssMiB = Math.max(this.peakRssMiB, peakRssOf(this.#child.pid ?? 0));
    if (this.peakRssMiB <= MOST_RSS_MIB || this.#isStopped || this.death !== undefined) return;
    this.death = `ended by this test above ${MOST_RSS_MIB} MiB`;
    this.#child.kill('SIGKILL');
  }

  /** Like a power cut. */
  async kill() {
    this.#isStopped = true;
    clearInterval(this.#sampler);
    this.#child.kill('SIGKILL');
    await this.exited;
  }
}

/** The line that names the error, among stack traces. @param {string} printed */
function errorOf(printed) {
  return printed.split('\n').find((line) => /error/i.test(line)) ?? printed.slice(-300);
}

/** The highest resident memory of a process so far; 0 if it has ended. @param {number} pid */
function peakRssOf(pid) {
  try {
    const [, kib = '0'] = /VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kib) / 1_024;
  } catch {
    return 0;
  }
}

export class Attacker {
  /** What the attacker counted: answers by status, connections, failures. @type {Record<string, number>} */
  tally = {};
  isReady = false;
  #child;

  /** @param {import('./attacker-process.mjs').AttackerConfig} config */
  constructor(config) {
    this.#child = spawn(process.execPath, ['--no-warnings', ATTACKER, JSON.stringify(config)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    /** Resolves when the preparations are over, or the process has ended. @type {Promise<void>} */
    this.ready = new Promise((resolve) => {
      this.#child.on('message', (/** @type {{ ready?: true, tally?: Record<string, number> }} */ { ready, tally }) => {
        if (tally) this.tally = tally;
        this.isReady ||= ready === true;
        if (ready) resolve();
      });
      this.#child.once('exit', () => resolve());
    });
    this.exited = new Promise((resolve) => this.#child.once('exit', resolve));
  }

  async stop() {
    this.#child.kill('SIGKILL');
    await this.exited;
  }
}
