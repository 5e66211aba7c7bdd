// Tests the mechanics of `npm run bench`: servers start, replies are checked, numbers come out. It does not judge speed.
import { beforeAll, expect, test } from 'vitest';
import { build } from '../scripts/setup.mjs';
import { readArguments } from './arguments.mjs';
import { compareClients, reportClients } from './clients.mjs';
import { compare } from './compare.mjs';
import { FLATNESS, GOALS } from './goals.mjs';
import { repeat } from './measure.mjs';
import { report } from './report.mjs';
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

test.each(['2', '5s', '6b', '9'])(
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

test('the official SDK gives correct replies also with its SQL store: sends, a task read again, a page', async () => {
  for (const id of ['2', '6b', '7']) {
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

test('a quick run measures the SQL store of the official SDK only in workload 2', () => {
  const quick = select([]).filter(
    (workload) => workload.contestants.includes('peer-sql') && sizeOf(workload, 'peer-sql', 'quick').repetitions > 0,
  );
  expect(quick.map(({ id }) => id)).toEqual(['2']);
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
  expect(ids).toEqual(expect.arrayContaining([...Object.keys(GOALS), FLATNESS.of, FLATNESS.to]));
  expect(new Set(ids).size).toBe(ids.length);
});

test('a goal is missed if one store misses it, and only measured values are judged', () => {
  const workload = named('2');
  const values = { floor: 100 };
  expect(report([{ workload, values, ratios: { memory: 1.1, sqlite: 1.4 } }]).missed).toBe(0);
  expect(report([{ workload, values, ratios: { memory: 1.1, sqlite: 1.6 } }]).missed).toBe(1);
  expect(report([{ workload, values, ratios: { memory: 1.1 } }]).missed).toBe(0);
  expect(report([{ workload, values, ratios: { memory: Number.NaN } }]).missed).toBe(1);
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
  expect(() => select(['99'])).toThrow('no such workload: 99');
});
