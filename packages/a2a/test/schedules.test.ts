/** Thousands of random schedules of two nodes on one store; the invariants must hold. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEvent, createDraft, type TaskDraft } from '../src/protocol/apply-event.js';
import type { Entry } from '../src/stores/store.js';
import { generatedCases } from './generated-cases.js';
import { type Act, type Command, type Fault, type How, type OnCancel, type Schedule, Stage } from './schedules.js';
import { taskOf, type Watcher } from './watcher.js';

const node = fc.nat({ max: 1 });
const task = fc.nat({ max: 2 });
const how = fc.constantFrom<How>('wait', 'go on', 'stream');
const what = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Act>('publish', 'publish more', 'working', 'flush') },
  { weight: 2, arbitrary: fc.constantFrom<Act>('ask', 'park') },
  { weight: 3, arbitrary: fc.constantFrom<Act>('complete', 'fail', 'return', 'throw') },
);
const kind = <K extends Command['kind']>(name: K) => fc.constant(name);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: kind('send'), node, how }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('post'), node, task, how }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('cancel'), node, task }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('get'), node, task }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('read'), node, task, from: fc.constantFrom('now', 'start', 'where I left') }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('leave' as const, 'stall' as const, 'resume' as const), reader: fc.nat({ max: 5 }) }),
  },
  { weight: 8, arbitrary: fc.record({ kind: kind('act'), run: fc.nat({ max: 4 }), what }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('crash') }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('tick'), ms: fc.constantFrom(0, 0, 0, 1_000, 3_000) }) },
);
const first: fc.Arbitrary<Command> = fc.record({ kind: kind('send'), node, how });
const moments = fc.nat({ max: 8 });
const fault = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Fault>(undefined) },
  fc.constantFrom<Fault>('before', 'after', 'middle', 'unknown'),
);
const schedule: fc.Arbitrary<Schedule> = fc.record({
  commands: fc
    .tuple(fc.tuple(first, moments), fc.array(fc.tuple(command, moments), { minLength: 4, maxLength: 22 }))
    .map(([begin, rest]) => [begin, ...rest]),
  faults: fc.oneof(fc.constant([]), fc.array(fault, { maxLength: 12 })),
  hearsBeats: fc.boolean(),
  recovery: fc.constantFrom('fail', 'restart'),
  onCancel: fc.constantFrom<OnCancel>('none', 'silent', 'says', 'throws', 'hangs'),
  obeys: fc.boolean(),
  order: fc.nat(),
});

const FINAL = /^\{"(task":\{.*?"status|statusUpdate":\{.*?"status)":\{"state":"TASK_STATE_(COMPLETED|FAILED|CANCELED|REJECTED)"/;
const isEnd = ({ kind: entry, json }: Entry): boolean => (entry === 'task' || entry === 'status') && FINAL.test(json);
const isSent = ({ kind: entry }: Entry): boolean => entry !== 'input' && entry !== 'note';

/** No gaps, one final entry, and nothing after it. */
function checkLog(log: readonly Entry[]): void {
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  expect(log.filter(isEnd), 'one final entry, at the end').toEqual([log.at(-1)]);
}

/** The task that results from the log up to and including `seq`. */
function foldTo(log: readonly Entry[], seq: number): TaskDraft | undefined {
  let draft: TaskDraft | undefined;
  for (const entry of log.filter((each) => each.seq <= seq)) {
    const { task: made, statusUpdate, artifactUpdate, input } = JSON.parse(entry.json);
    if (made) draft = createDraft(made);
    else if (draft && statusUpdate) applyEvent(draft, { kind: 'status', update: statusUpdate });
    else if (draft && artifactUpdate) applyEvent(draft, { kind: 'artifact', update: artifactUpdate });
    else if (draft && input) applyEvent(draft, { kind: 'input', message: input.request.message });
  }
  return draft;
}

/** After its start, a stream equals the log: in order, without gaps, duplicates or additions, up to the end or to its disconnect. */
function checkWatcher(watcher: Watcher, log: readonly Entry[]): void {
  const { frames, after, kind: opened, end } = watcher;
  expect(watcher.early, 'no event is sent before the store has it').toEqual([]);
  const [head] = frames;
  const sent = log.filter(isSent);
  const entry = sent.find(({ seq }) => seq === head?.seq);
  const isSnapshot = after === undefined && head !== undefined && entry?.json !== head.json;
  const from = isSnapshot ? (head.seq ?? 0) : after === undefined ? (head?.seq ?? 0) - 1 : after;
  if (isSnapshot) {
    const { artifacts = [], history = [], status } = JSON.parse(head.json).task;
    expect({ artifacts, history, status }, 'a snapshot equals the folded log').toMatchObject(pick(foldTo(log, from)));
  }
  const got = isSnapshot ? frames.slice(1) : frames;
  const due = sent.filter(({ seq }) => seq > from);
  expect(got.map(({ seq, json }) => ({ seq, json }))).toEqual(due.slice(0, got.length).map(({ seq, json }) => ({ seq, json })));
  const toTheEnd = opened === 'subscribe' && !watcher.left && !watcher.node.isDead && end?.kind !== 'error';
  if (toTheEnd) expect([got.length, end?.kind], 'all events, then the end').toEqual([due.length, 'done']);
}

const pick = (draft: TaskDraft | undefined): object => ({
  artifacts: draft?.artifacts ?? [],
  history: draft?.history ?? [],
  status: draft?.status,
});

async function checkSchedule(played: Schedule): Promise<void> {
  const stage = new Stage(played);
  for (const [each, moment] of played.commands) {
    await stage.play(each);
    await stage.pass(moment);
  }
  await stage.endAll();
  expect(stage.unanswered, 'every call has a response').toEqual([]);
  expect(stage.wrongs).toEqual([]);
  expect(stage.running, 'no task runs any more').toEqual([]);
  const logs = new Map<string, readonly Entry[]>();
  for (const id of await stage.taskIds()) logs.set(id, await stage.log(id));
  for (const log of logs.values()) checkLog(log);
  const all = JSON.stringify([...logs.values()]);
  for (const text of stage.late) expect(all, 'a run that has returned cannot publish').not.toContain(text);
  for (const watcher of stage.watchers) {
    if (watcher.frames.length > 0) checkWatcher(watcher, logs.get(taskOf(watcher.frames) ?? '') ?? []);
    expect(watcher.isOpen, 'no stream stays open').toBe(false);
  }
}

/** A fixed seed gives the same schedules each time. */
const SEED = 20_260_101;

describe('D12, D18, D19: random schedules', () => {
  test('D12, D18, D19: for any interleaving of publishes, ends, cancels, crashes, lost commits and readers: one end, one order, no event before it is stored, a response to every call', async () => {
    await fc.assert(fc.asyncProperty(schedule, checkSchedule), { numRuns: generatedCases(5_000), seed: SEED });
  }, 120_000);
});
