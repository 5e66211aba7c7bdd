// What several attacks do: create a large task, send the same bytes again and again.
import { setTimeout as pause } from 'node:timers/promises';
import { bodyOf } from '../jobs.mjs';

/** @typedef {import('../attacker-process.mjs').Siege} Siege */

/** An attacker that is refused tries again after this time: a flood of refused requests is not the point of these attacks. */
export const RETRY_MS = 500;

/**
 * Creates tasks with an artifact of this size each, one after another, and waits until they have ended; returns their ids. All at once
 * would exceed the share of the memory store that one caller has for unfinished tasks.
 * @param {Siege} siege
 * @param {number} count
 * @param {number} bytes
 * @returns {Promise<string[]>}
 */
export async function growTasks({ http, ports, token }, count, bytes) {
  const target = { port: ports[0] ?? 0, ...named(token) };
  const ids = [];
  for (let n = 0; n < count; n += 1) {
    const body = bodyOf({ kind: 'grow', bytes }, { returnImmediately: true });
    const { status, text } = await http.call({ ...target, path: '/message:send', body });
    if (status !== 200) throw new Error(`no large task: HTTP ${status} ${text.slice(0, 100)}`);
    const { id } = JSON.parse(text).task;
    const ended = '/tasks?pageSize=100&includeArtifacts=false&historyLength=0&status=TASK_STATE_COMPLETED';
    for (let isEnded = false; !isEnded; ) {
      await pause(50);
      const { text: list } = await http.call({ ...target, path: ended });
      isEnded = (JSON.parse(list).tasks ?? []).some((/** @type {{ id: string }} */ task) => task.id === id);
    }
    ids.push(id);
  }
  return ids;
}

/**
 * Sends one request and counts its answer; pauses after a refusal. Returns the text of the answer, or '' if there is none.
 * @param {Siege} siege
 * @param {{ path: string, body?: object | string | Buffer, node?: number }} request
 */
export async function sendOnce({ http, ports, token, count }, { path, body, node = 0 }) {
  try {
    const answer = await http.call({ port: ports[node % ports.length] ?? 0, path, ...(body !== undefined && { body }), ...named(token) });
    count(`HTTP ${answer.status}`);
    if (answer.status !== 200) await pause(RETRY_MS);
    return answer.status === 200 ? answer.text : '';
  } catch {
    count('connection ended');
    await pause(RETRY_MS);
    return '';
  }
}

/** @param {string | undefined} token */
function named(token) {
  return token === undefined ? {} : { token };
}
