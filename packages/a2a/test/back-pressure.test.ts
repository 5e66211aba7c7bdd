import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Message, Part } from '../src/protocol/types.js';
import type { Frame } from '../src/server/advanced.js';
import { type AgentExecutor, type AgentOptions, createAgent, memoryStore } from '../src/server/index.js';
import { failingStore } from '../src/testing/index.js';
import { callerOf, gate, say } from './harness.js';
import { follow, until, untilIdle } from './looking.js';

const agentThat = (execute: AgentExecutor['execute'], options: Partial<AgentOptions> = {}) =>
  createAgent({ name: 'Torrent', executor: { execute }, ...options });

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

describe('P15: an executor that does not await its events', () => {
  test('P15: ten thousand chunks and the end, none of them awaited, all arrive in order, and the task is COMPLETED', async () => {
    const agent = agentThat(async (_, events) => {
      for (const n of numbers(10_000)) void events.appendText('a', `${n}`);
      void events.complete('done');
    });
    const caller = callerOf(agent);
    const reader = await caller.stream('go');
    await reader.all();
    expect(reader.states).toEqual(['SUBMITTED', 'COMPLETED']);
    const seqs = reader.seen.map(({ seq }) => seq);
    expect(seqs).toEqual(numbers(10_002).map((n) => n + 2));
    const { artifacts } = await caller.get(reader.seen[0]?.task?.id ?? '');
    expect(artifacts?.[0]?.parts).toEqual([{ text: numbers(10_000).join('') }]);
  }, 20_000);

  test('P15: chunks that a function does not await all arrive, and its return completes the task', async () => {
    const agent = createAgent({
      name: 'Torrent',
      execute: (_, events) => {
        for (const n of numbers(2_000)) void events.appendText('a', `${n} `);
      },
    });
    const { status, artifacts } = await callerOf(agent).task('go');
    expect(status.state).toBe('TASK_STATE_COMPLETED');
    expect(artifacts?.[0]?.parts).toEqual([{ text: `${numbers(2_000).join(' ')} ` }]);
  });

  test('P15: an illegal event among many that were not awaited fails the task, and the events before it are kept', async () => {
    const agent = agentThat(async ({ taskId, contextId }, events) => {
      for (const n of numbers(1_000)) void events.appendText('a', `${n} `);
      void events.publish({ taskId, contextId, artifact: { artifactId: 'unknown', parts: [{ text: 'x' }] }, append: true });
      for (const n of numbers(1_000)) void events.appendText('a', `${n} `);
      void events.complete();
    });
    const { status, artifacts } = await callerOf(agent).task('go');
    expect(status.state).toBe('TASK_STATE_FAILED');
    expect(status.message?.metadata).toMatchObject({ 'urn:parley:a2a:error': { reason: 'INVALID_AGENT_RESPONSE' } });
    expect(artifacts?.[0]?.parts).toEqual([{ text: `${numbers(1_000).join(' ')} ` }]);
  });

  test('P15: a question after many events that were not awaited is asked', async () => {
    const agent = agentThat(async (_, events) => {
      for (const n of numbers(1_000)) void events.appendText('a', `${n} `);
      void events.status('TASK_STATE_INPUT_REQUIRED', 'and?');
    });
    const { status } = await callerOf(agent).task('go');
    expect(status).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED', message: { parts: [{ text: 'and?' }] } });
    await untilIdle(agent);
  });
});

