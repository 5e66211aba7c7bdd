import { describe, expect, test } from 'vitest';
import type { MethodName, RequestOf } from '../src/protocol/methods.js';
import { createAgent, memoryStore, type TaskEvents, type TaskStore } from '../src/server/index.js';
import { manualClock } from '../src/testing/index.js';
import { callerOf, say } from './harness.js';
import { refusal } from './looking.js';

/** A store whose reads and posts fail after `break()`; commits still work. */
function breakable(): { readonly store: TaskStore; break(): void } {
  const inner = memoryStore();
  let broken = false;
  const fails = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
    return (...args: A): Promise<R> => (broken ? Promise.reject(new Error('ECONNREFUSED db.internal:5432')) : call(...args));
  };
  const { load, list, post, readAfter, claim, inbox } = inner;
  const store = {
    load: fails(load),
    list: fails(list),
    post: fails(post),
    readAfter: fails(readAfter),
    claim: fails(claim),
    inbox: fails(inbox),
  };
  return {
    store: { ...inner, ...store },
    break() {
      broken = true;
    },
  };
}

const CALLS: readonly [MethodName, (id: string) => object][] = [
  ['GetTask', (id) => ({ id })],
  ['ListTasks', () => ({})],
  ['SubscribeToTask', (id) => ({ id })],
  ['CancelTask', (id) => ({ id })],
  ['SendMessage', (id) => ({ message: say('again', { taskId: id }) })],
  ['SendStreamingMessage', (id) => ({ message: say('again', { taskId: id }) })],
];

describe('D27: a store that is down', () => {
  test.each(CALLS)('D27: %s is AGENT_UNAVAILABLE with retryAfterMs, and its message does not mention the store', async (method, params) => {
    const { store, break: breakIt } = breakable();
    const reported: string[] = [];
    const agent = createAgent({
      name: 'Down',
      store,
      executor: { execute: (_context, events) => events.status('TASK_STATE_INPUT_REQUIRED') },
      onError: ({ reason }) => reported.push(reason),
    });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    while (agent.tasks.running.length > 0) await new Promise(setImmediate); // parked: from here on only the store has the task
    breakIt();
    const error = await refusal(caller.handle(method, params(id) as RequestOf<typeof method>));
    expect(error).toMatchObject({ reason: 'AGENT_UNAVAILABLE', retryable: true, retryAfterMs: 1_000 });
    expect(error.message).not.toContain('ECONNREFUSED');
    expect(reported, 'onError gets the error').toEqual(['AGENT_UNAVAILABLE']);
  });

  test('D20: an inbox that cannot be read is retried only as long as its task runs', async () => {
    const clock = manualClock();
    let finish = (): void => {};
    const execute = async (_context: unknown, events: TaskEvents): Promise<void> => {
      await events.working();
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      await events.complete();
    };
    const store: TaskStore = { ...memoryStore({ clock }), inbox: () => Promise.reject(new Error('ECONNREFUSED')) };
    const agent = createAgent({ name: 'Down', store, clock, executor: { execute }, onError: () => {} });
    const caller = callerOf(agent);
    const starting = caller.task('go', { returnImmediately: true });
    await clock.tick();
    const { id } = await starting;
    const sending = refusal(caller.handle('SendMessage', { message: say('more', { taskId: id }) }));
    await clock.tick(1_500);
    expect(await sending).toMatchObject({ reason: 'AGENT_UNAVAILABLE' });
    finish();
    const closing = agent.close();
    await clock.tick(5_000);
    await closing;
    expect(clock.pending, 'no timer is left').toBe(0);
  });
});
