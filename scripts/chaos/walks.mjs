// The ways in which a client uses a task, from its first message to its end. Each records what the client saw.
import { setTimeout as pause } from 'node:timers/promises';
import { A2ATaskCanceledError } from '@parley/a2a';
import { Reader } from './reader.mjs';

/** @typedef {import('@parley/a2a/client').Client} Client */
/** @typedef {import('@parley/a2a/client').Run} Run */
/** @typedef {import('@parley/a2a/client').RunOptions} RunOptions */
/** @typedef {'stream' | 'watch' | 'leave' | 'poll' | 'cancel'} Way */

/**
 * Shared by all walks of one client. `other` is a client with its own connections. `below(n)` is a random integer from 0 to n - 1. `pace`
 * multiplies the time that a reader stays away. Default 1.
 * @typedef {object} Walker
 * @property {Client} client
 * @property {Client} other
 * @property {(most: number) => number} below
 * @property {number} [pace]
 */

/**
 * Filled during the walk, so that a walk that fails still leaves its data.
 * @typedef {object} Walk
 * @property {string} text of the message
 * @property {RunOptions} options
 * @property {Reader[]} readers
 * @property {string} [taskId]
 * @property {string} [state] final state of the task
 * @property {string} [reply] the text of the answer
 */

/** @type {Record<Way, (walker: Walker, walk: Walk) => Promise<void>>} */
export const WALKS = {
  async stream({ client }, walk) {
    await follow(walk, client.run(walk.text, observed(walk)));
  },

  /** Streams, while a second client watches the task from some point on. */
  async watch({ client, other, below }, walk) {
    const comesAt = below(10);
    /** @type {Promise<unknown> | undefined} */
    let watching;
    const run = client.run(walk.text, observed(walk));
    await follow(walk, run, ({ texts }) => {
      if (watching !== undefined || texts < comesAt || run.taskId === undefined) return;
      const reader = new Reader();
      walk.readers.push(reader);
      const { signal } = walk.options;
      watching = readOn(other.watch(run.taskId, { onEvent: reader.onEvent, ...(signal && { signal }) }), reader);
      watching.catch(() => {}); // awaited below
    });
    await watching;
  },

  /**
   * Disconnects in the middle and resumes later. It does not disconnect at an open question, because the resumed run would not report the
   * question again.
   */
  async leave({ client, below, pace = 1 }, walk) {
    const leavesAt = 1 + below(10);
    const run = client.run(walk.text, observed(walk));
    const isThrough = await follow(walk, run, ({ texts }) => texts >= leavesAt && !isAsked(run));
    const { place, taskId } = run;
    if (isThrough || place === undefined || taskId === undefined) return;
    await pause(below(4_000) * pace);
    await follow(walk, client.watch(taskId, { ...observed(walk, place), from: place }));
  },

  async poll({ client }, walk) {
    await follow(walk, client.run(walk.text, { ...observed(walk), mode: 'poll' }));
  },

  async cancel({ client, below }, walk) {
    const cancelsAt = 1 + below(20);
    /** @type {Promise<unknown> | undefined} */
    let canceling;
    const run = client.run(walk.text, observed(walk));
    await follow(walk, run, ({ texts }) => {
      if (texts < cancelsAt) return;
      canceling ??= run.cancel();
      canceling.catch(() => {}); // awaited below
    });
    await canceling;
  },
};

/** @param {Run} run */
function isAsked({ place }) {
  return place?.task.status.state === 'TASK_STATE_INPUT_REQUIRED';
}

/**
 * @param {Walk} walk
 * @param {import('@parley/a2a/client').RunPlace} [place]
 * @returns {RunOptions}
 */
function observed({ options, readers }, place) {
  const reader = new Reader(place);
  readers.push(reader);
  return { ...options, onEvent: reader.onEvent };
}

/**
 * Reads a run with the newest reader. Returns false if `isEnough` stopped it before the end.
 * @param {Walk} walk changed
 * @param {Run} run
 * @param {(reader: Reader) => boolean | void} [isEnough]
 */
async function follow(walk, run, isEnough) {
  const reader = walk.readers.at(-1) ?? new Reader();
  try {
    const end = await readOn(run, reader, isEnough);
    if (end === undefined) return false;
    walk.state = end.state;
    if (end.text !== undefined) walk.reply = end.text;
  } finally {
    if (run.taskId !== undefined) walk.taskId = run.taskId;
  }
  return true;
}

/**
 * Returns how the task ended, or undefined if `isEnough` stopped the reading. Canceled is an end like any other.
 * @param {Run} run
 * @param {Reader} reader
 * @param {(reader: Reader) => boolean | void} [isEnough]
 * @returns {Promise<{ state: string, text?: string } | undefined>}
 */
async function readOn(run, reader, isEnough) {
  try {
    for await (const update of run) {
      reader.see(update);
      if (isEnough?.(reader)) return undefined;
    }
    const reply = await run.result;
    reader.seen.isThrough = true;
    return { state: reply.kind === 'task' ? reply.state : 'a message', text: reply.text };
  } catch (error) {
    if (!(error instanceof A2ATaskCanceledError)) throw error;
    reader.seen.isThrough = true;
    return { state: error.state };
  }
}
