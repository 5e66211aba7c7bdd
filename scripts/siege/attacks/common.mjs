// What several attacks do: create a large task, send the same bytes again and again.
import { setTimeout as pause } from 'node:timers/promises';
import { bodyOf } from '../jobs.mjs';

/** @typedef {import('../attacker-process.mjs').Siege} Siege */

/** An attacker that is refused tries again after this time: a flood of refused requests is not the point of these attacks. */
export const RETRY_MS = 100;

/** Creates a task with an artifact of this size; returns its id. @param {Siege} siege @param {number} bytes */
export async function growTask({ http, ports, token }, bytes) {
  const body = bodyOf({ kind: 'grow', bytes }, { returnImmediately: true });
  const answer = await http.call({ port: ports[0] ?? 0, path: '/message:send', body, ...named(token) });
  const id = JSON.parse(answer.text).task?.id;
  if (typeof id !== 'string') throw new Error(`no task: HTTP ${answer.status} ${answer.text.slice(0, 200)}`);
  for (;;) {
    const { text } = await http.call({ port: ports[0] ?? 0, path: `/tasks?pageSize=100&includeArtifacts=false`, ...named(token) });
    const task = (JSON.parse(text).tasks ?? []).find((/** @type {{ id: string }} */ one) => one.id === id);
    if (['TASK_STATE_COMPLETED', 'TASK_STATE_FAILED'].includes(task?.status?.state)) return /** @type {string} */ (id);
    await pause(100);
  }
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
