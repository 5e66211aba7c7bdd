/** Random schedules of three nodes with faults: the log of each task is complete, all readers get it, and nothing is left behind. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Entry } from '../src/stores/store.js';
import { generatedCases } from './generated-cases.js';
import { logOf, refOf } from './looking.js';
import { type ClusterStep, type FaultMix, type How, RandomFaults } from './random-faults.js';
import { taskOf, type Watcher } from './watcher.js';

const node = fc.nat({ max: 2 });
const task = fc.nat({ max: 3 });
const how = fc.constantFrom<How>('wait', 'go on', 'stream');
const keyed = fc.boolean();
const plan = fc.string({ unit: fc.constantFrom('c', 'c', 'w', '?', '.', '.'), minLength: 2, maxLength: 12 });
const kind = <K extends ClusterStep['kind']>(name: K) => fc.constant(name);
const ms = fc.constantFrom(0, 0, 50, 300, 1_000, 3_500);
const send: fc.Arbitrary<ClusterStep> = fc.record({ kind: kind('send'), node, plan, how, keyed });
const trouble: fc.Arbitrary<ClusterStep> = fc.oneof(
  { weight: 3, arbitrary: send },
  { weight: 3, arbitrary: fc.record({ kind: kind('post'), node, task, how, keyed }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('cancel'), node, task }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('read'), node, task }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('kill'), node }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('close'), node }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('pause'), node }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('wake'), node }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: kind('outage'), ms: fc.constantFrom(20, 200, 2_000, 3_500, 6_000), how: fc.constantFrom('down', 'deaf') }),
  },
  { weight: 8, arbitrary: fc.record({ kind: kind('tick'), ms }) },
);
const weather: fc.Arbitrary<FaultMix> = fc.record({
  steps: fc.tuple(send, fc.array(trouble, { minLength: 8, maxLength: 40 })).map(([first, rest]) => [first, ...rest]),
  bus: fc.constantFrom('good', 'lossy', 'deaf'),
  recovery: fc.constantFrom('fail', 'restart'),
  wayMs: fc.constantFrom(0, 5, 50),
  obeys: fc.boolean(),
  seed: fc.nat(),
});

const FINAL = /"status":\{"state":"TASK_STATE_(COMPLETED|FAILED|CANCELED|REJECTED)"/;
const isEnd = ({ kind: entry, json }: Entry): boolean => (entry === 'task' || entry === 'status') && FINAL.test(json);
const isSent = ({ kind: entry }: Entry): boolean => entry !== 'input' && entry !== 'note';

/** No gaps, one final entry, nothing after it, and increasing timestamps. */
function checkLog(log: readonly Entry[]): void {
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  expect(log.filter(isEnd), 'one final entry, at the end').toEqual([log.at(-1)]);
  const times = log.flatMap(({ json }) => /"timestamp":"([^"]+)"\}(?:,|\})/.exec(json)?.[1] ?? []);
  expect(times).toEqual([...times].sort());
}

/**
 * After its start, a stream equals the log: in order, each event once, without additions. It reaches the end unless it was ended earlier.
 */
function checkWatcher({ frames, end, isOpen, kind: opened }: Watcher, log: readonly Entry[]): void {
  const [first, ...rest] = frames;
  const sent = log.filter(isSent);
  expect(log.map(({ seq }) => seq)).toContain(first?.seq);
  const after = sent.filter(({ seq }) => seq > (first?.seq ?? 0));
  expect(rest.map(({ json }) => json)).toEqual(after.slice(0, rest.length).map(({ json }) => json));
  expect(isOpen, 'no stream of an ended task stays open').toBe(false);
  if (end?.kind === 'done' && opened === 'subscribe') expect(frames.at(-1)?.seq).toBe(sent.at(-1)?.seq);
}

async function live(given: FaultMix): Promise<void> {
  const cluster = new RandomFaults(given);
  for (const each of given.steps) await cluster.play(each);
  await cluster.calm();
  expect(cluster.unanswered).toEqual([]);
  expect(cluster.running, 'no task runs any more').toEqual([]);
  expect(new Set(cluster.entered).size, 'no attempt runs twice').toBe(cluster.entered.length);
  for (const id of await cluster.tasks()) {
    const log = await logOf(cluster.store, refOf(id));
    checkLog(log);
    for (const watcher of cluster.watchers) if (taskOf(watcher.frames) === id) checkWatcher(watcher, log);
    const rows = await cluster.store.inbox(refOf(id), 0);
    expect(rows.filter(({ state }) => state === 'pending')).toEqual([]);
    const taken = log.flatMap(({ kind: entry, json }) => (entry === 'input' ? JSON.parse(json).input.request.message.messageId : []));
    expect(new Set(taken).size, 'no message is taken twice').toBe(taken.length);
  }
  await cluster.repeatAll();
  expect(cluster.wrongs).toEqual([]);
}

/** A fixed seed gives the same schedules each time. */
const SEED = 6;

describe('D12, D17, D20, D42: cluster', () => {
  test('D12: random schedules of three nodes leave complete logs, complete streams, and nothing behind', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(fc.asyncProperty(weather, live), { numRuns: generatedCases(500), seed: SEED });
  });
});
