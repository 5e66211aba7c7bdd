// Formats durations.

/** @param {number} ms */
export function seconds(ms) {
  return `${(ms / 1_000).toFixed(1)} s`;
}
