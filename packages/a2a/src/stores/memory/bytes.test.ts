import { describe, expect, test } from 'vitest';
import { isA2AError } from '../../protocol/errors.js';
import { manualClock } from '../../testing/index.js';
import { appended, creation, entered, message, ref } from '../../testing/store-contract/samples.js';
import { memoryStore } from '../memory.js';
import type { CommitResult, TaskRef, TaskWrite } from '../store.js';
import { beginRequest, post } from './claim.js';
import { commitWrite } from './commit.js';
import { erase, eraseContext } from './erase.js';
import { createTables, type Tables } from './tables.js';
import { bytesOf } from './usage.js';

const KEY = { agent: '', tenant: 'tenant', owner: 'owner', key: 'key' };
const FULL = { reason: 'AGENT_UNAVAILABLE', retryable: true, retryAfterMs: 1_000 };

const tablesOf = (maxBytes = Number.POSITIVE_INFINITY, clock = manualClock()): Tables =>
  createTables({ clock, maxTasks: Number.POSITIVE_INFINITY, maxBytes, maxBytesPerOwner: maxBytes * 2, replayTasks: 1, replayBytes: 1e9 });

/** The bytes that are used after these writes. */
function usedBy(...writes: readonly TaskWrite[]): number {
  const tables = tablesOf();
  for (const write of writes) expect(commitWrite(tables, write).kind).toBe('ok');
  return tables.usage.used;
}

function expectFull(answer: CommitResult | undefined, maxBytes: number): void {
  const cause = answer?.kind === 'failed' ? answer.cause : undefined;
  expect(isA2AError(cause) && cause).toMatchObject({ ...FULL, message: expect.stringContaining(`${maxBytes} bytes (maxBytes)`) });
}

describe('F67: the memory store counts its bytes', () => {
  test('F67: the count equals a scan after every kind of change, and is 0 when everything is erased and expired', async () => {
    const clock = manualClock();
    const tables = tablesOf(undefined, clock);
    const tasks: readonly TaskRef[] = ['a', 'b', 'c', 'd'].map((id) => ref(id));
    const scan = (): number => tasks.reduce((sum, task) => sum + bytesOfTask(tables, task), 0);
    const steps: readonly (() => unknown)[] = [
      ...tasks.map((task) => () => commitWrite(tables, creation(task))),
      () => commitWrite(tables, appended(ref('a'), 3, 5)),
      () => post(tables, ref('a'), { kind: 'message', json: message('m') }),
      () => commitWrite(tables, appended(ref('a'), 8, 1, { take: [{ n: 1, seq: 8 }] })),
      () => commitWrite(tables, entered(ref('a'), 9)),
      () => post(tables, ref('b'), { kind: 'message', json: message('m') }),
      () => commitWrite(tables, entered(ref('b'), 3)), // compacts the log of a
      () => commitWrite(tables, entered(ref('c'), 9)), // refused
      () => commitWrite(tables, appended(ref('c'), 3, 1, { release: true })),
      () => erase(tables, ref('a')),
    ];
    for (const step of steps) {
      step();
      expect(tables.usage.used).toBe(scan());
    }
    expect(beginRequest(tables, KEY, 'hash', 'node')).toEqual({ kind: 'new', attempt: 1 });
    tables.requests.end(KEY, JSON.stringify({ contextId: 'context', text: 'long' }));
    expect(tables.usage.used).toBeGreaterThan(scan());
    eraseContext(tables, { ...KEY, contextId: 'context' }, 10);
    expect(scan()).toBe(0);
    tables.requests.forgetExpired(clock.now() + 86_400_000);
    expect(tables.usage.used).toBe(0);
  });
});

function bytesOfTask(tables: Tables, task: TaskRef): number {
  const row = tables.tasks.find(task);
  return row === undefined ? 0 : bytesOf(row);
}

