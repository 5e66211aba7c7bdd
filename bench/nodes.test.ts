// Tests the mechanics of `npm run bench:nodes`: nodes start, events arrive, pages are correct, numbers come out. It does not judge speed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installPgBouncer } from '../scripts/databases/pgbouncer.mjs';
import { installPostgres } from '../scripts/databases/postgres.mjs';
import { installRedis } from '../scripts/databases/redis.mjs';
import { build } from '../scripts/setup.mjs';
import { readArguments } from './nodes/arguments.mjs';
import { measureCost } from './nodes/cost.mjs';
import { measureLatency } from './nodes/latency.mjs';
import { measureList } from './nodes/list.mjs';
import { costTable, latencyTable, listTable } from './nodes/report.mjs';
import { startServers } from './nodes/servers.mjs';
import { SIZES } from './nodes/sizes.mjs';

let servers: Awaited<ReturnType<typeof startServers>>;

// The nodes run the built library.
beforeAll(async () => {
  expect(build()).toBe(true);
  installPostgres();
  installPgBouncer();
  installRedis();
  servers = await startServers();
}, 120_000);

afterAll(() => servers?.remove());

test('a subscriber on another node gets every event once and in order, in every state of the bus', async () => {
  const rows = await measureLatency(servers, SIZES.tiny);
  expect(rows.map(({ wrong }) => wrong)).toEqual(rows.map(() => []));
  expect(rows).toHaveLength(5);
  for (const { medianMs, events } of rows) {
    expect(medianMs).toBeGreaterThan(-1_000);
    expect(events).toBeGreaterThan(0);
  }
  expect(latencyTable(rows)).toContain('Redis stopped');
}, 60_000);

test('the cost of an event is measured with either bus, for readers on the same node and on the next one', async () => {
  const rows = await measureCost(servers, SIZES.tiny);
  expect(rows.map(({ bus, place }) => `${bus} ${place}`)).toEqual(['postgres same', 'redis next']);
  for (const { perSecond, nodeMicros } of rows) {
    expect(perSecond).toBeGreaterThan(0);
    expect(nodeMicros).toBeGreaterThan(0);
  }
  expect(costTable(rows)).toContain('on the next node');
}, 60_000);

test('pages of a filled store are correct, and PostgreSQL reads them by an index, without sorting', async () => {
  const listed = await measureList(servers, SIZES.tiny);
  expect(listed.tasks).toBe(3_300);
  expect(listTable(listed)).toContain('page 100');
  expect(listed.plans).toHaveLength(3);
  for (const { text } of listed.plans) {
    expect(text).toContain('Index Scan');
    expect(text).toContain('Buffers:');
    expect(text).not.toMatch(/Sort Key|Seq Scan on tasks/);
  }
}, 60_000);

test('only a full run of all parts updates the document by default', () => {
  expect(readArguments([])).toMatchObject({ mode: 'full', parts: ['latency', 'cost', 'list'], write: true });
  expect(readArguments(['--quick'])).toMatchObject({ mode: 'quick', write: false });
  expect(readArguments(['--only', 'list'])).toMatchObject({ parts: ['list'], write: false });
  expect(() => readArguments(['--only', 'speed'])).toThrow('no such part: speed');
});
