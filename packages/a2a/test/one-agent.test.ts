import { describe, expect, test } from 'vitest';
import { createAgent, memoryBus, memoryStore } from '../src/server/index.js';
import { scriptedExecutor } from '../src/testing/index.js';
import { endpointsOf, fetchInProcess, taskOf, userMessage } from './endpoints.js';
import { callerOf, say } from './harness.js';
import { refOf } from './looking.js';

describe('G47: one agent and one store, through every binding', () => {
  test('G47: a task created through one binding is the same task through every other binding and in process', async () => {
    const store = memoryStore();
    const executor = scriptedExecutor([
      { do: 'requireInput', prompt: 'which?' },
      { do: 'append', artifactId: 'a', text: 'x' },
      { do: 'complete' },
    ]);
    const agent = createAgent({ name: 'One', store, executor, auth: 'none' });
    const [rpc, rest] = endpointsOf(fetchInProcess(agent));
    const { id } = taskOf(await rpc.call('SendMessage', userMessage('go')));
    expect((await rest.call('GetTask', { id })).result?.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const reader = await rpc.stream('SubscribeToTask', { id });
    const done = taskOf(await rest.call('SendMessage', userMessage('this', { taskId: id })));
    expect(done).toMatchObject({ id, status: { state: 'TASK_STATE_COMPLETED' } });
    const states = (await reader.rest()).flatMap(({ result }) => result?.statusUpdate?.status.state ?? []);
    expect(states).toEqual(['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED']);
    const caller = callerOf(agent);
    expect(await caller.get(id)).toEqual(done);
    expect((await rpc.call('GetTask', { id })).result).toEqual(done);
    expect((await store.load(refOf(id)))?.head.state).toBe('TASK_STATE_COMPLETED');
  });

  test('G47: `executor` does the work, and `execute` next to it is never called', async () => {
    let called = false;
    const executor = scriptedExecutor([{ do: 'complete', text: 'by the executor' }]);
    const agent = createAgent({
      name: 'Metadata',
      description: 'what the card says',
      version: '2.0.0',
      skills: [{ id: 's', name: 'S', description: 'does S', tags: ['t'] }],
      execute: () => {
        called = true;
        return 'by the function';
      },
      executor,
    });
    const task = await callerOf(agent).task('go');
    expect(task.status.message?.parts).toEqual([{ text: 'by the executor' }]);
    expect(called).toBe(false);
    expect(agent.cardAt({ url: 'http://localhost', bindings: ['JSONRPC'] })).toMatchObject({
      name: 'Metadata',
      description: 'what the card says',
      version: '2.0.0',
      skills: [{ id: 's' }],
    });
  });

  test('G47: two agents with the same store and bus share their tasks', async () => {
    const [store, bus] = [memoryStore(), memoryBus()];
    const executor = scriptedExecutor([{ do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED') }], {
      turns: [[{ do: 'complete' }]],
    });
    const [one, two] = [1, 2].map(() => callerOf(createAgent({ name: 'Pair', store, bus, executor })));
    const task = await one?.task('go');
    expect(await two?.get(task?.id ?? '')).toEqual(task);
    const reader = await one?.subscribe(task?.id ?? '');
    expect((await two?.task(say('on', { taskId: task?.id ?? '' })))?.status.state).toBe('TASK_STATE_COMPLETED');
    await reader?.all();
    expect(reader?.states).toEqual(['INPUT_REQUIRED', 'WORKING', 'COMPLETED']);
  });

  test('G47: without a store each agent has its own', async () => {
    const [one, two] = [createAgent({ name: 'One', execute: () => 'x' }), createAgent({ name: 'Two', execute: () => 'x' })];
    const { id } = await callerOf(one).task('go');
    await expect(callerOf(two).get(id)).rejects.toMatchObject({ reason: 'TASK_NOT_FOUND' });
  });

  test('G47: createAgent refuses an agent without execute and executor', () => {
    // @ts-expect-error Neither execute nor executor is given.
    expect(() => createAgent({ name: 'Nothing' })).toThrow('executor');
  });
});
