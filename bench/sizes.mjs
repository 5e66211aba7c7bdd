// How long things are measured. The full run is for the record; the quick one tells within four minutes whether something broke.

/** @typedef {import('./measure.mjs').Size} Size */
/** @typedef {import('./measure.mjs').Workload} Workload */
/** @typedef {import('./server.mjs').Contestant} Contestant */
/** @typedef {'full' | 'quick' | 'tiny'} Mode */

/** @type {Readonly<Record<Mode, Size>>} */
const SIZES = {
  full: { repetitions: 5, warmMs: 3_000, warmOperations: 8_000, operations: 20_000, round: 400, maxMs: 1_500, scale: 1 },
  quick: { repetitions: 2, warmMs: 300, warmOperations: 3_000, operations: 10_000, round: 400, maxMs: 350, scale: 0.1 },
  // For the self-test: it asks whether the plumbing works, not how fast anything is.
  tiny: { repetitions: 1, warmMs: 0, warmOperations: 0, operations: 1, round: 40, maxMs: 0, scale: 0.01 },
};

/**
 * The peer is slow and nothing is promised about it: fewer repetitions, a shorter warm-up.
 * @type {Readonly<Record<Mode, Partial<Size>>>}
 */
const PEER = {
  full: { repetitions: 2, warmMs: 1_500, warmOperations: 1_500, maxMs: 1_000 },
  quick: { repetitions: 1, warmMs: 300, warmOperations: 500, maxMs: 300 },
  tiny: {},
};

/** Its SQL store says little more in a quick run: only workloads that ask for it. @type {Readonly<Partial<Record<Mode, Partial<Size>>>>} */
const PEER_SQL = { quick: { repetitions: 0 } };

/**
 * @param {Pick<Workload, 'id' | 'size' | 'peerSize' | 'peerSqlSize'>} workload
 * @param {Contestant} contestant
 * @param {Mode} mode
 * @returns {Size}
 */
export function sizeOf(workload, contestant, mode) {
  const size = { ...SIZES[mode], ...workload.size?.[mode] };
  if (contestant !== 'peer' && contestant !== 'peer-sql') return size;
  const peerSize = { ...size, ...PEER[mode], ...workload.peerSize?.[mode] };
  return contestant === 'peer' ? peerSize : { ...peerSize, ...PEER_SQL[mode], ...workload.peerSqlSize?.[mode] };
}
