// Shared by the checks: starts an example as a user would, and calls it with plain fetch over HTTP+JSON.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const FREE_PORT = new URL('free-port.mjs', import.meta.url).href;

/**
 * Runs `node agent.mjs` on a free port instead of the port in the file. With `check-output`, the strict schema checks every message.
 * @param {URL} file
 * @param {string} [folder] its working directory
 * @returns {Promise<{ url: string, stop(signal?: NodeJS.Signals): Promise<void> }>}
 */
export async function startExample(file, folder) {
  const child = spawn(process.execPath, ['--conditions=check-output', '--import', FREE_PORT, fileURLToPath(file)], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const port = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    void ended.then((code) => reject(new Error(`${file.pathname} exited with ${code} before it listened`)));
  });
  const stop = async (/** @type {NodeJS.Signals | undefined} */ signal) => {
    child.kill(signal);
    await ended;
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

/** @typedef {{ parts: { text: string }[], taskId?: string }} Said */

/**
 * @param {string} url
 * @param {Said} said
 * @returns {Promise<any>}
 */
export async function send(url, said) {
  return (await post(`${url}/message:send`, { message: toMessage(said) })).json();
}

/**
 * @param {string} url
 * @param {string} taskId
 * @returns {Promise<any>}
 */
export async function cancel(url, taskId) {
  return (await post(`${url}/tasks/${taskId}:cancel`, {})).json();
}

/**
 * Yields the events as they arrive, each with its id.
 * @param {string} url
 * @param {Said} said
 */
export async function* stream(url, said) {
  const { body } = await post(`${url}/message:stream`, { message: toMessage(said) });
  let text = '';
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const frames = (text + piece).split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const [, data] = /^data: (.*)$/m.exec(frame) ?? [];
      const [, id] = /^id: (\d+)$/m.exec(frame) ?? [];
      if (data !== undefined) yield { ...JSON.parse(data), id: Number(id) };
    }
  }
}

/**
 * @param {string} url
 * @returns {Promise<any>}
 */
export async function readCard(url) {
  return (await fetch(`${url}/.well-known/agent-card.json`)).json();
}

/** @param {Said} said */
function toMessage(said) {
  return { messageId: crypto.randomUUID(), role: 'ROLE_USER', ...said };
}

/**
 * @param {string} url
 * @param {object} body
 */
async function post(url, body) {
  const headers = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} responded with ${response.status}: ${await response.text()}`);
  return response;
}
