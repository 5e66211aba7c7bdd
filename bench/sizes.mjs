// The durations of the measurements. The full run is for publication; the quick run shows within about five minutes whether something broke.

/** @typedef {import('./measure.mjs').Size} Size */
/** @typedef {import('./measure.mjs').Workload} Workload */
/** @typedef {import('./server.mjs').Contestant} Contestant */
/** @typedef {'full' | 'quick' | 'tiny' | 'against' | 'against-quick'} Mode */

/** @type {Readonly<Record<Mode, Size>>} */
const SIZES = {
  full: { repetitions: 5, warmMs: 3_000, warmOperations: 8_000, operations: 20_000, round: 400, maxMs: 1_500, scale: 1 },
  quick: { repetitions: 2, warmMs: 300, warmOperations: 3_000, operations: 10_000, round: 400, maxMs: 350, scale: 0.1 },
  // Two builds of the same server differ by little: more and shorter repetitions than against the floor. Both builds
  // alternate round by round and do the same number of operations, so that both are equally warm.
  against: { repetitions: 11, warmMs: 0, warmOperations: 4_000, operations: 6_000, round: 200, maxMs: 20_000, scale: 1 },
  'against-quick': { repetitions: 3, warmMs: 0, warmOperations: 4_000, operations: 4_000, round: 200, maxMs: 20_000, scale: 0.1 },
  // For the self-test, which checks the mechanics and not the speed.
  tiny: { repetitions: 1, warmMs: 0, warmOperations: 0, operations: 1, round: 40, maxMs: 0, scale: 0.01 },
};

/**
 * The peer is slow and has no goals: fewer repetitions, a shorter warm-up, unless a workload says otherwise.
 * @type {Readonly<Record<Mode, Partial<Size>>>}
 */
const PEER = {
  full: { repetitions: 2, warmMs: 1_500, warmOperations: 1_500, maxMs: 1_000 },
  quick: { repetitions: 1, warmMs: 300, warmOperations: 500, maxMs: 300 },
  tiny: {},
  against: {},
  'against-quick': {},
};

/**
 * In a quick run its SQL store adds little information: only workloads that request it run it. @type {Readonly<Partial<Record<Mode,
 * Partial<Size>>>>}
 */
const PEER_SQL = { quick: { repetitions: 0 } };

/**
 * @param {Pick<Workload, 'id' | 'size' | 'isPeerEqual' | 'peerSize' | 'peerSqlSize'>} workload
 * @param {Contestant} contestant
 * @param {Mode} mode
 * @returns {Size}
 */
export function sizeOf(workload, contestant, mode) {
  const size = { ...SIZES[mode], ...workload.size?.[mode] };
  if (contestant !== 'peer' && contestant !== 'peer-sql') return size;
  const peerSize = { ...size, ...(workload.isPeerEqual ? {} : PEER[mode]), ...workload.peerSize?.[mode] };
  return contestant === 'peer' ? peerSize : { ...peerSize, ...PEER_SQL[mode], ...workload.peerSqlSize?.[mode] };
}
