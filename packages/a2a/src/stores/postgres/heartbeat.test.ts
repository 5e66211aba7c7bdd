import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { newSchema } from '../../../test/databases/provided.js';
import { manualClock } from '../../testing/index.js';
import type { Heartbeat, HeartbeatOptions, TaskStore } from '../store.js';
import { threadConfig } from './connections.js';
import { startHeartbeat } from './heartbeat.js';
import { postgresStore } from './index.js';
import { SharedInstant } from './shared-instant.js';

const url = inject('postgresUrl');
const LEASE_MS = 5_000;
const OPTIONS = { node: 'node', incarnation: 'only', leaseMs: LEASE_MS, beatMs: 50, stallMs: 5_000, onFailure: () => {} };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A node that holds its lease, and the thread that renews it. */
async function started(options: Partial<HeartbeatOptions> = {}, database = url) {
  const schema = newSchema();
  const store = postgresStore(database, { schema });
  closing.push(() => store.close());
  await store.beat('node', 'only', (await store.now()) + LEASE_MS);
  const heartbeat = store.startHeartbeat?.({ ...OPTIONS, ...options });
  if (heartbeat === undefined) throw new Error('the store has no heartbeat');
  heartbeat.renewed(0);
  return { store, schema, heartbeat };
}

const renewals = (heartbeat: Heartbeat) => expect.poll(() => heartbeat.agoMs, { timeout: 10_000, interval: 10 });

async function leftMs(schema: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ left: string }>(`SELECT until - ${schema}.now_ms() AS left FROM ${schema}.nodes`);
  await client.end();
  return Number(rows[0]?.left);
}

const block = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe('D59: the heartbeat thread', () => {
  test('D59, F61: renews the lease while the event loop is blocked', async () => {
    const { heartbeat } = await started();
    await renewals(heartbeat).toBeLessThan(LEASE_MS);
    block(700);
    expect(heartbeat.agoMs).toBeLessThan(600);
  });

  test('D59: pauses while the event loop is blocked for stallMs, and continues with it', async () => {
    const { heartbeat } = await started({ stallMs: 300 });
    await renewals(heartbeat).toBeLessThan(LEASE_MS);
    block(900);
    expect(heartbeat.agoMs).toBeGreaterThan(300);
    await renewals(heartbeat).toBeLessThan(200);
  });

  test('D59: a late heartbeat of the node does not shorten the lease that the thread has extended; one in the past ends it', async () => {
    const { store, schema, heartbeat } = await started();
    await renewals(heartbeat).toBeLessThan(LEASE_MS);
    await heartbeat.stop();
    await store.beat('node', 'only', (await store.now()) + 100);
    expect(await leftMs(schema)).toBeGreaterThan(1_000);
    await store.beat('node', 'only', await store.now());
    expect(await leftMs(schema)).toBeLessThanOrEqual(0);
  });

  test('D59: reports why it cannot connect, and tries again', async () => {
    const { store } = await started();
    const elsewhere = postgresStore('postgresql://agent@127.0.0.1:1/none', { schema: newSchema() });
    closing.push(() => elsewhere.close());
    const heartbeat = elsewhere.startHeartbeat?.(OPTIONS);
    heartbeat?.renewed(0);
    await expect.poll(() => heartbeat?.failure, { timeout: 10_000 }).toContain('ECONNREFUSED');
    expect(heartbeat?.agoMs).toBe(Number.POSITIVE_INFINITY);
    expect(await store.now()).toBeGreaterThan(0);
  });

  test('D59: a thread that ends by itself is reported once; one that was stopped is not', async () => {
    const failures: string[] = [];
    const schema = newSchema();
    const options = { ...OPTIONS, onFailure: (cause: unknown) => void failures.push(String(cause)) };
    const connection = { driver: '/nowhere/pg.js', config: {}, schema, queryTimeoutMs: 1_000 };
    startHeartbeat(connection, options);
    await expect.poll(() => failures, { timeout: 10_000 }).toHaveLength(1);
    expect(failures[0]).toContain('/nowhere/pg.js');
    await startHeartbeat(connection, options).stop();
    await sleep(50);
    expect(failures).toHaveLength(1);
  });

  test('D59: ends with its store, and a store with a clock of its own has none', async () => {
    const { store, heartbeat } = await started();
    await renewals(heartbeat).toBeLessThan(LEASE_MS);
    await store.close();
    const { agoMs } = heartbeat;
    await sleep(150);
    expect(heartbeat.agoMs).toBeGreaterThan(agoMs + 100);
    const simulated: TaskStore = postgresStore(url, { schema: newSchema(), clock: manualClock() });
    closing.push(() => simulated.close());
    expect(simulated.startHeartbeat).toBeUndefined();
  });

  test('D59: the options of a Pool reach the thread with their secrets, and without type parsers', () => {
    const ssl = { ca: 'ca', key: 'private', rejectUnauthorized: true };
    const config = threadConfig(new pg.Pool({ host: 'database', user: 'agent', password: 'secret', ssl, types: pg.types }));
    expect(structuredClone(config)).toMatchObject({
      host: 'database',
      user: 'agent',
      password: 'secret',
      ssl: { ca: 'ca', key: 'private' },
    });
    expect(config).not.toHaveProperty('types');
  });
});

describe('D59: an instant that threads share', () => {
  test('D59: has the age that its writer gave it, in every thread, and is infinitely old before', async () => {
    const buffer = SharedInstant.memory(2);
    const [first, second] = [new SharedInstant(buffer, 0), new SharedInstant(buffer, 1)];
    expect([first.agoMs, second.agoMs]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
    const code = `const Instant = ${SharedInstant.toString()}; new Instant(require('node:worker_threads').workerData, 1).set(5000);`;
    const worker = new Worker(code, { eval: true, workerData: buffer });
    await new Promise((resolve) => worker.once('exit', resolve));
    expect(second.agoMs).toBeGreaterThanOrEqual(5_000);
    expect(second.agoMs).toBeLessThan(10_000);
    expect(first.agoMs).toBe(Number.POSITIVE_INFINITY);
  });

  // Otherwise a step of the wall clock between the start of the process and of the thread would shift one timeline against the other.
  test('D59: is on one timeline: a thread has the time origin of its process', async () => {
    const worker = new Worker(`require('node:worker_threads').parentPort.postMessage(performance.timeOrigin)`, { eval: true });
    expect(await new Promise((resolve) => worker.once('message', resolve))).toBe(performance.timeOrigin);
  });
});
