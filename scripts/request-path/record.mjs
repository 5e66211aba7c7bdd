// Records the modules whose functions run for one request, with the coverage of V8.
import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * @typedef {object} Paths
 * @property {string[]} unary one SendMessage that is answered with a Task
 * @property {string[]} streaming one SendStreamingMessage with two chunks
 */

/** Enough that the caches, the hidden classes and the pools of a server in use exist. */
const WARM_UP = 20;
/** A module counts if every one of these requests visits it: the background work of the node may run during one of them. */
const RECORDS = 3;
/** Stores are behind their contract: the path ends where it is called. */
const BEHIND_THE_STORE = /^(stores\/memory|stores\/sqlite|bus\/)/;

/**
 * The client runs in the same process and uses `fetch` of Node only, so that all modules of the build belong to the server.
 * @param {string} dist the folder of the built library
 * @returns {Promise<Paths>}
 */
export async function recordPaths(dist) {
  /** @param {string} file */
  const load = (file) => import(pathToFileURL(`${dist}/${file}`).href);
  const [{ createAgent }, { listen }] = await Promise.all([load('server/index.js'), load('node.js')]);
  const agent = createAgent({ name: 'Path', execute });
  const { url, close } = await listen(agent, { port: 0 });
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  try {
    return { unary: await record('SendMessage'), streaming: await record('SendStreamingMessage') };
  } finally {
    session.disconnect();
    await close();
  }

  /** @param {string} method */
  async function record(method) {
    for (let count = 0; count < WARM_UP; count += 1) await ask(url, method);
    /** @type {string[][]} */
    const records = [];
    for (let count = 0; count < RECORDS; count += 1) records.push(await recordOne(method));
    const [first = [], ...others] = records;
    return first.filter((module) => others.every((modules) => modules.includes(module)));
  }

  /** @param {string} method */
  async function recordOne(method) {
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await ask(url, method);
    const { result } = await session.post('Profiler.takePreciseCoverage');
    await session.post('Profiler.stopPreciseCoverage');
    return result
      .filter(({ url: module, functions }) => module.startsWith(pathToFileURL(dist).href) && functions.some(ran))
      .map(({ url: module }) => relative(dist, fileURLToPath(module)).replaceAll('\\', '/').replace(/\.js$/, ''))
      .filter((module) => !BEHIND_THE_STORE.test(module))
      .sort();
  }
}

/** @param {{ ranges: { count: number }[] }} one */
const ran = ({ ranges }) => ranges.some(({ count }) => count > 0);

/**
 * @param {unknown} _context
 * @param {import('@parley/a2a/server').TaskEvents} events
 */
async function execute(_context, events) {
  await events.appendText('answer', 'Hello, ');
  await events.appendText('answer', 'world!');
  await events.complete();
}

/**
 * @param {string} url
 * @param {string} method
 */
async function ask(url, method) {
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: 'Hello' }] };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { message } });
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', 'a2a-version': '1.0' }, body });
  const text = await response.text();
  if (!text.includes('TASK_STATE_COMPLETED')) throw new Error(`${method} did not complete the task: ${text}`);
}
