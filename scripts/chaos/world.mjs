// The system under test: databases, three nodes, a load balancer, and clients.
import { ownPort } from '../own-port.mjs';
import { recordClaims } from './claims.mjs';
import { Clients } from './clients.mjs';
import { ChaosNode } from './node.mjs';
import { RoundRobin } from './round-robin.mjs';

/** @typedef {import('./options.mjs').Bus} Bus */

const NODES = ['a', 'b', 'c'];
/** Shorter than most tasks: tasks that still run after it are handed over. */
const DRAIN_MS = 2_000;

/**
 * @typedef {object} WorldParts
 * @property {Bus} bus
 * @property {string} folder for all records
 * @property {import('../databases/postgres.mjs').Postgres} postgres
 * @property {import('../databases/redis.mjs').Redis | undefined} redis if it is the bus
 * @property {number} clients
 * @property {number} seed
 * @property {number} pace multiplies the times of jobs and the drain time
 * @property {number} leaseMs
 * @property {number} patienceMs
 * @property {(text: string) => void} say
 */

export class World {
  postgres;
  redis;
  say;
  bus;
  folder;
  /** The database schema of the tasks. */
  schema;
  /** @type {readonly ChaosNode[]} */
  nodes = [];
  /** @type {RoundRobin} */
  roundRobin = new RoundRobin([]);
  clients;
  #parts;

  /** @param {WorldParts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.postgres = parts.postgres;
    this.redis = parts.redis;
    this.say = parts.say;
    this.bus = parts.bus;
    this.folder = parts.folder;
    this.schema = `chaos_${parts.bus}`;
    this.clients = new Clients(parts);
  }

  /** Resolves when the nodes listen and the clients send calls. */
  async start() {
    const ports = await Promise.all(NODES.map(() => ownPort()));
    this.roundRobin = new RoundRobin(ports);
    const publicUrl = await this.roundRobin.listen();
    this.nodes = NODES.map((node, index) => new ChaosNode({ node, port: ports[index] ?? 0, publicUrl, ...this.#config() }));
    await Promise.all(this.nodes.map((node) => node.start()));
    await recordClaims(this.postgres.url, this.schema);
    await this.clients.start(publicUrl);
  }

  #config() {
    const { folder, postgres, redis, pace, leaseMs, patienceMs } = this.#parts;
    const times = { leaseMs, patienceMs, drainMs: DRAIN_MS * pace };
    return { folder, postgresUrl: postgres.url, schema: this.schema, ...times, ...(redis && { redisUrl: redis.url }) };
  }

  /** Stops all processes that it started; the databases keep running. */
  async stop() {
    await this.clients.kill();
    await Promise.all(this.nodes.map((node) => node.kill()));
    await this.roundRobin.close();
  }
}
