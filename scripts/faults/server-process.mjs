// A server in a process of its own: started, spoken to, killed. Only ever signals the process that it started.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export class ServerProcess {
  #script;
  #args;
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  /** The end of what it printed, for the case that it ends by itself. */
  #printed = '';

  /**
   * @param {URL} script
   * @param {string[]} [args]
   */
  constructor(script, args = []) {
    this.#script = fileURLToPath(script);
    this.#args = args;
  }

  /** Resolves with its address when it listens. @returns {Promise<string>} */
  async start() {
    const child = spawn(process.execPath, [this.#script, ...this.#args], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        this.#printed = (this.#printed + text).slice(-4_000);
      });
    }
    child.once('exit', (code) => {
      if (this.#child === child) console.error(`${this.#script} ended by itself with ${code}:\n${this.#printed}`);
    });
    return new Promise((resolve, reject) => {
      child.once('message', (url) => resolve(String(url)));
      child.once('exit', (code) => reject(new Error(`${this.#script} ended with ${code} before it listened`)));
    });
  }

  /** @param {string} word */
  tell(word) {
    this.#child?.send(word);
  }

  /** With SIGKILL; resolves when it is gone. */
  async kill() {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }
}
