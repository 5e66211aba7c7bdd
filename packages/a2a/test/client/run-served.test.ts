/** Runs against a Parley server, over both bindings and a network that breaks: the loop of the caller gets every event of the log. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/create-client.js';
import type { ClientOptions } from '../../src/client/options.js';
import type { Update } from '../../src/client/run/update.js';
import {
  A2AInputRequiredError,
  A2AReconnectError,
  A2ATaskAuthRequiredError,
  A2ATaskCanceledError,
  A2ATaskFailedError,
} from '../../src/protocol/errors.js';
import type { Task } from '../../src/protocol/types.js';
import { type AgentExecutor, createAgent } from '../../src/server/index.js';
import type { NetworkFault, NetworkPlan } from '../../src/testing/faults/network-fault.js';
import { type ScriptStep, scriptedExecutor } from '../../src/testing/scripted-executor.js';
import { createTestFetch } from '../../src/testing/test-fetch.js';
import { withFaults } from '../../src/testing/with-faults.js';
import { deltas } from './run-walk.js';
import { collect } from './scripted-peer.js';

const BINDINGS = ['jsonrpc', 'rest'] as const;

const words = (...texts: string[]): ScriptStep[] => texts.map((text) => ({ do: 'append', artifactId: 'answer', text }));
const STORY: ScriptStep[] = [{ do: 'working', text: 'thinking' }, ...words('Once ', 'upon ', 'a ', 'time'), { do: 'complete' }];

interface Served {
  readonly client: ReturnType<typeof createClient>;
  readonly requests: readonly { readonly operation?: string | undefined; readonly headers: Readonly<Record<string, string>> }[];
  readonly operations: () => (string | undefined)[];
}

function serve(
  executor: AgentExecutor,
  plan: NetworkPlan = () => undefined,
  more: ClientOptions & { binding?: 'jsonrpc' | 'rest' } = {},
): Served {
  const { binding = 'jsonrpc', ...options } = more;
  const network = withFaults(createTestFetch(createAgent({ name: 'teller', executor }), { binding }), plan);
  const client = createClient('http://test', {
    fetch: network,
    retry: false,
    breaker: false,
    reconnect: { initialDelayMs: 1 },
    ...options,
  });
  return {
    client,
    requests: network.requests,
    operations: () => network.requests.map(({ operation }) => operation).filter((name) => name !== 'GetAgentCard'),
  };
}

/** Faults for the streams, in order; all other requests pass. */
function cutStreams(...faults: (NetworkFault | undefined)[]): NetworkPlan {
  const left = [...faults];
  return ({ operation }) => (operation === 'SendStreamingMessage' || operation === 'SubscribeToTask' ? left.shift() : undefined);
}

const plain = (updates: readonly Update[]): unknown[] =>
  updates.flatMap((update) => (update.kind === 'reconnect' ? [] : [JSON.parse(JSON.stringify({ ...update, task: undefined }))]));

const withoutTimes = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, member) => (['timestamp', 'taskId', 'contextId', 'messageId', 'id'].includes(key) ? undefined : member)),
  );

