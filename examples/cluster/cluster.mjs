// Runs a PostgreSQL, three nodes and a round-robin load balancer on this machine. Restarts a node that dies, as your process manager would.
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { installPostgres, startPostgres } from '../../scripts/databases/postgres.mjs';
import { ownPort } from '../../scripts/own-port.mjs';
import { startRoundRobin } from './round-robin.mjs';

const AGENT = fileURLToPath(new URL('agent.mjs', import.meta.url));
const NODES = 3;
const LEASE_MS = 3_000; // short, so that you do not wait long; the default is 15 seconds
const AGAIN_MS = 5_000;
const START_MS = 30_000;

/**
 * @typedef {object} Node
 * @property {string} url
 * @property {() => number | undefined} pid of the current process
 * @property {() => Promise<void>} ready resolves when the node accepts calls
 * @property {() => void} kill like a power cut; the node restarts after some seconds
 * @property {() => void} remove
 */

/** @typedef {{ url: string, databaseUrl: string, nodes: readonly Node[], close(): Promise<void> }} Cluster */

/**
 * @param {number} port of the load balancer
 * @returns {Promise<Cluster>}
 */
export async function startCluster(port) {
  installPostgres();
  const database = await startPostgres();
  const url = `http://127.0.0.1:${port}`;
  const ports = await Promise.all(Array.from({ length: NODES }, ownPort));
  // The cards contain the address of the load balancer: a client that used the address of a node could not continue when that node dies.
  const nodes = ports.map((one) => startNode(one, { DATABASE_URL: database.url, PUBLIC_URL: url }));
  const closeAll = async () => {
    for (const node of nodes) node.remove();
    await database.remove();
  };
  try {
    await Promise.all(nodes.map((node) => node.ready()));
    const front = await startRoundRobin(ports, port);
    const close = () => {
      front.close();
      return closeAll();
    };
    return { url, databaseUrl: database.url, nodes, close };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/**
 * @param {number} port
 * @param {Record<string, string>} shared environment variables of all nodes
 * @returns {Node}
 */
function startNode(port, shared) {
  const url = `http://127.0.0.1:${port}`;
  const env = { ...process.env, ...shared, PORT: String(port), LEASE_MS: String(LEASE_MS) };
  let isRemoved = false;
  const start = () => {
    if (isRemoved) return;
    child = spawn(process.execPath, [...process.execArgv, AGENT], { env, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('exit', () => setTimeout(start, AGAIN_MS).unref());
  };
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  start();
  const kill = () => child?.kill('SIGKILL');
  const remove = () => {
    isRemoved = true;
    kill();
  };
  process.once('exit', remove);
  return { url, pid: () => child?.pid, ready: () => untilReady(url), kill, remove };
}

/** @param {string} url */
async function untilReady(url) {
  for (const deadline = Date.now() + START_MS; Date.now() < deadline; await pause(100)) {
    const isReady = await fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
  }
  throw new Error(`the node at ${url} is not ready after ${START_MS} ms`);
}
