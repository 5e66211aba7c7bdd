// The complete run: clients (`Walker`) send and read while the server is killed repeatedly, then the result is judged.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '@parley/a2a/testing';
import { readEntered, readFiles, readOverWire } from './evidence.mjs';
import { POLICIES } from './jobs.mjs';
import { judgeMessages } from './judge-messages.mjs';
import { judgeLogs, judgeReaders } from './judge-readers.mjs';
import { judgeTasks } from './judge-tasks.mjs';
import { linkedSignal } from './linked-signal.mjs';
import { ServerProcess } from './server-process.mjs';
import { Walker } from './walker.mjs';
import { World } from './world.mjs';

/** @typedef {import('./options.mjs').Options} Options */
/** @typedef {import('./evidence.mjs').Evidence} Evidence */
/** @typedef {{ streams: number, questions: number }} Load open streams and questions when a listening server was killed */

/**
 * @typedef {object} Outcome
 * @property {World} world
 * @property {readonly Load[]} loads
 * @property {number} acknowledged
 * @property {readonly Evidence[]} tasks
 * @property {readonly import('./evidence.mjs').Entered[]} entered
 */

const KINDS = /** @type {const} */ ({ streams: 'stream', questions: 'question', turns: 'turn', replies: 'reply' });

const JUDGE_MS = 120_000;

/**
 * Leaves no process and no file behind.
 * @param {Options} options
 * @param {AbortSignal} stop
 * @returns {Promise<Outcome>}
 */
export async function run(options, stop) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-crash-'));
  const server = new ServerProcess(folder);
  const limited = linkedSignal(stop, 60_000 + options.rounds * 5_000);
  const world = new World(server, limited.signal);
  try {
    server.start();
    await server.listening();
    await walkUndisturbed(world, options);
    world.begin();
    const walkers = createWalkers(world, options);
    const walking = Promise.all(walkers.map((walker) => walker.run()));
    const loads = await killAgainAndAgain(world, options);
    world.end();
    await walking;
    return { world, loads, ...(await judge(world, folder, stop)) };
  } finally {
    limited.release();
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs each scenario once before the first kill, to verify that the expected results are those of an undisturbed run.
 * @param {World} world
 * @param {Options} options
 */
async function walkUndisturbed(world, { seed }) {
  const walks = Object.values(KINDS).flatMap((kind) =>
    POLICIES.map((policy) => new Walker(world, { kind, policy, name: `undisturbed-${kind}-${policy}`, seed }).walk()),
  );
  await Promise.all(walks);
  for (const story of world.stories) story.isUndisturbed = true;
}

/**
 * @param {World} world
 * @param {Options} options
 */
function createWalkers(world, options) {
  return /** @type {(keyof typeof KINDS)[]} */ (Object.keys(KINDS)).flatMap((size, group) =>
    Array.from({ length: options[size] }, (_, index) => {
      const seed = options.seed + group * 10_000 + index;
      const policy = POLICIES[index % 2] ?? 'fail';
      return new Walker(world, { kind: KINDS[size], policy, name: `${KINDS[size]}-${index}`, seed });
    }),
  );
}

/**
 * @param {World} world
 * @param {Options} options
 */
async function killAgainAndAgain(world, { rounds, seed }) {
  const { server, signal } = world;
  const random = seededRandom(seed);
  /** @type {Load[]} */
  const loads = [];
  for (let round = 0; round < rounds; round += 1) {
    const { early, afterMs } = nextKill(random);
    if (!early) await server.listening();
    await pause(afterMs, undefined, { signal });
    if (!early) loads.push({ streams: world.openStreams, questions: world.waiting });
    await server.kill();
    server.start();
  }
  await server.listening();
  return loads;
}

/**
 * Most kills hit a server under load, some a server that has just started to listen, some one that does not listen yet.
 * @param {() => number} random
 */
function nextKill(random) {
  const kind = random();
  if (kind < 0.15) return { early: true, afterMs: random() * 400 };
  if (kind < 0.3) return { early: false, afterMs: random() * 200 };
  return { early: false, afterMs: 400 + random() * 1_600 };
}

/**
 * @param {World} world
 * @param {string} folder
 * @param {AbortSignal} stop
 */
async function judge(world, folder, stop) {
  const { server, findings, signal } = world;
  if (signal.aborted) findings.add('unexpected refusals and failures', 'not all clients finished in time');
  const limited = linkedSignal(stop, JUDGE_MS);
  const evidence = await readOverWire(server, limited.signal).finally(limited.release);
  await server.kill();
  await readFiles(folder, evidence);
  const entered = readEntered(folder);
  if (server.deaths > 0) findings.add('unexpected refusals and failures', `the server exited unexpectedly ${server.deaths} times`);
  judgeLogs(evidence, findings);
  judgeTasks(world, evidence, entered);
  judgeMessages(world, evidence, entered);
  return { acknowledged: judgeReaders(world, evidence), tasks: [...evidence.values()], entered };
}
