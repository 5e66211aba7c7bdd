import { describe, expect, test } from 'vitest';
import { callerOf } from '../../../test/harness.js';
import { tempFiles } from '../../../test/temp-folder.js';
import { systemClock } from '../../platform/system-clock.js';
import { isA2AError } from '../../protocol/errors.js';
import { type Agent, createAgent } from '../../server/index.js';
import { manualClock } from '../../testing/index.js';
import type { CommitResult, TaskRef, TaskStore, TaskWrite } from '../store.js';
import { createStore } from './create-store.js';
import { toWords } from './failure.js';
import { openFile } from './open.js';

const newFile = tempFiles();
const SETTINGS = { durability: 'process', lingerMs: 0, replayHours: 1, clock: systemClock } as const;

/** A store whose file cannot grow beyond `pages`, until `grow` raises the limit. */
function smallStore(pages: number): { readonly store: TaskStore; readonly grow: (pages: number) => void } {
  const file = openFile(newFile());
  const grow = (more: number): void => file.db.exec(`PRAGMA max_page_count = ${more}`);
  grow(pages);
  return { store: createStore(file, SETTINGS), grow };
}

const refOf = (id: string): TaskRef => ({ agent: '', tenant: '', owner: '', id });

function creation(id: string): TaskWrite {
  return {
    ref: refOf(id),
    epoch: 1,
    firstSeq: 1,
    entries: [{ seq: 1, kind: 'task', at: 1, json: '{"task":{}}', generation: 1 }],
    create: { node: 'node' },
    head: { contextId: 'context', state: 'TASK_STATE_WORKING', statusAt: 1, statusSeq: 1 },
    snapshot: { head: '{}', history: '', messagesBefore: 0, messages: 0, historyBytes: 0, artifacts: [] },
  };
}

function chunk(id: string, seq: number, length: number, more: Partial<TaskWrite> = {}): TaskWrite {
  return {
    ref: refOf(id),
    epoch: 1,
    firstSeq: seq,
    entries: [{ seq, kind: 'artifact', at: seq, json: 'x'.repeat(length), generation: seq }],
    ...more,
  };
}

function expectFull(answer: CommitResult | undefined): void {
  expect(answer?.kind).toBe('failed');
  const cause = answer?.kind === 'failed' ? answer.cause : undefined;
  expect(isA2AError(cause) && [cause.reason, cause.message, cause.retryable]).toEqual([
    'AGENT_UNAVAILABLE',
    expect.stringContaining('disk is full'),
    true,
  ]);
}

describe('D12: a full disk', () => {
  test('D12: a commit that does not fit is answered with failed, loses nothing, and can be repeated when there is space', async () => {
    const { store, grow } = smallStore(60);
    await store.commit([creation('a')]);
    const [answer] = await store.commit([chunk('a', 2, 500_000)]);
    expectFull(answer);
    expect((await store.load(refOf('a')))?.seq).toBe(1);
    expect(await store.entryAt(refOf('a'), 2)).toBeUndefined();
    grow(1_000);
    expect(await store.commit([chunk('a', 2, 500_000)])).toEqual([{ kind: 'ok', refused: [] }]);
    expect((await store.load(refOf('a')))?.seq).toBe(2);
    await store.close();
  });

  test('D12: the other writes of the commit are applied if they fit, and totals stay exact', async () => {
    const { store } = smallStore(60);
    const everything = { agent: '', tenant: '', owner: '', limit: 10, count: true };
    expect((await store.list(everything)).total).toBe(0);
    const big = {
      ...creation('big'),
      snapshot: {
        head: '{}',
        history: '',
        messagesBefore: 0,
        messages: 0,
        historyBytes: 0,
        artifacts: [{ n: 0, json: 'x'.repeat(500_000) }],
      },
    };
    const answers = await store.commit([creation('a'), big, creation('b'), chunk('a', 2, 100)]);
    expect(answers.map(({ kind }) => kind)).toEqual(['ok', 'failed', 'ok', 'ok']);
    expectFull(answers[1]);
    expect(await store.load(refOf('big'))).toBeUndefined();
    expect((await store.load(refOf('a')))?.seq).toBe(2);
    expect((await store.list(everything)).total).toBe(2);
    await store.close();
  });

  test('D12: a write is applied entirely or not at all, also when only its last part does not fit', async () => {
    const { store } = smallStore(60);
    await store.commit([creation('a')]);
    await store.post(refOf('a'), 'message', '{}');
    const before = await store.load(refOf('a'));
    const [answer] = await store.commit([
      chunk('a', 2, 100, {
        head: { contextId: 'context', state: 'TASK_STATE_COMPLETED', statusAt: 2, statusSeq: 2 },
        snapshot: {
          head: '{}',
          history: '',
          messagesBefore: 0,
          messages: 0,
          historyBytes: 0,
          artifacts: [{ n: 0, json: 'x'.repeat(500_000) }],
        },
        take: [{ n: 1, seq: 2 }],
      }),
    ]);
    expectFull(answer);
    expect(await store.load(refOf('a'))).toEqual(before);
    expect(await store.inbox(refOf('a'), 0)).toMatchObject([{ state: 'pending' }]);
    await store.close();
  });

  test('D12: other writes that do not fit reject with AGENT_UNAVAILABLE, and reads continue', async () => {
    const { store, grow } = smallStore(60);
    await store.commit([creation('a')]);
    const key = { agent: '', tenant: '', owner: '', key: 'key' };
    await store.beginRequest(key, 'hash', 'node');
    const long = `"${'x'.repeat(500_000)}"`;
    for (const call of [() => store.post(refOf('a'), 'message', long), () => store.endRequest(key, long)]) {
      await expect(call()).rejects.toMatchObject({ reason: 'AGENT_UNAVAILABLE', message: expect.stringContaining('disk is full') });
    }
    expect(await store.inbox(refOf('a'), 0)).toEqual([]);
    expect((await store.list({ agent: '', tenant: '', owner: '', limit: 10, count: true })).total).toBe(1);
    grow(1_000);
    expect(await store.post(refOf('a'), 'message', long)).toBe(1);
    await store.close();
  });
});

