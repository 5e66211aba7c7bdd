import { describe, expect, test } from 'vitest';
import { createAgent, memoryStore, type RequestContext, type TaskEvents } from '../src/server/index.js';
import { manualClock, type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { callerOf, gate, say } from './harness.js';
import { follow, quiet, refusal, until, untilIdle } from './looking.js';

const NAME = { name: 'Teller' };
const status = (state: 'INPUT_REQUIRED' | 'AUTH_REQUIRED', text?: string): ScriptStep => ({
  do: 'call',
  run: (_, events) => events.status(`TASK_STATE_${state}`, text),
});

describe('D3: the event at which a streaming send ends', () => {
  test('D3: it ends right after the question, and the run continues without it', async () => {
    const opened = gate(); // the run may be faster than the first read of the stream, which would then show the final state
    const wait: ScriptStep = { do: 'call', run: () => opened.passed };
    const executor = scriptedExecutor([{ do: 'requireInput', prompt: 'which?' }, wait, { do: 'complete' }]);
    const caller = callerOf(createAgent({ ...NAME, executor }));
    const first = await caller.stream('go');
    await first.all();
    expect(first.states).toEqual(['SUBMITTED', 'INPUT_REQUIRED']);
    const id = first.seen[0]?.task?.id ?? '';
    const second = await caller.stream(say('this', { taskId: id }));
    await second.until(1);
    opened.open();
    await second.all();
    expect(second.states).toEqual(['WORKING', 'COMPLETED']);
  });

  test('D3: it ends right after the question, also if later events are in the same commit', async () => {
    const said = async (_context: RequestContext, events: TaskEvents): Promise<void> => {
      void events.status('TASK_STATE_INPUT_REQUIRED', 'well?');
      void events.working('never mind');
      void events.complete();
    };
    const store = memoryStore();
    const caller = callerOf(createAgent({ ...NAME, store, executor: { execute: said } }));
    const reader = await caller.stream('go');
    await reader.all();
    expect(reader.states).toEqual(['SUBMITTED', 'INPUT_REQUIRED']);
    const id = reader.seen[0]?.task?.id ?? '';
    expect((await caller.get(id)).status.state).toBe('TASK_STATE_COMPLETED');
    const rest = await caller.subscribe(id, String(reader.seen.at(-1)?.seq));
    await rest.all();
    expect(rest.states).toEqual(['WORKING', 'COMPLETED']);
  });

  test('D3: at AUTH_REQUIRED it continues, so that the result of an authorization out of band is visible', async () => {
    const executor = scriptedExecutor([status('AUTH_REQUIRED'), { do: 'gate', name: 'authorized' }, { do: 'working' }, { do: 'complete' }]);
    const caller = callerOf(createAgent({ ...NAME, executor }));
    const reader = await caller.stream('go');
    const ended = follow(reader.ended);
    await reader.until(2);
    await quiet();
    expect(ended.isSettled).toBe(false);
    executor.open('authorized');
    await reader.all();
    expect(reader.states).toEqual(['SUBMITTED', 'AUTH_REQUIRED', 'WORKING', 'COMPLETED']);
  });

  test('D3: at AUTH_REQUIRED it ends when the turn ends', async () => {
    const agent = createAgent({ ...NAME, executor: scriptedExecutor([status('AUTH_REQUIRED')]) });
    const reader = await callerOf(agent).stream('go');
    await reader.all();
    expect(reader.states).toEqual(['SUBMITTED', 'AUTH_REQUIRED']);
  });

  test('D3: to an existing task it starts with the Task as of its own input, with the question closed', async () => {
    const executor = scriptedExecutor([{ do: 'append', artifactId: 'a', text: 'before ' }, status('INPUT_REQUIRED', 'which?')], {
      turns: [[{ do: 'gate', name: 'second' }, { do: 'append', artifactId: 'b', text: 'after' }, { do: 'complete' }]],
    });
    const agent = createAgent({ ...NAME, executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    await untilIdle(agent);
    const reader = await caller.stream(say('this', { taskId: id }));
    await reader.until(1);
    executor.open('second');
    const [first, ...rest] = await reader.all();
    expect(first?.task).toMatchObject({
      status: { state: 'TASK_STATE_WORKING' },
      artifacts: [{ artifactId: 'a', parts: [{ text: 'before ' }] }],
    });
    expect(first?.task?.history?.map(({ parts }) => parts[0]?.text)).toEqual(['go', 'which?', 'this']);
    expect(rest.map(({ artifactUpdate, statusUpdate }) => artifactUpdate?.artifact.artifactId ?? statusUpdate?.status.state)).toEqual([
      'b',
      'TASK_STATE_COMPLETED',
    ]);
    expect(rest.every(({ seq = 0 }) => seq > (first?.seq ?? 0))).toBe(true);
  });

  test('D3: for a message that waits behind a turn it starts when the message is taken, not before', async () => {
    const executor = scriptedExecutor(
      [{ do: 'working' }, { do: 'gate', name: 'first' }, { do: 'append', artifactId: 'a', text: 'of the first' }, status('INPUT_REQUIRED')],
      {
        turns: [[{ do: 'gate', name: 'second' }, { do: 'append', artifactId: 'b', text: 'of the second' }, { do: 'complete' }]],
      },
    );
    const caller = callerOf(createAgent({ ...NAME, executor }));
    const { id } = await caller.task('one', { returnImmediately: true });
    const opening = follow(caller.stream(say('two', { taskId: id })));
    await quiet();
    expect(opening.isSettled).toBe(false);
    executor.open('first');
    const reader = await opening.outcome;
    await reader.until(1);
    executor.open('second');
    await reader.all();
    expect(reader.seen[0]?.task?.artifacts).toMatchObject([{ artifactId: 'a' }]);
    expect(reader.seen[0]?.task?.history?.at(-1)?.parts).toEqual([{ text: 'two' }]);
    expect(reader.states.at(-1)).toBe('COMPLETED');
  });

  test('D3: a refused message is an ordinary error as long as no headers were sent', async () => {
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'end' }, { do: 'complete' }]);
    const caller = callerOf(createAgent({ ...NAME, executor }));
    const { id } = await caller.task('go', { returnImmediately: true });
    const refused = refusal(caller.stream(say('too late', { taskId: id })));
    await quiet();
    executor.open('end');
    expect(await refused).toMatchObject({ reason: 'UNSUPPORTED_OPERATION', code: -32004 });
  });

  test('D3: after fifteen seconds the stream opens empty, and a refusal is an error in it', async () => {
    const clock = manualClock();
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'end' }, { do: 'complete' }]);
    const agent = createAgent({ ...NAME, clock, store: memoryStore({ clock }), executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go', { returnImmediately: true });
    const opening = follow(caller.stream(say('too late', { taskId: id })));
    await clock.tick(14_999);
    expect(opening.isSettled).toBe(false);
    await clock.tick(1);
    expect(opening.isSettled).toBe(true);
    const reader = await opening.outcome;
    expect(reader.seen).toEqual([]);
    executor.open('end');
    await clock.tick();
    expect(await reader.ended).toMatchObject({ kind: 'error', error: { reason: 'UNSUPPORTED_OPERATION' } });
  });

  test('D3: after fifteen seconds the stream opens empty, and starts with the Task when the message is taken', async () => {
    const clock = manualClock();
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'first' }, status('INPUT_REQUIRED')], {
      turns: [[{ do: 'complete' }]],
    });
    const agent = createAgent({ ...NAME, clock, store: memoryStore({ clock }), executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go', { returnImmediately: true });
    const opening = caller.stream(say('on', { taskId: id }));
    await clock.tick(15_000);
    const reader = await opening;
    executor.open('first');
    await clock.tick();
    await reader.all();
    expect(reader.seen[0]?.task?.history?.at(-1)?.parts).toEqual([{ text: 'on' }]);
    expect(reader.states.at(-1)).toBe('COMPLETED');
    expect(clock.pending).toBe(0);
  });

  test('D3: a client that disconnects from an open stream before its message is taken leaves nothing behind', async () => {
    const clock = manualClock();
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'first' }, status('INPUT_REQUIRED')], {
      turns: [[{ do: 'complete' }]],
    });
    const agent = createAgent({ ...NAME, clock, store: memoryStore({ clock }), executor });
    const caller = callerOf(agent);
    const { id } = await caller.task('go', { returnImmediately: true });
    const opening = caller.stream(say('on', { taskId: id }));
    await clock.tick(15_000);
    const reader = await opening;
    reader.close();
    executor.open('first');
    await clock.tick();
    await until(() => agent.tasks.running.length === 0);
    expect(reader.seen).toEqual([]);
    expect((await caller.get(id)).status.state).toBe('TASK_STATE_COMPLETED');
  });
});
