// The amount of work. The full run is for publication; the quick run shows within a minute or two whether something broke.

/**
 * @typedef {object} Size
 * @property {number} warmMs warm-up time
 * @property {number} forMs measured time if the bus delivers notifications
 * @property {number} polledForMs the same if the node polls the store
 * @property {number} lostForMs the same if notifications are lost without an error
 * @property {number} rereadMs interval at which a node then re-reads the store
 * @property {readonly number[]} tasks number of concurrent tasks
 * @property {number} everyMs interval between the chunks of a task
 * @property {number} streams number of streams in the cost measurement
 * @property {number} chunks per stream and round
 * @property {number} warmRounds
 * @property {number} rounds number of measured rounds
 * @property {readonly number[]} nodes
 * @property {readonly (readonly [Place, Bus])[]} costs the combinations in the cost measurement
 * @property {number} rows tasks in the store for the list measurement
 * @property {number} requests number of requests for each kind of page
 */

/** @typedef {import('./cost.mjs').Place} Place */
/** @typedef {import('./cost.mjs').Bus} Bus */
/** @typedef {'full' | 'quick' | 'tiny'} Mode */

/** @type {readonly (readonly [Place, Bus])[]} */
const ALL_COSTS = [
  ['same', 'postgres'],
  ['same', 'redis'],
  ['next', 'postgres'],
  ['next', 'redis'],
];

/** @type {Readonly<Record<Mode, Size>>} */
export const SIZES = {
  full: {
    warmMs: 5_000,
    forMs: 30_000,
    polledForMs: 20_000,
    lostForMs: 60_000,
    rereadMs: 5_000,
    tasks: [1, 16],
    everyMs: 20,
    streams: 48,
    chunks: 200,
    warmRounds: 4,
    rounds: 12,
    nodes: [1, 2, 3],
    costs: ALL_COSTS,
    rows: 1_000_000,
    requests: 300,
  },
  quick: {
    warmMs: 1_000,
    forMs: 2_000,
    polledForMs: 2_000,
    lostForMs: 4_000,
    rereadMs: 1_000,
    tasks: [1, 16],
    everyMs: 20,
    streams: 48,
    chunks: 50,
    warmRounds: 1,
    rounds: 2,
    nodes: [1, 2, 3],
    costs: ALL_COSTS,
    rows: 20_000,
    requests: 40,
  },
  // For the self-test, which checks the mechanics and not the speed.
  tiny: {
    warmMs: 50,
    forMs: 200,
    polledForMs: 500,
    lostForMs: 700,
    rereadMs: 500,
    tasks: [2],
    everyMs: 10,
    streams: 4,
    chunks: 5,
    warmRounds: 1,
    rounds: 1,
    nodes: [2],
    costs: [
      ['same', 'postgres'],
      ['next', 'redis'],
    ],
    rows: 3_000,
    requests: 3,
  },
};
