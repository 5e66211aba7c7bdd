// The judge of `npm run siege` finds every planted failure.
import { expect, test } from 'vitest';
import { ATTACKS } from '../scripts/siege/attacks.mjs';
import { chunkText } from '../scripts/siege/jobs.mjs';
import { judge, judgeCard, judgeTakeOver, latencyOf, type Outcome } from '../scripts/siege/judge.mjs';
import { isSelected, readOptions } from '../scripts/siege/options.mjs';
import { HEADINGS, toDetails, toRow } from '../scripts/siege/report.mjs';
import { Watch } from '../scripts/siege/watch.mjs';

const BOUNDS = { maxRssMiB: 512, p99Ms: 250 };

const CLEAN: Outcome = {
  name: 'F60',
  title: 'pipelined reads',
  store: 'memory',
  alone: { count: 100, p50: 2, p99: 9 },
  attacked: { count: 300, p50: 3, p99: 40 },
  tasks: 320,
  failed: 0,
  lost: 0,
  doubled: 0,
  peakRssMiB: 180,
  haveAttacked: true,
  judgesLatency: true,
  tally: { 'HTTP 200': 12 },
  examples: [],
};

test('an attack without an effect on the other caller has no violations', () => {
  expect(judge(CLEAN, BOUNDS)).toEqual([]);
});

const WRONGS: readonly [what: string, want: RegExp, spoil: Partial<Outcome>][] = [
  ['the server died', /did not survive: exited with SIGABRT/, { death: 'exited with SIGABRT' }],
  ['memory reached the bound', /peak memory 512 MiB, must be below 512/, { peakRssMiB: 512 }],
  ['memory was not measured', /memory of the server was not measured/, { peakRssMiB: 0 }],
  ['a task failed', /1 of 320 tasks of the other caller failed/, { failed: 1 }],
  ['an event was lost', /1 events lost/, { lost: 1 }],
  ['an event came twice', /1 events doubled/, { doubled: 1 }],
  ['calls were slow', /p99 250 ms, must be below 250/, { attacked: { count: 300, p50: 3, p99: 250 } }],
  ['no call was answered', /the caller did nothing/, { attacked: { count: 0, p50: Number.NaN, p99: Number.NaN } }],
  ['the caller started no task', /the caller did nothing/, { tasks: 0 }],
  ['the attackers did not begin', /the attackers did not begin/, { haveAttacked: false }],
];

test.each(WRONGS)('the judge detects that %s', (_what, want, spoil) => {
  const violations = judge({ ...CLEAN, ...spoil }, BOUNDS);
  expect(violations.join('\n')).toMatch(want);
  expect(toRow({ ...CLEAN, ...spoil }, violations)).toContain('FAILED');
  expect(toDetails(violations, CLEAN).join('\n')).toMatch(want);
});

test('latency is reported and not judged where more than two attackers run', () => {
  expect(judge({ ...CLEAN, judgesLatency: false, attacked: { count: 5, p50: 900, p99: 3_000 } }, BOUNDS)).toEqual([]);
});

test('a take-over must happen, and within its limit', () => {
  const takeOver = { name: 'F61 killed', title: 'a node is killed', limitMs: 20_000 };
  expect(judgeTakeOver({ ...takeOver, takeOverMs: 20_000 })).toEqual([]);
  expect(judgeTakeOver({ ...takeOver, takeOverMs: 20_001 })).toEqual(['the tasks had a new owner after 20001 ms, must be at most 20000']);
  expect(judgeTakeOver({ ...takeOver, takeOverMs: undefined })).toHaveLength(1);
});

test('a card must not stall the client, and must be refused if it is too large', () => {
  const card = { name: 'F64', title: 'a card', stallMs: 3, isAccepted: true, mayAccept: true };
  expect(judgeCard(card)).toEqual([]);
  expect(judgeCard({ ...card, stallMs: 250 })).toEqual(['the card held the event loop for 250 ms, must be below 250']);
  expect(judgeCard({ ...card, mayAccept: false })).toEqual(['the card was accepted']);
});

