// How busy a page keeps its one thread, and how much it holds.

/**
 * Call it before the page is opened.
 * @param {import('playwright-core').Page} page
 */
export async function watchLongTasks(page) {
  await page.addInitScript(() => {
    /** @type {number[]} */
    const tasks = [];
    Reflect.set(globalThis, 'longTasksMs', tasks);
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: 'longtask', buffered: true });
  });
}

/**
 * Tasks of more than 50 ms since the last call, the longest first.
 * @param {import('playwright-core').Page} page
 * @returns {Promise<number[]>}
 */
export async function takeLongTasks(page) {
  return page.evaluate(() => {
    /** @type {number[]} */
    const tasks = Reflect.get(globalThis, 'longTasksMs');
    return tasks.splice(0).sort((a, b) => b - a);
  });
}

/**
 * What is still reachable, in MB, after the rubbish has been collected.
 * @param {import('playwright-core').Page} page
 */
export async function heapMb(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1_000_000;
}
