/** D6: an executor that never yields to the event loop, and ten thousand chunks in one turn. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { TaskWrite } from '../src/server/advanced.js';
import { type AgentOptions, createAgent, memoryStore, type TaskEvents } from '../src/server/index.js';
import { failingStore } from '../src/testing/index.js';
import { callerOf } from './harness.js';
import { untilIdle } from './looking.js';

const COUNT = 10_000;
const textOf = (count: number): string => Array.from({ length: count }, (_, n) => `${n} `).join('');
const TEXT = textOf(COUNT);

/** An agent that publishes this many chunks, and every write that its store received. */
function torrent(execute: (events: TaskEvents) => Promise<void> | void, options: Partial<AgentOptions> = {}) {
  const writes: TaskWrite[] = [];
  const store = failingStore(memoryStore(), (_, batch) => {
    writes.push(...batch);
    return undefined;
  });
  const agent = createAgent({ name: 'Torrent', store, ...options, executor: { execute: (_, events) => execute(events) } });
  return { agent, caller: callerOf(agent), writes };
}

const all = (events: TaskEvents, count = COUNT): void => {
  for (let n = 0; n < count; n += 1) void events.appendText('a', `${n} `);
};

describe('D6: an executor that never yields', () => {
  const forms: [string, (events: TaskEvents) => Promise<void> | void][] = [
    [
      'awaits neither its chunks nor its end',
      (events) => {
        all(events);
        void events.complete('done');
      },
    ],
    [
      'awaits only its end',
      (events) => {
        all(events);
        return events.complete('done');
      },
    ],
    [
      'awaits each chunk',
      async (events) => {
        for (let n = 0; n < COUNT; n += 1) await events.appendText('a', `${n} `);
        await events.complete('done');
      },
    ],
  ];
  test.each(forms)(
    'D6: ten thousand chunks in one turn all arrive in order when it %s; no commit is larger than the limit',
    async (_name, execute) => {
      const { agent, caller, writes } = torrent(execute);
      const reader = await caller.stream('go');
      await reader.all();
      expect(reader.states).toEqual(['SUBMITTED', 'COMPLETED']);
      expect(reader.text).toBe(TEXT);
      const { artifacts, status } = await caller.get(reader.seen[0]?.task?.id ?? '');
      expect(artifacts?.[0]?.parts.map(({ text }) => text).join('')).toBe(TEXT);
      expect(status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'done' }] } });
      // The input and the Task of a new task, and its end, do not wait for room.
      expect(Math.max(...writes.map(({ entries }) => entries.length))).toBeLessThanOrEqual(256 + 2);
      await untilIdle(agent);
    },
  );

  test('D6: publishes that are not awaited queue outside the limit: only as many as the limit resolve at once', async () => {
    let accepted = 0;
    const { agent, caller } = torrent(
      async (events) => {
        await events.task();
        await events.flush();
        for (let n = 0; n < 100; n += 1) {
          void events.appendText('a', `${n} `).then(() => {
            accepted += 1;
          });
        }
        await Promise.resolve();
        await Promise.resolve();
        await events.complete(`${accepted} were accepted at once`);
      },
      { maxPendingEvents: 10 },
    );
    const { status } = await caller.task('go');
    expect(status.message?.parts[0]?.text).toBe('10 were accepted at once');
    expect(accepted).toBe(100);
    await untilIdle(agent);
  });

  test('D6: other callers are served as soon as it yields, and no event is missing', async () => {
    const count = 2_000;
    const { agent, caller } = torrent(async (events) => {
      all(events, count);
      await nextTurn();
      all(events, count);
      await events.complete();
    });
    const [reader, second] = await Promise.all([caller.stream('one'), caller.stream('two')]);
    await Promise.all([reader.all(), second.all()]);
    for (const each of [reader, second]) expect(each.text).toBe(textOf(count).repeat(2));
    await untilIdle(agent);
  });
});
