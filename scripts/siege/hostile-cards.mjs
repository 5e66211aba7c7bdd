// F64: a server gives a card that is expensive to read. The client runs in its own process, which measures its event loop.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

const CLIENT = fileURLToPath(new URL('client-process.mjs', import.meta.url));
const LIMIT_MS = 20_000;
const MiB = 1024 * 1024;

/** @typedef {import('./judge.mjs').HostileCard} HostileCard */

/** @type {Readonly<Record<string, { title: string, mayAccept: boolean, spoil: (card: any) => object }>>} */
const CARDS = {
  'F64 slashes': {
    title: 'a card with 100,000 slashes in its address',
    mayAccept: true,
    spoil: (card) => ({ ...card, supportedInterfaces: card.supportedInterfaces.map(slashed) }),
  },
  'F64 size': { title: 'a card of 16 MiB', mayAccept: false, spoil: (card) => ({ ...card, description: 'x'.repeat(16 * MiB - 2_000) }) },
};

/** @returns {Promise<HostileCard[]>} */
export async function runHostileCards() {
  const outcomes = [];
  for (const [name, { title, mayAccept, spoil }] of Object.entries(CARDS)) {
    outcomes.push({ name, title, mayAccept, ...(await readCard(spoil)) });
  }
  return outcomes;
}

/** @param {any} one */
function slashed(one) {
  return { ...one, url: `${one.url}${'/'.repeat(100_000)}x` };
}

/** @param {(card: any) => object} spoil */
async function readCard(spoil) {
  const server = createServer((request, response) => {
    const url = `http://${request.headers.host}`;
    const card = spoil({
      name: 'Hostile agent',
      description: 'Sends a card that is expensive to read',
      version: '1',
      supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: {},
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [],
    });
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(card));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  try {
    return await meet(`http://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** @param {string} url @returns {Promise<Pick<HostileCard, 'stallMs' | 'isAccepted'>>} */
function meet(url) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--no-warnings', CLIENT, url], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const late = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    child.once('message', (/** @type {any} */ outcome) => resolve(outcome));
    child.once('exit', () => {
      clearTimeout(late);
      resolve({ stallMs: LIMIT_MS, isAccepted: false }); // no effect after a message
    });
  });
}
