import { describe, expect, test } from 'vitest';
import type { Task } from '../src/protocol/types.js';
import { type AgentOptions, createAgent, type Execute, memoryStore, type TaskStore } from '../src/server/index.js';
import { manualClock } from '../src/testing/index.js';
import { callerOf, say } from './harness.js';
import { inboxOf, refOf, refusal, untilIdle } from './looking.js';

const bytesOf = (task: Task): number => Buffer.byteLength(JSON.stringify(task));
const IDS = { taskId: () => 'task', contextId: () => 'context', messageId: () => 'reply' };

/** Every turn asks for the next message, so the task goes on. */
const asking: Execute = async (_context, events) => {
  await events.status('TASK_STATE_INPUT_REQUIRED', 'ä?');
};

function start(options: Partial<AgentOptions> & Pick<AgentOptions, 'execute'>) {
  const store = options.store ?? memoryStore();
  // The same times in every run, so that every run has the same sizes.
  const agent = createAgent({ name: 'Sized', clock: manualClock(), ids: IDS, ...options, store } as AgentOptions);
  return { store, agent, caller: callerOf(agent) };
}

describe('F72: what a turn costs does not depend on the length of its task', () => {
  /** Records the size of every write. */
  function recording(): { readonly store: TaskStore; written: number; readonly read: string[] } {
    const inner = memoryStore();
    const record = { written: 0, read: [] as string[], store: inner };
    record.store = {
      ...inner,
      commit: (writes) => {
        record.written += JSON.stringify(writes).length;
        return inner.commit(writes);
      },
      load: (ref, historyLength) => {
        record.read.push(`load ${historyLength}`);
        return inner.load(ref, historyLength);
      },
    };
    return record;
  }

  test('F72: the thirtieth turn writes as much as the second', async () => {
    const record = recording();
    const { agent, caller } = start({ execute: asking, store: record.store });
    const { id } = await caller.task('x'.repeat(5_000));
    const written: number[] = [];
    for (let turn = 2; turn <= 30; turn += 1) {
      record.written = 0;
      await caller.task(say('y'.repeat(5_000), { taskId: id }), { historyLength: 0 });
      await untilIdle(agent);
      written.push(record.written);
    }
    expect(Math.max(...written) - Math.min(...written), 'less than one message').toBeLessThan(3_000);
    expect((await caller.get(id)).history).toHaveLength(59);
  });

  test('F72: an artifact that does not change is not written again', async () => {
    const record = recording();
    let turn = 0;
    const { agent, caller } = start({
      store: record.store,
      execute: async (_context, events) => {
        turn += 1;
        await events.artifact({ artifactId: `a${turn}`, parts: [{ text: 'x'.repeat(5_000) }] });
        await events.appendText('log', 'line ');
        await events.status('TASK_STATE_INPUT_REQUIRED');
      },
    });
    const { id } = await caller.task('go');
    const written: number[] = [];
    for (let more = 2; more <= 20; more += 1) {
      record.written = 0;
      await caller.task(say('go on', { taskId: id }), { historyLength: 0 });
      await untilIdle(agent);
      written.push(record.written);
    }
    expect(Math.max(...written) - Math.min(...written), 'less than one artifact').toBeLessThan(3_000);
    const { artifacts = [] } = await caller.get(id);
    expect(artifacts.map(({ artifactId }) => artifactId)).toEqual(['a1', 'log', ...Array.from({ length: 19 }, (_, n) => `a${n + 2}`)]);
  });

  test('F72: calls that show no history read none', async () => {
    const record = recording();
    const { agent, caller } = start({ execute: asking, store: record.store });
    const { id } = await caller.task('one');
    await untilIdle(agent);
    await caller.get(id, 0);
    await caller.get(id, 2);
    await caller.task(say('two', { taskId: id }), { historyLength: 0 });
    expect(record.read).toEqual(['load 0', 'load 2', 'load 0']);
  });

  test('F72: a continued turn gets the whole history in currentTask, and every reader gets the same task while it runs', async () => {
    const seen: (Task | undefined)[] = [];
    let during: Task | undefined;
    const { caller, agent } = start({
      execute: async (context, events) => {
        seen.push(structuredClone(context.currentTask));
        if (seen.length === 3) during = await caller.get('task');
        await events.status('TASK_STATE_INPUT_REQUIRED', `question ${seen.length}`);
      },
    });
    await caller.task('one');
    for (const text of ['two', 'three']) {
      await untilIdle(agent);
      await caller.task(say(text, { taskId: 'task' }));
    }
    const texts = (task: Task | undefined) => task?.history?.map(({ parts }) => parts[0]?.text);
    expect(seen.map(texts)).toEqual([undefined, ['one', 'question 1', 'two'], ['one', 'question 1', 'two', 'question 2', 'three']]);
    expect(texts(during)).toEqual(['one', 'question 1', 'two', 'question 2', 'three']);
  });
});

