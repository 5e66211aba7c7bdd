// The same agent behaves the same with every store.
import { expect, inject, test } from 'vitest';
import { listen } from '../../src/node.js';
import { postgres } from '../../src/postgres.js';
import { redis } from '../../src/redis.js';
import { type AgentOptions, memoryStore } from '../../src/server/index.js';
import { sqlite } from '../../src/stores/sqlite/index.js';
import { type Endpoint, endpointsOf, fetchAt, type StreamedEvent, taskOf, userMessage } from '../endpoints.js';
import { tempFiles } from '../temp-folder.js';
import { createBaker, STEPS } from './one-agent.js';
import { newSchema } from './provided.js';

const newFile = tempFiles();

interface Row {
  readonly name: string;
  /** Each call of the result opens the same tasks, as after a restart of the process. */
  open(): () => Pick<AgentOptions, 'store' | 'bus'>;
  /** Whether the tasks survive a restart. */
  readonly isDurable: boolean;
}

const ROWS: readonly Row[] = [
  { name: 'memory', isDurable: false, open: () => () => ({ store: memoryStore() }) },
  {
    name: 'SQLite',
    isDurable: true,
    open() {
      const file = newFile();
      return () => ({ store: sqlite(file) });
    },
  },
  {
    name: 'PostgreSQL',
    isDurable: true,
    open() {
      const schema = newSchema();
      return () => ({ store: postgres(inject('postgresUrl'), { schema }) });
    },
  },
  {
    name: 'PostgreSQL and Redis',
    isDurable: true,
    open() {
      const schema = newSchema();
      return () => ({ store: postgres(inject('postgresUrl'), { schema }), bus: redis(inject('redisUrl'), { channel: schema }) });
    },
  },
];

/** Serves the agent on a port; it can be restarted with the same tasks. */
async function serve({ open, isDurable }: Row) {
  const next = open();
  let listening = await listen(createBaker(next()), { port: 0 });
  return {
    doors: () => endpointsOf(fetchAt(listening.url)),
    async restart() {
      if (!isDurable) return;
      await listening.close({ drainMs: 0 });
      listening = await listen(createBaker(next()), { port: 0 });
    },
    [Symbol.asyncDispose]: () => listening.close({ drainMs: 0 }),
  };
}

const outline = (events: readonly StreamedEvent[]): string[] =>
  events.flatMap(({ result }) => {
    const state = (result?.task ?? result?.statusUpdate)?.status.state.replace('TASK_STATE_', '');
    return state ?? (result?.artifactUpdate?.append ? '+report' : 'report');
  });

const textOf = (events: readonly StreamedEvent[]): string =>
  events
    .flatMap(({ result }) => result?.task?.artifacts ?? result?.artifactUpdate?.artifact ?? [])
    .flatMap(({ parts }) => parts.map(({ text }) => text))
    .join('');

const report = (cake: string): string => STEPS.map((step) => `The ${cake} is ${step}. `).join('');

const taskIdOf = ([first]: readonly StreamedEvent[]): string | undefined => first?.result?.task?.id;

const WHOLE = ['SUBMITTED', 'report', '+report', '+report', '+report', 'COMPLETED'];

/** A stream that breaks after three events, and is resumed from there. */
async function streamInTwo(door: Endpoint): Promise<readonly StreamedEvent[]> {
  const stream = await door.stream('SendStreamingMessage', userMessage('Sacher'));
  const seen: StreamedEvent[] = [];
  for (let event = await stream.next(); event && seen.push(event) < 3; event = await stream.next());
  await stream.cancel();
  const again = await door.stream('SubscribeToTask', { id: taskIdOf(seen) }, { 'last-event-id': seen.at(-1)?.id ?? '' });
  const events = [...seen, ...(await again.rest())];
  expect(outline(events)).toEqual(WHOLE);
  expect(textOf(events)).toBe(report('Sacher'));
  expect(events.map(({ id }) => Number(id))).toEqual([2, 3, 4, 5, 6, 7]);
  return events;
}

async function ask(door: Endpoint): Promise<string> {
  const { id, status } = taskOf(await door.call('SendMessage', userMessage('bake')));
  expect(status).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED', message: { parts: [{ text: 'Which cake?' }] } });
  return id;
}

/** The reply is used, and the log contains the question once. */
async function answer(door: Endpoint, taskId: string): Promise<void> {
  const events = await (await door.stream('SendStreamingMessage', userMessage('Linzer', { taskId }))).rest();
  const log = await replay(door, taskId);
  expect(outline(log)).toEqual(['SUBMITTED', 'INPUT_REQUIRED', 'WORKING', ...WHOLE.slice(1)]);
  // The stream starts with the task at the time of the reply, and continues with exactly the rest of the log.
  const [begun, ...rest] = events;
  expect(begun?.result?.task?.status.state).toBe('TASK_STATE_WORKING');
  expect(begun?.result?.task?.artifacts).toBeUndefined();
  expect(rest).toEqual(log.filter(({ id }) => Number(id) > Number(begun?.id)));
  expect(rest.at(-1)).toEqual(log.at(-1));
  expect(textOf(events)).toBe(report('Linzer'));
}

async function cancelOne(door: Endpoint): Promise<string> {
  const sent = await door.call('SendMessage', { ...userMessage('for ever'), configuration: { returnImmediately: true } });
  const { id } = taskOf(sent);
  const { result } = await door.call('CancelTask', { id });
  expect(result?.status).toMatchObject({ state: 'TASK_STATE_CANCELED', message: { parts: [{ text: 'The oven is off.' }] } });
  return id;
}

/** The same request twice creates one task. */
async function sendTwice(door: Endpoint): Promise<string> {
  const order = userMessage('Apple pie');
  const send = () => door.call('SendMessage', order, { 'idempotency-key': 'k-1' });
  const [first, second] = [taskOf(await send()), taskOf(await send())];
  expect(second).toEqual(first);
  return first.id;
}

async function listInPages(door: Endpoint): Promise<readonly string[]> {
  const first = await door.call('ListTasks', { pageSize: 3 });
  expect(first.result).toMatchObject({ totalSize: 5, pageSize: 3 });
  const second = await door.call('ListTasks', { pageSize: 3, pageToken: first.result?.nextPageToken });
  expect(second.result?.nextPageToken).toBe('');
  return [first, second].flatMap(({ result }) => result?.tasks.map(({ id }) => id) ?? []);
}

async function replay(door: Endpoint, id: string | undefined): Promise<readonly StreamedEvent[]> {
  return (await door.stream('SubscribeToTask', { id }, { 'last-event-id': '0' })).rest();
}

test.each(ROWS)('one agent on $name streams, resumes, asks, cancels, lists, and continues after a restart', async (row) => {
  await using server = await serve(row);
  const [rpc, rest] = server.doors();
  const stories = [await streamInTwo(rpc), await streamInTwo(rest)];
  const asked = await ask(rpc);

  await server.restart();
  const [, door] = server.doors();
  await answer(door, asked);
  const canceled = await cancelOne(door);
  const ordered = await sendTwice(door);

  await server.restart();
  const [again] = server.doors();
  expect(await listInPages(again)).toEqual([ordered, canceled, asked, ...stories.map(taskIdOf).reverse()]);
  const { result } = await again.call('ListTasks', { status: 'TASK_STATE_CANCELED' });
  expect(result?.tasks.map(({ id }) => id)).toEqual([canceled]);
  for (const events of stories) {
    expect((await replay(again, taskIdOf(events))).map((event) => event.result)).toEqual(events.map((event) => event.result));
  }
});
