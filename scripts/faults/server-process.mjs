// Starts a server in its own process, sends messages to it, and kills it. Signals only the process that it started.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export class ServerProcess {
  #script;
  #args;
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  /** The end of its output, printed if it exits unexpectedly. */
  #printed = '';

  /**
   * @param {URL} script
   * @param {string[]} [args]
   */
  constructor(script, args = []) {
    this.#script = fileURLToPath(script);
    this.#args = args;
  }

  /** Resolves with its URL when it listens. @returns {Promise<string>} */
  async start() {
    const child = spawn(process.execPath, [this.#script, ...this.#args], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        this.#printed = (this.#printed + text).slice(-4_000);
      });
    }
    child.once('exit', (code) => {
      if (this.#child === child) console.error(`${this.#script} exited unexpectedly with ${code}:\n${this.#printed}`);
    });
    return new Promise((resolve, reject) => {
      child.once('message', (url) => resolve(String(url)));
      child.once('exit', (code) => reject(new Error(`${this.#script} exited with ${code} before it listened`)));
    });
  }

  /** @param {string} word */
  tell(word) {
    this.#child?.send(word);
  }

  /** Sends SIGKILL; resolves when the process has exited. */
  async kill() {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }
}
