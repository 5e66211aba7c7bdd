/** The content of the stores in this folder, as a store of this version must return it (see README.md). */
import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { isTerminal } from '../../src/protocol/task-state.js';
import type { StoredEntry } from '../../src/server/advanced.js';
import { type Agent, type AgentExecutor, type AgentOptions, createAgent, type TaskStore } from '../../src/server/index.js';
import { manualClock } from '../../src/testing/index.js';
import { callerOf } from '../harness.js';
import { logOf, refOf, untilIdle } from '../looking.js';

/** One minute after the node died: its lease has expired, and its idempotent request is still stored. */
export const NOW = Date.UTC(2026, 0, 2, 0, 1);

export const sqliteFixture = (): Buffer => gunzipSync(readFileSync(new URL('sqlite-2.db.gz', import.meta.url)));

/** The statements that create the schema with this name. */
export function postgresFixture(schema: string): string {
  const text = gunzipSync(readFileSync(new URL('postgres-1.sql.gz', import.meta.url))).toString('utf8');
  return text.replaceAll('earlier_schema', schema);
}

/** The number of entries in each committed row of the log. */
const COMMITS = { finished: [4, 2], running: [2, 2], parked: [5, 2, 2, 1] } as const;

const GENERATIONS = { finished: [0, 1, 2, 3, 4, 5], running: [0, 1, 2, 3], parked: [0, 1, 2, 2, 3, 3, 4, 4, 5, 5] } as const;

const IDS = ['finished', 'running', 'parked'] as const;

/** Every log is complete, with generations and times; everything else is unchanged. */
export async function expectUpgraded(store: TaskStore): Promise<void> {
  for (const id of IDS) {
    const entries = await logOf(store, refOf(id));
    expect(entries.map(({ generation }) => generation)).toEqual(GENERATIONS[id]);
    expect(entries.map(({ committedAt }) => committedAt)).toEqual(timesOf(entries, COMMITS[id]));
    expect(await store.load(refOf(id))).toMatchObject({ generation: GENERATIONS[id].at(-1), seq: entries.length });
  }
  expect((await store.load(refOf('running')))?.tail.map(({ generation }) => generation)).toEqual([2, 3]);
  expect(await store.load(refOf('compacted'))).toMatchObject({ generation: 0, seq: 6, tail: [], head: { state: 'TASK_STATE_COMPLETED' } });
  expect(await store.readAfter(refOf('compacted'), 0, 1_000)).toBe('compacted');
  const listed = await store.list({ agent: '', tenant: '', owner: '', limit: 9, count: true });
  expect([listed.total, listed.tasks.map(({ ref }) => ref.id)]).toEqual([4, ['parked', 'running', 'finished', 'compacted']]);
  expect(await store.inbox(refOf('running'), 0)).toMatchObject([{ n: 1, kind: 'message', state: 'pending' }]);
  expect(await store.inbox(refOf('parked'), 0)).toMatchObject([{ n: 1, kind: 'message', state: 'taken', seq: 6 }]);
  expect(await store.orphans('', 9)).toEqual([refOf('running')]);
}

/** The old log had no commit times, so the upgrade uses the time of the last entry of each commit. */
function timesOf(entries: readonly StoredEntry[], commits: readonly number[]): readonly number[] {
  let last = 0;
  return commits.flatMap((count) => {
    last += count;
    return Array.from({ length: count }, () => entries[last - 1]?.at ?? 0);
  });
}

/** The executor that wrote the tasks, except that it ends. */
const executor: AgentExecutor = {
  async execute(context, events) {
    await events.working('At work');
    if (context.text !== 'ask') return events.complete(`attempt ${context.attempt}`);
    const city = await context.requireInput('Which city?');
    const day = await context.requireInput('Which day?');
    await events.complete(`${city} on ${day}`);
  },
};

function startAgent(store: TaskStore, recovery: 'fail' | 'restart') {
  const clock = manualClock(NOW);
  const options: AgentOptions = { name: 'Later', node: 'node-2', store: { ...store, close: async () => {} }, clock, recovery, executor };
  const agent = createAgent(options);
  return { agent, caller: callerOf(agent) };
}

const hasEnded = async (store: TaskStore, id: string): Promise<boolean> => {
  const task = await store.load(refOf(id));
  return task !== undefined && isTerminal(task.head.state);
};

