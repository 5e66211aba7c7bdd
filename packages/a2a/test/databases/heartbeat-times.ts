/** Times of the nodes in the tests of the heartbeat thread: short, but long enough for a busy machine. */
export const LEASE_MS = 1_500;
export const STALL_MS = 500;
