// Tests the mechanics of `npm run bench`: servers start, replies are checked, numbers come out. It does not judge speed.
import { beforeAll, expect, test } from 'vitest';
import { build } from '../scripts/setup.mjs';
import { readArguments } from './arguments.mjs';
import { compareClients, reportClients } from './clients.mjs';
import { compare, relate } from './compare.mjs';
import { FLATNESS, GATHERED_GOALS, GOALS, SHARE_GOALS } from './goals.mjs';
import { repeat } from './measure.mjs';
import { report, reportUnary } from './report.mjs';
import { createGatheredReply, type Response } from './servers/replies.mjs';
import { sizeOf } from './sizes.mjs';
import { select } from './workloads/index.mjs';

// The contestants run the built library.
beforeAll(() => {
  expect(build()).toBe(true);
}, 60_000);

function named(id: string) {
  const [workload] = select([id]);
  if (workload === undefined) throw new Error(`no workload ${id}`);
  return workload;
}

test.each(['2 × 16', '5s', '6b', '9'])(
  'workload %s gets correct replies from the floor and from Parley, and yields a ratio',
  async (id) => {
    const { values, ratios } = await compare(named(id), ['floor', 'memory', 'sqlite'], 'tiny');
    for (const value of [values.floor, values.memory, values.sqlite, ratios.memory, ratios.sqlite]) {
      expect(value).toBeGreaterThan(0);
      expect(value).toBeLessThan(Number.POSITIVE_INFINITY);
    }
  },
  30_000,
);

test.each(['2r', '5r'])(
  'workload %s gets the same replies by raw events as by the helpers, and is compared with the same store',
  async (id) => {
    const { values, ratios } = await compare(named(id), ['floor', 'peer', 'memory', 'sqlite'], 'tiny');
    for (const found of [values, ratios]) {
      expect(Object.keys(found)).toEqual(['memory', 'sqlite']);
      for (const value of Object.values(found)) expect(value).toBeGreaterThan(0);
    }
  },
  30_000,
);

test('the promises and the bytes of a request are counted in every server', async () => {
  const promises = await compare(named('2 promises'), ['floor', 'memory'], 'tiny');
  expect(promises.values.floor).toBeLessThan(1);
  expect(promises.values.memory).toBeGreaterThan(1);
  const bytes = await compare(named('2 bytes'), ['floor', 'sqlite'], 'tiny');
  // The text of a request, its parsed form and the reply alone need more than a thousand.
  for (const value of [bytes.values.floor, bytes.values.sqlite]) expect(value).toBeGreaterThan(1_000);
  expect(bytes.ratios.sqlite).toBe(bytes.values.sqlite);
}, 30_000);

test('the gathered floor gives correct replies over one connection and over four, by JSON-RPC and by HTTP+JSON', async () => {
  for (const id of ['1 × 4', '2 × 1', '3 × 4']) {
    const { values, gathered } = await compare(named(id), ['floor', 'gathered', 'memory'], 'tiny');
    expect(values.gathered).toBeGreaterThan(0);
    expect(gathered?.memory).toBeGreaterThan(0);
  }
}, 30_000);

test('the gathered floor writes all replies of one event-loop iteration together, each once', async () => {
  const written: string[] = [];
  const respond = () => ({ writeHead: () => undefined, end: (text: string) => void written.push(text) }) as unknown as Response;
  const reply = createGatheredReply();
  reply(respond(), 'one');
  await Promise.resolve();
  reply(respond(), 'two');
  expect(written).toEqual([]);
  await new Promise(setImmediate);
  expect(written).toEqual(['one', 'two']);
  reply(respond(), 'three');
  await new Promise(setImmediate);
  expect(written).toEqual(['one', 'two', 'three']);
});

test('the official SDK gives correct replies also with its SQL store: sends, a task read again, a page', async () => {
  for (const id of ['2 × 16', '6b', '7']) {
    const { values, ratios } = await compare(named(id), ['floor', 'peer-sql'], 'tiny');
    expect(values['peer-sql']).toBeGreaterThan(0);
    expect(ratios['peer-sql']).toBeGreaterThan(0);
  }
}, 60_000);

test('workload 10 calls the floor with every client, and reports a missed goal', async () => {
  const outcome = await compareClients('tiny', { peer: true });
  for (const name of ['fetch', 'peer', 'ours-fetch', 'ours-pooled'] as const) {
    expect(outcome.values[name]).toBeGreaterThan(0);
    expect(outcome.ratios[name]).toBeGreaterThan(0);
  }
  const ratios = { fetch: 1, 'ours-fetch': 1.05, 'ours-pooled': 0.31 };
  const { table, missed } = reportClients({ values: { fetch: 400, 'ours-fetch': 420, 'ours-pooled': 124 }, ratios });
  expect(missed).toBe(1);
  expect(table).toMatch(/Parley over fetch .* 1\.05 .* met[\s\S]*pooled\(\) .* 0\.31 .* missed/);
}, 60_000);

