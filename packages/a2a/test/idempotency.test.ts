import { describe, expect, test } from 'vitest';
import type { Message } from '../src/index.js';
import type { AgentOptions, Caller } from '../src/server/index.js';
import { manualClock, type ScriptStep, scriptedExecutor } from '../src/testing/index.js';
import { endpointsOf, fetchInProcess, userMessage } from './endpoints.js';
import { hearUnhandled } from './faults.js';
import { gate, type Reader, say } from './harness.js';
import { follow, hashed, inboxOf, refOf, refusal, storyOf, until, untilIdle } from './looking.js';
import { cluster, type Node } from './nodes.js';

const KEY = { idempotencyKey: 'order-1' };
const PARK: ScriptStep = { do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED', 'well?') };
const HANG: ScriptStep = { do: 'gate', name: 'never' };

const send = ({ caller }: Node, message: Message, options = {}) => caller.send(message, undefined, { ...KEY, ...options });
const stream = ({ caller }: Node, message: Message): Promise<Reader> => caller.stream(message, KEY);

function one(executor: ReturnType<typeof scriptedExecutor>, options: Partial<AgentOptions> = {}) {
  const world = cluster();
  return { ...world, node: world.start({ executor, ...options }), executor };
}

describe('D17: the same send, twice', () => {
  test('D17: concurrent: one run, and both callers get the same task', async () => {
    const { node, executor } = one(scriptedExecutor([{ do: 'append', artifactId: 'a', text: 'x' }, { do: 'complete' }]));
    const message = say('go');
    const [first, second] = await Promise.all([send(node, message), send(node, message)]);
    expect(first.task?.status.state).toBe('TASK_STATE_COMPLETED');
    expect(second).toEqual(first);
    expect(executor.runs).toHaveLength(1);
  });

  test('D17: concurrent and later: one run, and every caller gets the same Message', async () => {
    const { node, executor } = one(scriptedExecutor([{ do: 'reply', text: 'hello' }]));
    const message = say('go');
    const answers = await Promise.all([send(node, message), send(node, message)]);
    answers.push(await send(node, message));
    const streamed = await (await stream(node, message)).all();
    expect(answers[0]?.message?.parts).toEqual([{ text: 'hello' }]);
    for (const answer of [...answers, ...streamed]) expect(answer).toEqual(answers[0]);
    expect(executor.runs).toHaveLength(1);
  });

  test('D17: after the end: the current task', async () => {
    const { node, executor } = one(scriptedExecutor([PARK], { turns: [[{ do: 'complete' }]] }));
    const message = say('go');
    const { task } = await send(node, message);
    expect(task?.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    await node.caller.task(say('on', { taskId: task?.id ?? '' }));
    expect((await send(node, message)).task).toMatchObject({ id: task?.id, status: { state: 'TASK_STATE_COMPLETED' } });
    expect(executor.runs).toHaveLength(2);
  });

  test('D17: during the run, a stream attaches and gets every event', async () => {
    const chunk = (text: string): ScriptStep => ({ do: 'append', artifactId: 'a', text });
    const { node, executor } = one(
      scriptedExecutor([chunk('x'), { do: 'flush' }, { do: 'gate', name: 'on' }, chunk('y'), { do: 'complete' }]),
    );
    const message = say('go');
    const first = await stream(node, message);
    await first.until(2);
    const second = await stream(node, message);
    const blocking = send(node, message);
    executor.open('on');
    expect(await second.all()).toEqual(await first.all());
    expect(second.text).toBe('xy');
    expect((await blocking).task?.status.state).toBe('TASK_STATE_COMPLETED');
    expect(await (await stream(node, message)).all(), 'also after the end').toEqual(first.seen);
    expect(executor.runs).toHaveLength(1);
  });

  test('D17: another body with the same key is IDEMPOTENCY_CONFLICT, during the run and later', async () => {
    const { node, executor } = one(scriptedExecutor([{ do: 'gate', name: 'on' }, { do: 'complete' }]));
    const first = send(node, say('go'));
    const conflict = await refusal(send(node, say('stop')));
    expect(conflict).toMatchObject({ reason: 'IDEMPOTENCY_CONFLICT', code: -31009, httpStatus: 422, retryable: false });
    executor.open('on');
    await first;
    expect(await refusal(send(node, say('stop')))).toMatchObject({ reason: 'IDEMPOTENCY_CONFLICT' });
    expect(executor.runs).toHaveLength(1);
  });

  test('D17: the same key of another caller or tenant is another request', async () => {
    const { node, executor } = one(scriptedExecutor([{ do: 'complete' }]));
    const message = say('go');
    const callers: [Caller, string | undefined][] = [
      [{ id: 'ann' }, undefined],
      [{ id: 'bob' }, undefined],
      [{ id: 'ann' }, 'acme'],
      [{ id: 'ann' }, undefined],
    ];
    const ids: string[] = [];
    for (const [caller, tenant] of callers) {
      const params = { message, ...(tenant && { tenant }) };
      ids.push((await node.caller.value('SendMessage', params, { ...KEY, caller })).task?.id ?? '');
    }
    expect(new Set(ids).size).toBe(3);
    expect(ids[3]).toBe(ids[0]);
    expect(executor.runs).toHaveLength(3);
  });

  test('D17: an error before the Task exists is not stored: the next attempt is a new request', async () => {
    const boom: ScriptStep[] = [
      { do: 'gate', name: 'on' },
      { do: 'throw', error: new Error('boom') },
    ];
    const { node, executor } = one(scriptedExecutor(boom, { turns: [[{ do: 'complete' }]] }));
    const message = say('go');
    const sent = [refusal(send(node, message)), refusal(send(node, message))];
    await hashed();
    executor.open('on');
    const both = await Promise.all(sent);
    expect(both.map(({ reason }) => reason)).toEqual(['INTERNAL_ERROR', 'INTERNAL_ERROR']);
    expect((await send(node, message)).task?.status.state).toBe('TASK_STATE_COMPLETED');
    expect(executor.runs.map(({ attempt }) => attempt)).toEqual([1, 1]);
  });

  test('D17: FAILED is a result: the same key does not start another attempt', async () => {
    const { node, executor } = one(scriptedExecutor([{ do: 'working' }, { do: 'throw', error: new Error('boom') }]));
    const message = say('go');
    for (let k = 0; k < 3; k += 1) expect((await send(node, message)).task?.status.state).toBe('TASK_STATE_FAILED');
    expect(executor.runs).toHaveLength(1);
  });

  test('D17: if the first caller disconnects, the second still gets its response', async () => {
    using unhandled = hearUnhandled();
    const { node, executor } = one(scriptedExecutor([PARK], { turns: [[{ do: 'gate', name: 'on' }, { do: 'complete' }]] }));
    const { id } = await node.caller.task('go');
    const message = say('on', { taskId: id });
    const leaves: (() => void)[] = [];
    const onLeave = (leave: () => void) => {
      leaves.push(leave);
      return () => {};
    };
    const first = follow(send(node, message, { onLeave }));
    first.outcome.catch(() => {});
    const second = follow(send(node, message));
    const leaveAll = (): void => leaves.forEach((leave) => void leave());
    leaveAll();
    await hashed();
    leaveAll();
    expect(second.isSettled).toBe(false);
    executor.open('on');
    expect((await second.outcome).task?.status.state).toBe('TASK_STATE_COMPLETED');
    expect([executor.runs.length, unhandled.heard]).toEqual([2, []]);
  });

  test('D17: messages without a key are not deduplicated, unless `deduplicate` says to use their id', async () => {
    for (const deduplicate of ['key', 'messageId'] as const) {
      const { node, executor } = one(scriptedExecutor([{ do: 'complete' }]), { deduplicate });
      const message = say('go');
      const first = await node.caller.task(message);
      const second = await node.caller.task(message);
      expect([second.id === first.id, executor.runs.length]).toEqual(deduplicate === 'key' ? [false, 2] : [true, 1]);
      if (deduplicate === 'key') continue;
      expect(await refusal(node.caller.task({ ...message, parts: [{ text: 'stop' }] }))).toMatchObject({ reason: 'IDEMPOTENCY_CONFLICT' });
      expect((await send(node, message)).task?.id, 'a key takes precedence over the id').not.toBe(first.id);
    }
  });
});

describe('D17: messages to an existing task', () => {
  test('D17: a message that is sent many times runs once', async () => {
    const { node, store, executor } = one(scriptedExecutor([PARK], { turns: [[{ do: 'gate', name: 'on' }, PARK]] }));
    const { id } = await node.caller.task('go');
    const message = say('on', { taskId: id });
    const early = Array.from({ length: 4 }, () => send(node, message));
    await hashed();
    early.push(send(node, message)); // its row is taken, and the turn runs
    executor.open('on');
    const answers = await Promise.all(early);
    await untilIdle(node.agent);
    answers.push(await send(node, message));
    for (const { task } of answers) expect(task?.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(executor.runs.map(({ text }) => text)).toEqual(['go', 'on']);
    expect(await inboxOf(store, refOf(id))).toHaveLength(1);
  });

  test('D17: a repeated answer answers one question', async () => {
    const ask = (prompt: string): ScriptStep => ({ do: 'requireInput', prompt });
    const { node, executor } = one(scriptedExecutor([ask('a?'), ask('b?'), { do: 'complete' }]));
    const { id } = await node.caller.task('go');
    const message = say('1', { taskId: id });
    for (let k = 0; k < 3; k += 1) expect((await send(node, message)).task?.status.message?.parts).toEqual([{ text: 'b?' }]);
    await node.caller.task(say('2', { taskId: id }));
    expect((await send(node, message)).task?.status.state, 'the current task').toBe('TASK_STATE_COMPLETED');
    expect(executor.answers).toEqual(['1', '2']);
  });

  test('D17: a message that the end of the task refused stays refused', async () => {
    const { node, executor } = one(scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'on' }, { do: 'complete' }]));
    const { id } = await node.caller.task('go', { returnImmediately: true });
    const message = say('more', { taskId: id });
    const first = follow(send(node, message));
    first.outcome.catch(() => {});
    await hashed();
    executor.open('on');
    expect(await refusal(first.outcome)).toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
    expect(await refusal(send(node, message))).toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
  });

  test('D17: after a crash between post and take, the message is taken once, and a repeated send gets its response', async () => {
    const world = cluster();
    const first = world.start({ executor: scriptedExecutor([PARK]), store: { ...world.store, claim: () => new Promise(() => {}) } });
    const { id } = await first.caller.task('go');
    await untilIdle(first.agent);
    const message = say('on', { taskId: id });
    void send(first, message);
    await hashed();
    await world.crash(first);
    const executor = scriptedExecutor([{ do: 'complete' }]);
    const next = world.start({ executor });
    expect((await send(next, message)).task?.status.state).toBe('TASK_STATE_COMPLETED');
    expect(executor.runs).toMatchObject([{ text: 'on', attempt: 1 }]);
    expect(await inboxOf(world.store, refOf(id))).toHaveLength(1);
  });
});

