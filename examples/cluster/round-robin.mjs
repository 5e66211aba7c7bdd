// A plain round-robin load balancer: each request goes to the next node, without sticky sessions. A node that refuses the connection is
// skipped.
import { createServer, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

/** @typedef {import('node:http').IncomingMessage} Message */

/**
 * @param {readonly number[]} ports of the nodes
 * @param {number} port of the load balancer
 * @returns {Promise<{ close(): void }>}
 */
export async function startRoundRobin(ports, port) {
  let turn = 0;
  const server = createServer(async (message, response) => {
    const body = await buffer(message);
    for (let tries = 0; tries < ports.length; tries++) {
      const answer = await ask(ports[turn++ % ports.length] ?? 0, message, body);
      if (answer === undefined) continue;
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      return pipeline(answer, response).catch(() => {}); // either side may disconnect during the response
    }
    response.writeHead(503, { 'retry-after': '1' }).end();
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve(undefined));
  });
  return {
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * @param {number} port
 * @param {Message} message
 * @param {Buffer} body
 * @returns {Promise<Message | undefined>} undefined if the connection was refused, or broke before the response started
 */
function ask(port, { method, url, headers }, body) {
  return new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, method, path: url, headers }, resolve);
    asked.once('error', () => resolve(undefined)).end(body);
  });
}
