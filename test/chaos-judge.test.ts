// Tests the judge: it gets evidence with planted faults and must detect each.
import { createClient } from '@parley/a2a/client';
import { fetchHandler } from '@parley/a2a/fetch';
import { createAgent, memoryStore } from '@parley/a2a/server';
import type { Entry } from '@parley/a2a/server/advanced';
import { createTestFetch } from '@parley/a2a/testing';
import { beforeAll, expect, test } from 'vitest';
import type { Claim } from '../scripts/chaos/claims.mjs';
import { type Evidence, judge } from '../scripts/chaos/evidence.mjs';
import { createExecutor } from '../scripts/chaos/executor.mjs';
import type { Zero } from '../scripts/chaos/findings.mjs';
import { answerTo } from '../scripts/chaos/jobs.mjs';
import type { Line } from '../scripts/chaos/ledger.mjs';
import type { Log } from '../scripts/chaos/logs.mjs';
import type { Seen } from '../scripts/chaos/reader.mjs';
import type { Story } from '../scripts/chaos/stories.mjs';
import { WALKS, type Walk, type Way } from '../scripts/chaos/walks.mjs';

const START = Date.UTC(2026, 0, 1);
const OWNER = { agent: '', tenant: '', owner: '' };
const WAYS: readonly Way[] = ['stream', 'watch', 'leave', 'poll', 'cancel'];

/** The evidence of one undisturbed task of each way, to plant faults in. */
interface Known extends Evidence {
  readonly logs: Map<string, Log>;
  readonly stories: Story[];
  readonly ledger: Line[];
  readonly claims: Claim[];
}

let clean: Known;

beforeAll(async () => {
  clean = await walkUndisturbed();
});

test('an undisturbed run of every way has no findings', () => {
  const { findings, toReaders, toExecutors } = judge(clean);
  expect(findings.all).toEqual([]);
  expect(clean.stories.map(({ way, state }) => [way, state])).toEqual([
    ['stream', 'TASK_STATE_COMPLETED'],
    ['watch', 'TASK_STATE_COMPLETED'],
    ['leave', 'TASK_STATE_COMPLETED'],
    ['poll', 'TASK_STATE_COMPLETED'],
    ['cancel', 'TASK_STATE_CANCELED'],
  ]);
  expect(toReaders).toBeGreaterThan(50);
  expect(toExecutors).toBeGreaterThan(40);
});

const WRONGS: readonly [what: string, want: Zero, spoil: (known: Known) => void][] = [
  ['an event of a reader is not in the log', 'events lost', (known) => changeLog(known, (entries) => entries.slice(0, -1))],
  ['an event differs from the log', 'events lost', (known) => changeEvents(known, (events) => replace(events, 5, [5, '{}']))],
  ['a reader missed an event', 'events lost', (known) => changeEvents(known, without)],
  ['a reader missed the end', 'events lost', (known) => changeEvents(known, (events) => events.slice(0, -1))],
  ['a resumed reader missed an event', 'events lost', (known) => changeEvents(known, without, ['leave', 1])],
  [
    'a poll returned a state that never existed',
    'events lost',
    (known) => changeEvents(known, (events) => events.map(rename), ['poll', 0]),
  ],
  ['a client got another final state', 'events lost', (known) => changeStory(known, { state: 'TASK_STATE_FAILED' })],
  ['an executor saw the commit of a chunk that is not in the log', 'events lost', (known) => void known.ledger.push(unheardOf(known))],
  [
    'an executor saw the end of a task that still runs',
    'events lost',
    (known) => changeLog(known, (entries) => entries, 'TASK_STATE_WORKING'),
  ],
  [
    'an event is duplicated',
    'events duplicated',
    (known) => changeEvents(known, (events) => events.toSpliced(5, 0, ...events.slice(4, 5))),
  ],
  ['two events were swapped', 'events out of order', (known) => changeEvents(known, swap)],
  ['the text differs from the log', 'events out of order', (known) => changeReader(known, { text: 'something else' })],
  ['the updates of a run are out of order', 'events out of order', (known) => changeReader(known, { outOfOrder: 1 })],
  ['the log continues after the final state', 'events out of order', (known) => changeLog(known, (entries) => append(entries, 4))],
  ['a task ended twice', 'tasks with two final states', (known) => changeLog(known, (entries) => append(entries, -1))],
  ['an attempt started twice', 'execute called twice for one attempt', ({ ledger }) => void ledger.push(...ledger.slice(0, 1))],
  ['a task never ends', 'stuck tasks', (known) => changeLog(known, (entries) => entries, 'TASK_STATE_WORKING')],
  ['a message created two tasks', 'sends that created a second task', copyTask],
  ['a question was asked again', 'questions asked twice', (known) => changeLog(known, askAgain)],
  ['a chunk of the answer is missing', 'answers that differ from an undisturbed run', (known) => changeLog(known, withoutChunk)],
  ['a task is canceled although no client canceled it', 'tasks that failed', (known) => changeStory(known, { way: 'stream' }, 'cancel')],
  ['a call failed', 'calls that failed for the caller', (known) => changeStory(known, { error: 'gone' })],
  ['a node died', 'nodes that exited unexpectedly', ({ nodes }) => void nodes[0]?.deaths.push('exit code 1')],
];

