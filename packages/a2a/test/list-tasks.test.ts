import { beforeAll, describe, expect, test, vi } from 'vitest';
import { parseAs } from '../src/protocol/parse.js';
import type { ListTasksRequest, ListTasksResponse } from '../src/protocol/types.js';
import { createAgent, memoryStore } from '../src/server/index.js';
import { type ManualClock, manualClock, sequentialIds } from '../src/testing/index.js';
import { callerOf, say } from './harness.js';
import { refusal } from './looking.js';

type Client = ReturnType<typeof callerOf>;

/** An agent that does what the message says, on a manual clock and with predictable ids. */
function createLister(clock: ManualClock) {
  return createAgent({
    name: 'Lister',
    clock,
    store: memoryStore({ clock }),
    ids: sequentialIds(),
    executor: {
      async execute({ text }, events) {
        await events.appendText('a', text);
        if (text === 'ask') return events.status('TASK_STATE_INPUT_REQUIRED');
        if (text === 'fail') return events.fail('as told');
        await events.complete();
      },
    },
  });
}

async function pagesOf(client: Client, params: ListTasksRequest): Promise<readonly ListTasksResponse[]> {
  const pages = [await client.list(params)];
  for (let token = pages.at(-1)?.nextPageToken; token; token = pages.at(-1)?.nextPageToken) {
    pages.push(await client.list({ ...params, pageToken: token }));
  }
  return pages;
}

const idsOf = (pages: readonly ListTasksResponse[]) => pages.flatMap(({ tasks }) => tasks.map(({ id }) => id));

