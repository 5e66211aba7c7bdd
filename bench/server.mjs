// Controls a contestant that runs in its own process.
import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {'floor' | 'gathered' | 'peer' | 'peer-sql' | 'memory' | 'sqlite'} Contestant */
/** @typedef {import('./counters.mjs').Counted} Counted */
/** @typedef {{ port: number, jsonRpcPath: string, restPath: string }} Address */

/**
 * @typedef {object} Server
 * @property {Address} address
 * @property {() => Promise<number>} cpu microseconds of CPU time so far
 * @property {() => Promise<number>} heap bytes in use after garbage collection; do not call it before a time measurement, which it slows down
 * @property {(counted: Counted) => Promise<void>} startCount
 * @property {(counted: Counted) => Promise<number | undefined>} stopCount the number since the start; undefined if it could not be counted
 * @property {(count: number, order: 'in-order' | 'shuffled') => Promise<void>} seed
 * @property {() => Promise<number>} held returns the number of open tasks
 * @property {(count: number, pace: 'turns' | 'burst', from?: number) => Promise<void>} emit open tasks, starting at the n-th, publish this many chunks
 * @property {() => Promise<void>} stop
 */

const SCRIPT = fileURLToPath(new URL('./server-process.mjs', import.meta.url));
const ANSWER_MS = 120_000;

/**
 * @param {Contestant} contestant
 * @param {{ script?: string, flags?: readonly string[] }} [options] `script`: `server-process.mjs` of another build. `flags`: more options of
 *   Node for the process.
 * @returns {Promise<Server>}
 */
export async function startServer(contestant, { script = SCRIPT, flags = [] } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const child = fork(script, [contestant, folder], {
    execArgv: ['--expose-gc', '--no-warnings', ...flags],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const ask = createAsk(child, contestant);
  try {
    const address = await ask.started;
    return {
      address,
      cpu: () => ask('cpu'),
      heap: () => ask('heap'),
      startCount: (counted) => ask('startCount', { counted }),
      stopCount: (counted) => ask('stopCount', { counted }),
      seed: (count, order) => ask('seed', { count, order }),
      held: () => ask('held'),
      emit: (count, pace, from = 0) => ask('emit', { count, pace, from }),
      stop: () => stop(child, exited, folder),
    };
  } catch (error) {
    await stop(child, exited, folder);
    throw error;
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {Promise<unknown>} exited
 * @param {string} folder
 */
async function stop(child, exited, folder) {
  child.kill('SIGKILL');
  await exited;
  await rm(folder, { recursive: true, force: true });
}

/**
 * Sends commands and receives replies over the channel of the process. All pending commands fail when it ends.
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} name
 */
export function createAsk(child, name) {
  /** @type {Map<number, { resolve(value: any): void, reject(error: Error): void, timer: NodeJS.Timeout }>} */
  const waiting = new Map();
  let last = 0;
  child.on('message', (/** @type {{ id: number, value?: any, error?: string }} */ { id, value, error }) => {
    const entry = waiting.get(id);
    waiting.delete(id);
    clearTimeout(entry?.timer);
    if (error === undefined) entry?.resolve(value);
    else entry?.reject(new Error(`${name} failed: ${error}`));
  });
  child.once('exit', (code) => {
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer);
      reject(new Error(`${name} exited with ${code}`));
    }
    waiting.clear();
  });
  /** @param {number} id */
  const answer = (id) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${name} did not reply in time`)), ANSWER_MS);
      waiting.set(id, { resolve, reject, timer });
    });
  /**
   * @param {string} command
   * @param {object} [args]
   * @returns {Promise<any>}
   */
  const ask = (command, args = {}) => {
    last += 1;
    child.send({ id: last, command, args });
    return answer(last);
  };
  return Object.assign(ask, { started: /** @type {Promise<Address>} */ (answer(0)) });
}
