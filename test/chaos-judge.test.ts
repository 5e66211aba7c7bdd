// A judge that never says no proves nothing: here it is shown what is wrong on purpose, and has to notice each.
import { createClient } from '@parley/a2a/client';
import { fetchHandler } from '@parley/a2a/fetch';
import { createAgent, memoryStore } from '@parley/a2a/server';
import type { Entry } from '@parley/a2a/server/advanced';
import { createTestFetch } from '@parley/a2a/testing';
import { beforeAll, expect, test } from 'vitest';
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

/** What is known of one undisturbed task of each way, so that it can be spoiled. */
interface Known extends Evidence {
  readonly logs: Map<string, Log>;
  readonly stories: Story[];
  readonly ledger: Line[];
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
  ['an event that a reader had is not in the log', 'events lost', (known) => changeLog(known, (entries) => entries.slice(0, -1))],
  ['an event is another one in the log', 'events lost', (known) => changeEvents(known, (events) => replace(events, 5, [5, '{}']))],
  ['a reader was not given an event', 'events lost', (known) => changeEvents(known, without)],
  ['a reader was not given the end', 'events lost', (known) => changeEvents(known, (events) => events.slice(0, -1))],
  ['somebody who came back missed an event', 'events lost', (known) => changeEvents(known, without, ['leave', 1])],
  ['a poll saw what never was', 'events lost', (known) => changeEvents(known, (events) => events.map(rename), ['poll', 0])],
  ['a client was told of another end', 'events lost', (known) => changeStory(known, { state: 'TASK_STATE_FAILED' })],
  ['an executor saw committed what is not there', 'events lost', (known) => void known.ledger.push(unheardOf(known))],
  [
    'an executor saw the end of a task that goes on',
    'events lost',
    (known) => changeLog(known, (entries) => entries, 'TASK_STATE_WORKING'),
  ],
  ['an event came twice', 'events duplicated', (known) => changeEvents(known, (events) => events.toSpliced(5, 0, ...events.slice(4, 5)))],
  ['two events were swapped', 'events out of order', (known) => changeEvents(known, swap)],
  ['the text does not add up', 'events out of order', (known) => changeReader(known, { text: 'something else' })],
  ['a user was told things in another order', 'events out of order', (known) => changeReader(known, { outOfOrder: 1 })],
  ['something stands behind the end', 'events out of order', (known) => changeLog(known, (entries) => append(entries, 4))],
  ['a task ended twice', 'tasks with two final states', (known) => changeLog(known, (entries) => append(entries, -1))],
  ['an attempt was entered twice', 'execute entered twice for one attempt', ({ ledger }) => void ledger.push(...ledger.slice(0, 1))],
  ['a task goes on for ever', 'stuck tasks', (known) => changeLog(known, (entries) => entries, 'TASK_STATE_WORKING')],
  ['a message made two tasks', 'sends that created a second task', copyTask],
  ['a question was asked again', 'questions asked twice', (known) => changeLog(known, askAgain)],
  ['a chunk of the answer is missing', 'answers that differ from an undisturbed run', (known) => changeLog(known, withoutChunk)],
  ['a task was cancelled by nobody', 'tasks that failed', (known) => changeStory(known, { way: 'stream' }, 'cancel')],
  ['a call failed', 'calls that failed for the caller', (known) => changeStory(known, { error: 'gone' })],
  ['a node died', 'nodes that exited unexpectedly', ({ nodes }) => void nodes[0]?.deaths.push('it died')],
];

test.each(WRONGS)('the judge notices that %s', (_what, want, spoil) => {
  const known = structuredClone(clean);
  spoil(known);
  expect(judge(known).findings.all.map(({ zero }) => zero)).toContain(want);
});

/** What is known when the run of a task was cut off, and entered again four seconds after it was entered first. */
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
  if (first === undefined) throw new Error('it was never entered');
  known.ledger.splice(0, known.ledger.length, first, { ...first, attempt: 2, node: 'b', at: first.at + 4_000 });
  return { known, taskId, first, log };
}

test('a take-over is not counted from a pause after which the run went on', () => {
  const { known, taskId, first } = enteredAgain();
  known.nodes[0]?.absences.push({ boot: 1, from: first.at + 1_000, to: first.at + 2_000, how: 'pause' });
  expect(judge(known).takeOvers).toEqual([{ taskId, attempt: 2, how: 'pause', ms: 3_000 }]);
  known.ledger.splice(-1, 0, { ...first, what: 'committed', chunks: [], at: first.at + 2_500 });
  expect(judge(known).takeOvers).toEqual([]);
});

test('a take-over is counted from the kill of the node to the next entry, and not when an answer led to it', () => {
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

async function walkUndisturbed(): Promise<Known> {
  const ledger: Line[] = [];
  const store = memoryStore();
  const executor = createExecutor({ write: (deed) => void ledger.push({ ...deed, node: 'a', boot: 1, at: START }) });
  const agent = createAgent({ name: 'Agent in order', auth: 'none', store, executor });
  const fetch = createTestFetch(fetchHandler(agent, { publicUrl: 'http://test' }));
  const client = createClient('http://test', { fetch, contexts: false, pollingIntervalMs: 5 });
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
  return { logs, stories, ledger, nodes: [{ name: 'a', absences: [], deaths: [] }] };
}

type Events = Seen['events'];
type Entries = readonly Entry[];

function storyOf({ stories }: Known, way: Way = 'stream'): Story {
  const story = stories.find((one) => one.way === way);
  if (story === undefined) throw new Error(`nobody went by ${way}`);
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

/** Of the task that was streamed. */
function changeLog(known: Known, change: (entries: Entries) => Entries, state?: string): void {
  const { taskId = '' } = storyOf(known);
  const log = known.logs.get(taskId);
  if (log === undefined) throw new Error('there is no log');
  known.logs.set(taskId, { taskId, state: state ?? log.state, entries: change(log.entries) });
}

function replace(events: Events, at: number, event: Events[number]): Events {
  return events.toSpliced(at, 1, event);
}

/** One of the last, which no Task stands for. */
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

/** Another entry like the one at `index`, behind the last. */
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
  return { what: 'committed', taskId, attempt: 1, chunks: ['never said'], node: 'a', boot: 1, at: START };
}
