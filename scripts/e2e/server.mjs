// Runs `npm start` as a user would, with its own port and data folder. Signals only the processes that it started.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownPort } from '../own-port.mjs';
import { root } from '../setup.mjs';

const START_MS = 60_000;

export class Server {
  /** Number of starts. */
  boots = 0;
  /** The complete output. */
  output = '';
  #port;
  #folder;
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  /** @type {Promise<unknown>} */
  #exited = Promise.resolve();

  /**
   * @param {number} port
   * @param {string} folder
   */
  constructor(port, folder) {
    this.#port = port;
    this.#folder = folder;
  }

  /** Resolves when the server listens. */
  static async start() {
    const server = new Server(await ownPort(), await mkdtemp(join(tmpdir(), 'parley-e2e-')));
    await server.restart();
    return server;
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Kills the server without warning. Resolves when it has exited. */
  async kill() {
    await this.#end('SIGKILL');
  }

  /** Restarts the server on the same port and data. Resolves when it listens. */
  async restart() {
    await this.kill();
    this.boots += 1;
    const env = { ...process.env, PORT: String(this.#port), PARLEY_DATA: join(this.#folder, 'data') };
    // A separate process group: npm starts a shell, which starts the agent. A signal to npm alone would reach neither.
    const child = spawn('npm', ['start'], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    this.#exited = new Promise((resolve) => child.once('close', resolve));
    const from = this.output.length;
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (this.output += text));
    await this.#listens(child, from);
  }

  /** Stops the server and removes its data. */
  async stop() {
    await this.#end('SIGTERM');
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** @param {NodeJS.Signals} signal */
  async #end(signal) {
    const child = this.#child;
    if (child?.pid === undefined) return;
    this.#child = undefined;
    try {
      process.kill(-child.pid, signal);
    } catch {
      // the process has already ended
    }
    await this.#exited;
  }

  /**
   * @param {import('node:child_process').ChildProcess} child
   * @param {number} from
   * @returns {Promise<void>}
   */
  #listens(child, from) {
    return new Promise((resolve, reject) => {
      const fail = (/** @type {string} */ what) => reject(new Error(`npm start ${what}:\n${this.output.slice(from)}`));
      const timer = setTimeout(() => fail('took too long'), START_MS);
      child.once('close', () => fail('ended'));
      child.stdout?.on('data', () => {
        if (!this.output.slice(from).includes('The demo agent is running')) return;
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