describe('P15: an executor that is faster than the store', () => {
  /** Publishes the texts while the store holds its commits. */
  async function againstAHeldStore(options: Partial<AgentOptions>, texts: readonly string[]) {
    const store = failingStore(memoryStore());
    const accepted: string[] = [];
    const begin = gate();
    const agent = agentThat(
      async (_, events) => {
        await events.task();
        await events.flush();
        await begin.passed;
        for (const text of texts) {
          await events.appendText('a', text);
          accepted.push(text);
        }
        await events.complete();
      },
      { ...options, store },
    );
    const sent = callerOf(agent).task('go');
    await until(() => store.commits === 1);
    await nextTurn();
    store.hold();
    begin.open();
    await until(() => store.held === 1);
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    return { store, accepted, sent };
  }

  test('P15: publishing blocks at maxPendingEvents and continues when there is room', async () => {
    const texts = numbers(40).map((n) => `${n} `);
    const { store, accepted, sent } = await againstAHeldStore({ maxPendingEvents: 8 }, texts);
    const first = accepted.length;
    expect(first).toBeGreaterThanOrEqual(8);
    expect(first, 'eight pending events, and those in the commit in flight').toBeLessThanOrEqual(16);
    store.release();
    const { status, artifacts } = await sent;
    expect(status.state).toBe('TASK_STATE_COMPLETED');
    expect(artifacts?.[0]?.parts).toEqual([{ text: texts.join('') }]);
  });

  test('P15: publishing blocks at maxPendingBytes', async () => {
    const texts = numbers(20).map(() => 'x'.repeat(1_000));
    const { store, accepted, sent } = await againstAHeldStore({ maxPendingBytes: 4_000 }, texts);
    expect(accepted.length).toBeGreaterThanOrEqual(3);
    expect(accepted.length).toBeLessThanOrEqual(9);
    store.release();
    expect((await sent).artifacts?.[0]?.parts[0]?.text).toHaveLength(20_000);
  });

  test('P15: an event above the limit is accepted when no other event is pending', async () => {
    const agent = agentThat(
      async (_, events) => {
        for (const letter of ['a', 'b', 'c']) await events.appendText(letter, letter.repeat(10_000));
        await events.complete();
      },
      { maxPendingBytes: 100 },
    );
    const { status, artifacts } = await callerOf(agent).task('go');
    expect(status.state).toBe('TASK_STATE_COMPLETED');
    expect(artifacts?.map(({ parts }) => parts[0]?.text?.length)).toEqual([10_000, 10_000, 10_000]);
  });

  test('P15: a reader that has caught up never waits for the queue of the executor to fill', async () => {
    const agent = agentThat(async (_, events) => {
      await events.working('seen at once');
      await new Promise(() => {});
    });
    const reader = await callerOf(agent).stream('go');
    await reader.until(2);
    expect(reader.states).toEqual(['SUBMITTED', 'WORKING']);
  });
});

describe('P15: an executor that changes objects after it published them', () => {
  test('P15: an event has the state of its object at the time of publishing, also while it waits for room', async () => {
    const count = 1_000;
    const agent = agentThat(
      async ({ taskId, contextId }, events) => {
        const part = { text: '', metadata: { deep: { n: 0 } } };
        const artifact = { artifactId: 'helper', parts: [part as Part] };
        const raw = { taskId, contextId, artifact: { artifactId: 'raw', parts: [part as Part] }, append: false };
        for (const n of numbers(count)) {
          part.text = `${n}`;
          part.metadata.deep.n = n;
          raw.append = n > 0;
          void events.artifact(artifact, { append: n > 0 });
          void events.publish(raw);
        }
        part.text = 'changed';
        part.metadata.deep.n = -1;
        artifact.parts.push({ text: 'added' });
        await events.complete();
      },
      { maxPendingEvents: 16 },
    );
    const { artifacts } = await callerOf(agent).task('go');
    const expected = numbers(count).map((n) => ({ text: `${n}`, metadata: { deep: { n } } }));
    expect(artifacts).toEqual([
      { artifactId: 'helper', parts: expected },
      { artifactId: 'raw', parts: expected },
    ]);
  });

  test('P15: later changes do not affect published Tasks, statuses, data and replies either', async () => {
    const agent = agentThat(async ({ taskId, contextId, text }, events) => {
      const metadata = { n: 1 };
      const message: Message = { messageId: 'a-1', role: 'ROLE_AGENT', parts: [{ text: 'said' }], metadata };
      if (text === 'reply') await events.reply(message);
      else {
        await events.publish({ id: taskId, contextId, status: { state: 'TASK_STATE_WORKING' }, metadata });
        await events.status('TASK_STATE_WORKING', message);
        await events.data(metadata, { id: 'd', metadata });
        await events.publish({ taskId, contextId, status: { state: 'TASK_STATE_COMPLETED', message } });
      }
      metadata.n = 2;
      Object.assign(message, { parts: [{ text: 'changed' }] });
    });
    const caller = callerOf(agent);
    const { message } = await caller.send('reply');
    expect(message).toMatchObject({ parts: [{ text: 'said' }], metadata: { n: 1 } });
    const task = await caller.task('task');
    await untilIdle(agent);
    for (const seen of [task, await caller.get(task.id)]) {
      expect(seen).toMatchObject({
        metadata: { n: 1 },
        status: { message: { parts: [{ text: 'said' }], metadata: { n: 1 } } },
        artifacts: [{ parts: [{ data: { n: 1 } }], metadata: { n: 1 } }],
        history: [{}, { parts: [{ text: 'said' }], metadata: { n: 1 } }],
      });
    }
  });
});

