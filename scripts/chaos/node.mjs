// Runs a node as a child process, and kills, pauses and drains it. Signals only the process that it started.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('node-process.mjs', import.meta.url));
const START_MS = 60_000;
/** Extra time beyond the drain time. */
const END_MS = 15_000;

/** @typedef {import('./node-process.mjs').NodeConfig} NodeConfig */
/** @typedef {{ boot: number, from: number, to: number, how: 'kill' | 'pause' | 'drain' }} Absence a period in milliseconds since the epoch */

export class ChaosNode {
  name;
  port;
  /** The periods in which the node was away. @type {Absence[]} */
  absences = [];
  /** A fault is about to take this node away, or has. */
  isTarget = false;
  /** Output of unexpected exits. @type {string[]} */
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

  /** The node serves, and no fault is about to take it away. */
  get isThere() {
    return this.#isReady && this.#child !== undefined && !this.isTarget;
  }

  /** Resolves when the node reports that it is ready. The strict schema checks every message that it sends. */
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
      this.deaths.push(`node ${this.name}, boot ${this.#boot}, exited unexpectedly with ${signal ?? code}: ${this.#printed}`);
    });
    for (const deadline = Date.now() + START_MS; this.#child === child; await pause(50)) {
      if (await isReady(this.port)) break;
      if (Date.now() > deadline) throw new Error(`node ${this.name} is not ready after ${START_MS} ms: ${this.#printed}`);
    }
    this.#isReady = this.#child === child;
  }

  /** Ends the node like a power cut; resolves when it has exited. */
  async kill() {
    await this.#end('SIGKILL', 'kill');
  }

  /** Ends the node like a deploy; resolves when it has exited. */
  async drain() {
    await this.#end('SIGTERM', 'drain');
  }

  /** Stops the process with its connections open, until the returned function is called. */
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
      this.deaths.push(`node ${this.name}, boot ${this.#boot}, did not exit after ${signal}: ${this.#printed}`);
      child.kill('SIGKILL');
    }, this.#config.drainMs + END_MS);
    child.kill(signal);
    const [code] = await gone.finally(() => clearTimeout(tooLate));
    if (how === 'drain' && code !== 0) this.deaths.push(`node ${this.name}, boot ${this.#boot}, did not drain: ${this.#printed}`);
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
