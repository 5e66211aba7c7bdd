// Formats the tables for the terminal and for docs/benchmarks.md.
import { toTable } from '../table.mjs';

/** @typedef {import('./latency.mjs').Latency} Latency */
/** @typedef {import('./cost.mjs').Cost} Cost */
/** @typedef {Awaited<ReturnType<typeof import('./list.mjs').measureList>>} Listed */

const ms = (/** @type {number} */ value) => (value < 100 ? value.toFixed(2) : Math.round(value).toLocaleString('en'));
const micros = (/** @type {number | undefined} */ value) => (value === undefined ? '–' : value.toFixed(value < 10 ? 2 : 1));

/** @param {readonly Latency[]} rows */
export function latencyTable(rows) {
  const headings = [
    'how node B learns of an event',
    'tasks',
    'events',
    'delay, median',
    'p99',
    'longest',
    'bound',
    'lost, duplicated, reordered',
  ];
  return toTable(
    headings,
    rows.map(({ title, tasks, events, medianMs, p99Ms, longestMs, boundMs, wrong }) => ({
      cells: [
        title,
        String(tasks),
        events.toLocaleString('en'),
        `${ms(medianMs)} ms`,
        `${ms(p99Ms)} ms`,
        `${ms(longestMs)} ms`,
        boundMs === undefined ? '–' : `${ms(boundMs)} ms`,
        String(wrong.length),
      ],
    })),
  );
}

/** @param {readonly Cost[]} rows */
export function costTable(rows) {
  const headings = ['nodes', 'bus', 'readers', 'events per second', 'nodes, µs per event', 'PostgreSQL', 'Redis'];
  return toTable(
    headings,
    rows.map(({ nodes, bus, place, perSecond, nodeMicros, postgresMicros, redisMicros }) => ({
      cells: [
        String(nodes),
        bus === 'postgres' ? 'PostgreSQL' : 'Redis',
        place === 'same' ? 'on the node that runs the task' : 'on the next node',
        Math.round(perSecond).toLocaleString('en'),
        micros(nodeMicros),
        micros(postgresMicros),
        bus === 'redis' ? micros(redisMicros) : '–',
      ],
    })),
  );
}

/** @param {Listed} listed */
export function listTable({ pages }) {
  return toTable(
    ['page', 'tasks on the page', 'median', 'p99'],
    pages.map(({ title, rows, medianMs, p99Ms }) => ({ cells: [title, String(rows), `${ms(medianMs)} ms`, `${ms(p99Ms)} ms`] })),
  );
}
