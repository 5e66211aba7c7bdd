// Sends and reads until there is a response, across kills of the server.
import { setTimeout as pause } from 'node:timers/promises';
import { call, Lost, Refused, stream } from './wire.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Send} Send */
/** @typedef {import('./task-reader.mjs').TaskReader} TaskReader */

const RETRY_MS = 20;

/**
 * Sends the same key and body until the server responds.
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
 * Opens a stream with a send, repeats it until the task is known, and reads until the stream breaks or ends. Repeating it must lead to the
 * same task.
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
 * Resumes after the last event of the reader, until the stream ends or breaks.
 * @param {World} world
 * @param {TaskReader} reader
 */
export async function resume(world, reader) {
  const headers = { 'Last-Event-ID': String(reader.cursor) };
  await unlessLost(world, () => read(world, reader, `/tasks/${reader.taskId}:subscribe`, { headers }));
}

/**
 * Reads until the task has ended.
 * @param {World} world
 * @param {TaskReader} reader
 */
export async function follow(world, reader) {
  while (!reader.isFinal) await resume(world, reader);
}

/** Whether the server refused because the task has ended, which can happen while the message is in flight. */
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
 * Returns undefined, after a pause, if the response was lost.
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
  else if (send.taskId !== taskId) findings.add('sends that created a second task', `${send.key} created ${send.taskId}, then ${taskId}`);
}
