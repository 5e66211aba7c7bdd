// Runs the processor-bound cases on all cores.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { sum } from './tally.mjs';

/** @typedef {import('./report.mjs').Row} Row */

/**
 * Reports each row as soon as every worker has finished its share.
 * @param {import('./sdk-recording.mjs').Recorded} recorded
 * @param {import('./options.mjs').Options} options
 * @param {(row: Row) => void} onRow
 */
export async function shareOut(recorded, options, onRow) {
  const of = Math.min(4, availableParallelism());
  /** @type {Map<string, Row[]>} */
  const shares = new Map();
  const note = (/** @type {Row} */ row) => {
    const key = `${row.name}, ${row.peer}, ${row.binding}`;
    const rows = [...(shares.get(key) ?? []), row];
    shares.set(key, rows);
    if (rows.length < of) return;
    onRow({ ...row, tally: sum(rows.map(({ tally }) => tally)), seconds: Math.max(...rows.map(({ seconds }) => seconds)) });
  };
  await Promise.all(Array.from({ length: of }, (_, index) => runWorker({ recorded, options, index, of }, note)));
}

/**
 * @param {import('./worker.mjs').Share} workerData
 * @param {(row: Row) => void} onRow
 * @returns {Promise<void>}
 */
function runWorker(workerData, onRow) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('worker.mjs', import.meta.url), { workerData });
    worker.on('message', onRow);
    worker.once('error', reject);
    worker.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a worker exited with ${code}`))));
  });
}
