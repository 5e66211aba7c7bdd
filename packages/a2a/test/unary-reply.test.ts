/** The reply to a unary call: the task as of the moment at which its turn stopped, from the node that owns the task. */
import { expect, test } from 'vitest';
import { createAgent, memoryStore, type RequestContext, type TaskEvents, type TaskStore } from '../src/server/index.js';
import { scriptedExecutor } from '../src/testing/index.js';
import { altered } from './faults.js';
import { callerOf, say } from './harness.js';
import { follow, quiet, refusal, untilIdle } from './looking.js';
import { remote } from './nodes.js';

const LEASE_MS = 15_000;

test('D2: the reply is the task as of its stop, also if the next message waits and the history is only in the store', async () => {
  const executor = scriptedExecutor([{ do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED', 'More?') }], {
    turns: [
      [
        { do: 'working' },
        { do: 'gate', name: 'ask' },
        { do: 'requireInput', prompt: 'Which?', early: true },
        { do: 'requireAuth', prompt: 'Login?', early: true },
        { do: 'complete' },
      ],
    ],
  });
  const caller = callerOf(createAgent({ name: 'Asking', executor }));
  const { id } = await caller.task('first');
  await quiet(); // the task is released: its next run has only the end of the history in memory
  await caller.task(say('second', { taskId: id }), { returnImmediately: true });
  const sent = [caller.task(say('this', { taskId: id })), caller.task(say('me', { taskId: id }))];
  await quiet();
  executor.open('ask');
  const tasks = await Promise.all(sent);
  expect(tasks.map(({ status }) => status.state)).toEqual(['TASK_STATE_AUTH_REQUIRED', 'TASK_STATE_COMPLETED']);
  for (const { history } of tasks) expect(history?.[0]?.parts[0]?.text).toBe('first');
});

test('D12: after a pause of its node, a call that has waited long enough gets the task of the new owner', async () => {
  const { clock, start } = remote();
  const step = [{ do: 'working' }, { do: 'flush' }, { do: 'gate', name: 'on' }, { do: 'complete' }] as const;
  const paused = start({ clock, recovery: 'restart', maxBlockingMs: 10_000, executor: scriptedExecutor([...step]) });
  start({ clock, recovery: 'restart', executor: scriptedExecutor([{ do: 'complete' }]) });
  const sent = follow(paused.caller.task('go'));
  await clock.tick(1_000);
  paused.pause();
  await clock.tick(LEASE_MS * 3);
  await paused.resume();
  await clock.tick(1_000);
  expect((await sent.outcome).status.state).toBe('TASK_STATE_COMPLETED');
});

test('P1: flush rejects if an event is refused while its commit is in flight', async () => {
  const { store, release } = slowCommits();
  const seen: string[] = [];
  const execute = async (_context: RequestContext, events: TaskEvents) => {
    await events.working();
    const flushed = events.flush();
    void events.progress(2);
    release();
    await flushed.catch((error) => seen.push(error.reason));
    throw new Error('refused');
  };
  const agent = createAgent({ name: 'Refused', store, executor: { execute }, onError: () => {} });
  expect((await callerOf(agent).task('go')).status.state).toBe('TASK_STATE_FAILED');
  expect(seen).toEqual(['INVALID_AGENT_RESPONSE']);
});

test('a store whose methods return values instead of promises works, and its errors are converted', async () => {
  const inner = memoryStore();
  let isBroken = false;
  const inbox = (async () => []) as unknown as TaskStore['inbox'];
  const load = ((...args: Parameters<TaskStore['load']>) => {
    const answer = inner.load(...args);
    return {
      // biome-ignore lint/suspicious/noThenProperty: a promise of another library
      then: (resolve: (value: unknown) => void, reject: (cause: unknown) => void) =>
        isBroken ? reject(new Error('no disk')) : answer.then(resolve, reject),
    };
  }) as unknown as TaskStore['load'];
  const agent = createAgent({
    name: 'Plain',
    store: { ...inner, inbox, load },
    executor: scriptedExecutor([{ do: 'complete' }]),
    onError: () => {},
  });
  const caller = callerOf(agent);
  const { id } = await caller.task('go');
  await untilIdle(agent);
  expect((await caller.get(id)).status.state).toBe('TASK_STATE_COMPLETED');
  isBroken = true;
  expect(await refusal(caller.get(id))).toMatchObject({ reason: 'AGENT_UNAVAILABLE', retryable: true });
});

/** A store whose commits wait until `release` is called for the first time. */
function slowCommits() {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const store = altered(({ commit }) => ({
    async commit(writes) {
      await released;
      return commit(writes);
    },
  }));
  return { store, release: () => release() };
}