for (const binding of BINDINGS) {
  describe(`over ${binding}`, () => {
    test('D37: a run emits every event once, and its task is the task of the server', async () => {
      const { client } = serve(scriptedExecutor(STORY), undefined, { binding });
      const run = client.run('Tell me a story');
      const updates = await collect(run);
      expect(deltas(updates)).toEqual(['Once ', 'upon ', 'a ', 'time']);
      const seqs = updates.flatMap(({ kind, seq }) => (kind === 'text' || kind === 'task' ? [] : [seq ?? 0]));
      expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
      const reply = await run.result;
      expect(reply).toMatchObject({ kind: 'task', text: 'Once upon a time', task: await client.getTask({ id: run.taskId ?? '' }) });
    });

    test('D34: after cuts inside a frame, every event still arrives once', async () => {
      const { client, operations, requests } = serve(
        scriptedExecutor(STORY),
        cutStreams({ do: 'drop', afterFrames: 3, plus: 10 }, { do: 'end', afterFrames: 1, plus: -1 }, { do: 'garbage', afterFrames: 1 }),
        { binding },
      );
      const run = client.run('Tell me a story');
      expect(deltas(await collect(run))).toEqual(['Once ', 'upon ', 'a ', 'time']);
      expect(operations()).toEqual(['SendStreamingMessage', 'SubscribeToTask', 'SubscribeToTask', 'SubscribeToTask']);
      expect(requests.at(-1)?.headers['last-event-id']).toBeDefined();
      expect(await run.result).toMatchObject({ task: await client.getTask({ id: run.taskId ?? '' }) });
    });

    test('G25: a stream that is lost before its first event is sent again with its key, and the agent runs once', async () => {
      const executor = scriptedExecutor(STORY);
      const { client, operations } = serve(executor, cutStreams({ do: 'drop' }), { binding });
      expect((await client.run('Tell me a story').result).text).toBe('Once upon a time');
      expect(operations()).toEqual(['SendStreamingMessage', 'SendStreamingMessage']);
      expect(executor.runs).toHaveLength(1);
    });

    test('G15: replies to questions go to the task and reach the agent', async () => {
      const executor = scriptedExecutor([
        { do: 'requireInput', prompt: 'Where?' },
        ...words('Rome'),
        { do: 'requireInput', prompt: 'When?' },
        ...words(' tomorrow'),
        { do: 'complete' },
      ]);
      const { client } = serve(executor, undefined, { binding });
      const run = client.run('Plan a trip', { onInputRequired: async (prompt) => `to ${prompt}` });
      const updates = await collect(run);
      expect(executor.answers).toEqual(['to Where?', 'to When?']);
      expect(deltas(updates)).toEqual(['Rome', ' tomorrow']);
      expect(await run.result).toMatchObject({ text: 'Rome tomorrow', task: await client.getTask({ id: run.taskId ?? '' }) });
    });

    test('C11: polling gives the same result', async () => {
      const executor = scriptedExecutor([...words('a'), { do: 'requireInput', prompt: 'More?' }, ...words('b'), { do: 'complete' }]);
      const { client, operations } = serve(executor, undefined, { binding, mode: 'poll', pollingIntervalMs: 1 });
      const run = client.run('go', { onInputRequired: () => 'yes' });
      expect(deltas(await collect(run)).join('')).toBe('ab');
      expect((await run.result).text).toBe('ab');
      expect(operations()).not.toContain('SendStreamingMessage');
    });

    test('C24: cancel stops the executor, and the run ends with the state from the server', async () => {
      const executor = scriptedExecutor([...words('a'), { do: 'gate', name: 'never' }]);
      const { client } = serve(executor, undefined, { binding });
      const run = client.run('go', { throwOn: 'never' });
      let canceled: Promise<Task | undefined> | undefined;
      for await (const update of run) if (update.kind === 'text') canceled = run.cancel();
      expect((await canceled)?.status.state).toBe('TASK_STATE_CANCELED');
      expect(await run.result).toMatchObject({ finishReason: 'canceled', text: 'a' });
      expect(executor.runs[0]?.signal.aborted).toBe(true);
    });

    test('C24: leaving the loop does not cancel the task, and a watch can continue from there', async () => {
      const executor = scriptedExecutor([
        ...words('a', 'b'),
        { do: 'flush' },
        { do: 'gate', name: 'go' },
        ...words('c'),
        { do: 'complete' },
      ]);
      const { client } = serve(executor, undefined, { binding });
      const run = client.run('go');
      let after = 0;
      for await (const update of run) {
        after = update.seq ?? after;
        if (update.kind === 'text') break;
      }
      executor.open('go');
      const watch = client.watch(run.taskId ?? '', { after });
      expect(deltas(await collect(watch))).toEqual(['b', 'c']);
      expect((await watch.result).text).toBe('abc');
      const late = client.watch(run.taskId ?? '');
      expect(deltas(await collect(late))).toEqual(['abc']);
      expect(await late.result).toEqual(await watch.result);
    });

    test('G7: a failed task is an error with the whole task', async () => {
      const { client } = serve(scriptedExecutor([...words('half'), { do: 'fail', text: 'no more' }]), undefined, { binding });
      const error = await client.run('go').result.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(A2ATaskFailedError);
      expect(error).toMatchObject({ message: 'no more', task: { artifacts: [{ artifactId: 'answer' }] } });
    });

    test('C10: onAuthRequired lets the same run continue; without a handler the run can be resumed', async () => {
      const steps: ScriptStep[] = [...words('a'), { do: 'requireAuth', prompt: 'Sign in' }, ...words('b'), { do: 'complete' }];
      const asked = serve(scriptedExecutor(steps), undefined, { binding });
      const run = asked.client.run('go', { onAuthRequired: () => 'granted' });
      expect((await run.result).text).toBe('ab');

      const { client } = serve(scriptedExecutor(steps), undefined, { binding });
      const error = await client.run('go').result.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(A2ATaskAuthRequiredError);
      const { resume, task } = error as A2ATaskAuthRequiredError<ReturnType<typeof client.run>>;
      const resumed = resume();
      const told = collect(resumed);
      await client.send('granted', { taskId: task.id });
      expect(deltas(await told)).toEqual(['b']);
      expect((await resumed.result).text).toBe('ab');
    });
  });
}

