// Runs some of the clients: `node client-process.mjs CONFIG`, where CONFIG is JSON. Each client does one task after another until the
// parent sends a message.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@parley/a2a/client';
import { pooled } from '@parley/a2a/node';
import { seededRandom } from '@parley/a2a/testing';
import { answerTo } from './jobs.mjs';
import { STORIES } from './stories.mjs';
import { emptyTally } from './tally.mjs';
import { WALKS } from './walks.mjs';

/** @typedef {import('./walks.mjs').Way} Way */

/** @type {{ url: string, folder: string, seed: number, pace: number, first: number, next: number, tellMs: number }} */
const { url, folder, seed, pace, first, next, tellMs } = JSON.parse(process.argv[2] ?? '');

/** A task that takes longer is stuck. */
const LIMIT_MS = 120_000;
/** @type {readonly Way[]} */
const WAYS = ['stream', 'stream', 'stream', 'stream', 'watch', 'leave', 'leave', 'poll', 'poll', 'cancel'];

const tally = emptyTally();
const exchange = pooled();
let isOn = true;

process.once('disconnect', () => process.exit()); // the parent process ended
process.on('message', () => {
  isOn = false;
});
const telling = setInterval(() => process.send?.(tally), tellMs);
await Promise.all(Array.from({ length: next - first }, (_, index) => beClient(first + index)));
clearInterval(telling);
process.send?.(tally, () => process.exit(0));

/** @param {number} number */
async function beClient(number) {
  const random = seededRandom(seed + number);
  const below = (/** @type {number} */ most) => Math.floor(random() * most);
  /** Retries of the current task. @type {import('./stories.mjs').Retry[]} */
  const retries = [];
  const walker = { client: newClient(number, retries), other: newClient(number + 1, retries), below, pace };
  await pause(below(1_000) * pace); // spread the starts
  for (let count = 1; isOn; count += 1) {
    const salt = `client-${number}-${count}`;
    const story = await walkOnce(walker, salt);
    appendFileSync(join(folder, `${STORIES}${first}.jsonl`), `${JSON.stringify({ ...story, retries: retries.splice(0) })}\n`);
    tally.ended += 1;
    await pause(below(300) * pace);
  }
}

/**
 * A client with default settings; callbacks only count calls and retries.
 * @param {number} number
 * @param {import('./stories.mjs').Retry[]} retries appended to
 */
function newClient(number, retries) {
  return createClient(url, {
    ...(number % 2 === 0 && { exchange }),
    prefer: number % 4 < 2 ? 'jsonrpc' : 'rest',
    retry: {
      onRetry: ({ method, attempt, delayMs, error }) => {
        tally.retries += 1;
        retries.push({ at: Date.now(), method, attempt, delayMs, why: describe(error) });
      },
    },
    interceptors: [
      (send) => (call) => {
        tally.calls += 1;
        return send(call);
      },
    ],
  });
}

/**
 * @param {import('./walks.mjs').Walker} walker
 * @param {string} salt
 */
async function walkOnce(walker, salt) {
  const { below } = walker;
  const way = WAYS[below(WAYS.length)] ?? 'stream';
  const job = newJob(below, salt);
  const onInputRequired = async (/** @type {string} */ prompt) => {
    await pause(below(1_500) * pace);
    return answerTo(prompt);
  };
  const options = { onInputRequired, signal: AbortSignal.timeout(LIMIT_MS) };
  /** @type {import('./walks.mjs').Walk} */
  const walk = { text: JSON.stringify(job), options, readers: [] };
  const from = Date.now();
  tally.begun += 1;
  /** @type {string | undefined} */
  let error;
  try {
    await WALKS[way](walker, walk);
  } catch (thrown) {
    tally.failed += 1;
    error = describe(thrown);
  }
  const { readers, taskId, state, reply } = walk;
  for (const { reconnects } of readers) tally.reconnects += reconnects;
  return { salt, way, job, taskId, state, reply, error, from, to: Date.now(), readers: readers.map(({ seen }) => seen) };
}

/**
 * Most jobs have pauses like a slow model, some are a burst.
 * @param {(most: number) => number} below
 * @param {string} salt
 * @returns {import('./jobs.mjs').Job}
 */
function newJob(below, salt) {
  const isBurst = below(15) === 0;
  const chunks = isBurst ? 60 + below(60) : 4 + below(18);
  const questions = Array.from({ length: Math.max(0, below(4) - 1) }, () => below(chunks));
  return {
    salt,
    seed: below(2 ** 31),
    chunks,
    pauseMs: (isBurst ? 5 : 200 + below(600)) * pace,
    flushEvery: 1 + below(5),
    questions: [...new Set(questions)].sort((a, b) => a - b),
  };
}

/** The error with its chain of causes. @param {unknown} thrown @returns {string} */
function describe(thrown) {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause === undefined ? '' : `, caused by ${describe(thrown.cause)}`;
  return `${thrown.name}: ${thrown.message}${cause}`;
}
