// Writes the section about many nodes of docs/benchmarks.md. `npm run bench` writes the rest of that page and keeps this section.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { FILE, NODES_TITLE } from '../document.mjs';
import { costTable, latencyTable, listTable } from './report.mjs';
import { SIZES } from './sizes.mjs';

/**
 * @typedef {object} Measured values that a run did not measure are undefined
 * @property {readonly import('./latency.mjs').Latency[] | undefined} latency
 * @property {readonly import('./cost.mjs').Cost[] | undefined} cost
 * @property {import('./report.mjs').Listed | undefined} listed
 */

/**
 * Replaces the whole section. A run of some parts writes only those, so that the section never mixes two machines.
 * @param {Measured} measured
 * @param {import('./arguments.mjs').Options} options
 */
export function writeSection(measured, { mode }) {
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
  const start = text.indexOf(`## ${NODES_TITLE}\n`);
  const before = start < 0 ? text.trimEnd() : text.slice(0, start).trimEnd();
  writeFileSync(FILE, `${before}\n\n${toSection(measured, mode)}`);
}

/**
 * @param {Measured} measured
 * @param {import('./sizes.mjs').Mode} mode
 */
function toSection({ latency, cost, listed }, mode) {
  const size = SIZES[mode];
  const machine = `Node ${process.versions.node} on ${process.platform} ${process.arch} with ${availableParallelism()} CPUs`;
  const parts = [`## ${NODES_TITLE}\n\n${head(mode, machine)}`];
  if (latency) parts.push(`### Added latency\n\n${latencyText(size)}\n\n${latencyTable(latency)}`);
  if (cost) parts.push(`### Cost per event\n\n${costText(size)}\n\n${costTable(cost)}`);
  if (listed) parts.push(`### ListTasks\n\n${listText(listed)}\n\n${listTable(listed)}`, plansText(listed));
  return `${parts.join('\n\n')}\n`;
}

/**
 * @param {import('./sizes.mjs').Mode} mode
 * @param {string} machine
 */
function head(mode, machine) {
  const kind = mode === 'full' ? 'A full run' : 'A quick run; a full run is more precise';
  return `\`npm run bench:nodes\` (\`bench/nodes/\`) writes this section. ${kind}, on ${machine}.

PostgreSQL 15 waits for the disk at every commit (\`fsync\` and \`synchronous_commit\` on) and otherwise has its default settings. Nodes,
databases, readers and the load share these CPUs. So the figures are those of one small machine, not of a cluster, and more nodes do not add
capacity.`;
}

/** @param {import('./sizes.mjs').Size} size */
function latencyText({ everyMs, rereadMs }) {
  return `Tasks run on node A, each with a reader on A and one on node B, and publish a chunk every ${everyMs} ms. The figure is the delay of the
reader on B compared with the reader on A. One process holds both readers, so there is one clock. While the bus is connected, a node still
re-reads the store every ${rereadMs.toLocaleString('en')} ms (\`rereadMs\`) for tasks with subscribers; while the bus reports that it is
disconnected, every 250 ms. In the last row the bus loses every notification without an error, so the bound is the slow re-read. Each bound
includes one extra second for a busy machine.`;
}

/** @param {import('./sizes.mjs').Size} size */
function costText({ streams, chunks }) {
  return `${streams} tasks are distributed over the nodes in turn, each with one reader, and publish ${chunks} chunks per round, one per event-loop
iteration. CPU time is that of all nodes together, of all processes of PostgreSQL and of Redis, divided by the events that the readers
received. A reader on the next node is the typical case after a reconnect through a round-robin load balancer without sticky sessions.`;
}

/** @param {import('./report.mjs').Listed} listed */
function listText({ tasks, filledMs }) {
  return `The store has ${tasks.toLocaleString('en')} tasks, copied by SQL from one task of an agent (in ${(filledMs / 1_000).toFixed(0)} s). Ten elevenths of
them belong to the caller. Requests are sent one after the other over HTTP, and the time is that of the whole call. The first page also
contains the exact number of matching tasks.`;
}

/** @param {import('./report.mjs').Listed} listed */
function plansText({ plans }) {
  const texts = plans.map(({ title, text }) => `${title}:\n\n\`\`\`text\n${text}\n\`\`\``);
  return `The plans of PostgreSQL, by \`auto_explain\` on the statements of the store (\`EXPLAIN (ANALYZE, BUFFERS)\`):\n\n${texts.join('\n\n')}`;
}
