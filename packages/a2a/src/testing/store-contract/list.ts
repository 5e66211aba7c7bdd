import assert from 'node:assert/strict';
import { pageBytesOf } from '../../stores/page-bytes.js';
import type { ListQuery, TaskPage, TaskRef, TaskStore } from '../../stores/store.js';
import { appended, asWritten, check, commitAll, creation, entered, entry, message, ref, START, type StoreCheck } from './samples.js';

type Wanted = Partial<Omit<ListQuery, 'count'>>;

async function page(store: TaskStore, wanted: Wanted = {}): Promise<TaskPage> {
  return store.list({ agent: '', tenant: 'tenant', owner: 'owner', limit: 100, count: true, ...wanted });
}

async function ids(store: TaskStore, wanted: Wanted = {}): Promise<readonly string[]> {
  return (await page(store, wanted)).tasks.map((task) => task.ref.id);
}

/** Reads all pages, each with the keyset of the last task of the previous page. */
async function allPages(store: TaskStore, wanted: Wanted, betweenPages?: () => Promise<void>): Promise<readonly (readonly string[])[]> {
  const pages: string[][] = [];
  for (let after: ListQuery['after']; ; ) {
    const { tasks, more } = await page(store, { ...wanted, ...(after && { after }) });
    pages.push(tasks.map((task) => task.ref.id));
    const last = tasks.at(-1);
    if (!more || last === undefined) return pages;
    after = { statusAt: last.head.statusAt, id: last.ref.id };
    await betweenPages?.();
  }
}

/** What a list without artifacts returns of a task with this tail. */
async function shown(store: TaskStore, task: TaskRef, tail: readonly unknown[]): Promise<readonly unknown[]> {
  const text = (await store.load(task))?.snapshot.text;
  return [task.id, { ...text, artifacts: '' }, tail];
}

/** 12 tasks in three contexts, in several states. Later letters have newer status times; pairs share one time. */
async function seed(store: TaskStore): Promise<void> {
  const states = ['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED', 'TASK_STATE_INPUT_REQUIRED'] as const;
  const letters = [...'gbkaledhcifj'];
  await commitAll(
    store,
    ...letters.map((id) => {
      const rank = id.charCodeAt(0) - 97;
      return creation(ref(id), {
        contextId: `context-${rank % 3}`,
        state: states[rank % 2] ?? 'TASK_STATE_WORKING',
        statusAt: START + Math.floor(rank / 2),
      });
    }),
  );
}

