// How much is measured. The full run is for the record; the quick one tells within a minute or two whether something broke.

/**
 * @typedef {object} Size
 * @property {number} warmMs how long tasks speak before it counts
 * @property {number} forMs how long tasks speak where moves are heard
 * @property {number} polledForMs the same where the store is polled
 * @property {number} lostForMs the same where moves are lost without anybody knowing
 * @property {number} rereadMs how often a node looks for itself then
 * @property {readonly number[]} tasks how many speak at once
 * @property {number} everyMs how often each of them says a chunk
 * @property {number} streams of the measurement of costs
 * @property {number} chunks that each of them gets in a round
 * @property {number} warmRounds
 * @property {number} rounds that count
 * @property {readonly number[]} nodes
 * @property {number} rows tasks in the store when they are listed
 * @property {number} requests for each kind of page
 */

/** @typedef {'full' | 'quick' | 'tiny'} Mode */

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
    rows: 20_000,
    requests: 40,
  },
  // For the self-test: it asks whether the plumbing works, not how fast anything is.
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
    rows: 3_000,
    requests: 3,
  },
};
