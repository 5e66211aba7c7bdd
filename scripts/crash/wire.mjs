// A minimal HTTP+JSON client: one attempt per call. It distinguishes lost responses from refusals.
import { linkedSignal } from './linked-signal.mjs';

/** The connection broke before the response was complete, or the server is unavailable: the request can be repeated. */
export class Lost extends Error {}

/** The server refused the request. */
export class Refused extends Error {
  /**
   * @param {string} reason
   * @param {string} message
   */
  constructor(reason, message) {
    super(`${reason}: ${message}`);
    this.reason = reason;
  }
}

/** @typedef {{ id?: number, data: string }} Frame */
/** @typedef {{ body?: object, headers?: Record<string, string>, signal: AbortSignal }} Request */

/**
 * A unary call: POST with a body, otherwise GET.
 * @param {string} url
 * @param {Request} request
 * @returns {Promise<any>}
 */
export async function call(url, request) {
  const own = linkedSignal(request.signal); // fetch keeps its abort listener for a long time
  try {
    const response = await open(url, { ...request, signal: own.signal });
    return JSON.parse(await orLost(response.text(), request));
  } finally {
    own.release();
  }
}

/**
 * Yields each frame of a stream as soon as it is complete. Returns normally only if the server ended the stream.
 * @param {string} url
 * @param {Request & { onOpen?: () => void }} request
 * @returns {AsyncGenerator<Frame, void>}
 */
export async function* stream(url, request) {
  const own = linkedSignal(request.signal);
  try {
    const response = await open(url, { ...request, signal: own.signal });
    request.onOpen?.();
    yield* framesOf(response, request);
  } finally {
    own.release();
  }
}

/**
 * @param {Response} response
 * @param {Request} request
 */
async function* framesOf(response, request) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value = '' } = (await orLost(reader?.read(), request)) ?? { done: true };
    const blocks = (text + value).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) yield* toFrames(block);
    if (done) return;
  }
}

/**
 * @param {string} url
 * @param {Request} request
 */
async function open(url, { body, headers, signal }) {
  const init = {
    method: body ? 'POST' : 'GET',
    headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
    signal,
  };
  const response = await orLost(fetch(url, init), { signal });
  if (response.ok) return response;
  throw toError(response.status, await orLost(response.text(), { signal }));
}

/**
 * Every failure of a connection counts as lost, unless this side aborted.
 * @template T
 * @param {Promise<T> | undefined} promise
 * @param {{ signal: AbortSignal }} request
 */
async function orLost(promise, { signal }) {
  try {
    return /** @type {T} */ (await promise);
  } catch (cause) {
    signal.throwIfAborted();
    throw new Lost('the connection broke', { cause });
  }
}

/** @param {string} block */
function* toFrames(block) {
  const fields = new Map(block.split('\n').map((line) => /** @type {[string, string]} */ (line.split(/: (.*)/s, 2))));
  const data = fields.get('data');
  if (fields.get('event') === 'error') throw toError(0, data ?? '');
  if (data === undefined) return; // a heartbeat
  const id = fields.get('id');
  yield { data, ...(id !== undefined && { id: Number(id) }) };
}

/**
 * @param {number} status
 * @param {string} text
 */
function toError(status, text) {
  const { error = {} } = text.startsWith('{') ? JSON.parse(text) : {};
  const reason = error.details?.[0]?.reason ?? `HTTP ${status}`;
  const isTransient = reason === 'AGENT_UNAVAILABLE';
  return isTransient ? new Lost(reason) : new Refused(reason, error.message ?? text);
}
