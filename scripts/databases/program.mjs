// Runs a database server as a child process that ends with this process. A server that refuses to run as root runs as the user that owns
// its folder.
import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @typedef {{ uid: number, gid: number } | undefined} Identity */

/**
 * @param {string} name of a user of this machine
 * @returns {Identity} undefined if this process is not root and so cannot change its user
 */
export function identityOf(name) {
  if (process.getuid?.() !== 0) return undefined;
  const [, , uid, gid] =
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((line) => line.startsWith(`${name}:`))
      ?.split(':') ?? [];
  if (uid === undefined || gid === undefined)
    throw new Error(`this machine has no user ${name}, and the server refuses to run as root; create the user or run this as another user`);
  return { uid: Number(uid), gid: Number(gid) };
}

/** Creates a data folder for a server. @param {string} name @param {Identity} identity */
export function dataFolder(name, identity) {
  const folder = mkdtempSync(join(tmpdir(), `parley-${name}-`));
  if (identity) chownSync(folder, identity.uid, identity.gid);
  return folder;
}

export class Program {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  #output = '';
  #command;
  #args;
  #options;
  /** The server must not outlive this process. */
  #onExit = () => void this.#child?.kill('SIGKILL');

  /**
   * @param {string} command
   * @param {string[]} args
   * @param {{ folder: string, identity?: Identity }} options
   */
  constructor(command, args, options) {
    this.#command = command;
    this.#args = args;
    this.#options = options;
    process.on('exit', this.#onExit);
  }

  get pid() {
    return this.#child?.pid;
  }

  /** Starts the server and waits until `isReady` returns true. @param {() => Promise<boolean>} isReady */
  async start(isReady) {
    const { folder, identity } = this.#options;
    this.#output = '';
    const child = spawn(this.#command, this.#args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], ...identity });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => this.#note(text));
    /** @type {Error | undefined} */
    let failure;
    child.once('error', (error) => (failure = error));
    for (const deadline = Date.now() + 30_000; ; ) {
      if (failure || child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) break;
      if (await isReady()) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await this.stop('SIGKILL');
    throw new Error(`${this.#command} did not start: ${failure?.message ?? this.#output.slice(-2_000)}`);
  }

  /** @param {string} text */
  #note(text) {
    this.#output = (this.#output + text).slice(-10_000);
  }

  /** @param {NodeJS.Signals} signal */
  signal(signal) {
    this.#child?.kill(signal);
  }

  /** Sends the signal and waits for the exit. @param {NodeJS.Signals} signal */
  async stop(signal) {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  /** Stops the server and removes its folder. @param {NodeJS.Signals} signal */
  async remove(signal) {
    await this.stop(signal);
    process.off('exit', this.#onExit);
    rmSync(this.#options.folder, { recursive: true, force: true });
  }
}
