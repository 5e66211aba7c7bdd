// Measures the cost of an event with one, two and three nodes: CPU time of the nodes, of PostgreSQL and of Redis, and events per second.
import { Client, message } from '../load/client.mjs';
import { Counter } from './counter.mjs';
import { startNode, untilHearing } from './node.mjs';

/** @typedef {import('./servers.mjs').Servers} Servers */
/** @typedef {import('./sizes.mjs').Size} Size */
/** @typedef {import('./node.mjs').Node} Node */
/** @typedef {'postgres' | 'redis'} Bus */
/** @typedef {'same' | 'next'} Place of the reader of a task: on the node that runs the task, or on the next node */

/**
 * @typedef {object} Cost
 * @property {number} nodes
 * @property {Bus} bus
 * @property {Place} place
 * @property {number} perSecond events per second
 * @property {number} nodeMicros µs of CPU time per event, all nodes together
 * @property {number | undefined} postgresMicros the same for PostgreSQL
 * @property {number | undefined} redisMicros the same for Redis
 */

/**
 * @param {Servers} servers
 * @param {Size} size
 * @param {(text: string) => void} [tell] called with progress messages
 * @returns {Promise<Cost[]>}
 */
export async function measureCost(servers, size, tell = () => {}) {
  /** @type {Cost[]} */
  const rows = [];
  for (const [place, bus] of size.costs) {
    for (const nodes of size.nodes) {
      if (place === 'next' && nodes === 1) continue;
      rows.push(await measureOne(servers, size, { nodes, bus, place }));
      tell(`cost: ${nodes} nodes, ${bus} bus, readers on the ${place} node`);
    }
  }
  return rows;
}

/**
 * @param {Servers} servers
 * @param {Size} size
 * @param {{ nodes: number, bus: Bus, place: Place }} what
 * @returns {Promise<Cost>}
 */
async function measureOne(servers, size, { nodes: count, bus, place }) {
  const { url, redisUrl } = servers;
  const shared = { url, redisUrl, bus, schema: servers.newSchema() };
  /** @type {Node[]} */
  const nodes = [];
  /** @type {Client[]} */
  const clients = [];
  /** @type {Counter[]} */
  const readers = [];
  try {
    for (let n = 0; n < count; n += 1) nodes.push(await startNode({ ...shared, name: `node-${n + 1}` }));
    await untilHearing(nodes, true);
    clients.push(...nodes.map(({ address }) => new Client(address)));
    await openTasks({ nodes, clients, readers }, { streams: size.streams, distance: place === 'same' ? 0 : 1 });
    await untilOpen(nodes, size.streams);
    let said = 0;
    const round = async () => {
      said += size.chunks;
      await Promise.all(nodes.map((node) => node.say(size.chunks)));
      await Promise.all(readers.map((reader) => reader.reach(said + 1))); // the first event is the Task
    };
    for (let n = 0; n < size.warmRounds; n += 1) await round();
    const used = await measureRounds(servers, nodes, async () => {
      for (let n = 0; n < size.rounds; n += 1) await round();
    });
    checkCounts(readers, said + 1);
    const events = size.rounds * size.chunks * size.streams;
    return { nodes: count, bus, place, ...perEvent(used, events) };
  } finally {
    for (const one of [...readers, ...clients]) one.close();
    for (const node of nodes) await node.stop();
  }
}

/**
 * Distributes tasks over the nodes in turn, each with one reader.
 * @param {{ nodes: readonly Node[], clients: readonly Client[], readers: Counter[] }} parts
 * @param {{ streams: number, distance: number }} options `distance`: number of nodes between a reader and its task
 */
async function openTasks({ nodes, clients, readers }, { streams, distance }) {
  for (let n = 0; n < streams; n += 1) {
    const runner = clients[n % nodes.length];
    const place = nodes[(n + distance) % nodes.length];
    if (runner === undefined || place === undefined) throw new Error('there is no such node');
    const { task } = await runner.ask(runner.rpc('SendMessage', message('hold', { returnImmediately: true })));
    const reader = new Counter(place.address.port, runner.rpc('SubscribeToTask', { id: task.id }));
    readers.push(reader);
    await reader.reach(1);
  }
}

/**
 * Readers can subscribe to a task slightly before its agent is ready to publish.
 * @param {readonly Node[]} nodes
 * @param {number} tasks
 */
async function untilOpen(nodes, tasks) {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; ) {
    const counts = await Promise.all(nodes.map((node) => node.open()));
    if (counts.reduce((sum, count) => sum + count, 0) === tasks) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('not all tasks are open');
}

/**
 * @param {readonly { events: number }[]} readers
 * @param {number} expected
 */
function checkCounts(readers, expected) {
  const wrong = readers.find(({ events }) => events !== expected);
  if (wrong !== undefined) throw new Error(`a reader received ${wrong.events} events instead of ${expected}`);
}

/**
 * @param {Servers} servers
 * @param {readonly Node[]} nodes
 * @param {() => Promise<void>} run
 */
async function measureRounds(servers, nodes, run) {
  const look = async () => {
    const cpus = await Promise.all(nodes.map((node) => node.cpu()));
    return {
      nodes: cpus.reduce((sum, cpu) => sum + cpu, 0),
      postgres: servers.postgresCpu(),
      redis: servers.redisCpu(),
      at: performance.now(),
    };
  };
  const before = await look();
  await run();
  return { before, after: await look() };
}

/**
 * @param {Awaited<ReturnType<typeof measureRounds>>} used
 * @param {number} events
 */
function perEvent({ before, after }, events) {
  const each = (/** @type {number | undefined} */ from, /** @type {number | undefined} */ to) =>
    from === undefined || to === undefined ? undefined : (to - from) / events;
  return {
    perSecond: events / ((after.at - before.at) / 1_000),
    nodeMicros: (after.nodes - before.nodes) / events,
    postgresMicros: each(before.postgres, after.postgres),
    redisMicros: each(before.redis, after.redis),
  };
}