describe('D17: across nodes and restarts', () => {
  test('D17: a Task and a Message that another node returned are found again', async () => {
    for (const step of [{ do: 'complete' }, { do: 'reply', text: 'hello' }] as const) {
      const world = cluster();
      const message = say('go');
      const first = world.start({ executor: scriptedExecutor([step]) });
      const answer = await send(first, message);
      await first.agent.close();
      const executor = scriptedExecutor([{ do: 'complete' }]);
      const next = world.start({ executor });
      expect(await send(next, message)).toEqual(answer);
      expect(await refusal(send(next, say('stop')))).toMatchObject({ reason: 'IDEMPOTENCY_CONFLICT' });
      expect(executor.runs).toEqual([]);
    }
  });

  test('D17: while another node runs the request, a repeated send waits for its Message or Task', async () => {
    for (const step of [{ do: 'complete' }, { do: 'reply', text: 'hello' }] as const) {
      const clock = manualClock();
      const world = cluster(undefined, clock);
      const message = say('go');
      const executor = scriptedExecutor([{ do: 'gate', name: 'on' }, step]);
      const options = { executor, clock, taskAfterMs: Number.POSITIVE_INFINITY };
      const first = world.start(options);
      const second = world.start(options);
      const answers = [send(first, message)];
      await clock.tick();
      answers.push(send(second, message));
      await clock.tick(1_000);
      executor.open('on');
      await clock.tick(1_000);
      const [one, other] = await Promise.all(answers);
      expect(other).toEqual(one);
      expect(executor.runs).toHaveLength(1);
    }
  });

  test('D17: after a crash before the Task exists the request runs as attempt 2, and no later run has that number', async () => {
    const world = cluster();
    const message = say('go');
    const steps: ScriptStep[] = [{ do: 'gate', name: 'on' }, { do: 'working' }, HANG];
    const executors = [scriptedExecutor(steps), scriptedExecutor(steps), scriptedExecutor([{ do: 'complete' }])];
    const [first, second, third] = executors.map((executor) => () => world.start({ recovery: 'restart', executor }));
    const one = first?.() as Node;
    void send(one, message);
    await until(() => executors[0]?.runs.length === 1);
    await world.crash(one);
    const two = second?.() as Node;
    void send(two, message).catch(() => {});
    await until(() => executors[1]?.runs.length === 1);
    executors[1]?.open('on');
    await hashed();
    await world.crash(two);
    const three = third?.() as Node;
    expect((await send(three, message)).task?.status.state).toBe('TASK_STATE_COMPLETED');
    expect(executors.map(({ runs }) => runs.map(({ attempt }) => attempt))).toEqual([[1], [2], [3]]);
  });

  test('D17: a node that lost its lease does not delete the request record of the other node', async () => {
    const world = cluster();
    const message = say('go');
    const slow = scriptedExecutor([{ do: 'gate', name: 'on' }, { do: 'complete' }]);
    const first = world.start({ executor: slow });
    const late = follow(send(first, message));
    late.outcome.catch(() => {});
    await until(() => slow.runs.length === 1);
    await world.clock.tick(20_000); // longer than its lease
    const quick = scriptedExecutor([{ do: 'gate', name: 'on' }, { do: 'complete' }]);
    const second = world.start({ executor: quick });
    const answer = send(second, message);
    await until(() => quick.runs.length === 1);
    slow.open('on');
    expect(await refusal(late.outcome)).toMatchObject({ reason: 'AGENT_UNAVAILABLE', retryable: true });
    quick.open('on');
    const { task } = await answer;
    expect((await send(second, message)).task?.id).toBe(task?.id);
    expect((await send(first, message)).task?.id, 'also if the first node is asked again').toBe(task?.id);
    expect(await world.store.list({ agent: '', tenant: '', owner: '', limit: 10, count: true })).toMatchObject({ total: 1 });
    expect([slow.runs.length, quick.runs.length]).toEqual([1, 1]);
  });

  test('D17, D18: a repeated blocking send gets the end of a task whose node crashed', async () => {
    for (const recovery of ['fail', 'restart'] as const) {
      const world = cluster();
      const message = say('go');
      const first = world.start({ recovery, executor: scriptedExecutor([{ do: 'working' }, HANG]) });
      void send(first, message);
      await until(() => first.agent.tasks.running.length === 1);
      await hashed();
      await world.crash(first);
      const look = gate();
      const store = {
        ...world.store,
        orphans: async (agent: string, limit: number) => look.passed.then(() => world.store.orphans(agent, limit)),
      };
      const next = world.start({ recovery, executor: scriptedExecutor([{ do: 'complete' }]), store });
      const sent = follow(send(next, message));
      const streamed = await stream(next, message);
      await hashed();
      expect(sent.isSettled).toBe(false);
      look.open();
      const { task } = await sent.outcome;
      expect(task?.status.state).toBe(recovery === 'fail' ? 'TASK_STATE_FAILED' : 'TASK_STATE_COMPLETED');
      await streamed.all();
      expect(streamed.states).toEqual(['SUBMITTED', 'WORKING', recovery === 'fail' ? 'FAILED' : 'COMPLETED']);
      expect((await storyOf(world.store, refOf(task?.id ?? ''))).filter((line) => line === 'input:turn')).toHaveLength(1);
    }
  });
});