/** Lists: order, filters, pages and totals. */
export const listChecks: readonly StoreCheck[] = [
  check('P47: tasks are sorted by newest status first, and by descending id for equal times', async (store) => {
    assert.deepEqual(await page(store), { tasks: [], more: false, total: 0 });
    await seed(store);
    assert.deepEqual(await ids(store), [...'lkjihgfedcba']);
  }),

  check('P47: a list can be filtered by context, by state and by time, alone and together', async (store) => {
    await seed(store);
    assert.deepEqual(await ids(store, { contextId: 'context-1' }), [...'kheb']);
    assert.deepEqual(await ids(store, { contextId: 'nowhere' }), []);
    assert.deepEqual(await ids(store, { state: 'TASK_STATE_COMPLETED' }), [...'ljhfdb']);
    assert.deepEqual(await ids(store, { state: 'TASK_STATE_FAILED' }), []);
    assert.deepEqual(await ids(store, { statusAtOrAfter: START + 4 }), [...'lkji']);
    assert.deepEqual(await ids(store, { contextId: 'context-1', state: 'TASK_STATE_COMPLETED' }), [...'hb']);
    assert.deepEqual(await ids(store, { contextId: 'context-1', state: 'TASK_STATE_COMPLETED', statusAtOrAfter: START + 1 }), ['h']);
    assert.deepEqual(await ids(store, { statusAtOrAfter: START + 6 }), []);
  }),

  check('P47: pages continue by keyset, also through equal times, and report whether there is more', async (store) => {
    await seed(store);
    assert.deepEqual(await allPages(store, { limit: 5 }), [[...'lkjih'], [...'gfedc'], [...'ba']]);
    assert.deepEqual(await allPages(store, { limit: 4 }), [[...'lkji'], [...'hgfe'], [...'dcba']]);
    assert.deepEqual(await allPages(store, { limit: 3, state: 'TASK_STATE_COMPLETED', statusAtOrAfter: START + 1 }), [
      [...'ljh'],
      [...'fd'],
    ]);
    assert.deepEqual(await ids(store, { after: { statusAt: START + 3, id: 'gg' } }), [...'gfedcba']);
    assert.deepEqual(await ids(store, { after: { statusAt: START - 1, id: 'z' } }), []);
  }),

  check('P47: when the list changes between pages, unchanged tasks are neither repeated nor skipped', async (store) => {
    await seed(store);
    let moved = false;
    const pages = await allPages(store, { limit: 4 }, async () => {
      if (moved) return;
      moved = true;
      // The oldest becomes the newest, a new one is created, and one on the next page ends.
      await commitAll(
        store,
        entered(ref('a'), 3, { contextId: 'context-0', statusAt: START + 100 }),
        creation(ref('new'), { statusAt: START + 101 }),
        entered(ref('g'), 3, { contextId: 'context-0', statusAt: START + 102 }),
      );
    });
    assert.deepEqual(pages, [[...'lkji'], [...'hfed'], [...'cb']]);
    assert.deepEqual((await ids(store)).slice(0, 4), ['g', 'new', 'a', 'l']);
  }),

  check('P47: after a change a task is found under its new state and time, and no longer under the old ones', async (store) => {
    const task = ref('a');
    await commitAll(store, creation(task), entered(task, 3, { state: 'TASK_STATE_INPUT_REQUIRED', statusAt: START + 10 }));
    assert.deepEqual(await ids(store, { state: 'TASK_STATE_WORKING' }), []);
    assert.deepEqual(await ids(store, { state: 'TASK_STATE_INPUT_REQUIRED', statusAtOrAfter: START + 10 }), ['a']);
    await commitAll(store, entered(task, 4, { state: 'TASK_STATE_COMPLETED', statusAt: START + 20 }));
    assert.deepEqual(await ids(store, { state: 'TASK_STATE_INPUT_REQUIRED' }), []);
    assert.deepEqual(await ids(store, { contextId: 'context', state: 'TASK_STATE_COMPLETED' }), ['a']);
  }),

  check('P47: a task in a page equals the result of load, with snapshot and tail', async (store) => {
    const [running, ended] = [ref('running'), ref('ended')];
    await commitAll(store, creation(running), appended(running, 3, 2), creation(ended, { statusAt: START + 1 }), entered(ended, 3));
    const { tasks } = await page(store);
    assert.deepEqual(tasks, [await store.load(ended), await store.load(running)]);
    assert.deepEqual(asWritten(tasks[1]?.tail ?? []), [entry(3), entry(4)]);
    assert.deepEqual(tasks[0]?.tail, []);
  }),

  check('P47: a list without artifacts has none in the snapshots, and no entries of artifacts in the tails', async (store) => {
    const [running, ended] = [ref('running'), ref('ended')];
    const parts = { artifacts: ['{"artifactId":"a"}', '{"artifactId":"b"}'], history: [message('one'), message('two')] };
    const chunk = (seq: number) => entry(seq, 'artifact');
    await commitAll(store, creation(running, parts), creation(ended, { ...parts, statusAt: START + 1 }));
    await commitAll(store, entered(ended, 3, { artifacts: parts.artifacts, messagesBefore: 2 }));
    // Rows with one entry, with several of one kind, and with several kinds.
    const rows = [[chunk(3)], [entry(4, 'status')], [chunk(5), chunk(6)], [chunk(7), entry(8, 'status'), chunk(9)], [chunk(10)]];
    for (const entries of rows) await commitAll(store, appended(running, entries[0]?.seq ?? 0, 1, { entries }));
    const { tasks } = await page(store, { withoutArtifacts: true });
    assert.deepEqual(
      tasks.map(({ ref: { id }, snapshot, tail }) => [id, snapshot.text, tail.map(({ seq, kind }) => [seq, kind])]),
      [
        await shown(store, ended, []),
        await shown(store, running, [
          [4, 'status'],
          [8, 'status'],
        ]),
      ],
    );
  }),

  check('D58: a page ends before the task with which its texts exceed maxBytes, and the next page begins with that task', async (store) => {
    const history = [message('x'.repeat(1_000))];
    await commitAll(store, ...[...'dcba'].map((id, rank) => creation(ref(id), { history, statusAt: START + rank })));
    const { tasks } = await page(store);
    const bytes = pageBytesOf(tasks[0] ?? assert.fail('the list is empty'));
    const first = await page(store, { maxBytes: 2 * bytes });
    assert.deepEqual([first.tasks, first.more, first.total], [tasks.slice(0, 2), true, 4]);
    assert.deepEqual(await allPages(store, { maxBytes: 2 * bytes }), [[...'ab'], [...'cd']]);
    assert.deepEqual(await allPages(store, { maxBytes: 3 * bytes - 1 }), [[...'ab'], [...'cd']]);
    assert.deepEqual(await allPages(store, { maxBytes: 3 * bytes }), [[...'abc'], ['d']]);
    assert.deepEqual(await allPages(store, { maxBytes: 4 * bytes, limit: 3 }), [[...'abc'], ['d']]);
  }),

  check('D58: a task that is larger than maxBytes is a page of its own', async (store) => {
    const large = { history: [message('x'.repeat(10_000))] };
    await commitAll(store, creation(ref('a')), creation(ref('b'), large), creation(ref('c')), creation(ref('d')));
    assert.deepEqual(await allPages(store, { maxBytes: 5_000 }), [[...'dc'], ['b'], ['a']]);
    assert.deepEqual(await allPages(store, { maxBytes: 1 }), [['d'], ['c'], ['b'], ['a']]);
  }),

  check('D58: tails count for maxBytes, and artifacts that the caller does not need do not count', async (store) => {
    const artifacts = [JSON.stringify({ artifactId: 'a', parts: [{ text: 'x'.repeat(10_000) }] })];
    const update = entry(3, 'artifact', JSON.stringify({ artifactUpdate: { text: 'x'.repeat(10_000) } }));
    for (const id of 'abc') await commitAll(store, creation(ref(id)), appended(ref(id), 3, 1, { entries: [update] }));
    assert.deepEqual(await allPages(store, { maxBytes: 25_000 }), [[...'cb'], ['a']]);
    assert.deepEqual(await allPages(store, { maxBytes: 25_000, withoutArtifacts: true }), [[...'cba']]);
    for (const id of 'abc') await commitAll(store, entered(ref(id), 4, { state: 'TASK_STATE_COMPLETED', artifacts }));
    assert.deepEqual(await allPages(store, { maxBytes: 25_000 }), [[...'cb'], ['a']]);
    assert.deepEqual(await allPages(store, { maxBytes: 25_000, withoutArtifacts: true }), [[...'cba']]);
  }),

  check('D29: the total is exact and counts all matches, regardless of the page; without count it is absent', async (store) => {
    await seed(store);
    assert.equal((await page(store, { limit: 2 })).total, 12);
    assert.equal((await page(store, { limit: 2, contextId: 'context-1' })).total, 4);
    assert.equal((await page(store, { limit: 2, state: 'TASK_STATE_COMPLETED' })).total, 6);
    assert.equal((await page(store, { limit: 2, statusAtOrAfter: START + 4 })).total, 4);
    assert.equal(
      (await page(store, { limit: 1, contextId: 'context-1', state: 'TASK_STATE_COMPLETED', statusAtOrAfter: START + 1 })).total,
      1,
    );
    assert.equal((await page(store, { limit: 2, after: { statusAt: START + 1, id: 'c' } })).total, 12);
    const uncounted = await store.list({ agent: '', tenant: 'tenant', owner: 'owner', limit: 2, count: false });
    assert.equal(uncounted.total, undefined);
    assert.equal(uncounted.more, true);
  }),
];