describe('F67: the memory store has a byte bound', () => {
  test('F67: a new task is accepted with one byte left, and refused with none, naming the limit', async () => {
    const maxBytes = usedBy(creation(ref('a')));
    const roomy = memoryStore({ maxBytesPerOwner: 1e12, maxBytes: maxBytes + 1 });
    expect(await roomy.commit([creation(ref('a')), creation(ref('b'))])).toMatchObject([{ kind: 'ok' }, { kind: 'ok' }]);
    expectFull((await roomy.commit([creation(ref('c'))]))[0], maxBytes + 1);

    const tight = memoryStore({ maxBytesPerOwner: 1e12, maxBytes });
    const answers = await tight.commit([creation(ref('a')), creation(ref('b'))]);
    expect(answers[0]?.kind).toBe('ok');
    expectFull(answers[1], maxBytes);
    expect(await tight.load(ref('b'))).toBeUndefined();
    expect(() => tight.checkRoom?.(ref('b'))).toThrow(expect.objectContaining(FULL));
  });

  test('F67: a new message and a new request are refused at the bound; a cancel and a known request are not', async () => {
    const clock = manualClock();
    const before = memoryStore({ maxBytesPerOwner: 1e12, maxBytes: 1e9, clock });
    const store = memoryStore({ maxBytesPerOwner: 1e12, maxBytes: usedBy(creation(ref('a'))), clock });
    for (const one of [before, store]) await one.commit([creation(ref('a'))]);
    expect(await before.post(ref('a'), 'message', '{}')).toBe(1);
    await expect(store.post(ref('a'), 'message', '{}')).rejects.toMatchObject(FULL);
    await expect(store.beginRequest(KEY, 'hash', 'node')).rejects.toMatchObject(FULL);
    expect(await store.post(ref('a'), 'cancel', '{}')).toBe(1);
    expect(await store.post(ref('b'), 'message', '{}')).toBe('missing');
  });

  test('F67: one owner is refused at its share of unfinished tasks, and another owner is not', async () => {
    const share = usedBy(creation(ref('a')));
    const store = memoryStore({ maxBytes: 1e9, maxBytesPerOwner: share + 1 });
    const refused = { reason: 'RATE_LIMITED', message: expect.stringContaining(`${share + 1} bytes (maxBytesPerOwner)`) };
    expect(await store.commit([creation(ref('a')), creation(ref('b'))])).toMatchObject([{ kind: 'ok' }, { kind: 'ok' }]);
    expect(await store.commit([creation(ref('c'))])).toMatchObject([{ kind: 'failed', cause: refused }]);
    await expect(store.post(ref('a'), 'message', '{}')).rejects.toMatchObject(refused);
    expect(() => store.checkRoom?.(ref('c'))).toThrow(expect.objectContaining({ reason: 'RATE_LIMITED' }));
    expect(await store.commit([creation({ ...ref('c'), owner: 'other' })])).toMatchObject([{ kind: 'ok' }]);
    expect(await store.commit([entered(ref('a'), 3)])).toMatchObject([{ kind: 'ok' }]);
    expect(await store.commit([creation(ref('c'))]), 'ended tasks do not count').toMatchObject([{ kind: 'ok' }]);
  });

  test('F67: ended tasks are dropped to make room, the oldest first, and only as many as needed', async () => {
    const ended = (id: string, statusAt: number): TaskWrite => creation(ref(id), { state: 'TASK_STATE_COMPLETED', statusAt });
    const store = memoryStore({ maxBytesPerOwner: 1e12, maxBytes: usedBy(ended('a', 1), ended('b', 2), ended('c', 3)), replayTasks: 1 });
    await store.commit([ended('b', 2), ended('a', 1), ended('c', 3)]);
    expect(await store.commit([creation(ref('d'))])).toMatchObject([{ kind: 'ok' }]);
    const kept = await Promise.all(['a', 'b', 'c', 'd'].map(async (id) => (await store.load(ref(id))) !== undefined));
    expect(kept).toEqual([false, true, true, true]);
  });

  test('F67: a running task may use a quarter more, a large one may not, and an end is always accepted', async () => {
    const small = usedBy(creation(ref('small')));
    const chunk = (task: TaskRef, seq: number, length: number): TaskWrite => {
      const [entry] = appended(task, seq).entries;
      return { ...appended(task, seq), entries: entry === undefined ? [] : [{ ...entry, json: 'x'.repeat(length) }] };
    };
    const large = chunk(ref('large'), 3, small * 20);
    const maxBytes = usedBy(creation(ref('small')), creation(ref('large')), large);
    const store = memoryStore({ maxBytesPerOwner: 1e12, maxBytes });
    await store.commit([creation(ref('small')), creation(ref('large')), large]);
    expectFull((await store.commit([chunk(ref('large'), 4, 1)]))[0], maxBytes);
    const quarter = Math.ceil(maxBytes / 4 / 2);
    expect(await store.commit([chunk(ref('small'), 3, 10)])).toMatchObject([{ kind: 'ok' }]);
    expect(await store.commit([chunk(ref('small'), 4, quarter)])).toMatchObject([{ kind: 'ok' }]);
    expectFull((await store.commit([chunk(ref('small'), 5, 1)]))[0], maxBytes);
    expect(await store.commit([entered(ref('large'), 4)])).toMatchObject([{ kind: 'ok' }]);
    // The ended task is dropped, so that the other one can go on.
    expect(await store.commit([chunk(ref('small'), 5, 1)])).toMatchObject([{ kind: 'ok' }]);
    expect(await store.load(ref('large'))).toBeUndefined();
  });

  test('F67: answered requests are dropped when no ended task is left, and open ones are kept', async () => {
    const clock = manualClock();
    const store = memoryStore({ maxBytesPerOwner: 1e12, maxBytes: 20_000, clock });
    await store.beat('node', 'a', clock.now() + 1e6);
    const keyOf = (n: number) => ({ ...KEY, key: `key-${n}` });
    await store.beginRequest({ ...KEY, key: 'open' }, 'hash', 'node');
    for (let n = 0; n < 100; n += 1) {
      await store.beginRequest(keyOf(n), 'hash', 'node');
      await store.endRequest(keyOf(n), '{"text":"reply"}');
    }
    expect(await store.beginRequest(keyOf(99), 'hash', 'node')).toMatchObject({ kind: 'done' });
    expect(await store.beginRequest({ ...KEY, key: 'open' }, 'hash', 'other')).toEqual({ kind: 'running' });
  });

  test('F67: an invalid maxBytes is refused at startup', () => {
    for (const maxBytes of [0, -1, Number.NaN])
      expect(() => memoryStore({ maxBytes })).toThrow(`maxBytes must be positive, got ${maxBytes}`);
  });
});
