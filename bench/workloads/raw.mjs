// 2r, 5r: raw events instead of the helpers of `events`. An executor that was written for another SDK publishes such events.
import { cpuPerOperation } from '../measure.mjs';
import { MANY, sends, sendTask } from './send.mjs';
import { longStreams, runStreams } from './streams.mjs';

/** @typedef {import('../measure.mjs').Workload} Workload */

/** @type {readonly Workload[]} */
export const rawEvents = [
  rawOf('2r', baseOf(sends, '2 × 16'), async (bench) =>
    cpuPerOperation(bench, await sendTask(bench, { text: 'raw-task', connections: MANY })),
  ),
  rawOf('5r', baseOf(longStreams, '5 × 16'), (bench) => runStreams(bench, { ask: 'raw-turns', chunks: 1_000, streams: 16 })),
];

/**
 * @param {string} id
 * @param {Workload} base the same work by the helpers, on the same store
 * @param {Workload['run']} run
 * @returns {Workload}
 */
function rawOf(id, base, run) {
  const { unit, size } = base;
  const title = `${base.id} with raw \`events.publish\`, compared with ${base.id} on the same store`;
  return { id, title, unit, contestants: ['memory', 'sqlite'], base, size: { ...size, quick: { ...size?.quick, repetitions: 1 } }, run };
}

/**
 * @param {readonly Workload[]} workloads
 * @param {string} wanted
 */
function baseOf(workloads, wanted) {
  const base = workloads.find(({ id }) => id === wanted);
  if (base === undefined) throw new Error(`no workload ${wanted} to compare with`);
  return base;
}