/** Checks the recovery of the task whose node died by an agent of this version. */
export async function expectRecovered(store: TaskStore, recovery: 'fail' | 'restart'): Promise<void> {
  const { agent, caller } = startAgent(store, recovery);
  await waitFor(agent, () => hasEnded(store, 'running'));
  const task = await caller.get('running');
  const entries = await logOf(store, refOf('running'));
  if (recovery === 'fail') expect(task.status.state).toBe('TASK_STATE_FAILED');
  else expect(task.status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'attempt 2' }] } });
  const sent = entries.filter(({ kind }) => kind !== 'input' && kind !== 'note');
  expect(sent.map(({ generation }) => generation)).toEqual(sent.map((_, index) => index + 1));
  const attempts = entries.flatMap(({ json }) => JSON.parse(json).note ?? []).filter(({ kind }) => kind === 'attempt');
  expect(attempts).toEqual(recovery === 'fail' ? [] : [{ kind: 'attempt', attempt: 2, after: 'crash', node: 'node-2' }]);
  await agent.close();
}

/** The finished task is unchanged, its request leads to it, and the parked task continues with its recorded reply. */
export async function expectServed(store: TaskStore): Promise<void> {
  const { agent, caller } = startAgent(store, 'restart');
  for (const id of ['finished', 'compacted']) {
    expect(await caller.get(id)).toMatchObject({
      contextId: `context of ${id}`,
      status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'Done' }] } },
      artifacts: [{ artifactId: 'text', parts: [{ text: 'one ' }, { text: 'two' }] }],
      history: [{ messageId: `message of ${id}` }, { parts: [{ text: 'At work' }] }],
    });
  }
  const again = { messageId: 'message of finished', role: 'ROLE_USER' as const, parts: [{ text: 'finish' }] };
  const { task } = await caller.send(again, { returnImmediately: false }, { idempotencyKey: 'key-1' });
  expect(task?.id).toBe('finished');

  const reply = { messageId: 'the day', role: 'ROLE_USER' as const, parts: [{ text: 'Monday' }], taskId: 'parked' };
  const ended = await caller.task(reply);
  expect(ended.status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'Paris on Monday' }] } });
  const entries = await logOf(store, refOf('parked'));
  const asked = entries.filter(({ json }) => json.includes('TASK_STATE_INPUT_REQUIRED'));
  expect(asked, 'no question must be asked again').toHaveLength(2);
  expect(JSON.parse(entries.find(({ seq, kind }) => seq > 10 && kind === 'input')?.json ?? '').input).toMatchObject({ node: 'node-2' });
  const sent = entries.filter(({ kind }) => kind !== 'input' && kind !== 'note');
  expect(sent.map(({ generation }) => generation)).toEqual(sent.map((_, index) => index + 1));
  await waitFor(agent, () => hasEnded(store, 'running'));
  await agent.close();
}

async function waitFor(agent: Agent, isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await nextTurn();
  await untilIdle(agent);
}

const KINDS = ['a', 'n', 's'];

/**
 * Rows that a test adds after those of `running`, as an earlier version wrote them: one entry per row, from seq 5, of alternating kinds.
 */
export const longLog = {
  /** A fast machine may number the whole log before the node can be killed; then the next length is tried. */
  lengths: [20_000, 100_000, 500_000],
  /** A SQL expression for the text of the row whose seq is in `column`. */
  sql: (column: string, at: string): string =>
    `CASE ${column} % 3 ${KINDS.map((letter, index) => `WHEN ${index} THEN '${letter}'`).join(' ')} END || (${at}) || ' {"n":' || ${column} || '}'`,
};

/** Each entry of the long log was numbered once, by any of the nodes and after any number of interruptions. */
export async function expectNumbered(store: TaskStore, rows: number): Promise<void> {
  const entries = await logOf(store, refOf('running'));
  expect(entries).toHaveLength(4 + rows);
  let generation = 0;
  for (const [index, entry] of entries.entries()) {
    if (entry.kind !== 'input' && entry.kind !== 'note') generation += 1;
    if (entry.seq !== index + 1 || entry.generation !== generation || (index > 3 && entry.committedAt !== entry.at)) {
      expect(entry).toMatchObject({ seq: index + 1, generation, committedAt: entry.at });
    }
  }
  expect(await store.load(refOf('running'))).toMatchObject({ generation, seq: 4 + rows });
  expect((await store.load(refOf('parked')))?.generation).toBe(5);
}
