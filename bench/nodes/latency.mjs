// Measures how much later a subscriber on another node gets each event than a subscriber on the node that runs the task.
import { Client, message } from '../load/client.mjs';
import { median } from '../median.mjs';
import { startNode, untilHearing } from './node.mjs';
import { quantile } from './statistics.mjs';
import { Watcher } from './watcher.mjs';

/** @typedef {import('./servers.mjs').Servers} Servers */
/** @typedef {import('./sizes.mjs').Size} Size */
/** @typedef {import('./node.mjs').Node} Node */

/**
 * @typedef {object} Way how a node learns of the events of another node
 * @property {string} title
 * @property {(servers: Servers) => Omit<import('./node-process.mjs').NodeSettings, 'name' | 'url' | 'schema' | 'rereadMs'>} settings
 * @property {boolean} hears the expected connection state of its bus
 * @property {(size: Size) => number} forMs
 * @property {(size: Size) => number | undefined} boundMs upper limit for the delay of an event; undefined if there is none
 * @property {boolean} [withoutRedis]
 */

/** Time for a poll and its read on a busy machine. */
const SLACK_MS = 1_000;
const POLL_MS = 250;

/** @type {readonly Way[]} */
const WAYS = [
  {
    title: 'PostgreSQL bus',
    settings: () => ({ bus: 'postgres' }),
    hears: true,
    forMs: ({ forMs }) => forMs,
    boundMs: () => undefined,
  },
  {
    title: 'Redis bus',
    settings: ({ redisUrl }) => ({ bus: 'redis', redisUrl }),
    hears: true,
    forMs: ({ forMs }) => forMs,
    boundMs: () => undefined,
  },
  {
    title: 'PostgreSQL bus behind PgBouncer in transaction mode: no notifications, polls',
    settings: ({ bouncedUrl }) => ({ bus: 'postgres', listenUrl: bouncedUrl }),
    hears: false,
    forMs: ({ polledForMs }) => polledForMs,
    boundMs: () => POLL_MS + SLACK_MS,
  },
  {
    title: 'Redis bus, Redis stopped: polls',
    settings: ({ redisUrl }) => ({ bus: 'redis', redisUrl }),
    hears: false,
    forMs: ({ polledForMs }) => polledForMs,
    boundMs: () => POLL_MS + SLACK_MS,
    withoutRedis: true,
  },
  {
    title: 'all notifications lost without an error: slow re-read',
    settings: () => ({ bus: 'lost' }),
    hears: true,
    forMs: ({ lostForMs }) => lostForMs,
    boundMs: ({ rereadMs }) => rereadMs + SLACK_MS,
  },
];

/**
 * @typedef {object} Latency
 * @property {string} title
 * @property {number} tasks
 * @property {number} events
 * @property {number} medianMs
 * @property {number} p99Ms
 * @property {number} longestMs
 * @property {number | undefined} boundMs
 * @property {readonly string[]} wrong number of events that were lost, duplicated, out of order or too late
 */

/**
 * @param {Servers} servers
 * @param {Size} size
 * @param {(text: string) => void} [tell] called with progress messages
 * @returns {Promise<Latency[]>}
 */
export async function measureLatency(servers, size, tell = () => {}) {
  /** @type {Latency[]} */
  const rows = [];
  for (const way of WAYS) {
    const counts = way.hears && way.boundMs(size) === undefined ? size.tasks : size.tasks.slice(0, 1);
    for (const tasks of counts) {
      rows.push(await measureWay(servers, size, { way, tasks }));
      tell(`latency: ${way.title}, ${tasks} at once`);
    }
  }
  return rows;
}

/**
 * @param {Servers} servers
 * @param {Size} size
 * @param {{ way: Way, tasks: number }} what
 * @returns {Promise<Latency>}
 */
async function measureWay(servers, size, { way, tasks }) {
  const shared = { url: servers.url, schema: servers.newSchema(), rereadMs: size.rereadMs, ...way.settings(servers) };
  /** @type {Node[]} */
  const nodes = [];
  if (way.withoutRedis) await servers.stopRedis();
  try {
    for (const name of ['a', 'b']) nodes.push(await startNode({ ...shared, name }));
    await untilHearing(nodes, way.hears);
    const [here, there] = nodes;
    if (here === undefined || there === undefined) throw new Error('two nodes are needed');
    return { title: way.title, tasks, ...(await compare({ here, there }, size, { way, tasks })) };
  } finally {
    for (const node of nodes) await node.stop();
    if (way.withoutRedis) await servers.startRedis();
  }
}

/**
 * @param {{ here: Node, there: Node }} nodes the tasks run on `here`
 * @param {Size} size
 * @param {{ way: Way, tasks: number }} what
 */
async function compare({ here, there }, size, { way, tasks }) {
  const boundMs = way.boundMs(size);
  /** @type {Watcher[]} */
  const near = [];
  /** @type {Watcher[]} */
  const far = [];
  const [client, elsewhere] = [new Client(here.address), new Client(there.address)];
  try {
    for (let n = 0; n < tasks; n += 1) {
      const watcher = new Watcher(here.address.port, client.rpc('SendStreamingMessage', message('hold')));
      near.push(watcher);
      await watcher.until(() => watcher.taskId !== '', 10_000);
      const other = new Watcher(there.address.port, elsewhere.rpc('SubscribeToTask', { id: watcher.taskId }));
      far.push(other);
      await other.until(() => other.taskId !== '', 10_000);
    }
    const warm = await here.speak({ everyMs: size.everyMs, forMs: size.warmMs });
    const count = warm + (await here.speak({ everyMs: size.everyMs, forMs: way.forMs(size) }));
    const patienceMs = (boundMs ?? size.rereadMs) + 10_000;
    await Promise.all([...near, ...far].map((watcher) => watcher.until(() => watcher.at.length >= count, patienceMs)));
    return { ...judge(near, far, { warm, count, boundMs }), boundMs };
  } finally {
    for (const watcher of [...near, ...far]) watcher.close();
    client.close();
    elsewhere.close();
  }
}

/**
 * @param {readonly Watcher[]} near
 * @param {readonly Watcher[]} far
 * @param {{ warm: number, count: number, boundMs: number | undefined }} expected the first `warm` chunks are not measured
 */
function judge(near, far, { warm, count, boundMs }) {
  const later = far.flatMap(({ at }, task) => at.map((time, n) => time - (near[task]?.at[n] ?? Number.NaN)).slice(warm));
  const longestMs = Math.max(...later);
  const wrong = [...near, ...far].flatMap(({ wrong, at }) => [
    ...wrong,
    ...(at.length === count ? [] : [`${at.length} of ${count} arrived`]),
  ]);
  if (boundMs !== undefined && longestMs > boundMs) wrong.push(`an event arrived after ${longestMs.toFixed(0)} ms`);
  return { events: later.length, medianMs: median(later), p99Ms: quantile(later, 0.99), longestMs, wrong };
}
