/** Formats sizes, durations, times and ids for display. */
const UNITS = ['B', 'kB', 'MB', 'GB'] as const;

export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${UNITS[unit]}`;
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** Minutes and seconds for the event log, e.g. 03:59.120. */
export function formatClock(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  return `${date.toTimeString().slice(3, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** The time if the date is today, otherwise the date. */
export function formatMoment(iso: string, now = new Date()): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  if (date.toDateString() === now.toDateString()) return date.toTimeString().slice(0, 5);
  return date.toLocaleDateString(undefined, { month: 'short', day: 'numeric' });
}

/** TASK_STATE_INPUT_REQUIRED → INPUT_REQUIRED. */
export function shortState(state: string): string {
  return state.replace(/^TASK_STATE_/, '');
}

/** The last 8 characters: ids begin with the time, so ids of one minute begin with the same characters. */
export function shortId(id: string): string {
  return id.length > 12 ? `…${id.slice(-8)}` : id;
}