test('a quick run measures the SQL store of the official SDK only in workload 2 × 16', () => {
  const quick = select([]).filter(
    (workload) => workload.contestants.includes('peer-sql') && sizeOf(workload, 'peer-sql', 'quick').repetitions > 0,
  );
  expect(quick.map(({ id }) => id)).toEqual(['2 × 16']);
});

test('a quick run leaves out workloads, but none that has a goal, and measures one that is named', () => {
  const quick = select([], 'quick').map(({ id }) => id);
  expect(quick.length).toBeLessThan(select([]).length);
  expect(quick).toEqual(expect.arrayContaining([GOALS, GATHERED_GOALS, SHARE_GOALS].flatMap(Object.keys)));
  expect(select(['1 × 4'], 'quick')).toHaveLength(1);
});

test('a workload fails on a wrong reply instead of measuring it', async () => {
  const workload = named('6');
  const wrong = {
    ...workload,
    run: ({ client }: Parameters<typeof workload.run>[0]) => client.ask(client.rpc('GetTask', { id: 'no-such-task' })),
  };
  await expect(repeat(wrong, 'memory', sizeOf(workload, 'memory', 'tiny'))).rejects.toThrow(
    'workload 6 with memory: the reply is an error',
  );
}, 30_000);

test('every goal belongs to a workload', () => {
  const ids = select([]).map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining([...[GOALS, GATHERED_GOALS, SHARE_GOALS].flatMap(Object.keys), FLATNESS.of, FLATNESS.to]));
  expect(new Set(ids).size).toBe(ids.length);
});

test('a goal is missed if one store misses it, and only measured values are judged', () => {
  const workload = named('2 × 1');
  const values = { floor: 100 };
  expect(report([{ workload, values, ratios: { memory: 1.1, sqlite: 1.9 } }]).missed).toBe(0);
  expect(report([{ workload, values, ratios: { memory: 1.1, sqlite: 1.91 } }]).missed).toBe(1);
  expect(report([{ workload, values, ratios: { memory: 1.1 } }]).missed).toBe(0);
  expect(report([{ workload, values, ratios: { memory: Number.NaN } }]).missed).toBe(1);
});

test('a unary send is also related to the gathered floor and to the overhead of the official SDK, round by round', () => {
  // The second round ran on a machine ten times as slow.
  const rounds = { floor: [100, 1_000], gathered: [60, 600], peer: [600, 6_000], memory: [120, 1_200], sqlite: [180, 1_800] };
  const outcome = relate(named('2 × 16'), rounds);
  expect(outcome.ratios).toMatchObject({ gathered: 0.6, peer: 6, memory: 1.2, sqlite: 1.8 });
  expect(outcome.gathered).toEqual({ memory: 2, sqlite: 3 });
  expect(outcome.shares?.memory).toBeCloseTo(0.04);
  expect(outcome.shares?.sqlite).toBeCloseTo(0.16);
  const { table, missed } = reportUnary([outcome]) ?? {};
  expect(table).toMatch(/2 × 16 .* 2\.00 .* 3\.00 .* 1\.35 \/ 2\.20 .* missed .* 0\.040 .* 0\.160 .* 0\.05 \/ 0\.15 .* missed/);
  expect(missed).toBe(2);
});

test('without the official SDK there is no overhead share, and a run without unary sends has no table of them', () => {
  const workload = named('2 × 16');
  const outcome = relate(workload, { floor: [100], gathered: [100], memory: [130], sqlite: [210] });
  expect(outcome.shares).toBeUndefined();
  expect(reportUnary([outcome])).toMatchObject({ missed: 0 });
  expect(reportUnary([relate(named('6'), { floor: [100], memory: [50] })])).toBeUndefined();
});

test('in workloads 1 to 3 of a full run the official SDK has the warm-up and the repetitions of Parley', () => {
  const sends = select(['1', '2', '3']).filter(({ by }) => by === undefined);
  expect(sends).toHaveLength(9);
  for (const workload of sends) {
    for (const peer of ['peer', 'peer-sql'] as const) expect(sizeOf(workload, peer, 'full')).toEqual(sizeOf(workload, 'memory', 'full'));
  }
});

test('only a full run of all workloads updates the document by default', () => {
  expect(readArguments([])).toMatchObject({ mode: 'full', peer: true, write: true });
  expect(readArguments(['--quick'])).toMatchObject({ mode: 'quick', write: false });
  expect(readArguments(['--only', '2,5'])).toMatchObject({ only: ['2', '5'], write: false });
  expect(readArguments(['--no-peer'])).toMatchObject({ peer: false, write: false });
  expect(readArguments(['--quick', '--write'])).toMatchObject({ write: true });
});

test('a number selects all sizes of its workload, and an unknown number is refused', () => {
  expect(select(['5']).map(({ id }) => id)).toEqual(['5 × 1', '5 × 16', '5 × 64']);
  expect(select(['3', '2 × 1']).map(({ id }) => id)).toEqual(['2 × 1', '3 × 16', '3 × 4', '3 × 1']);
  expect(() => select(['99'])).toThrow('no such workload: 99');
});