describe('P47: listing 120 tasks of two owners', () => {
  const clock = manualClock();
  const agent = createLister(clock);
  const [ann, bob] = [callerOf(agent, { id: 'ann' }), callerOf(agent, { id: 'bob' })];
  const seeded: { id: string; owner: string; contextId: string; text: string; timestamp: string }[] = [];

  beforeAll(async () => {
    for (let index = 0; index < 120; index += 1) {
      const [owner, client] = index % 3 === 0 ? ['bob', bob] : ['ann', ann];
      const text = index % 5 === 0 ? 'ask' : index % 7 === 0 ? 'fail' : 'do';
      const contextId = `c-${index % 4}`;
      const { id, status } = await client.task(say(text, { contextId }));
      seeded.push({ id, owner, contextId, text, timestamp: status.timestamp ?? '' });
      if (index % 2 === 0) await clock.tick(1_000);
    }
  });

  /** The expected list: newest status first, then ids in descending order. */
  const expected = (keep: (task: (typeof seeded)[number]) => boolean) =>
    seeded
      .filter(keep)
      .sort((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp) || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id);

  test('P47: each owner sees its own tasks, newest status first, and of one instant the greater id first', async () => {
    for (const [owner, client] of [
      ['ann', ann],
      ['bob', bob],
    ] as const) {
      const mine = expected((task) => task.owner === owner);
      const page = await client.list({ pageSize: 100 });
      expect(idsOf([page])).toEqual(mine);
      expect(page).toMatchObject({ totalSize: mine.length, pageSize: 100, nextPageToken: '' });
    }
    const instants = seeded.map(({ timestamp }) => timestamp);
    expect(new Set(instants).size, 'some share an instant').toBeLessThan(instants.length);
    expect((await callerOf(agent).list()).totalSize, 'an anonymous caller sees none').toBe(0);
  });

  test('P47: the default page has 50 tasks; three pages list all of them once, with one total', async () => {
    const first = await ann.list();
    expect(first).toMatchObject({ pageSize: 50, totalSize: 80 });
    expect(first.tasks).toHaveLength(50);
    const pages = await pagesOf(ann, { pageSize: 30 });
    expect(pages.map(({ tasks, pageSize, totalSize, nextPageToken }) => [tasks.length, pageSize, totalSize, nextPageToken === ''])).toEqual(
      [
        [30, 30, 80, false],
        [30, 30, 80, false],
        [20, 30, 80, true],
      ],
    );
    expect(idsOf(pages)).toEqual(expected(({ owner }) => owner === 'ann'));
  });

  test('P47: a last page that is exactly full has no next page', async () => {
    const pages = await pagesOf(ann, { pageSize: 40 });
    expect(pages.map(({ tasks, nextPageToken }) => [tasks.length, nextPageToken === ''])).toEqual([
      [40, false],
      [40, true],
    ]);
  });

  test.each([
    ['a context', { contextId: 'c-2' }, ({ contextId }: (typeof seeded)[number]) => contextId === 'c-2'],
    ['a state', { status: 'TASK_STATE_FAILED' as const }, ({ text }: (typeof seeded)[number]) => text === 'fail'],
    [
      'both',
      { contextId: 'c-1', status: 'TASK_STATE_INPUT_REQUIRED' as const },
      ({ text, contextId }: (typeof seeded)[number]) => text === 'ask' && contextId === 'c-1',
    ],
    ['the unspecified state', { status: 'TASK_STATE_UNSPECIFIED' as const }, () => true],
    ['an unknown context', { contextId: 'c-9' }, () => false],
  ])('P47: filtered by %s, with its own total, over pages', async (_name, filter, keep) => {
    const pages = await pagesOf(ann, { ...filter, pageSize: 7 });
    const mine = expected((task) => task.owner === 'ann' && keep(task));
    expect(idsOf(pages)).toEqual(mine);
    expect(pages.map(({ totalSize }) => totalSize)).toEqual(pages.map(() => mine.length));
  });

  test('P47: statusTimestampAfter includes tasks of that exact instant, in every notation of it', async () => {
    const middle = seeded[61]?.timestamp ?? '';
    const since = expected(({ owner, timestamp }) => owner === 'ann' && Date.parse(timestamp) >= Date.parse(middle));
    for (const written of [middle, middle.replace('Z', '000000Z')]) {
      const page = await ann.list({ statusTimestampAfter: written, pageSize: 100 });
      expect(idsOf([page])).toEqual(since);
      expect(page.totalSize).toBe(since.length);
    }
    const justAfter = expected(({ owner, timestamp }) => owner === 'ann' && Date.parse(timestamp) > Date.parse(middle));
    expect(justAfter.length).toBeLessThan(since.length);
    expect(idsOf([await ann.list({ statusTimestampAfter: middle.replace('Z', '001Z'), pageSize: 100 })])).toEqual(justAfter);
  });

  test('P47: artifacts are omitted unless requested, and then present even if there are none', async () => {
    const [bare] = (await ann.list({ pageSize: 1 })).tasks;
    expect(bare).not.toHaveProperty('artifacts');
    const [full] = (await ann.list({ pageSize: 1, includeArtifacts: true })).tasks;
    expect(full?.artifacts).toMatchObject([{ artifactId: 'a' }]);
    const quiet = callerOf(createAgent({ name: 'Quiet', executor: { execute: (_, events) => events.complete() } }));
    await quiet.task('go');
    expect((await quiet.list({ includeArtifacts: true })).tasks[0]?.artifacts).toEqual([]);
  });

  test.each([
    ['0', { pageSize: 0 }],
    ['101', { pageSize: 101 }],
    ['-1', { pageSize: -1 }],
    ['a fraction', { pageSize: 1.5 }],
  ])('P47: a page size of %s is InvalidParams', async (_name, params) => {
    const parse = async () => parseAs('ListTasksRequest', params);
    expect(await refusal(parse())).toMatchObject({ code: -32602, violations: [{ field: 'pageSize' }] });
    expect(parseAs('ListTasksRequest', { pageSize: 1 })).toEqual({ pageSize: 1 });
    expect(parseAs('ListTasksRequest', { pageSize: 100 })).toEqual({ pageSize: 100 });
  });

  test('P47: totalSize, pageSize and nextPageToken are always present, also for an empty list', async () => {
    expect(await callerOf(agent, { id: 'eve' }).list()).toEqual({ tasks: [], totalSize: 0, pageSize: 50, nextPageToken: '' });
  });
});

