// Workload 10: what a unary call costs its caller, beside a bare fetch to the same server.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CLIENT_GOALS } from './goals.mjs';
import { median } from './median.mjs';
import { startServer } from './server.mjs';
import { sizeOf } from './sizes.mjs';

/** @typedef {import('./client-process.mjs').ClientName} ClientName */
/** @typedef {{ values: Partial<Record<ClientName, number>>, ratios: Partial<Record<ClientName, number>> }} ClientOutcome */

const SCRIPT = fileURLToPath(new URL('./client-process.mjs', import.meta.url));
/** The base first. @type {readonly ClientName[]} */
const NAMES = ['fetch', 'peer', 'ours-fetch', 'ours-pooled'];

/** More pairs than usual, each shorter: what else the machine does falls on one call in another way than on the next. */
export const CLIENTS = {
  id: '10',
  title: 'a unary call on Node, CPU of the caller',
  size: { full: { repetitions: 11, warmMs: 3_000, warmOperations: 4_000, operations: 8_000, maxMs: 5_000 } },
};

/**
 * Each takes its turn with a process and a server of its own; each value is divided by the fetch of its own turn.
 * @param {import('./sizes.mjs').Mode} mode
 * @param {{ peer: boolean }} options
 * @returns {Promise<ClientOutcome>}
 */
export async function compareClients(mode, { peer }) {
  const size = sizeOf(CLIENTS, 'memory', mode);
  const entries = NAMES.filter((name) => peer || name !== 'peer').map((name) => ({ name, values: /** @type {number[]} */ ([]) }));
  for (let round = 0; round < size.repetitions; round += 1) {
    for (const { name, values } of entries) values.push(await repeatClient(name, size));
  }
  const base = entries[0]?.values ?? [];
  return {
    values: Object.fromEntries(entries.map(({ name, values }) => [name, median(values)])),
    ratios: Object.fromEntries(entries.map(({ name, values }) => [name, median(values.map((value, at) => value / (base[at] ?? NaN)))])),
  };
}

/**
 * @param {ClientName} name
 * @param {import('./measure.mjs').Size} size
 * @returns {Promise<number>} microseconds per call
 */
async function repeatClient(name, size) {
  const server = await startServer('floor');
  try {
    const { port, jsonRpcPath } = server.address;
    const child = fork(SCRIPT, [name, `http://127.0.0.1:${port}${jsonRpcPath}`, JSON.stringify(size)], {
      execArgv: ['--no-warnings'],
      env: { ...process.env, NODE_ENV: 'production' },
    });
    return await new Promise((resolve, reject) => {
      child.once('message', (value) => resolve(Number(value)));
      child.once('exit', (code) => reject(new Error(`the client ${name} ended with ${code}`)));
    });
  } finally {
    await server.stop();
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
