// The behavior of the server where documents of the protocol's authors disagree.
import { describe, expect, test } from 'vitest';
import { TASK_STATES } from '../src/index.js';
import { type AgentExecutor, createAgent, memoryStore } from '../src/server/index.js';
import { manualClock } from '../src/testing/index.js';
import { endpointsOf, fetchInProcess, userMessage } from './endpoints.js';
import { callerOf, gate } from './harness.js';
import { follow, refusal } from './looking.js';

const crash = (): never => {
  throw new Error('root:hunter2');
};

test('C2: an exception leads to FAILED, because there is no error state', async () => {
  const agent = createAgent({
    name: 'Crasher',
    execute: async (_, events) => {
      await events.working();
      crash();
    },
  });
  expect((await callerOf(agent).task('go')).status.state).toBe('TASK_STATE_FAILED');
  expect(Object.keys(TASK_STATES).concat(Object.values(TASK_STATES).map(String))).not.toContain('TASK_STATE_ERROR');
});

describe('C7: an executor that crashes', () => {
  test('C7: if the task exists: the call and the stream return it as FAILED, without internal text', async () => {
    const execute: AgentExecutor['execute'] = async (_, events) => {
      await events.working();
      crash();
    };
    const agent = createAgent({ name: 'Crasher', auth: 'none', execute });
    for (const door of endpointsOf(fetchInProcess(agent))) {
      const { status, result, text } = await door.call('SendMessage', userMessage('go'));
      expect(status).toBe(200);
      expect(result?.task?.status.state).toBe('TASK_STATE_FAILED');
      expect(text).not.toContain('hunter2');
      const events = await (await door.stream('SendStreamingMessage', userMessage('go'))).rest();
      expect(events.at(-1)?.result?.statusUpdate?.status.state).toBe('TASK_STATE_FAILED');
      expect(events.every(({ error }) => error === undefined)).toBe(true);
    }
  });

  test('C7: before the task exists: the call fails, and nothing is stored', async () => {
    const agent = createAgent({ name: 'Crasher', auth: 'none', execute: async () => crash() });
    for (const door of endpointsOf(fetchInProcess(agent))) {
      const { error, text } = await door.call('SendMessage', userMessage('go'));
      expect(error).toMatchObject({ reason: 'INTERNAL_ERROR', message: 'The agent failed unexpectedly' });
      expect(text).not.toContain('hunter2');
      expect((await door.call('ListTasks')).result).toMatchObject({ tasks: [], totalSize: 0 });
    }
  });
});

test('C21: the server assigns task ids: an id that a caller chose is not found, and nothing runs', async () => {
  let runs = 0;
  const execute = async (): Promise<string> => {
    runs += 1;
    return 'done';
  };
  const agent = createAgent({ name: 'Server', auth: 'none', execute });
  const [rpc, rest] = endpointsOf(fetchInProcess(agent));
  const chosen = userMessage('go', { taskId: 'my-own-id' });
  expect((await rpc.call('SendMessage', chosen)).error).toMatchObject({ code: -32001, reason: 'TASK_NOT_FOUND' });
  expect((await rest.call('SendMessage', chosen)).error).toMatchObject({ code: 404, reason: 'TASK_NOT_FOUND' });
  expect(await refusal(callerOf(agent).stream({ ...chosen.message }))).toMatchObject({ code: -32001 });
  expect(runs).toBe(0);
});

describe('C23: the order of a cancel', () => {
  async function running(cancel: NonNullable<AgentExecutor['cancel']>) {
    const clock = manualClock();
    const seen: string[] = [];
    const unwind = gate();
    const executor: AgentExecutor = {
      async execute({ signal }, events) {
        signal.addEventListener('abort', () => seen.push('aborted'));
        await events.working();
        await unwind.passed;
        seen.push('unwound');
      },
      async cancel(context, events) {
        seen.push(`cancel, aborted: ${context.signal.aborted}`);
        await cancel(context, events);
      },
    };
    const caller = callerOf(createAgent({ name: 'Stopper', clock, store: memoryStore({ clock }), executor }));
    const { id } = await caller.task('go', { returnImmediately: true });
    return { caller, clock, id, seen, unwind };
  }

  test('C23: the signal aborts, cancel() is called at once, and the status that it publishes is final', async () => {
    const { caller, id, seen, unwind } = await running(async (_, events) => {
      await events.canceled('as you wish');
      unwind.open();
    });
    const { status } = await caller.cancel(id);
    expect(status).toMatchObject({ state: 'TASK_STATE_CANCELED', message: { parts: [{ text: 'as you wish' }] } });
    expect(seen.slice(0, 2)).toEqual(['aborted', 'cancel, aborted: true']);
  });

  test('C23: a cancel() that publishes nothing gets its grace period, then the framework writes CANCELED', async () => {
    const { caller, clock, id } = await running(() => new Promise(() => {}));
    const canceling = follow(caller.cancel(id));
    await clock.tick();
    await clock.tick(2_999);
    expect(canceling.isSettled).toBe(false);
    await clock.tick(1);
    expect((await canceling.outcome).status.state).toBe('TASK_STATE_CANCELED');
  });
});
