import { describe, expect, test } from 'vitest';
import { createAgent, memoryStore } from '../src/server/index.js';
import { callerOf, say } from './harness.js';
import { quiet, refOf, refusal, untilIdle } from './looking.js';

/** Changes every member that can be changed, at any depth. */
function overwrite(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) overwrite(member);
  if (Array.isArray(value)) value.push('vandalised');
  else for (const key of Object.keys(value)) if (typeof Reflect.get(value, key) === 'string') Reflect.set(value, key, 'vandalised');
}

describe('P53: changes to returned objects do not change the stored task', () => {
  async function withTask() {
    const store = memoryStore();
    const agent = createAgent({
      name: 'Keeper',
      store,
      executor: {
        async execute({ text }, events) {
          if (text === 'end') return events.complete('over');
          await events.artifact({ artifactId: 'a', parts: [{ data: { deep: ['x'] } }], metadata: { m: 1 } });
          await events.status('TASK_STATE_INPUT_REQUIRED', [{ text: 'and?' }]);
        },
      },
    });
    const caller = callerOf(agent);
    const { id } = await caller.task(say('go', { contextId: 'c', metadata: { of: { the: 'message' } } }));
    await untilIdle(agent);
    return { agent, caller, id, store };
  }

  test.each(['waiting', 'ended'])('P53: GetTask, ListTasks, SendMessage and CancelTask of a task that is %s', async (state) => {
    const { caller, id } = await withTask();
    const answer = state === 'ended' ? await caller.task(say('end', { taskId: id })) : await caller.get(id);
    const before = JSON.stringify(await caller.get(id));
    overwrite(answer);
    overwrite(await caller.get(id));
    overwrite(await caller.list({ includeArtifacts: true }));
    expect(JSON.stringify(await caller.get(id))).toBe(before);
    expect(JSON.stringify((await caller.list({ includeArtifacts: true, historyLength: 100 })).tasks[0])).toBe(before);
    if (state === 'ended') return expect(await refusal(caller.cancel(id))).toMatchObject({ reason: 'TASK_NOT_CANCELABLE' });
    const canceled = await caller.cancel(id);
    const after = JSON.stringify(canceled);
    expect(canceled.status.state).toBe('TASK_STATE_CANCELED');
    overwrite(canceled);
    expect(JSON.stringify(await caller.get(id))).toBe(after);
  });

  test('P53: results of the store', async () => {
    const { caller, id, store } = await withTask();
    const before = JSON.stringify(await caller.get(id));
    const raw = JSON.stringify(await store.load(refOf(id)));
    overwrite(await store.load(refOf(id)));
    overwrite(await store.list({ agent: '', tenant: '', owner: '', limit: 10, count: true }));
    overwrite([...(await store.inbox(refOf(id), 0))]);
    expect(JSON.stringify(await store.load(refOf(id)))).toBe(raw);
    expect(JSON.stringify(await caller.get(id))).toBe(before);
  });

  test('P53: events of a stream', async () => {
    const { caller, id } = await withTask();
    const [one, other] = [await caller.subscribe(id, '0'), await caller.subscribe(id, '0')];
    await Promise.all([one.until(3), other.until(3)]);
    const seen = JSON.stringify(other.seen);
    overwrite(one.seen);
    expect(JSON.stringify(other.seen)).toBe(seen);
    one.close();
    other.close();
  });

  test.each(['before its first event', 'after its first event', 'after the store has it'])(
    'P53: the context of an executor, %s',
    async (when) => {
      const store = memoryStore();
      const agent = createAgent({
        name: 'Vandal',
        store,
        executor: {
          async execute(context, events) {
            if (when === 'before its first event') overwrite([context.message, context.parts, context.metadata, context.currentTask]);
            await events.working();
            if (when === 'after the store has it') await events.flush();
            if (when !== 'before its first event') overwrite([context.message, context.parts, context.metadata, context.currentTask]);
            await events.status('TASK_STATE_INPUT_REQUIRED');
          },
        },
      });
      const caller = callerOf(agent);
      const { id } = await caller.task(say('one', { metadata: { deep: { a: 'b' } } }));
      await caller.task(say('two', { taskId: id, metadata: { deep: { a: 'b' } } }));
      await quiet();
      const { history } = await caller.get(id);
      expect(history?.map(({ parts, metadata }) => [parts, metadata])).toEqual([
        [[{ text: 'one' }], { deep: { a: 'b' } }],
        [[{ text: 'two' }], { deep: { a: 'b' } }],
      ]);
    },
  );

  test('P53: the answers that an executor gets', async () => {
    const agent = createAgent({
      name: 'Vandal',
      executor: {
        async execute(context, events) {
          overwrite(await context.requireAuth('login?'));
          const schema = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as const;
          overwrite(await context.requireInput('what?', { schema }));
          await events.complete();
        },
      },
    });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    await caller.task(say([{ data: { token: 't' } }], { taskId: id }));
    const { history } = await caller.task(say([{ data: { deep: ['x'] } }], { taskId: id }));
    expect(history?.filter(({ role }) => role === 'ROLE_USER').map(({ parts }) => parts)).toEqual([
      [{ text: 'go' }],
      [{ data: { token: 't' } }],
      [{ data: { deep: ['x'] } }],
    ]);
  });
});