test.each(WRONGS)('the judge detects that %s', (_what, want, spoil) => {
  const known = structuredClone(clean);
  spoil(known);
  expect(judge(known).findings.all.map(({ zero }) => zero)).toContain(want);
});

/** Evidence of a task whose run was interrupted, and restarted four seconds after its first start. */
function enteredAgain() {
  const known = structuredClone(clean);
  const { taskId = '' } = storyOf(known);
  const log = known.logs.get(taskId);
  const note = {
    seq: 1,
    kind: 'note',
    at: START,
    generation: 0,
    json: JSON.stringify({ note: { kind: 'attempt', attempt: 2, after: 'crash' } }),
  } as const;
  known.logs.set(taskId, { taskId, state: 'TASK_STATE_COMPLETED', entries: [...(log?.entries ?? []), note] });
  const first = known.ledger.find((line) => line.what === 'entered' && line.taskId === taskId);
  if (first === undefined) throw new Error('the task was never started');
  known.ledger.splice(0, known.ledger.length, first, { ...first, attempt: 2, node: 'b', at: first.at + 4_000 });
  return { known, taskId, first, log };
}

test('a take-over does not count from a pause after which the run continued', () => {
  const { known, taskId, first } = enteredAgain();
  known.nodes[0]?.absences.push({ boot: 1, from: first.at + 1_000, to: first.at + 2_000, how: 'pause' });
  expect(judge(known).takeOvers).toEqual([{ taskId, attempt: 2, how: 'pause', ms: 3_000 }]);
  known.ledger.splice(-1, 0, { ...first, what: 'committed', chunks: [], at: first.at + 2_500 });
  expect(judge(known).takeOvers).toEqual([]);
});

test('a take-over counts from the kill of the node to the next attempt, unless a reply caused that attempt', () => {
  const { known, taskId, first, log } = enteredAgain();
  known.nodes[0]?.absences.push({ boot: 1, from: first.at + 1_000, to: first.at + 2_000, how: 'kill' });
  expect(judge(known)).toMatchObject({
    takeOvers: [{ taskId, attempt: 2, how: 'kill', ms: 3_000 }],
    takeOverMs: 3_000,
    slowTakeOverMs: 3_000,
  });
  known.logs.set(taskId, { taskId, state: 'TASK_STATE_COMPLETED', entries: log?.entries ?? [] });
  expect(judge(known).takeOvers).toEqual([]);
});

test('a node that is lost between its claim and the start of the run begins a take-over of its own', () => {
  const { known, taskId, first } = enteredAgain();
  const after = (ms: number): number => first.at + ms;
  known.nodes[0]?.absences.push({ boot: 1, from: after(1_000), to: after(1_500), how: 'kill' });
  known.claims.push({ taskId, node: 'b', at: after(1_800) });
  expect(judge(known).takeOvers).toEqual([{ taskId, attempt: 2, how: 'kill', ms: 3_000 }]);
  known.nodes[1]?.absences.push({ boot: 1, from: after(2_500), to: after(3_900), how: 'pause' });
  expect(judge(known).takeOvers).toEqual([
    { taskId, attempt: 2, how: 'kill', ms: 800 },
    { taskId, attempt: 2, how: 'pause', ms: 1_500 },
  ]);
});

test('the loss of a node that does not own the task does not shorten its take-over', () => {
  const { known, taskId, first } = enteredAgain();
  const after = (ms: number): number => first.at + ms;
  known.nodes[0]?.absences.push({ boot: 1, from: after(1_000), to: after(1_500), how: 'kill' });
  known.nodes[1]?.absences.push({ boot: 1, from: after(2_500), to: after(3_000), how: 'kill' });
  const whole = [{ taskId, attempt: 2, how: 'kill', ms: 3_000 }];
  expect(judge(known).takeOvers).toEqual(whole);
  known.claims.push({ taskId, node: 'b', at: after(1_800) }, { taskId, node: 'a', at: after(2_200) });
  expect(judge(known).takeOvers).toEqual(whole);
});

