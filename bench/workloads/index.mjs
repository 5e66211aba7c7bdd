// All workloads, in the order of the table.
import { burstFirstByte, burstNeighbour } from './burst.mjs';
import { counts } from './counts.mjs';
import { manyReaders, manyTasks } from './deliveries.mjs';
import { getTask, getTaskShort } from './get-task.mjs';
import { goneEvent, goneHeap } from './gone.mjs';
import { growth, marginalEvents } from './growth.mjs';
import { listTasks } from './list-tasks.mjs';
import { heapPerReader, heapPerTask } from './memory.mjs';
import { rawEvents } from './raw.mjs';
import { sends } from './send.mjs';
import { burstStream, longStreams, shortStreams } from './streams.mjs';

/** @type {readonly import('../measure.mjs').Workload[]} */
const WORKLOADS = [
  ...sends,
  ...counts,
  ...[...longStreams, shortStreams, burstStream, ...rawEvents],
  ...[getTask, getTaskShort, ...listTasks],
  ...[manyTasks, manyReaders, ...marginalEvents, growth],
  ...[heapPerTask, heapPerReader],
  ...[burstFirstByte, burstNeighbour, goneHeap, goneEvent],
];

/**
 * The workloads with these ids: `5` is every `5 × …`, `5s` is a separate workload.
 * @param {readonly string[]} ids empty means all of the mode
 * @param {import('../sizes.mjs').Mode} [mode]
 */
export function select(ids, mode = 'full') {
  if (ids.length === 0) return mode === 'quick' ? WORKLOADS.filter(({ isFullOnly }) => !isFullOnly) : WORKLOADS;
  const unknown = ids.find((id) => !WORKLOADS.some((workload) => isNamed(workload.id, id)));
  if (unknown !== undefined) throw new Error(`no such workload: ${unknown}; the workloads are ${WORKLOADS.map(({ id }) => id).join(', ')}`);
  return WORKLOADS.filter((workload) => ids.some((id) => isNamed(workload.id, id)));
}

/**
 * @param {string} workload
 * @param {string} id
 */
function isNamed(workload, id) {
  return workload === id || workload.startsWith(`${id} `);
}
