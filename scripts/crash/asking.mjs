// Asking until there is an answer, whatever becomes of the server meanwhile.
import { setTimeout as pause } from 'node:timers/promises';
import { call, Lost, Refused, stream } from './wire.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Send} Send */
/** @typedef {import('./task-reader.mjs').TaskReader} TaskReader */

const RETRY_MS = 20;

/**
 * Sends it, the same key and body each time, until it is answered.
 * @param {World} world
 * @param {Send} send
 * @returns {Promise<{ task?: any, message?: any }>}
 */
export async function sendUntilAnswered(world, send) {
  for (let tries = 0; ; tries += 1) {
    if (tries > 0) world.repeats += 1;
    const answer = await unlessLost(world, async () => {
      const url = await urlOf(world, send.policy);
      return call(`${url}/message:send`, { body: send.body, headers: { 'Idempotency-Key': send.key }, signal: world.signal });
    });
    if (answer === undefined) continue;
    send.accepted = true;
    if (answer.task) noteTask(world, send, answer.task.id);
    return answer;
  }
}

/**
 * Opens a stream by sending, again until its task is known, and reads as far as it comes. Done once more it has to lead to the same task.
 * @param {World} world
 * @param {Send} send
 * @returns {Promise<TaskReader>}
 */
export async function streamByKey(world, send) {
  for (let tries = 0; ; tries += 1) {
    if (tries > 0) world.repeats += 1;
    const reader = world.reader(send.policy);
    const headers = { 'Idempotency-Key': send.key };
    await unlessLost(world, () => read(world, reader, '/message:stream', { body: send.body, headers }));
    if (reader.taskId === undefined) continue;
    send.accepted = true;
    noteTask(world, send, reader.taskId);
    return reader;
  }
}

/**
 * Goes on from the last event that the reader has, until the stream ends or breaks.
 * @param {World} world
 * @param {TaskReader} reader
 */
export async function resume(world, reader) {
  const headers = { 'Last-Event-ID': String(reader.cursor) };
  await unlessLost(world, () => read(world, reader, `/tasks/${reader.taskId}:subscribe`, { headers }));
}

/**
 * To the end of the task.
 * @param {World} world
 * @param {TaskReader} reader
 */
export async function follow(world, reader) {
  while (!reader.isFinal) await resume(world, reader);
}

/** Whether the server said that the task has ended, which it may while the message was under way. */
export function isEnded(/** @type {unknown} */ error) {
  return error instanceof Refused && error.reason === 'UNSUPPORTED_OPERATION';
}

/**
 * @param {World} world
 * @param {TaskReader} reader
 * @param {string} path
 * @param {{ body?: object, headers: Record<string, string> }} request
 */
async function read(world, reader, path, request) {
  const url = await urlOf(world, reader.policy);
  const onOpen = () => {
    reader.isOpen = true;
  };
  try {
    for await (const frame of stream(url + path, { ...request, signal: world.signal, onOpen })) reader.see(frame);
  } finally {
    reader.isOpen = false;
  }
}

/**
 * Undefined, after a moment, when the answer was lost.
 * @template T
 * @param {World} world
 * @param {() => Promise<T>} attempt
 */
async function unlessLost(world, attempt) {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof Lost)) throw error;
    await pause(RETRY_MS, undefined, { signal: world.signal });
    return undefined;
  }
}

/**
 * @param {World} world
 * @param {import('./jobs.mjs').Policy} policy
 * @returns {Promise<string>}
 */
function urlOf({ server, signal }, policy) {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    void server.url(policy).then((url) => {
      signal.removeEventListener('abort', giveUp);
      resolve(url);
    });
  });
}

/**
 * @param {World} world
 * @param {Send} send
 * @param {string} taskId
 */
function noteTask({ findings }, send, taskId) {
  if (send.taskId === undefined) send.taskId = taskId;
  else if (send.taskId !== taskId) findings.add('sends that made a second task', `${send.key} led to ${send.taskId}, then to ${taskId}`);
}
