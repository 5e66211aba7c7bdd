// One repetition: a fresh server, one workload, one number.
import { Client } from './load/client.mjs';
import { startServer } from './server.mjs';

/** @typedef {import('./server.mjs').Contestant} Contestant */
/** @typedef {import('./server.mjs').Server} Server */

/**
 * The amount of work in one repetition.
 * @typedef {object} Size
 * @property {number} repetitions
 * @property {number} warmMs minimum warm-up time
 * @property {number} warmOperations minimum warm-up operations: with time alone, a fast contestant would warm up more than a slow one
 * @property {number} operations minimum number of measured operations
 * @property {number} round unary requests between two readings of the clock
 * @property {number} maxMs no new round starts after this time, even if there were few operations
 * @property {number} scale sizes that a quick run reduces: tasks, subscribers
 */

/**
 * @typedef {object} Bench
 * @property {Server} server
 * @property {Client} client
 * @property {Size} size
 * @property {import('./against/alternate.mjs').Turn} [turn] runs each round, when another measurement alternates with this one
 */

/**
 * @typedef {object} Workload
 * @property {string} id as in the table of goals
 * @property {string} title
 * @property {string} unit of the number, such as µs per request
 * @property {readonly Contestant[]} contestants the floor first, unless there is a base
 * @property {Workload} [base] each contestant is compared with its own cost of this workload instead of with the floor
 * @property {readonly string[]} [flags] more options of Node for the server process
 * @property {'ratio' | 'difference' | 'value'} [by] the value shown and judged: value ÷ floor, value − floor where the floor is about
 *   nothing, or the value itself
 * @property {Partial<Record<import('./sizes.mjs').Mode, Partial<Size>>>} [size] if it differs from the default
 * @property {boolean} [isFullOnly] a quick run measures it only if it is named
 * @property {boolean} [isPeerEqual] the peer gets the same warm-up and repetitions as Parley instead of fewer
 * @property {Partial<Record<import('./sizes.mjs').Mode, Partial<Size>>>} [peerSize] the same for the peer; zero repetitions skip it
 * @property {Partial<Record<import('./sizes.mjs').Mode, Partial<Size>>>} [peerSqlSize] further differences for its SQL store
 * @property {(bench: Bench) => Promise<number>} run checks the replies, warms up and measures; throws if a reply is wrong
 */

/**
 * @param {Workload} workload
 * @param {Contestant} contestant
 * @param {Size} size
 */
export function repeat(workload, contestant, size) {
  return repeatOn({ name: contestant, start: () => startServer(contestant, { flags: workload.flags }) }, workload, size);
}

/**
 * @param {{ name: string, start: () => Promise<Server>, turn?: Bench['turn'] }} contestant
 * @param {Workload} workload
 * @param {Size} size
 */
export async function repeatOn({ name, start, turn }, workload, size) {
  const server = await start();
  const client = new Client(server.address);
  try {
    return await workload.run({ server, client, size, ...(turn && { turn }) });
  } catch (cause) {
    throw new Error(`workload ${workload.id} with ${name}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  } finally {
    client.close();
    await server.stop();
  }
}

/**
 * CPU time of the server per operation, in microseconds. Warm-up rounds come first, then measured rounds.
 * @param {Bench} bench
 * @param {() => Promise<number>} round returns the number of its operations
 */
export async function cpuPerOperation({ server, size, turn = (run) => run() }, round) {
  let warmed = 0;
  const warm = performance.now() + size.warmMs;
  while (warmed < size.warmOperations || performance.now() < warm) warmed += await turn(round);

  let operations = 0;
  const end = performance.now() + size.maxMs;
  const before = await server.cpu();
  do operations += await turn(round);
  while (operations < size.operations && performance.now() < end);
  return ((await server.cpu()) - before) / operations;
}

/**
 * Throws an error with both values if they differ.
 * @param {unknown} actual
 * @param {unknown} expected
 * @param {string} what
 */
export function expect(actual, expected, what) {
  if (actual !== expected) throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}
