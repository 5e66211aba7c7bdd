// A small HTTP client for the well-behaved caller and for the preparations of attackers: one attempt per call, keep-alive.
import { Agent, request } from 'node:http';

/**
 * @typedef {object} Ask
 * @property {number} port
 * @property {string} path
 * @property {string} [token] of a named caller
 * @property {object | string | Buffer} [body] POST with a body, otherwise GET
 * @property {Record<string, string>} [headers]
 * @property {number} [timeoutMs] without any byte from the server
 */

const TIMEOUT_MS = 20_000;

export class Http {
  #agent = new Agent({ keepAlive: true });

  /**
   * Rejects if there is no complete answer.
   * @param {Ask} ask
   * @returns {Promise<{ status: number, text: string }>}
   */
  async call(ask) {
    let text = '';
    const { status, chunks } = await this.open(ask);
    for await (const chunk of chunks) text += chunk;
    return { status, text };
  }

  /**
   * Resolves with the headers. The answer ends with an error if the connection breaks.
   * @param {Ask} ask
   * @returns {Promise<{ status: number, chunks: import('node:http').IncomingMessage }>}
   */
  open({ port, path, token, body, headers = {}, timeoutMs = TIMEOUT_MS }) {
    const bytes = body === undefined ? undefined : toBytes(body);
    return new Promise((resolve, reject) => {
      const own = request({
        agent: this.#agent,
        host: '127.0.0.1',
        port,
        path,
        method: bytes === undefined ? 'GET' : 'POST',
        headers: {
          'A2A-Version': '1.0',
          ...(bytes && { 'Content-Type': 'application/json', 'Content-Length': bytes.length }),
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...headers,
        },
      });
      own.setTimeout(timeoutMs, () => own.destroy(new Error(`no byte of ${path} within ${timeoutMs} ms`)));
      own.once('error', reject);
      own.once('response', (response) => resolve({ status: response.statusCode ?? 0, chunks: response.setEncoding('utf8') }));
      own.end(bytes);
    });
  }

  close() {
    this.#agent.destroy();
  }
}

/** @param {object | string | Buffer} body */
function toBytes(body) {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/**
 * The frames of a stream of server-sent events. Throws on an error frame.
 * @param {AsyncIterable<string>} chunks
 * @returns {AsyncGenerator<{ id: number, event: any }>}
 */
export async function* framesOf(chunks) {
  let text = '';
  for await (const chunk of chunks) {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => /** @type {[string, string]} */ (line.split(/: (.*)/s, 2))));
      const data = fields.get('data');
      if (data === undefined) continue; // a heartbeat
      if (fields.get('event') === 'error') throw new Error(`the stream ended with an error: ${data.slice(0, 300)}`);
      yield { id: Number(fields.get('id') ?? 0), event: JSON.parse(data) };
    }
  }
}
