// Runs a turn on every platform against `npm start`, and the client of this Node against every platform that can serve.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBlocks } from '../fences.mjs';
import { root } from '../setup.mjs';
import { bundleProgram } from './bundle.mjs';
import { startChromium } from './chromium.mjs';
import { installExchangeProgram } from './installed.mjs';
import { runProgram, startProgram } from './process.mjs';
import { binary } from './tools.mjs';
import { runOnce } from './turn.mjs';
import { startWorker } from './workerd.mjs';

const WORDS = 'story';
const LISTENING = { until: /listening (\d+)/ };
const folder = await mkdtemp(join(tmpdir(), 'parley-runtimes-'));
/** @typedef {{ what: string, platform: string, failure: Error | undefined, note: string }} Row */
/** @type {Row[]} */
let rows = [];
const npmStart = { until: /(http:\/\/127\.0\.0\.1:\d+)/, env: { PORT: '0', PARLEY_DATA: join(folder, 'data') }, cwd: root };
/** A browser that does not start fails the calls that need it, and no others. */
const chromium = startChromium();
chromium.catch(() => {});
const demo = await startProgram(process.execPath, [join(root, 'scripts/start.mjs')], npmStart);
try {
  const url = demo.match[1] ?? '';
  const undisturbed = await runOnce(url, WORDS, { cut: false });
  assert.equal(undisturbed.reconnects, 0);
  // Turns mostly wait, so all platforms run at the same time.
  const calls = Object.entries(CALLERS()).map(([platform, take]) =>
    attempt('calls', platform, async () => {
      const turn = await take(url);
      assert.deepEqual({ ...turn, cuts: 1, reconnects: 1 }, { ...undisturbed, cuts: 1, reconnects: 1 });
      assert.deepEqual([turn.cuts, turn.reconnects], [1, 1], 'the client noticed one cut and reconnected once');
      return `${new Set(turn.told.map((line) => Number.parseInt(line, 10))).size} events, each once, 1 reconnect`;
    }),
  );
  const sends = Object.entries(EXCHANGES()).map(([platform, { uses, ask }]) =>
    attempt('sends', platform, async () => {
      assert.equal(await ask(url), uses, 'the default exchange');
      return `default exchange: ${uses === 'pool' ? 'the connection pool of Node' : 'fetch'}`;
    }),
  );
  const told = attempt('error', 'Chromium', () => tryOtherOrigin(url));
  const serves = Object.entries(HOSTS()).map(([platform, start]) => attempt('serves', platform, () => tryHost(start)));
  const recipe = attempt('serves', 'workerd', () => tryRecipe());
  rows = await Promise.all([...calls, ...sends, told, ...serves, recipe]);
} finally {
  await chromium.then((browser) => browser.close()).catch(() => {});
  await demo.stop();
  await rm(folder, { recursive: true, force: true });
}
report();

/** @returns {Record<string, (url: string) => Promise<import('./turn.mjs').Outcome>>} */
function CALLERS() {
  return {
    Node: (url) => runOnce(url, WORDS, { cut: true }),
    Chromium: async (url) => (await chromium).call({ script: await pageScript(), url }, 'takeTurn', [url, WORDS, { cut: true }]),
    Bun: async (url) => JSON.parse(await runProgram(binary('bun'), [await bundleProgram('turn-command', folder), url, WORDS])),
    Deno: async (url) =>
      JSON.parse(await runProgram(binary('deno'), ['run', '-A', await bundleProgram('turn-command', folder), url, WORDS])),
    workerd: async (url) => JSON.parse(await askWorker({ url, words: WORDS })),
  };
}

/**
 * The `#exchange` that each platform resolves, by itself or through a bundler.
 * @returns {Record<string, { uses: 'fetch' | 'pool', ask: (url: string) => Promise<string> }>}
 */
function EXCHANGES() {
  // With a proxy the default is always fetch.
  const env = Object.fromEntries(
    ['HTTP_PROXY', 'HTTPS_PROXY', 'NODE_USE_ENV_PROXY', 'http_proxy', 'https_proxy'].map((name) => [name, '']),
  );
  const program = installExchangeProgram(folder);
  const run = async (/** @type {string} */ url, /** @type {string} */ command, /** @type {string[]} */ ...args) =>
    (await runProgram(command, [...args, await program, url], { env })).trim();
  return {
    Node: { uses: 'pool', ask: (url) => run(url, process.execPath) },
    Chromium: { uses: 'fetch', ask: async (url) => (await chromium).call({ script: await pageScript(), url }, 'defaultExchange', [url]) },
    Bun: { uses: 'fetch', ask: (url) => run(url, binary('bun')) },
    Deno: { uses: 'fetch', ask: (url) => run(url, binary('deno'), 'run', '-A') },
    workerd: { uses: 'fetch', ask: (url) => askWorker({ url }) },
  };
}