test('D58: a list without artifacts neither reads nor serializes those of a task that runs', async () => {
  const agent = createAgent({
    name: 'Grower',
    async execute({ signal }, events) {
      await events.working('Growing');
      await events.appendText('a', 'x'.repeat(100_000));
      await events.flush();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  });
  const client = callerOf(agent);
  const { id } = await client.task('grow', { returnImmediately: true });
  while ((await client.get(id)).artifacts === undefined) await new Promise((resolve) => setImmediate(resolve));
  const stringify = vi.spyOn(JSON, 'stringify');
  const { tasks } = await client.list();
  expect(tasks).toMatchObject([{ id, status: { message: { parts: [{ text: 'Growing' }] } }, history: [{ parts: [{ text: 'grow' }] }] }]);
  expect(tasks[0]).not.toHaveProperty('artifacts');
  const lengths = stringify.mock.results.map(({ value }) => String(value).length);
  expect(Math.max(0, ...lengths)).toBeLessThan(10_000);
  expect((await client.list({ includeArtifacts: true })).tasks[0]?.artifacts?.[0]?.parts[0]?.text).toHaveLength(100_000);
  await client.cancel(id);
  await agent.close();
});

describe('D29: totals and page tokens', () => {
  async function seededLister(count: number) {
    const clock = manualClock();
    const agent = createLister(clock);
    const client = callerOf(agent, { id: 'ann' });
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
      ids.unshift((await client.task(say(index === 0 ? 'ask' : 'do', { contextId: 'c' }))).id);
      await clock.tick(1_000);
    }
    return { agent, client, clock, ids };
  }

  test('D29: the total is counted for the first page and carried in the token: later pages repeat it', async () => {
    const { client } = await seededLister(5);
    const first = await client.list({ pageSize: 2 });
    expect(first.totalSize).toBe(5);
    await client.task('one more');
    const second = await client.list({ pageSize: 2, pageToken: first.nextPageToken });
    expect(second.totalSize).toBe(5);
    expect((await client.list({ pageSize: 2 })).totalSize).toBe(6);
  });

  test('D29: pages continue at their position although tasks are added, change and move to the front', async () => {
    const { client, ids, clock } = await seededLister(6);
    const first = await client.list({ pageSize: 2 });
    expect(idsOf([first])).toEqual(ids.slice(0, 2));
    await client.task('new at the front');
    await clock.tick(1_000);
    const oldest = ids.at(-1) ?? '';
    await client.task(say('do', { taskId: oldest }));
    const second = await client.list({ pageSize: 3, pageToken: first.nextPageToken });
    expect(idsOf([second]), 'no task twice; the task that moved to the front is not on this page').toEqual(ids.slice(2, 5));
    expect(second.nextPageToken).toBe('');
  });

  test('D29: a page may have another size than the previous one', async () => {
    const { client, ids } = await seededLister(6);
    const first = await client.list({ pageSize: 1 });
    const rest = await client.list({ pageSize: 100, pageToken: first.nextPageToken });
    expect(idsOf([first, rest])).toEqual(ids);
  });

  test('D29: a token is valid only for its filters and its owner', async () => {
    const { agent, client } = await seededLister(4);
    const { nextPageToken: pageToken } = await client.list({ pageSize: 1, contextId: 'c' });
    const wrong = [
      client.list({ pageToken }),
      client.list({ pageToken, contextId: 'd' }),
      client.list({ pageToken, contextId: 'c', status: 'TASK_STATE_COMPLETED' }),
      client.list({ pageToken, contextId: 'c', statusTimestampAfter: '2020-01-01T00:00:00Z' }),
      client.list({ pageToken, contextId: 'c', tenant: 'other' }),
      callerOf(agent, { id: 'bob' }).list({ pageToken, contextId: 'c' }),
    ];
    for (const call of wrong) expect(await refusal(call)).toMatchObject({ code: -32602, violations: [{ field: 'pageToken' }] });
    expect((await client.list({ pageToken, contextId: 'c' })).tasks).toHaveLength(3);
  });

  test('D29: a forged token is InvalidParams', async () => {
    const { client } = await seededLister(3);
    const { nextPageToken = '' } = await client.list({ pageSize: 1 });
    const base64 = (value: unknown): string => btoa(JSON.stringify(value));
    const [statusAt, id, total, hash] = JSON.parse(atob(nextPageToken.replaceAll('-', '+').replaceAll('_', '/')));
    const forged = [
      'x',
      '{}',
      '%%%',
      'ü',
      '\u0000',
      nextPageToken.slice(1),
      `${nextPageToken}AAAA`,
      'A'.repeat(5_000),
      base64(null),
      base64(7),
      base64({}),
      base64([]),
      base64([statusAt, id, total]),
      base64([statusAt, id, total, hash + 1]),
      base64([-1, id, total, hash]),
      base64([1.5, id, total, hash]),
      base64(['0', id, total, hash]),
      base64([statusAt, 7, total, hash]),
      base64([statusAt, id, -5, hash]),
      base64([statusAt, id, 'many', hash]),
    ];
    for (const pageToken of forged)
      expect(await refusal(client.list({ pageToken }))).toMatchObject({ code: -32602, violations: [{ field: 'pageToken' }] });
    expect((await client.list({ pageToken: nextPageToken })).tasks).toHaveLength(2);
  });

  test('D29: the total is exact while tasks run', async () => {
    const clock = manualClock();
    const agent = createAgent({
      name: 'Busy',
      clock,
      store: memoryStore({ clock }),
      executor: {
        async execute(_context, events) {
          await events.working();
          await new Promise(() => {});
        },
      },
    });
    const client = callerOf(agent);
    for (let index = 0; index < 7; index += 1) await client.task('go', { returnImmediately: true });
    await clock.tick();
    expect(await client.list({ pageSize: 3, status: 'TASK_STATE_WORKING' })).toMatchObject({ totalSize: 7, pageSize: 3 });
    expect(await client.list({ status: 'TASK_STATE_COMPLETED' })).toMatchObject({ totalSize: 0 });
  });
});
