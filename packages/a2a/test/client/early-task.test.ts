/**
 * Agents that create the Task early, seen from the client: a task that failed before the agent published anything counts as a failed call.
 */
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/create-client.js';
import type { ClientOptions } from '../../src/client/options.js';
import type { Update } from '../../src/client/run/update.js';
import { A2AError, A2ATaskFailedError, isA2AError } from '../../src/protocol/errors.js';
import { FAILURE_KEY } from '../../src/protocol/failure-key.js';
import { type AgentExecutor, type AgentOptions, createAgent, type TaskEvents } from '../../src/server/index.js';
import { createTestFetch, faultFetch, manualClock } from '../../src/testing/index.js';
import { gate } from '../harness.js';
import { quiet } from '../looking.js';

const LIMITED = new A2AError('RATE_LIMITED', 'come back later', { retryAfterMs: 2_000 });
const STATES = ['jsonrpc', 'rest'] as const;

type Run = NonNullable<AgentExecutor['execute']>;

/** An agent whose n-th run executes the n-th function, after the Task was created early. The last function serves all further runs. */
function serve(runs: readonly Run[], options: ClientOptions & { binding?: 'jsonrpc' | 'rest'; agent?: Partial<AgentOptions> } = {}) {
  const { binding = 'jsonrpc', agent, ...more } = options;
  const attempts: string[] = [];
  const executor: AgentExecutor = {
    async execute(context, events) {
      attempts.push(context.taskId);
      await quiet();
      await new Promise((resolve) => setTimeout(resolve, 5)); // the server creates the Task with a real timer of 0 ms
      await quiet();
      await runs[Math.min(attempts.length, runs.length) - 1]?.(context, events);
    },
  };
  const clock = manualClock();
  const fetch = createTestFetch(createAgent({ name: 'teller', taskAfterMs: 0, cancelGraceMs: 50, executor, ...agent }), { binding });
  const client = createClient('http://test', { fetch, clock, random: () => 0.5, pollingIntervalMs: 50, ...more });
  const sends = () => fetch.requests.filter(({ operation }) => operation?.startsWith('Send'));
  const keys = () => sends().map(({ headers }) => headers['idempotency-key']);
  return { attempts, client, clock, keys, startedAt: clock.now() };
}

/** Advances the clock until the promise settles. The agent uses real time. */
async function settled<T>(clock: ReturnType<typeof manualClock>, promise: Promise<T>, stepMs = 50): Promise<T> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  promise.then(over, over);
  while (!isOver) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    await clock.tick(stepMs);
  }
  return promise;
}

async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 1));
}

const limited: Run = () => Promise.reject(LIMITED);
/** Fails in the same way, but publishes first. */
const after =
  (publish: (events: TaskEvents) => Promise<void>): Run =>
  async (_, events) => {
    await publish(events);
    throw LIMITED;
  };
const done: Run = (_, events) => events.complete('done');

async function collect(run: AsyncIterable<Update>): Promise<readonly Update[]> {
  const updates: Update[] = [];
  for await (const update of run) updates.push(update);
  return updates;
}

const outcome = (promise: Promise<unknown>): Promise<unknown> => promise.catch((thrown: unknown) => thrown);

for (const binding of STATES) {
  describe(`D43: over ${binding}`, () => {
    test('D43: send repeats a task that failed before the agent published anything, after the delay in the failure', async () => {
      const { attempts, client, clock, keys, startedAt } = serve([limited, limited, done], { binding });
      const reply = await settled(clock, client.send('go'));
      expect(reply).toMatchObject({ kind: 'task', state: 'TASK_STATE_COMPLETED', taskId: attempts[2], text: 'done' });
      expect(clock.now() - startedAt).toBeGreaterThanOrEqual(4_000);
      expect(new Set(keys()).size, 'each repeat needs a new key, because the key of the failed task leads to that task').toBe(3);
      expect(keys().slice(1)).toEqual([`after:${attempts[0]}`, `after:${attempts[1]}`]);
    });

    test.each(['stream', 'poll'] as const)(
      'D43: run repeats it too (mode %s), and does not emit the intermediate failure',
      async (mode) => {
        const { attempts, client, clock, keys, startedAt } = serve([limited, done], { binding, mode });
        const run = client.run('go');
        const updates = await settled(clock, collect(run));
        expect(updates.flatMap((update) => (update.kind === 'state' ? [update.state] : []))).toEqual([
          'TASK_STATE_SUBMITTED',
          'TASK_STATE_SUBMITTED',
          'TASK_STATE_COMPLETED',
        ]);
        expect(updates.flatMap((update) => (update.kind === 'task' ? [update.task.id] : []))).toEqual(attempts);
        expect(await run.result).toMatchObject({ taskId: attempts[1], text: 'done' });
        expect(run.taskId).toBe(attempts[1]);
        expect(clock.now() - startedAt).toBeGreaterThanOrEqual(2_000);
        expect(keys()[1]).toBe(`after:${attempts[0]}`);
      },
    );
  });
}

test('D43: attempts are limited: the last failure is the outcome, with its task, and is emitted once', async () => {
  const { attempts, client, clock } = serve([limited], { retry: { maxRetries: 2 } });
  const run = client.run('go');
  const updates: Update[] = [];
  const error = await settled(
    clock,
    outcome(
      (async () => {
        for await (const update of run) updates.push(update);
      })(),
    ),
  );
  expect(error).toBeInstanceOf(A2ATaskFailedError);
  expect(error).toMatchObject({ reason: 'RATE_LIMITED', task: { id: attempts[2] }, retryAfterMs: 2_000 });
  expect(attempts).toHaveLength(3);
  expect(updates.filter((update) => update.kind === 'state' && update.state === 'TASK_STATE_FAILED')).toHaveLength(1);
  const reply = await settled(clock, client.send('go'));
  expect(reply).toMatchObject({ state: 'TASK_STATE_FAILED', taskId: attempts[5] });
  expect(attempts).toHaveLength(6);
});