/** A page of one agent calls another agent that allows no cross-origin calls. */
async function tryOtherOrigin(/** @type {string} */ url) {
  const other = await startProgram(process.execPath, [join(root, 'scripts/runtimes/programs/serve-node.mjs')], LISTENING);
  try {
    const at = `http://127.0.0.1:${other.match[1]}`;
    const told = await (await chromium).call({ script: await pageScript(), url }, 'refusalOf', [at]);
    assert.match(told, /CORS/);
    assert.ok(told.includes(`Access-Control-Allow-Origin: ${url}`), told);
    return 'names CORS and the header that the agent must send';
  } finally {
    await other.stop();
  }
}

function pageScript() {
  return bundleProgram('turn-page', folder, { format: 'iife', conditions: ['browser'] });
}

/** @param {Record<string, string>} query */
async function askWorker(query) {
  const worker = await startWorker(await bundleProgram('turn-worker', folder, { conditions: ['workerd', 'worker', 'browser'] }));
  try {
    const response = await fetch(`${worker.url}/?${new URLSearchParams(query)}`);
    assert.equal(response.status, 200, await response.clone().text());
    return await response.text();
  } finally {
    await worker.stop();
  }
}

/** @returns {Record<string, () => Promise<{ url: string, stop(): Promise<void> }>>} */
function HOSTS() {
  const at = (/** @type {{ match: RegExpExecArray, stop(): Promise<void> }} */ { match, stop }) => ({
    url: `http://127.0.0.1:${match[1]}`,
    stop,
  });
  return {
    Bun: async () => at(await startProgram(binary('bun'), [await bundleProgram('serve-bun', folder)], LISTENING)),
    Deno: async () => at(await startProgram(binary('deno'), ['run', '-A', await bundleProgram('serve-deno', folder)], LISTENING)),
    workerd: async () => startWorker(await bundleProgram('serve-worker', folder), { object: 'AgentObject' }),
  };
}

/** @param {() => Promise<{ url: string, stop(): Promise<void> }>} start */
async function tryHost(start) {
  const host = await start();
  try {
    const turn = await runOnce(host.url, 'count', { cut: true });
    assert.equal(turn.text, Array.from({ length: 50 }, (_, n) => `${n + 1} `).join(''));
    assert.deepEqual([turn.state, turn.cuts, turn.reconnects], ['TASK_STATE_COMPLETED', 1, 1]);
    const seqs = turn.told.map((line) => Number.parseInt(line, 10));
    const inOrder = seqs.toSorted((a, b) => a - b);
    assert.deepEqual(seqs, inOrder);
    assert.equal(new Set(turn.told).size, turn.told.length);
    return `${new Set(seqs).size} events, each once, 1 reconnect`;
  } finally {
    await host.stop();
  }
}

/** The Worker that a guide shows, as it stands there. */
async function tryRecipe() {
  const page = 'docs/guides/recipes.md';
  const blocks = readBlocks(page, await readFile(join(root, page), 'utf8'));
  const input = join(root, '.cache/runtimes/recipe-worker.ts'); // inside the repository, where its imports are found
  await mkdir(join(root, '.cache/runtimes'), { recursive: true });
  await writeFile(input, blocks.find(({ file }) => file === 'worker.js')?.code ?? '');
  const host = await startWorker(await bundleProgram('recipe-worker', folder, { input }), { object: 'AgentObject' });
  try {
    const { state, text } = await runOnce(host.url, 'Hello workerd', { cut: false });
    assert.deepEqual([state, text], ['TASK_STATE_COMPLETED', 'Hello has 5 letters. workerd has 7 letters. ']);
    return `the Worker of ${page}`;
  } finally {
    await host.stop();
  }
}

/**
 * @param {string} what
 * @param {string} platform
 * @param {() => Promise<string>} run returns the text to print
 * @returns {Promise<Row>}
 */
async function attempt(what, platform, run) {
  try {
    return { what, platform, note: await run(), failure: undefined };
  } catch (error) {
    return { what, platform, note: 'FAILED', failure: error instanceof Error ? error : new Error(String(error)) };
  }
}

function report() {
  for (const { what, platform, note } of rows) console.log(`${platform.padEnd(9)} ${what.padEnd(7)} ${note}`);
  const failed = rows.filter(({ failure }) => failure !== undefined);
  for (const { what, platform, failure } of failed) console.error(`\n✗ ${platform} ${what}\n${failure?.stack}`);
  console.log(`\n${rows.length - failed.length} of ${rows.length} ok`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
