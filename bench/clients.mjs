// Workload 10: the cost of a unary call for its caller, compared with a bare fetch to the same server.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CLIENT_GOALS } from './goals.mjs';
import { median } from './median.mjs';
import { createAsk, startServer } from './server.mjs';
import { sizeOf } from './sizes.mjs';

/** @typedef {import('./client-process.mjs').ClientName} ClientName */
/** @typedef {{ values: Partial<Record<ClientName, number>>, ratios: Partial<Record<ClientName, number>> }} ClientOutcome */

const SCRIPT = fileURLToPath(new URL('./client-process.mjs', import.meta.url));
/** The base comes first. @type {readonly ClientName[]} */
const NAMES = ['fetch', 'peer', 'ours-fetch', 'ours-pooled'];

/** Garbage collection and compiled code differ from process to process, so each client runs in several, and the median counts. */
export const CLIENTS = {
  id: '10',
  title: 'a unary call on Node, CPU of the caller',
  size: {
    full: { repetitions: 7, warmOperations: 4_000, operations: 15_000, round: 250 },
    quick: { warmOperations: 500, operations: 1_000, round: 125 },
  },
};

/**
 * All clients of a repetition run at the same time, each with its own process and server, and call in turns of a fraction of a second, so
 * that other load on the machine affects all of them equally.
 * @param {import('./sizes.mjs').Mode} mode
 * @param {{ peer: boolean }} options
 * @returns {Promise<ClientOutcome>}
 */
export async function compareClients(mode, { peer }) {
  const size = sizeOf(CLIENTS, 'memory', mode);
  const names = NAMES.filter((name) => peer || name !== 'peer');
  /** @type {number[][]} by repetition, then by client: microseconds per call */
  const costs = [];
  for (let repetition = 0; repetition < size.repetitions; repetition += 1) costs.push(await repeatClients(names, size));
  return {
    values: Object.fromEntries(names.map((name, at) => [name, median(costs.map((row) => row[at] ?? NaN))])),
    ratios: Object.fromEntries(names.map((name, at) => [name, median(costs.map((row) => (row[at] ?? NaN) / (row[0] ?? NaN)))])),
  };
}

/**
 * @param {readonly ClientName[]} names
 * @param {import('./measure.mjs').Size} size
 * @returns {Promise<number[]>} microseconds per call for each client
 */
async function repeatClients(names, size) {
  /** @type {Client[]} */
  const clients = [];
  try {
    for (const name of names) clients.push(await startClient(name));
    for (const { ask } of clients) await ask('warm', size);
    const before = await Promise.all(clients.map(({ ask }) => ask('cpu')));
    const turns = Math.ceil(size.operations / size.round);
    for (let turn = 0; turn < turns; turn += 1) {
      for (const { ask } of rotated(clients, turn)) await ask('slice', { count: size.round });
    }
    const after = await Promise.all(clients.map(({ ask }) => ask('cpu')));
    return after.map((cpu, at) => (cpu - before[at]) / (turns * size.round));
  } finally {
    await Promise.all(clients.map(({ stop }) => stop()));
  }
}

/**
 * Rotates the order, so that no client always follows the same one.
 * @template T
 * @param {readonly T[]} list
 * @param {number} by
 */
function rotated(list, by) {
  const first = by % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
}

/** @typedef {{ ask: ReturnType<typeof createAsk>, stop: () => Promise<void> }} Client */

/**
 * @param {ClientName} name
 * @returns {Promise<Client>}
 */
async function startClient(name) {
  const server = await startServer('floor');
  const { port, jsonRpcPath } = server.address;
  const child = fork(SCRIPT, [name, `http://127.0.0.1:${port}${jsonRpcPath}`], {
    execArgv: ['--no-warnings'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
    await server.stop();
  };
  const ask = createAsk(child, name);
  try {
    await ask.started;
    return { ask, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * @param {ClientOutcome} outcome
 * @returns {{ table: string, missed: number }}
 */
export function reportClients({ values, ratios }) {
  const lines = NAMES.filter((name) => values[name] !== undefined).map((name) => {
    const goal = CLIENT_GOALS[name];
    const ratio = ratios[name] ?? Number.NaN;
    const verdict = goal === undefined ? '' : ratio <= goal ? 'met' : 'missed';
    return { verdict, cells: [TITLES[name], `${(values[name] ?? NaN).toFixed(0)} µs`, ratio.toFixed(2), goal?.toFixed(2) ?? '–', verdict] };
  });
  const widths = [36, 8, 7, 5, 6];
  const toLine = (/** @type {string[]} */ cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const head = toLine([`10: ${CLIENTS.title}`, 'per call', '÷ fetch', 'goal', '']);
  const rule = `|${widths.map((width, at) => '-'.repeat((at === 0 ? head.indexOf(' | ') - 2 : width) + 2)).join('|')}|`;
  return {
    table: [head, rule, ...lines.map(({ cells }) => toLine(cells))].join('\n'),
    missed: lines.filter(({ verdict }) => verdict === 'missed').length,
  };
}

/** @type {Readonly<Record<ClientName, string>>} */
const TITLES = { fetch: 'bare fetch', peer: '@a2a-js/sdk', 'ours-fetch': 'Parley over fetch', 'ours-pooled': 'Parley over pooled()' };
