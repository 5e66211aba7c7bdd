// The complete run: three measurements, their tables, the section of the document, and whether all events arrived.
import { readArguments, USAGE } from './arguments.mjs';
import { measureCost } from './cost.mjs';
import { writeSection } from './document.mjs';
import { measureLatency } from './latency.mjs';
import { measureList } from './list.mjs';
import { costTable, latencyTable, listTable } from './report.mjs';
import { startServers } from './servers.mjs';
import { SIZES } from './sizes.mjs';

const options = readArguments(process.argv.slice(2));
if (options.help) console.log(USAGE);
else process.exitCode = await run();

/** @returns {Promise<number>} the exit code */
async function run() {
  const size = SIZES[options.mode];
  const servers = await startServers();
  try {
    const latency = options.parts.includes('latency') ? await measureLatency(servers, size, tell) : undefined;
    if (latency) print('Delay of an event from node A to a subscriber on node B', latencyTable(latency));
    const cost = options.parts.includes('cost') ? await measureCost(servers, size, tell) : undefined;
    if (cost) print(`CPU time per event, ${size.streams} tasks distributed over the nodes, one reader each`, costTable(cost));
    const listed = options.parts.includes('list') ? await measureList(servers, size, tell) : undefined;
    if (listed) print(`ListTasks over HTTP, ${listed.tasks.toLocaleString('en')} tasks in the store`, listTable(listed));
    if (options.write) writeSection({ latency, cost, listed }, options);
    return judge(latency ?? []);
  } finally {
    await servers.remove();
  }
}

/** @param {string} text */
function tell(text) {
  console.error(text);
}

/**
 * @param {string} title
 * @param {string} table
 */
function print(title, table) {
  console.log(`\n${title}:\n\n${table}`);
}

/** @param {readonly import('./latency.mjs').Latency[]} rows */
function judge(rows) {
  const wrong = rows.flatMap(({ title, tasks, wrong }) => wrong.map((what) => `${title}, ${tasks} at once: ${what}`));
  if (rows.length > 0)
    console.log(`\n${wrong.length === 0 ? 'Every event arrived once, in order and in time.' : wrong.slice(0, 20).join('\n')}`);
  return wrong.length === 0 ? 0 : 1;
}