test.each([
  ['the agent published an artifact', after((events) => events.appendText('a', 'half')), {}],
  ['the agent published a status text', after((events) => events.working('hm')), {}],
  ['the failure is final', () => Promise.reject(new A2AError('INVALID_PARAMS', 'no')), {}],
  ['retry is off', limited, { retry: false }],
] as const satisfies readonly (readonly [string, Run, ClientOptions])[])(
  'D43: nothing is repeated when %s',
  async (_name, run, options) => {
    const { attempts, client, clock } = serve([run], options);
    expect(await settled(clock, client.send('go'))).toMatchObject({ state: 'TASK_STATE_FAILED' });
    expect(isA2AError(await settled(clock, outcome(client.run('go').result)))).toBe(true);
    expect(attempts).toHaveLength(2);
  },
);

test('D43: an agent that returns the same failed task again is not retried forever', async () => {
  const failed = {
    id: 't-1',
    contextId: 'c-1',
    status: {
      state: 'TASK_STATE_FAILED',
      message: {
        messageId: 'm-1',
        role: 'ROLE_AGENT',
        parts: [{ text: 'no' }],
        metadata: { [FAILURE_KEY]: { reason: 'RATE_LIMITED', code: -31005, retryable: true, unpublished: true } },
      },
    },
  } as const;
  const clock = manualClock();
  const fetch = faultFetch({
    clock,
    script: { SendMessage: { value: { task: failed } }, SendStreamingMessage: { events: [{ task: failed }] } },
  });
  const client = createClient('http://test', { fetch, clock, random: () => 0.5 });
  const count = (): number => fetch.requests.filter(({ operation }) => operation?.startsWith('Send')).length;
  expect(await settled(clock, client.send('go'))).toMatchObject({ state: 'TASK_STATE_FAILED' });
  expect(count()).toBe(2);
  expect(await settled(clock, outcome(client.run('go').result))).toBeInstanceOf(A2ATaskFailedError);
  expect(count()).toBe(4);
});

test('D43: run.cancel() before the first event waits for the task id, then cancels', async () => {
  const waits: Run = ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const { attempts, client, clock } = serve([waits]);
  const run = client.run('go');
  const result = outcome(run.result);
  await Promise.resolve(); // reading `result` starts the run
  const canceled = await settled(clock, run.cancel());
  expect(canceled).toMatchObject({ id: attempts[0], status: { state: 'TASK_STATE_CANCELED' } });
  expect(await result).toMatchObject({ name: 'A2ATaskCanceledError' });
});

test.each(['stream', 'poll'] as const)(
  'D43: run.cancel() during the delay before a repeat (mode %s) sends nothing, and the run ends with the failed task',
  async (mode) => {
    const { attempts, client, clock } = serve([limited, done], { mode });
    const run = client.run('go');
    const updates: Update[] = [];
    const loop = outcome(
      (async () => {
        for await (const update of run) updates.push(update);
      })(),
    );
    await waitUntil(async () => {
      await clock.tick(50);
      return attempts.length === 1 && updates.length > 0 && run.taskId === undefined;
    });
    const canceled = await run.cancel();
    expect(canceled).toMatchObject({ id: attempts[0], status: { state: 'TASK_STATE_FAILED' } });
    expect(await loop).toMatchObject({ name: 'A2ATaskFailedError', task: { id: attempts[0] } });
    expect(updates.filter((update) => update.kind === 'state' && update.state === 'TASK_STATE_FAILED')).toHaveLength(1);
    await clock.tick(60_000);
    await quiet();
    expect(attempts).toHaveLength(1);
  },
);

test.each([0, 10_000])('D43: a task that fails while CancelTask is in flight, for another %d ms, ends the run', async (lateMs) => {
  const failing = gate();
  const canceling = gate();
  const asked = gate();
  const failsLater: Run = async () => {
    await failing.passed;
    throw LIMITED;
  };
  const { attempts, client, clock } = serve([failsLater, done], {
    interceptors: [
      (next) => async (call) => {
        if (call.method !== 'CancelTask') return next(call);
        asked.open();
        await canceling.passed;
        return next(call);
      },
    ],
  });
  const run = client.run('go');
  const updates: Update[] = [];
  const loop = outcome(
    (async () => {
      for await (const update of run) updates.push(update);
    })(),
  );
  await waitUntil(async () => run.taskId !== undefined);
  const canceled = run.cancel();
  await asked.passed;
  failing.open();
  expect(await settled(clock, loop, 0)).toMatchObject({ name: 'A2ATaskFailedError', task: { id: attempts[0] } });
  await clock.tick(lateMs);
  canceling.open();
  expect(await settled(clock, canceled)).toMatchObject({ id: attempts[0], status: { state: 'TASK_STATE_FAILED' } });
  expect(updates.filter((update) => update.kind === 'state' && update.state === 'TASK_STATE_FAILED')).toHaveLength(1);
  await clock.tick(60_000);
  await quiet();
  expect(attempts).toHaveLength(1);
});

test('D48: keepParts also applies to the task of a repeated message', async () => {
  const pieces: Run = async (_, events) => {
    await events.appendText('a', 'one ');
    await events.appendText('a', 'two');
    await events.complete();
  };
  const { client, clock } = serve([limited, pieces]);
  const reply = await settled(clock, client.run('go', { keepParts: true }).result);
  expect(reply).toMatchObject({ kind: 'task', task: { artifacts: [{ parts: [{ text: 'one ' }, { text: 'two' }] }] } });
});
