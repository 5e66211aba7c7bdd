// 2 promises, 2 bytes: what one request of workload 2 allocates. Counts do not vary with other load on the machine, unlike times.
import { HEAP_FLAGS } from '../counters.mjs';
import { MANY, sendTask } from './send.mjs';

/** @typedef {import('../measure.mjs').Workload} Workload */
/** @typedef {import('../counters.mjs').Counted} Counted */

/** A server that collects garbage during a count of bytes gets another attempt. */
const ATTEMPTS = 5;

/** Rounds before a count and during it. */
const ROUNDS = 5;

/** Compiled code allocates less than cold code, so the warm-up is long. */
const SIZE = {
  full: { repetitions: 3, warmOperations: 8_000 },
  quick: { repetitions: 1, warmOperations: 3_000 },
};
const PEER_SIZE = { full: { repetitions: 1, warmOperations: 4_000 }, quick: { repetitions: 0 } };

/** @type {readonly Workload[]} */
export const counts = [
  countOf('promises', { title: 'promises of one request of 2 × 16', unit: 'promises', flags: [] }),
  countOf('bytes', { title: 'bytes that one request of 2 × 16 allocates on the heap', unit: 'bytes', flags: HEAP_FLAGS }),
];

/**
 * @param {Counted} counted
 * @param {Pick<Workload, 'title' | 'unit' | 'flags'>} facts
 * @returns {Workload}
 */
function countOf(counted, facts) {
  return {
    ...facts,
    id: `2 ${counted}`,
    by: 'value',
    contestants: ['floor', 'peer', 'memory', 'sqlite'],
    size: SIZE,
    peerSize: PEER_SIZE,
    run: async (bench) => {
      const { server, size } = bench;
      const send = await sendTask(bench, { text: 'task', connections: MANY });
      for (let warmed = 0; warmed < size.warmOperations; ) warmed += await send();
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        // Collects garbage, so that there is room. The next thousand requests allocate more than others, because V8 also drops caches and
        // some compiled code then; they are not counted.
        await server.heap();
        await sendRounds(send);
        await server.startCount(counted);
        const requests = await sendRounds(send);
        const count = await server.stopCount(counted);
        if (count !== undefined) return count / requests;
      }
      throw new Error(`garbage was collected during each of ${ATTEMPTS} counts, so the heap did not show what was allocated`);
    },
  };
}

/** @param {() => Promise<number>} send */
async function sendRounds(send) {
  let requests = 0;
  for (let round = 0; round < ROUNDS; round += 1) requests += await send();
  return requests;
}
