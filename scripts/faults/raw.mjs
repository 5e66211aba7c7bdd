// Raw requests that record the expected events, independent of the client under test.

/** @typedef {'jsonrpc' | 'rest'} Binding */
/** @typedef {{ fetch: typeof fetch, url: string, binding: Binding }} Door the address of an agent for a binding, from its card */

/**
 * @param {Door} door
 * @param {'SendStreamingMessage' | 'SubscribeToTask' | 'GetTask'} method
 * @param {{ message: object } | { id: string }} params
 * @returns {Promise<Response>}
 */
export function ask({ fetch, url, binding }, method, params) {
  const headers = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' };
  if (binding === 'jsonrpc') {
    return fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: RPC_ID, method, params }) });
  }
  if ('message' in params) return fetch(`${url}/message:stream`, { method: 'POST', headers, body: JSON.stringify(params) });
  const path = `${url}/tasks/${params.id}`;
  return method === 'GetTask' ? fetch(path, { headers }) : fetch(`${path}:subscribe`, { method: 'POST', headers, body: '{}' });
}

export const RPC_ID = 'recorded';

/** @param {import('./job.mjs').Job} job */
export function toMessage(job) {
  return { message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: JSON.stringify(job) }] } };
}

/**
 * The frames of a stream, each with its blank line; without heartbeats.
 * @param {Response} response
 */
export async function* framesOf(response) {
  let text = '';
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const frames = (text + piece).split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) if (!frame.startsWith(':')) yield `${frame}\n\n`;
  }
}

/**
 * The payload of a frame or a body.
 * @param {string} text
 * @returns {any}
 */
export function unwrap(text) {
  const value = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  return value.jsonrpc === '2.0' ? value.result : value;
}

/**
 * The seqs of an undisturbed run.
 * @param {Door} door
 * @param {import('./job.mjs').Job} job
 * @returns {Promise<number[]>}
 */
export async function readSeqs(door, job) {
  const seqs = [];
  for await (const frame of framesOf(await ask(door, 'SendStreamingMessage', toMessage(job)))) seqs.push(seqOf(frame));
  return seqs;
}

/** @param {string} frame */
export function seqOf(frame) {
  return Number(/^id: (\d+)$/m.exec(frame)?.[1]);
}