describe('P33: a reader that is full', () => {
  test('P33: a reader that stays full blocks neither the task nor any other reader', async () => {
    const watched = gate();
    const agent = agentThat(async (_, events) => {
      await events.task();
      await events.flush();
      await watched.passed;
      for (const n of numbers(3_000)) await events.appendText('a', `${n} `);
      await events.complete();
    });
    const caller = callerOf(agent);
    const full = await caller.stream('go');
    full.hungry = false;
    const [first] = await full.until(1);
    const other = await caller.subscribe(first?.task?.id ?? '');
    await other.until(1);
    watched.open();
    await other.all();
    await untilIdle(agent);
    expect(other.seen).toHaveLength(3_002);
    const got = full.seen.length;
    expect(got).toBeLessThan(300);
    await nextTurn();
    expect(full.seen).toHaveLength(got);
    expect(follow(full.ended).isSettled).toBe(false);
    full.close();
  });

  test('P33: a reader catches up from the store in slices when it can, and misses no event', async () => {
    const total = 400;
    const chunk = 'x'.repeat(5_000);
    const agent = agentThat(async (_, events) => {
      for (const n of numbers(total)) await events.appendText('a', `${n} ${chunk}`);
      await events.complete();
    });
    const caller = callerOf(agent);
    const reply = await caller.handle('SendStreamingMessage', { message: say('go') });
    if (reply.kind !== 'stream') throw new Error('no stream');
    const batches: (readonly Frame[])[] = [];
    const ended = follow(
      new Promise((end) => {
        const reading = reply.open({ send: (frames) => batches.push(frames) === 0, end });
        void untilIdle(agent).then(async () => {
          while (!ended.isSettled) {
            reading.resume();
            await nextTurn();
          }
        });
      }),
    );
    await ended.outcome;
    expect(batches.flat().map(({ seq }) => seq)).toEqual(numbers(total + 2).map((n) => n + 2));
    const sizes = batches.map((frames) => frames.reduce((size, { json }) => size + json.length, 0));
    expect(Math.max(...sizes.slice(1)), 'a slice of 256 KiB, and the entry that exceeds it').toBeLessThanOrEqual(256 * 1024 + 6_000);
    expect(batches.length).toBeGreaterThan(5);
  });

  test('P33: a reader that resumes after the end of the task gets the end and is released', async () => {
    const agent = agentThat(async (_, events) => {
      await events.working();
      await events.flush();
      await events.complete();
    });
    const caller = callerOf(agent);
    const reader = await caller.stream('go');
    reader.hungry = false;
    await reader.until(1);
    await untilIdle(agent);
    while (reader.states.at(-1) !== 'COMPLETED') {
      reader.resume();
      await nextTurn();
    }
    expect(await reader.ended).toEqual({ kind: 'done' });
    expect(reader.states).toEqual(['SUBMITTED', 'WORKING', 'COMPLETED']);
  });
});
