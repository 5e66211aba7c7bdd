// Starts the programs of the private package, with the Node installed there.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../../setup.mjs';

export const FOLDER = 'scripts/interop/frameworks/peers';

const NODE = join(root, FOLDER, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
const START_LIMIT_MS = 60_000;

/** Switches telemetry off. `loopback-only.mjs` refuses the connections that are left. */
const QUIET = {
  OTEL_SDK_DISABLED: 'true',
  DO_NOT_TRACK: '1',
  MASTRA_TELEMETRY_DISABLED: '1',
  GEMINI_TELEMETRY_ENABLED: 'false',
  AWS_EC2_METADATA_DISABLED: 'true',
  STRANDS_TELEMETRY_DISABLED: '1',
};

/** @param {string} name of an installed package */
export function versionOf(name) {
  return JSON.parse(readFileSync(join(root, FOLDER, 'node_modules', name, 'package.json'), 'utf8')).version;
}

/**
 * Starts an agent and waits for its first line, which contains its address.
 * @param {string} program
 * @param {string} home a folder for the files that a framework writes
 * @returns {Promise<{ url: string, card?: string, stop(): Promise<void> }>}
 */
export async function startAgent(program, home) {
  const { nextLine, stop } = start(program, [], home);
  try {
    return { ...(await nextLine(START_LIMIT_MS)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Runs one case of a client and returns what it reports.
 * @param {import('./peers.mjs').Client} client
 * @param {{ url: string, name: import('./cases.mjs').CaseName, home: string, withinMs: number }} what `withinMs`: without loading the framework
 * @returns {Promise<import('./cases.mjs').Report>}
 */
export async function runClient({ program, env }, { url, name, home, withinMs }) {
  const { nextLine, stop } = start(program, [url, name], home, env);
  try {
    await nextLine(START_LIMIT_MS);
    const { result, error } = await nextLine(withinMs);
    if (error !== undefined) throw new Error(`the client failed: ${error}`);
    return result;
  } finally {
    await stop();
  }
}

/**
 * The environment is not inherited: it may contain keys of models, with which a framework would connect to them.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} home
 * @param {Record<string, string>} [more]
 */
function start(program, args, home, more = {}) {
  const { PATH, SystemRoot } = process.env;
  const env = { PATH, SystemRoot, HOME: home, NODE_COMPILE_CACHE: join(home, 'compiled'), ...QUIET, ...more };
  // The program ends with its input, so that nothing stays behind if this process is killed.
  const child = spawn(NODE, ['--import', './loopback-only.mjs', program, ...args], { cwd: join(root, FOLDER), env, stdio: 'pipe' });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said = (said + text).slice(-4_000)));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.once('error', (error) => (said += error.message));
  return {
    /**
     * @param {number} withinMs
     * @returns {Promise<any>} the next line as JSON
     */
    async nextLine(withinMs) {
      const what = `${program} ${args.join(' ')}`;
      /** @type {NodeJS.Timeout | undefined} */
      let timer;
      const late = new Promise((resolve) => {
        timer = setTimeout(resolve, withinMs);
      });
      const next = await Promise.race([lines.next(), late]).finally(() => clearTimeout(timer));
      if (next === undefined) throw new Error(`${what} printed nothing within ${withinMs} ms.\n${said}`);
      if (next.done) throw new Error(`${what} exited without a result.\n${said}`);
      return JSON.parse(next.value);
    },
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
