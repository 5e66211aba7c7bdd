let second = Number.NaN;
let prefix = '';
const YEAR_10000 = 253_402_300_800_000;

/**
 * ISO 8601 in UTC. The text of the last second is cached: the times of events lie close together, and formatting one costs as much as a
 * small event.
 */
export function toIsoTime(at: number): string {
  if (!(at >= 0 && at < YEAR_10000)) return new Date(at).toISOString();
  const whole = Math.trunc(at);
  const ms = whole % 1_000;
  if (whole - ms !== second) {
    second = whole - ms;
    prefix = new Date(second).toISOString().slice(0, -'000Z'.length);
  }
  return `${prefix}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z`;
}