describe('F75: readiness follows writes', () => {
  const NODE_NAME = 'node';

  test('F75: a failed write makes the store unwritable, small writes do not end that, and a heartbeat finds that there is space again', async () => {
    const { store, grow } = smallStore(60);
    const beat = (): Promise<unknown> => store.beat(NODE_NAME, 'a', 1);
    await store.commit([creation('a')]);
    expect(store.canWrite?.()).toBe(true);
    expectFull((await store.commit([chunk('a', 2, 500_000)]))[0]);
    expect(store.canWrite?.()).toBe(false);
    expect(await store.commit([chunk('a', 2, 10)])).toEqual([{ kind: 'ok', refused: [] }]);
    expect(await beat()).toBe('ok');
    expect(store.canWrite?.()).toBe(false);
    grow(1_000);
    expect(await beat()).toBe('ok');
    expect(store.canWrite?.()).toBe(true);
    expect((await store.list({ agent: '', tenant: '', owner: '', limit: 10, count: true })).total).toBe(1);
    await store.close();
  });

  test('F75: a refused message makes the store unwritable, an invalid write does not', async () => {
    const { store } = smallStore(60);
    await store.commit([creation('a')]);
    expect((await store.commit([chunk('a', 9, 10)]))[0]?.kind).toBe('failed');
    expect(store.canWrite?.()).toBe(true);
    await store.post(refOf('a'), 'message', `"${'x'.repeat(500_000)}"`).catch(() => {});
    expect(store.canWrite?.()).toBe(false);
    await store.close();
  });

  test('F75: an agent on a full disk is unavailable, answers reads, and is ready again when there is space', async () => {
    const { store, grow } = smallStore(60);
    const clock = manualClock();
    const agent = createAgent({ name: 'Full', clock, store, execute: async () => 'x'.repeat(200_000), onError: () => {} });
    const caller = callerOf(agent);
    await ready(agent, clock);
    await caller.task('go').catch(() => {});
    expect(agent.readiness).toBe('unavailable');
    expect((await caller.list()).tasks.length).toBeLessThanOrEqual(1);
    grow(10_000);
    await ready(agent, clock);
    await agent.close();
  });

  /** Ticks until the heartbeat has reported that the agent is ready. */
  async function ready(agent: Agent, clock: ReturnType<typeof manualClock>): Promise<void> {
    while (agent.readiness !== 'ready') {
      await clock.tick(3_000);
      await new Promise(setImmediate);
    }
  }
});

describe('F75: a start without space', () => {
  test('F75: errors of a full disk are described as such', () => {
    const codes = [{ rawCode: 13 }, { code: 'ENOSPC' }, { code: 'EDQUOT' }];
    for (const code of codes) expect(toWords(Object.assign(new Error('x'), code))).toBe('its disk is full');
  });
});
