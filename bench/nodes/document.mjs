// The section on many nodes of docs/benchmarks.md; `npm run bench` writes the rest of that page and keeps this.
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
 * Writes the section anew: a run of some parts writes those only, so that no page mixes two machines.
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
  const kind = mode === 'full' ? 'A full run' : 'A quick run; a full one says more';
  return `Written by \`npm run bench:nodes\` (\`bench/nodes/\`). ${kind}, on ${machine}.

PostgreSQL 15 waits for the disk at every commit (\`fsync\` and \`synchronous_commit\` on) and has the settings that it comes with. Nodes,
databases, readers and the load share these CPUs: the figures are of one small machine, not of a cluster, and more nodes do not make it
larger.`;
}

/** @param {import('./sizes.mjs').Size} size */
function latencyText({ everyMs, rereadMs }) {
  return `Tasks run on node A, each with a reader there and one on node B, and say a chunk every ${everyMs} ms. The figure is how much later
than the reader on A the reader on B gets an event; one process holds both readers, so there is one clock. With a bus that hears, a node
still asks the store every ${rereadMs.toLocaleString('en')} ms (\`rereadMs\`) where the tasks are that somebody follows; with one that says
that it does not hear, every 250 ms. The last line is a bus that loses everything and does not know it: the bound is the slow re-read.
One second is granted on top of each bound, for a machine that is busy.`;
}

/** @param {import('./sizes.mjs').Size} size */
function costText({ streams, chunks }) {
  return `${streams} tasks are spread over the nodes in turn, each with one reader, and say ${chunks} chunks per round, one per turn of the
event loop. CPU time is that of all nodes together, of all processes of PostgreSQL and of Redis, divided by the events that the readers
got. A reader on the next node is what a round-robin without stickiness makes of a reader who comes back.`;
}

/** @param {import('./report.mjs').Listed} listed */
function listText({ tasks, filledMs }) {
  return `${tasks.toLocaleString('en')} tasks are in the store, copied by SQL from one that an agent made (in ${(filledMs / 1_000).toFixed(0)} s); ten elevenths of
them are of the caller who asks. Requests go one after the other over HTTP, and the time is that of the whole call. The first page also
carries the exact number of tasks that match.`;
}

/** @param {import('./report.mjs').Listed} listed */
function plansText({ plans }) {
  const texts = plans.map(({ title, text }) => `${title}:\n\n\`\`\`text\n${text}\n\`\`\``);
  return `What PostgreSQL does for it, by \`auto_explain\` on the very statements of the store (\`EXPLAIN (ANALYZE, BUFFERS)\`):\n\n${texts.join('\n\n')}`;
}