async function walkUndisturbed(): Promise<Known> {
  const ledger: Line[] = [];
  const store = memoryStore();
  const executor = createExecutor({ write: (deed) => void ledger.push({ ...deed, node: 'a', boot: 1, at: START }) });
  const agent = createAgent({ name: 'Agent in order', auth: 'none', store, executor });
  const fetch = createTestFetch(fetchHandler(agent, { publicUrl: 'http://test' }));
  const client = createClient('http://test', { fetch, pollingIntervalMs: 5 });
  const stories: Story[] = [];
  for (const way of WAYS) {
    const job = { salt: way, seed: 1, chunks: 12, pauseMs: 3, flushEvery: 2, questions: way === 'cancel' ? [] : [3, 9] };
    const walk: Walk = { text: JSON.stringify(job), options: { onInputRequired: answerTo }, readers: [] };
    await WALKS[way]({ client, other: client, below: () => 2 }, walk);
    const { taskId = '', state = '', reply } = walk;
    stories.push({
      salt: way,
      way,
      job,
      taskId,
      state,
      ...(reply !== undefined && { reply }),
      from: START,
      to: START,
      readers: walk.readers.map(({ seen }) => seen),
    });
  }
  const logs = new Map<string, Log>();
  for (const { ref, head } of (await store.list({ ...OWNER, limit: 100, count: false })).tasks) {
    const entries = await store.readAfter(ref, 0, Number.MAX_SAFE_INTEGER);
    if (typeof entries !== 'string') logs.set(ref.id, { taskId: ref.id, state: head.state, entries });
  }
  await agent.close();
  const nodes = ['a', 'b'].map((name) => ({ name, absences: [], deaths: [] }));
  return { logs, stories, ledger, claims: [], nodes };
}

type Events = Seen['events'];
type Entries = readonly Entry[];

function storyOf({ stories }: Known, way: Way = 'stream'): Story {
  const story = stories.find((one) => one.way === way);
  if (story === undefined) throw new Error(`there is no story with way ${way}`);
  return story;
}

function changeStory(known: Known, change: Partial<Story>, way?: Way): void {
  Object.assign(storyOf(known, way), change);
}

function changeReader(known: Known, change: Partial<Seen>, [way, index]: [Way, number] = ['stream', 0]): void {
  Object.assign(storyOf(known, way).readers[index] ?? {}, change);
}

function changeEvents(known: Known, change: (events: Events) => Events, [way, index]: [Way, number] = ['stream', 0]): void {
  const events = storyOf(known, way).readers[index]?.events ?? [];
  changeReader(known, { events: change(events) }, [way, index]);
}

/** Changes the log of the streamed task. */
function changeLog(known: Known, change: (entries: Entries) => Entries, state?: string): void {
  const { taskId = '' } = storyOf(known);
  const log = known.logs.get(taskId);
  if (log === undefined) throw new Error('there is no log');
  known.logs.set(taskId, { taskId, state: state ?? log.state, entries: change(log.entries) });
}

function replace(events: Events, at: number, event: Events[number]): Events {
  return events.toSpliced(at, 1, event);
}

/** Removes one of the last events, which no snapshot covers. */
function without(events: Events): Events {
  return events.toSpliced(-3, 1);
}

function withoutChunk(entries: Entries): Entries {
  return entries.filter(({ json }) => !json.includes(' #5'));
}

function swap(events: Events): Events {
  return events.toSpliced(4, 2, ...events.slice(4, 6).reverse());
}

function rename([seq, json]: Events[number]): Events[number] {
  return [seq, json.replaceAll('poll/1', 'poll/9')];
}

/** Appends a copy of the entry at `index`. */
function append(entries: Entries, index: number): Entries {
  const copied = entries.at(index);
  return copied ? [...entries, { ...copied, seq: entries.length + 1 }] : entries;
}

function askAgain(entries: Entries): Entries {
  const asked = entries.findIndex(({ json }) => json.includes('TASK_STATE_INPUT_REQUIRED'));
  return entries.toSpliced(asked, 0, ...entries.slice(asked, asked + 1));
}

function copyTask({ logs, stories }: Known): void {
  const log = logs.get(stories[0]?.taskId ?? '');
  if (log) logs.set('another', { ...log, taskId: 'another' });
}

function unheardOf(known: Known): Line {
  const { taskId = '' } = storyOf(known);
  return { what: 'committed', taskId, attempt: 1, chunks: ['never published'], node: 'a', boot: 1, at: START };
}
