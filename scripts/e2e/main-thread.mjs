// Measures the load of a page's main thread, and its memory.

/**
 * @typedef {object} Busy
 * @property {number} wallMs the longest task in wall time, as the user notices it
 * @property {number} cpuMs the longest task in processor time: its duration on an idle machine
 * @property {number} over50 how many took more than 50 ms by the clock
 */

/** @typedef {{ name: string, pid: number, tid: number, dur?: number, tdur?: number, args?: { name?: string } }} TraceEvent */

/**
 * Measures every task of the page's main thread while `happen` runs.
 * @param {import('playwright-core').Page} page
 * @param {() => Promise<void>} happen
 * @returns {Promise<Busy>}
 */
export async function whileBusy(page, happen) {
  const browser = page.context().browser();
  if (browser === null) throw new Error('a page without a browser cannot be traced');
  await browser.startTracing(page, { categories: ['-*', 'disabled-by-default-devtools.timeline', '__metadata'] });
  /** @type {Buffer | undefined} */
  let trace;
  try {
    await happen();
  } finally {
    trace = await browser.stopTracing();
  }
  return toBusy(JSON.parse(trace.toString()).traceEvents);
}

/**
 * @param {TraceEvent[]} events durations in microseconds
 * @returns {Busy}
 */
function toBusy(events) {
  const place = (/** @type {TraceEvent} */ { pid, tid }) => `${pid}:${tid}`;
  const mains = new Set(events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(place));
  const tasks = events.filter((event) => event.name === 'RunTask' && mains.has(place(event)));
  if (tasks.length === 0) throw new Error('the trace has no tasks of the main thread');
  const longest = (/** @type {'dur' | 'tdur'} */ key) => tasks.reduce((most, task) => Math.max(most, task[key] ?? 0), 0) / 1_000;
  return { wallMs: longest('dur'), cpuMs: longest('tdur'), over50: tasks.filter(({ dur = 0 }) => dur > 50_000).length };
}

/**
 * Reachable memory in MB after garbage collection.
 * @param {import('playwright-core').Page} page
 */
export async function heapMb(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1_000_000;
}

/** @param {Busy} busy */
export function describeBusy({ wallMs, cpuMs, over50 }) {
  return `longest task ${wallMs.toFixed(0)} ms wall time and ${cpuMs.toFixed(0)} ms processor time, ${over50} over 50 ms`;
}