describe('D58: maxTaskBytes limits the size of a task', () => {
  /** Asks until it gets a message that begins with x. */
  const execute: Execute = async (context, events) => (context.text.startsWith('x') ? events.complete() : asking(context, events));

  test('D58: a message of an existing task is accepted up to the limit; one byte more is refused and not stored', async () => {
    const talk = async (maxTaskBytes: number) => {
      const { caller, store, agent } = start({ execute, maxTaskBytes });
      await caller.task('one');
      await caller.task(say('two', { taskId: 'task' }));
      await untilIdle(agent);
      const stop = () => caller.task(say('x'.repeat(3_000), { taskId: 'task' }));
      return { stop, inbox: () => inboxOf(store, refOf('task')) };
    };
    const ended = await (await talk(1e6)).stop();
    // The task takes the message while it is INPUT_REQUIRED, and then ends.
    const limit = bytesOf(ended) + 'INPUT_REQUIRED'.length - 'COMPLETED'.length;
    const { stop, inbox } = await talk(limit - 1);
    const error = await refusal(stop());
    expect(error).toMatchObject({ reason: 'CONTENT_TOO_LARGE', httpStatus: 413 });
    expect(error.message).toBe(`the task would have ${limit} bytes, and the limit is ${limit - 1}: start a new task in the same context`);
    expect(await inbox()).toHaveLength(1);
    const fits = await talk(limit);
    expect((await fits.stop()).status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('D58: the first message of a task is accepted up to the limit; one byte more is refused', async () => {
    const first = (maxTaskBytes: number) => start({ execute, maxTaskBytes }).caller.task('x'.repeat(2_000));
    const limit = bytesOf(await first(1e6)) + 'SUBMITTED'.length - 'COMPLETED'.length;
    expect(await refusal(first(limit - 1))).toMatchObject({ reason: 'CONTENT_TOO_LARGE' });
    expect((await first(limit)).status.state).toBe('TASK_STATE_COMPLETED');
  });

  /** Publishes an artifact of this length; returns the error that the executor catches. */
  async function publish(length: number, maxTaskBytes?: number) {
    let caught: unknown;
    const execute: Execute = async (_context, events) => {
      await events.working();
      try {
        await events.artifact({ artifactId: 'a', parts: [{ text: 'é'.repeat(length) }] });
      } catch (error) {
        caught = error;
      }
      return events.complete('Enough');
    };
    const { caller } = start({ execute, ...(maxTaskBytes !== undefined && { maxTaskBytes }) });
    return { task: await caller.task('go'), caught };
  }

  test('D58: an event of the executor is accepted up to the limit; one byte more is refused, and the task can still end', async () => {
    const { task } = await publish(500);
    const { status, ...rest } = task;
    // The size when the artifact was published, before the final status.
    const limit = bytesOf({ ...rest, status: { state: 'TASK_STATE_WORKING', timestamp: status.timestamp ?? '' } });
    const fits = await publish(500, limit);
    expect([fits.caught, fits.task.status.state]).toEqual([undefined, 'TASK_STATE_COMPLETED']);
    const over = await publish(500, limit - 1);
    expect(over.caught).toMatchObject({ reason: 'CONTENT_TOO_LARGE', message: expect.stringContaining(`would have ${limit} bytes`) });
    expect(over.task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'Enough' }] } } });
    expect(over.task.artifacts).toBeUndefined();
  });

  test('D58: an event that does not fit fails the task if the executor does not catch the error', async () => {
    const execute: Execute = async (_context, events) => {
      await events.appendText('a', 'x'.repeat(100));
      void events.appendText('a', 'x'.repeat(2_000));
      void events.appendText('a', 'x');
    };
    const { caller } = start({ execute, maxTaskBytes: 1_500 });
    const { status, artifacts } = await caller.task('go');
    expect(status).toMatchObject({ state: 'TASK_STATE_FAILED', message: { parts: [{ text: 'the answer of the agent is too large' }] } });
    expect(artifacts?.[0]?.parts).toEqual([{ text: 'x'.repeat(100) }]);
  });

  test('D58: the history that a claimed task has in the store counts', async () => {
    let caught: unknown;
    const execute: Execute = async (context, events) => {
      if (context.currentTask === undefined) return events.status('TASK_STATE_INPUT_REQUIRED');
      await events.appendText('a', 'x'.repeat(1_500)).catch((error) => {
        caught = error;
      });
      return events.complete();
    };
    const { caller, agent } = start({ execute, maxTaskBytes: 5_000 });
    await caller.task('x'.repeat(3_500));
    await untilIdle(agent);
    await caller.task(say('go on', { taskId: 'task' }));
    expect(caught).toMatchObject({ reason: 'CONTENT_TOO_LARGE' });
  });
});
