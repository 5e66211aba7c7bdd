// Reads the state of the agent directly, without a page.

const HEADERS = { 'a2a-version': '1.0' };

/** @typedef {import('@parley/a2a').Task} Task */

/**
 * @param {string} url
 * @param {string} path
 */
async function read(url, path) {
  const response = await fetch(`${url}${path}`, { headers: HEADERS });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return /** @type {any} */ (await response.json());
}

/**
 * @param {string} url
 * @param {string} id
 * @returns {Promise<Task>}
 */
export function readTask(url, id) {
  return read(url, `/tasks/${id}`);
}

/**
 * The task that changed last, with its history and artifacts.
 * @param {string} url
 * @returns {Promise<Task>}
 */
export async function latestTask(url) {
  const { tasks } = await read(url, '/tasks?pageSize=1');
  return readTask(url, tasks[0].id);
}

/**
 * The number of tasks.
 * @param {string} url
 * @returns {Promise<number>}
 */
export async function countTasks(url) {
  return (await read(url, '/tasks?pageSize=1')).totalSize;
}

/**
 * All text of a task's artifacts.
 * @param {Task} task
 */
export function textOf({ artifacts = [] }) {
  return artifacts.flatMap(({ parts }) => parts.map(({ text = '' }) => text)).join('');
}

/**
 * The text of a run without any interruption, to compare with.
 * @param {string} url
 * @param {string} text
 */
export async function undisturbed(url, text) {
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }] };
  const response = await fetch(`${url}/message:send`, {
    method: 'POST',
    headers: { ...HEADERS, 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
  });
  return textOf((await response.json()).task);
}
