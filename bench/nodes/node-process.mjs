// One node in its own process. It executes commands of the load generator and reports the resources that the process has used.

import { listen } from '@parley/a2a/node';
import { postgres } from '@parley/a2a/postgres';
import { redis } from '@parley/a2a/redis';
import { createAgent } from '@parley/a2a/server';
import { obey } from '../obey.mjs';
import { ARTIFACT, chunkText, inTurns } from '../servers/script.mjs';

/** @typedef {import('@parley/a2a/server').EventBus} EventBus */
/** @typedef {import('@parley/a2a/server').TaskEvents} TaskEvents */

/**
 * @typedef {object} NodeSettings
 * @property {string} name
 * @property {string} url of the PostgreSQL
 * @property {string} schema
 * @property {'postgres' | 'redis' | 'lost'} bus `lost` claims to be connected but loses every message
 * @property {string} [listenUrl]
 * @property {string} [redisUrl]
 * @property {number} [rereadMs]
 */

const settings = /** @type {NodeSettings} */ (JSON.parse(process.argv[2] ?? '{}'));

/** The open tasks and their progress. @type {{ events: TaskEvents, said: number }[]} */
const open = [];
/** The last connection state that the bus reported; null before the first. @type {boolean | null} */
let hears = settings.bus === 'lost' ? true : null;

const store = postgres(settings.url, {
  schema: settings.schema,
  ...(settings.listenUrl && { listenUrl: settings.listenUrl }),
  onWarning: () => {}, // the disconnected bus is the case under test
});
const agent = createAgent({
  name: 'Benchmark',
  node: settings.name,
  store,
  bus: watched(chooseBus()),
  auth: (request) => ({ id: request.header('x-caller') ?? 'default-caller' }),
  executor: { execute },
  maxRunningTasks: 10_000,
  maxRunningTasksPerCaller: 10_000,
  maxReadersPerCaller: 10_000,
  ...(settings.rereadMs && { rereadMs: settings.rereadMs }),
  onError: (error) => console.error(settings.name, error),
});
const { port } = await listen(agent, { port: 0 });

process.on('disconnect', () => process.exit());

const commands = {
  /** CPU time of this process so far, in microseconds. */
  cpu() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  hears: () => hears,
  /** The number of open tasks. */
  open: () => open.length,
  /** Each open task publishes `count` chunks, one per event-loop iteration. @param {{ count: number }} args */
  async say({ count }) {
    await Promise.all(open.map((task) => inTurns(count, () => sayOne(task))));
  },
  /** Each open task publishes a chunk every `everyMs`, for `forMs`. @param {{ everyMs: number, forMs: number }} args */
  async speak({ everyMs, forMs }) {
    const count = Math.ceil(forMs / everyMs);
    await Promise.all(open.map((task) => speakOne(task, count, everyMs)));
    return count;
  },
};
obey(commands);
process.send?.({ id: 0, value: { port, jsonRpcPath: '/', restPath: '' } });

/** @returns {EventBus} */
function chooseBus() {
  if (settings.bus === 'redis') return redis(settings.redisUrl ?? '', { channel: settings.schema, onWarning: () => {} });
  if (settings.bus === 'postgres') return store.bus;
  return { notify: () => {}, listen: () => () => {}, close: async () => {} };
}

/** Wraps the bus to record the connection state that it reports. @param {EventBus} bus @returns {EventBus} */
function watched(bus) {
  return {
    notify: (moves) => bus.notify(moves),
    listen: (onMoves, onHearing) =>
      bus.listen(onMoves, (value) => {
        hears = value;
        onHearing?.(value);
      }),
    close: () => bus.close(),
  };
}

/**
 * `hold` opens a task that publishes on command; any other text is answered at once.
 * @param {import('@parley/a2a/server').RequestContext} context
 * @param {TaskEvents} events
 */
async function execute({ text, signal }, events) {
  if (text !== 'hold') {
    await events.artifact({ artifactId: ARTIFACT, parts: [{ text: `${text}: answered` }] });
    await events.complete();
    return;
  }
  await events.task();
  await events.flush();
  open.push({ events, said: 0 });
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

/** @param {{ events: TaskEvents, said: number }} task */
function sayOne(task) {
  task.said += 1;
  return task.events.appendText(ARTIFACT, chunkText(task.said - 1));
}

/**
 * @param {{ events: TaskEvents, said: number }} task
 * @param {number} count
 * @param {number} everyMs
 * @returns {Promise<void>}
 */
function speakOne(task, count, everyMs) {
  return new Promise((resolve, reject) => {
    let left = count;
    const timer = setInterval(() => {
      Promise.resolve(sayOne(task)).catch(reject);
      left -= 1;
      if (left > 0) return;
      clearInterval(timer);
      resolve();
    }, everyMs);
  });
}