test('G19: an open question can be answered later with its task id', async () => {
  const executor = scriptedExecutor([{ do: 'requireInput', prompt: 'Where?' }, ...words('Rome'), { do: 'complete' }]);
  const { client } = serve(executor);
  const error = await client.run('Plan a trip').result.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(A2AInputRequiredError);
  const { task } = error as A2AInputRequiredError;
  expect((await client.run('to Rome', { taskId: task.id }).result).text).toBe('Rome');
  expect(executor.answers).toEqual(['to Rome']);
});

test('C24: when the task is canceled while a reply is in flight, the run ends with the canceled task', async () => {
  const executor: AgentExecutor = {
    async execute(context) {
      await context.requireInput('Which city?');
    },
    // The reply arrives meanwhile, and the server refuses it because the task has ended.
    cancel: () => new Promise((resolve) => setTimeout(resolve, 100)),
  };
  const { client, operations } = serve(executor, ({ operation }) => (operation === 'CancelTask' ? { do: 'lose' } : undefined));
  const run = client.run('Plan a trip', {
    onInputRequired: () => {
      run.cancel().catch(() => {});
      return new Promise((resolve) => setTimeout(() => resolve('Lisbon'), 30));
    },
  });
  await expect(run.result).rejects.toBeInstanceOf(A2ATaskCanceledError);
  expect(operations().filter((name) => name === 'SendMessage')).toEqual([]);
});

test('D14: a reply whose stream ends before the first event is sent again, and the question is not asked again', async () => {
  const executor: AgentExecutor = {
    async execute(context, events) {
      for (const prompt of ['Which city?', 'When?']) await events.appendText('answer', `${await context.requireInput(prompt)} `);
      await events.complete();
    },
  };
  const { client, operations } = serve(executor, cutStreams(undefined, { do: 'end', afterFrames: 0 }, { do: 'end', afterFrames: 0 }));
  const asked: string[] = [];
  const run = client.run('Plan a trip', {
    onInputRequired: (prompt) => {
      asked.push(prompt);
      return prompt === 'When?' ? 'in May' : 'Lisbon';
    },
  });
  expect((await run.result).text).toBe('Lisbon in May ');
  expect(asked).toEqual(['Which city?', 'When?']);
  expect(operations()).toEqual(Array.from({ length: 5 }, () => 'SendStreamingMessage'));
});

test('G26: when all streams break, the run gets the task and rejects with A2AReconnectError', async () => {
  const executor = scriptedExecutor([...words('a'), { do: 'flush' }, { do: 'gate', name: 'go' }, { do: 'complete' }]);
  const plan = cutStreams({ do: 'drop', afterFrames: 2 }, ...Array(3).fill({ do: 'drop' }));
  const { client } = serve(executor, plan);
  await expect(client.run('go').result).rejects.toBeInstanceOf(A2AReconnectError);
});

test('D34: from a Parley server over a network cut at any byte, every event arrives once and in order, and the task is that of the server', async () => {
  const fault: fc.Arbitrary<NetworkFault> = fc.oneof(
    fc.record({ do: fc.constantFrom('drop' as const, 'end' as const), afterBytes: fc.integer({ min: 0, max: 1_500 }) }),
    fc.record({ do: fc.constant('garbage' as const), afterFrames: fc.integer({ min: 1, max: 4 }), plus: fc.integer({ min: 0, max: 400 }) }),
    fc.constant({ do: 'refuse' as const }),
    fc.record({ do: fc.constant('answer' as const), status: fc.constantFrom(502, 503) }),
  );
  const steps: ScriptStep[] = [
    { do: 'working', text: 'thinking' },
    ...words('a', 'b'),
    { do: 'working', text: 'still' },
    ...words('c', 'd', 'e'),
    { do: 'complete', text: 'done' },
  ];
  const whole = await collect(serve(scriptedExecutor(steps)).client.run('go'));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...BINDINGS), fc.array(fault, { maxLength: 5 }), async (binding, faults) => {
      const executor = scriptedExecutor(steps);
      // The send itself must pass: a refused send is not a broken stream.
      const first = faults.find((one) => one.do !== 'refuse' && one.do !== 'answer');
      const { client } = serve(executor, cutStreams(first, ...faults), { binding, reconnect: { initialDelayMs: 0, maxRetries: 20 } });
      const run = client.run('go');
      const updates = await collect(run);
      expect(withoutTimes(plain(updates))).toEqual(withoutTimes(plain(whole)));
      expect(await run.result).toMatchObject({ task: await client.getTask({ id: run.taskId ?? '' }) });
      expect(executor.runs).toHaveLength(1);
    }),
    { numRuns: 40 },
  );
});