describe('D17: the header', () => {
  function doors(options: Partial<AgentOptions> = {}) {
    const executor = scriptedExecutor([{ do: 'complete' }]);
    const { agent } = cluster().start({ executor, auth: 'none', ...options });
    return { executor, doors: endpointsOf(fetchInProcess(agent)) };
  }

  test('D17: both bindings read it, also as X-Idempotency-Key, and the same send through both is one request', async () => {
    const { executor, doors: ways } = doors();
    const params = userMessage('go');
    const ids: (string | undefined)[] = [];
    for (const door of ways) {
      for (const header of ['idempotency-key', 'Idempotency-Key', 'x-idempotency-key']) {
        ids.push((await door.call('SendMessage', params, { [header]: ' k 1 ' })).result?.task?.id);
      }
    }
    expect([new Set(ids).size, ids[0] !== undefined, executor.runs.length]).toEqual([1, true, 1]);
  });

  test('D17: the same send with a tenant through both bindings is one request, in any order of its members', async () => {
    const { executor, doors: ways } = doors();
    const { message } = userMessage('go');
    const { messageId, role, parts } = message;
    const bodies = [
      { tenant: 'acme', message, configuration: { historyLength: 3, returnImmediately: false } },
      { configuration: { returnImmediately: false, historyLength: 3 }, message: { parts, role, messageId }, tenant: 'acme' },
    ];
    for (const door of ways) {
      for (const body of bodies) expect((await door.call('SendMessage', body, { 'idempotency-key': 'k' })).error).toBeUndefined();
    }
    expect(executor.runs).toHaveLength(1);
  });

  test('D17, D27: another body is 422, −31009, FAILED_PRECONDITION', async () => {
    const { doors: ways } = doors();
    for (const door of ways) {
      const key = { 'idempotency-key': door.name };
      await door.call('SendMessage', userMessage('go'), key);
      const { status, error } = await door.call('SendMessage', userMessage('stop'), key);
      expect(error?.reason).toBe('IDEMPOTENCY_CONFLICT');
      expect([status, error?.code]).toEqual(door.name === 'JSON-RPC' ? [200, -31009] : [422, 422]);
    }
  });

  test('D17: a key that is empty or too long is refused with an error that says so; 256 characters are accepted', async () => {
    const { executor, doors: ways } = doors();
    for (const door of ways) {
      for (const key of ['', '  ', 'k'.repeat(257)]) {
        const { error } = await door.call('SendMessage', userMessage('go'), { 'idempotency-key': key });
        expect(error?.message).toMatch(/Idempotency-Key must have 1 to 256 characters, got (0|257)/);
      }
    }
    expect(executor.runs).toEqual([]);
    for (const door of ways)
      expect((await door.call('SendMessage', userMessage('go'), { 'idempotency-key': door.name.padEnd(256) })).error).toBeUndefined();
    expect(executor.runs).toHaveLength(2);
  });
});
