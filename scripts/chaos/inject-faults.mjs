// Carries out the planned faults at their times.
import { setTimeout as pause } from 'node:timers/promises';
import { connectionNames, endConnections } from './postgres-connections.mjs';
import { seconds } from './seconds.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./node.mjs').ChaosNode} ChaosNode */
/** @typedef {import('./plan.mjs').Fault} Fault */
/** @typedef {{ world: World, node: ChaosNode, lastsMs: number }} Target */
/** @typedef {{ kind: import('./plan.mjs').Kind, node: string, from: number, to: number }} Happened times in milliseconds since the epoch */

/**
 * The action of each kind. Resolves when the fault is over and repaired. @type {Record<import('./plan.mjs').Kind, (target: Target) =>
 * Promise<void>>}
 */
const DEEDS = {
  async kill({ node, lastsMs }) {
    await node.kill();
    await pause(lastsMs);
    await node.start();
  },
  async pause({ node, lastsMs }) {
    const goOn = node.pause();
    await pause(lastsMs).finally(goOn);
  },
  async drain({ node, lastsMs }) {
    await node.drain();
    await pause(lastsMs);
    await node.start();
  },
  'restart PostgreSQL': ({ world, lastsMs }) => restartPostgres(world, 'fast', lastsMs),
  'crash PostgreSQL': ({ world, lastsMs }) => restartPostgres(world, 'immediate', lastsMs),
  async 'freeze PostgreSQL'({ world: { postgres }, lastsMs }) {
    const goOn = postgres.freeze();
    await pause(lastsMs).finally(goOn);
  },
  async 'kill Redis'({ world: { redis }, lastsMs }) {
    if (redis === undefined) throw new Error('the plan kills Redis, but this world has no Redis');
    await redis.down();
    await pause(lastsMs);
    await redis.up();
  },
  async 'cut all connections'({ world }) {
    world.roundRobin.cut();
  },
  async 'cut connections to a node'({ world, node }) {
    world.roundRobin.cut(node.port);
  },
  async 'end database connections'({ world, node }) {
    await endConnections(world.postgres.url, Object.values(connectionNames(node.name)));
  },
  async 'end the listening connection'({ world, node }) {
    await endConnections(world.postgres.url, [connectionNames(node.name).listener]);
  },
};

/** Faults that take a node away for a while. @type {readonly import('./plan.mjs').Kind[]} */
const AWAY = ['kill', 'pause', 'drain'];
/** Other faults of a single node. @type {readonly import('./plan.mjs').Kind[]} */
const TO_ONE = ['cut connections to a node', 'end database connections', 'end the listening connection'];

/** Faults of the same resource run one after the other, even if they last longer than planned. @param {Fault} fault */
function thingOf({ kind, node }) {
  if (kind === 'kill Redis') return 'Redis';
  if (AWAY.includes(kind)) return `node ${node}`;
  return kind.startsWith('cut') ? `connections ${node}` : 'PostgreSQL';
}

/**
 * Resolves with the faults that happened, after all are repaired.
 * @param {World} world
 * @param {readonly Fault[]} plan
 * @param {AbortSignal} signal
 * @returns {Promise<Happened[]>}
 */
export async function injectFaults(world, plan, signal) {
  const start = performance.now();
  /** @type {Map<string, Promise<void>>} */
  const queues = new Map();
  /** @type {Happened[]} */
  const happened = [];
  for (const fault of plan) {
    await pause(Math.max(0, fault.atMs - (performance.now() - start)), undefined, { signal });
    const thing = thingOf(fault);
    const turn = (queues.get(thing) ?? Promise.resolve()).then(() => inject(world, fault, happened));
    turn.catch(() => {}); // awaited below
    queues.set(thing, turn);
  }
  await Promise.all(queues.values());
  return happened;
}

/**
 * @param {World} world
 * @param {Fault} fault
 * @param {Happened[]} happened
 */
async function inject(world, { kind, node: index, lastsMs }, happened) {
  const node = world.nodes[index];
  if (node === undefined) throw new Error(`there is no node ${index}`);
  const name = AWAY.includes(kind) || TO_ONE.includes(kind) ? node.name : '';
  if (AWAY.includes(kind)) await aim(world, node);
  const from = Date.now();
  world.say(`${kind}${name && ` (${name})`}${lastsMs > 0 ? `, ${seconds(lastsMs)}` : ''}`);
  await DEEDS[kind]({ world, node, lastsMs });
  if (AWAY.includes(kind)) node.isTarget = false;
  happened.push({ kind, node: name, from, to: Date.now() });
}

const WAIT_MS = 60_000;

/**
 * On a busy machine nodes restart later than planned. Waits until another node is up, so that the last one is never taken away. Sets
 * `isTarget` synchronously, so that of two concurrent faults the second sees the first.
 * @param {World} world
 * @param {ChaosNode} node
 */
async function aim({ nodes }, node) {
  for (const deadline = performance.now() + WAIT_MS; performance.now() < deadline; await pause(50)) {
    if (!node.isThere || !nodes.some((other) => other !== node && other.isThere)) continue;
    node.isTarget = true;
    return;
  }
  throw new Error(`for ${WAIT_MS} ms no node besides ${node.name} was up: ${nodes.flatMap(({ deaths }) => deaths).join('\n')}`);
}

/**
 * @param {World} world
 * @param {'fast' | 'immediate'} mode
 * @param {number} lastsMs
 */
async function restartPostgres({ postgres }, mode, lastsMs) {
  await postgres.down(mode);
  await pause(lastsMs);
  await postgres.up();
}
