// A node as a child process: started, killed, paused, drained. Only ever signals the process that it started.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('node-process.mjs', import.meta.url));
const START_MS = 60_000;
/** Beyond the time that it has for draining. */
const END_MS = 15_000;

/** @typedef {import('./node-process.mjs').NodeConfig} NodeConfig */
/** @typedef {{ boot: number, from: number, to: number, how: 'kill' | 'pause' | 'drain' }} Absence when it was away, in milliseconds since the epoch */

export class ChaosNode {
  name;
  port;
  /** When, and how, it was away. @type {Absence[]} */
  absences = [];
  /** Somebody is about to take it away, or has. */
  isTarget = false;
  /** What it said when it ended although nobody had asked it to. @type {string[]} */
  deaths = [];
  #config;
  #boot = 0;
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  #isReady = false;
  #printed = '';

  /** @param {Omit<NodeConfig, 'boot'>} config */
  constructor(config) {
    this.name = config.node;
    this.port = config.port;
    this.#config = config;
  }

  /** It serves, and nobody is about to change that. */
  get isThere() {
    return this.#isReady && this.#child !== undefined && !this.isTarget;
  }

  /** Resolves when it says that calls may be sent to it. Every message that it sends is checked against the strict schema. */
  async start() {
    this.#boot += 1;
    this.#printed = '';
    const config = JSON.stringify({ ...this.#config, boot: this.#boot });
    const child = spawn(process.execPath, ['--conditions=check-output', PROGRAM, config], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => this.#note(text));
    child.once('exit', (code, signal) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.deaths.push(`node ${this.name}, life ${this.#boot}, ended by itself with ${signal ?? code}: ${this.#printed}`);
    });
    for (const deadline = Date.now() + START_MS; this.#child === child; await pause(50)) {
      if (await isReady(this.port)) break;
      if (Date.now() > deadline) throw new Error(`node ${this.name} is not ready after ${START_MS} ms: ${this.#printed}`);
    }
    this.#isReady = this.#child === child;
  }

  /** As a power cut ends it; resolves when it is gone. */
  async kill() {
    await this.#end('SIGKILL', 'kill');
  }

  /** As a deploy ends it; resolves when it is gone. */
  async drain() {
    await this.#end('SIGTERM', 'drain');
  }

  /** It stands still, its connections open, until the function that this gives is called. */
  pause() {
    const child = this.#child;
    const from = Date.now();
    const absence = { boot: this.#boot, from, to: Number.POSITIVE_INFINITY, how: /** @type {const} */ ('pause') };
    this.absences.push(absence);
    child?.kill('SIGSTOP');
    return () => {
      absence.to = Date.now();
      child?.kill('SIGCONT');
    };
  }

  /**
   * @param {NodeJS.Signals} signal
   * @param {Absence['how']} how
   */
  async #end(signal, how) {
    const child = this.#child;
    this.#child = undefined;
    this.#isReady = false;
    if (child === undefined) return;
    const absence = { boot: this.#boot, from: Date.now(), to: Number.POSITIVE_INFINITY, how };
    this.absences.push(absence);
    const gone = once(child, 'exit');
    const tooLate = setTimeout(() => {
      this.deaths.push(`node ${this.name}, life ${this.#boot}, did not end after ${signal}: ${this.#printed}`);
      child.kill('SIGKILL');
    }, this.#config.drainMs + END_MS);
    child.kill(signal);
    const [code] = await gone.finally(() => clearTimeout(tooLate));
    if (how === 'drain' && code !== 0) this.deaths.push(`node ${this.name}, life ${this.#boot}, did not drain: ${this.#printed}`);
    absence.to = Date.now();
  }

  /** @param {string} text */
  #note(text) {
    this.#printed = (this.#printed + text).slice(-4_000);
  }
}

/** @param {number} port */
async function isReady(port) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/-/ready`, { signal: AbortSignal.timeout(5_000) });
    await response.text();
    return response.ok;
  } catch {
    return false;
  }
}