test('p50 and p99 are of all samples, in any order', () => {
  const samples = Array.from({ length: 200 }, (_, index) => ({ ms: ((index * 7) % 200) + 1 }));
  expect(latencyOf(samples)).toEqual({ count: 200, p50: 101, p99: 199 });
  expect(latencyOf([{ ms: 5 }])).toEqual({ count: 1, p50: 5, p99: 5 });
  expect(latencyOf([])).toEqual({ count: 0, p50: Number.NaN, p99: Number.NaN });
});

function watch(...indexes: readonly number[]): Watch {
  const stream = new Watch('salt', 3);
  stream.see({ id: 2, event: { task: { id: 'task', status: { state: 'TASK_STATE_SUBMITTED' } } } });
  for (const [place, index] of indexes.entries()) {
    stream.see({ id: 3 + place, event: { artifactUpdate: { artifact: { parts: [{ text: chunkText('salt', index) }] } } } });
  }
  return stream;
}

function ended(stream: Watch, state = 'TASK_STATE_COMPLETED'): Watch {
  stream.see({ id: 100, event: { statusUpdate: { status: { state } } } });
  return stream;
}

test('the caller finds lost, doubled, swapped and foreign events, and a task that does not complete', () => {
  expect(ended(watch(0, 1, 2)).verdict()).toEqual({ lost: 0, doubled: 0 });
  expect(ended(watch(0, 2)).verdict()).toEqual({ lost: 1, doubled: 0 });
  expect(ended(watch(0, 1, 1, 2)).verdict()).toEqual({ lost: 0, doubled: 1 });
  expect(ended(watch(0, 2, 1)).verdict()).toMatchObject({ failure: 'events out of order' });
  expect(ended(watch(0, 1, 2), 'TASK_STATE_FAILED').verdict()).toMatchObject({ failure: 'the task ended as TASK_STATE_FAILED' });
  expect(watch(0, 1, 2).verdict()).toMatchObject({ failure: 'the task ended as TASK_STATE_SUBMITTED' });
  const repeated = watch(0, 1, 2);
  repeated.see({ id: 5, event: { statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } } });
  expect(repeated.verdict()).toEqual({ lost: 0, doubled: 1 });
  const foreign = ended(watch(0, 1, 2));
  foreign.see({ id: 101, event: { artifactUpdate: { artifact: { parts: [{ text: chunkText('other', 3) }] } } } });
  expect(foreign.verdict()).toMatchObject({ failure: expect.stringContaining('an event of another task') });
});

test('a row number selects all attacks of its row, and unknown names are refused', () => {
  const { only } = readOptions(['--only', 'F67,F61 killed']);
  const selected = [...Object.keys(ATTACKS), 'F61 killed'].filter((name) => isSelected({ only }, name));
  expect(selected).toEqual(['F67 messages', 'F67 bodies', 'F67 streams', 'F61 killed']);
  expect(() => readOptions(['--only', 'F6'])).toThrow('--only: no attack F6; the attacks are F60,');
  expect(() => readOptions(['--store', 'redis'])).toThrow('--store must be memory, sqlite or postgres, got redis');
  expect(() => readOptions(['--seconds', '0'])).toThrow('--seconds must be a number from 1 to 600, got 0');
});

test('a full run has all stores and strict bounds; a quick run has four attacks and no databases', () => {
  expect(readOptions([])).toMatchObject({ stores: ['memory', 'sqlite', 'postgres'], seconds: 5, bounds: BOUNDS });
  const quick = readOptions(['--quick']);
  expect(quick.stores).toEqual(['memory', 'sqlite']);
  expect(
    Object.values(quick.cases ?? {})
      .flat()
      .every((name) => name in ATTACKS),
  ).toBe(true);
  expect(isSelected(quick, 'F60', 'memory')).toBe(true);
  expect(isSelected(quick, 'F60', 'sqlite')).toBe(false);
  expect(isSelected(quick, 'F64')).toBe(false);
});

test('the columns of a row are below their headings', () => {
  expect(toRow(CLEAN, []).indexOf('180') + 3).toBe(HEADINGS.indexOf('peak MiB') + 'peak MiB'.length);
});

test('every row of the list has an attack', () => {
  const rows = new Set(Object.values(ATTACKS).map(({ row }) => row));
  expect([...rows]).toEqual(['F60', 'F61', 'F62', 'F63', 'F65', 'F66', 'F67', 'F71', 'F72']);
});
