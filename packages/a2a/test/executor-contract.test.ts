import { describe, expect, test } from 'vitest';
import {
  type AgentExecutor,
  type AgentOptions,
  createAgent,
  type LogFields,
  memoryStore,
  type RequestContext,
  type TaskEvents,
} from '../src/server/index.js';
import { scriptedExecutor } from '../src/testing/index.js';
import { callerOf, gate, say } from './harness.js';
import { follow, logOf, refOf, refusal, storyOf, until, untilIdle } from './looking.js';

const agentThat = (execute: AgentExecutor['execute'], options: Partial<AgentOptions> = {}) =>
  createAgent({ name: 'Worker', taskAfterMs: Number.POSITIVE_INFINITY, executor: { execute }, ...options });

/** Every function with which an executor can publish or ask, with valid and invalid arguments. */
const WORDS: Record<string, (events: TaskEvents, context: RequestContext) => Promise<void>> = {
  working: (events) => events.working('late'),
  progress: (events) => events.progress(0.5),
  'progress with an invalid fraction': (events) => events.progress(7),
  status: (events) => events.status('TASK_STATE_WORKING'),
  appendText: (events) => events.appendText('late', 'late'),
  artifact: (events) => events.artifact({ artifactId: 'late', parts: [{ text: 'late' }] }),
  file: (events) => events.file({ filename: 'late.txt', url: 'https://example.com/late.txt' }),
  'file without content': (events) => events.file({ filename: 'late.txt' }),
  data: (events) => events.data({ late: true }),
  task: (events) => events.task(),
  reply: (events) => events.reply('late'),
  complete: (events) => events.complete('late'),
  fail: (events) => events.fail('late'),
  reject: (events) => events.reject('late'),
  canceled: (events) => events.canceled('late'),
  publish: (events, { taskId, contextId }) => events.publish({ taskId, contextId, status: { state: 'TASK_STATE_COMPLETED' } }),
  'publish with null': (events) => events.publish(null as never),
  requireInput: async (_, context) => void (await context.requireInput('late?')),
  requireAuth: async (_, context) => void (await context.requireAuth('late?')),
};

describe('P1: execute publishes only while it runs', () => {
  test.each(Object.entries(WORDS))('P1: once execute has returned, `%s` is refused and nothing is written', async (_, speak) => {
    const store = memoryStore();
    const turns: [TaskEvents, RequestContext][] = [];
    const agent = agentThat(
      async (context, events) => {
        if (turns.push([events, context]) === 1) await events.status('TASK_STATE_INPUT_REQUIRED', 'and?');
        else await events.complete();
      },
      { store },
    );
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    await untilIdle(agent);
    const [[events, context] = []] = turns;
    if (!events || !context) throw new Error('execute was not called');
    const log = await logOf(store, refOf(id));
    expect(await refusal(speak(events, context))).toMatchObject({ reason: 'INVALID_AGENT_RESPONSE' });
    expect(await logOf(store, refOf(id))).toEqual(log);
    const { status } = await caller.task(say('on', { taskId: id }));
    expect(status.state, 'the next turn is not affected').toBe('TASK_STATE_COMPLETED');
  });

  test('P1: a turn that has ended can neither publish into the current turn nor take its messages', async () => {
    const first: [TaskEvents, RequestContext][] = [];
    const [queued, late] = [gate(), gate()];
    const agent = agentThat(async (context, events) => {
      if (first.length === 0) {
        first.push([events, context]);
        await events.working();
        await queued.passed;
        return events.status('TASK_STATE_INPUT_REQUIRED');
      }
      await events.working('second turn');
      await late.passed;
      await events.complete(await context.requireInput('whose answer?'));
    });
    const caller = callerOf(agent);
    const reader = await caller.stream('go');
    const [begun] = await reader.until(2);
    const id = begun?.task?.id ?? '';
    const second = caller.task(say('on', { taskId: id })); // in the inbox before the first turn ends, so that one run has both turns
    queued.open();
    await reader.all();
    await until(() => agent.tasks.running.length === 1);
    for (const [events, context] of first) {
      await refusal(events.appendText('late', 'late'));
      await refusal(context.requireInput('late?'));
    }
    late.open();
    expect((await second).status).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED', message: { parts: [{ text: 'whose answer?' }] } });
    const { status, artifacts } = await caller.task(say('mine', { taskId: id }));
    expect(status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'mine' }] } });
    expect(artifacts).toBeUndefined();
  });

  test('P1: a question that is not awaited does not take the message of the next turn', async () => {
    const heard: string[] = [];
    const agent = agentThat(async (context, events) => {
      heard.push(context.text);
      if (heard.length === 1) void context.requireInput('unawaited?');
      else await events.complete();
    });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    const { status } = await caller.task(say('on', { taskId: id }));
    expect(heard).toEqual(['go', 'on']);
    expect(status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('P1: two concurrent questions are answered one after the other', async () => {
    const agent = agentThat(async (context, events) => {
      const answers = await Promise.all([context.requireInput('first?'), context.requireInput('second?')]);
      await events.complete(answers.join(' '));
    });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    await caller.task(say('one', { taskId: id }), { returnImmediately: true });
    const { status } = await caller.task(say('two', { taskId: id }));
    expect(status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'one two' }] } });
  });

  test('P1: execute never runs twice at the same time for one task', async () => {
    const running = { now: 0, most: 0, turns: 0 };
    const agent = agentThat(async (_, events) => {
      running.now += 1;
      running.most = Math.max(running.most, running.now);
      running.turns += 1;
      await events.appendText('a', 'x');
      await events.flush();
      await events.status(running.turns === 6 ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_INPUT_REQUIRED');
      running.now -= 1;
    });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    await Promise.all([1, 2, 3, 4, 5].map((n) => caller.task(say(`${n}`, { taskId: id }))));
    expect(running).toEqual({ now: 0, most: 1, turns: 6 });
  });
});

describe('P2: one Message, or a Task and its updates', () => {
  test('P2: a Message is the whole answer: one frame without an id, and no task is stored', async () => {
    const agent = agentThat((_, events) => events.reply('hello back'));
    const caller = callerOf(agent);
    const sent = await caller.send(say('hello', { contextId: 'c-1' }));
    expect(sent).toEqual({
      message: { messageId: expect.any(String), contextId: 'c-1', role: 'ROLE_AGENT', parts: [{ text: 'hello back' }] },
    });
    const reader = await caller.stream('hello');
    const [frame, ...more] = await reader.all();
    expect(more).toEqual([]);
    expect(Object.keys(frame ?? {})).toEqual(['message']);
    expect((await caller.list()).totalSize).toBe(0);
  });

  test('P2: a raw Message is the whole answer as well', async () => {
    const agent = agentThat((_, events) => events.publish({ messageId: 'a-1', role: 'ROLE_AGENT', parts: [{ data: { n: 1 } }] }));
    const { message, task } = await callerOf(agent).send('hello');
    expect(message).toMatchObject({ messageId: 'a-1', role: 'ROLE_AGENT', parts: [{ data: { n: 1 } }] });
    expect(task).toBeUndefined();
  });

  test('P2: a Task comes first, then its updates', async () => {
    const agent = agentThat(async (_, events) => {
      await events.task({ metadata: { priority: 'high' } });
      await events.working('on it');
      await events.appendText('a', 'result');
      await events.complete();
    });
    const seen = await (await callerOf(agent).stream('hello')).all();
    expect(seen.map((event) => Object.keys(event)[1])).toEqual(['task', 'statusUpdate', 'artifactUpdate', 'statusUpdate']);
    expect(seen[0]?.task).toMatchObject({ status: { state: 'TASK_STATE_SUBMITTED' }, metadata: { priority: 'high' } });
  });
});

describe('P7: cancel', () => {
  test('P7: the signal of a running execute aborts, then cancel is called, and the status that it publishes is final', async () => {
    const story: string[] = [];
    const executor: AgentExecutor = {
      async execute({ signal }, events) {
        await events.working();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        story.push('aborted');
      },
      async cancel({ message, signal, taskId, currentTask }, events) {
        story.push(`cancel ${signal.aborted} ${message === undefined} ${currentTask?.id === taskId}`);
        await events.canceled('put away');
      },
    };
    const agent = createAgent({ name: 'Worker', executor });
    const caller = callerOf(agent);
    const reader = await caller.stream('go');
    const [, first] = await reader.until(2);
    const canceled = await caller.cancel(first?.statusUpdate?.taskId ?? '');
    expect(story).toEqual(['aborted', 'cancel true true true']);
    expect(canceled.status).toMatchObject({ state: 'TASK_STATE_CANCELED', message: { parts: [{ text: 'put away' }] } });
    await reader.all();
    expect(reader.states).toEqual(['SUBMITTED', 'WORKING', 'CANCELED']);
  });
});

describe('G48: the executor owns its turn', () => {
  test('G48: the framework adds nothing to the events of a custom executor', async () => {
    const agent = agentThat(async ({ taskId, contextId, message }, events) => {
      const history = message ? [message] : [];
      await events.publish({ id: taskId, contextId, status: { state: 'TASK_STATE_SUBMITTED' }, history });
      await events.publish({ taskId, contextId, status: { state: 'TASK_STATE_WORKING' }, metadata: { step: 1 } });
      await events.publish({ taskId, contextId, artifact: { artifactId: 'a', parts: [{ text: 'x' }] }, lastChunk: true });
      await events.publish({ taskId, contextId, status: { state: 'TASK_STATE_COMPLETED' } });
    });
    const message = say('hello', { contextId: 'c-1' });
    const seen = await (await callerOf(agent).stream(message)).all();
    const { taskId } = seen[1]?.statusUpdate ?? {};
    const about = { taskId, contextId: 'c-1' };
    const timestamp = expect.any(String);
    const history = [{ ...message, taskId }];
    expect(seen).toEqual([
      { seq: 2, task: { id: taskId, contextId: 'c-1', status: { state: 'TASK_STATE_SUBMITTED', timestamp }, history } },
      { seq: 3, statusUpdate: { ...about, status: { state: 'TASK_STATE_WORKING', timestamp }, metadata: { step: 1 } } },
      { seq: 4, artifactUpdate: { ...about, artifact: { artifactId: 'a', parts: [{ text: 'x' }] }, lastChunk: true } },
      { seq: 5, statusUpdate: { ...about, status: { state: 'TASK_STATE_COMPLETED', timestamp } } },
    ]);
  });

  test('G48: the executor decides the final state: REJECTED stays REJECTED, whatever it returns', async () => {
    const agent = agentThat(async (_, events) => {
      await events.reject('not my job');
      return 'ignored' as unknown as undefined;
    });
    const { status, artifacts } = await callerOf(agent).task('hello');
    expect(status).toMatchObject({ state: 'TASK_STATE_REJECTED', message: { parts: [{ text: 'not my job' }] } });
    expect(artifacts).toBeUndefined();
  });
});

describe('P28: execute returns and the task is neither final nor waiting for input', () => {
  const logged = () => {
    const lines: [LogFields, string][] = [];
    const ignore = () => {};
    return {
      lines,
      logger: { debug: ignore, info: ignore, warn: ignore, error: (fields: LogFields, text: string) => void lines.push([fields, text]) },
    };
  };

  test('P28: by default the task is FAILED with a reason, and a line is logged', async () => {
    const { lines, logger } = logged();
    const agent = createAgent({ name: 'Worker', executor: scriptedExecutor([{ do: 'working' }]), logger });
    const reader = await callerOf(agent).stream('go');
    await reader.all();
    expect(reader.states).toEqual(['SUBMITTED', 'WORKING', 'FAILED']);
    expect(reader.seen.at(-1)?.statusUpdate?.status.message?.metadata).toEqual({
      'urn:parley:a2a:error': { reason: 'INVALID_AGENT_RESPONSE', code: -32006, retryable: false },
    });
    const taskId = reader.seen[0]?.task?.id;
    const cause = new Error('execute returned while the task is TASK_STATE_WORKING');
    expect(lines).toEqual([[expect.objectContaining({ taskId, cause }), 'the agent stopped without finishing the task']]);
  });

  test('P28: with `keep` the caller gets the current task, the stream ends, and the next message continues the task', async () => {
    const { lines, logger } = logged();
    const store = memoryStore();
    const executor = scriptedExecutor([{ do: 'working', text: 'later' }], { turns: [[{ do: 'complete' }]] });
    const agent = createAgent({ name: 'Worker', store, executor, logger, onIncomplete: 'keep' });
    const caller = callerOf(agent);
    const task = await caller.task('go');
    expect(task.status.state).toBe('TASK_STATE_WORKING');
    expect(lines).toHaveLength(1);
    const reader = await caller.stream('go');
    await reader.all();
    expect(reader.states).toEqual(['SUBMITTED', 'COMPLETED']);
    await untilIdle(agent);
    expect(await storyOf(store, refOf(task.id))).toEqual(['input:turn', 'task:SUBMITTED', 'status:WORKING', 'note:turn-ended']);
    expect((await caller.task(say('on', { taskId: task.id }))).status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('P28: a run that publishes nothing makes its call fail', async () => {
    const agent = agentThat(async () => {});
    const caller = callerOf(agent);
    expect(await refusal(caller.send('go'))).toMatchObject({ reason: 'INVALID_AGENT_RESPONSE', code: -32006 });
    expect(await refusal(caller.stream('go'))).toMatchObject({ code: -32006 });
    expect((await caller.list()).totalSize).toBe(0);
  });
});

describe('D16: no task row before the first Task event', () => {
  test('D16: while the run is silent no caller finds the task; after its first event every caller does', async () => {
    const silence = gate();
    const agent = agentThat(async (_, events) => {
      await silence.passed;
      await events.complete();
    });
    const caller = callerOf(agent);
    const sent = follow(caller.task('go'));
    await until(() => agent.tasks.running.length === 1);
    const [{ taskId } = { taskId: '' }] = agent.tasks.running;
    expect(await refusal(caller.get(taskId))).toMatchObject({ reason: 'TASK_NOT_FOUND' });
    expect(await refusal(caller.subscribe(taskId))).toMatchObject({ reason: 'TASK_NOT_FOUND' });
    expect(await refusal(caller.cancel(taskId))).toMatchObject({ reason: 'TASK_NOT_FOUND' });
    expect((await caller.list()).totalSize).toBe(0);
    expect(sent.isSettled).toBe(false);
    silence.open();
    expect((await sent.outcome).id).toBe(taskId);
    expect((await caller.list()).totalSize).toBe(1);
  });

  test('D16: a run that answers with a Message counts toward the limit until it ends, and stores nothing', async () => {
    const silence = gate();
    const agent = agentThat(
      async (context, events) => {
        if (context.text === 'slow') await silence.passed;
        await events.reply('hi');
      },
      { maxRunningTasks: 1 },
    );
    const caller = callerOf(agent);
    const slow = caller.send(say('slow', { contextId: 'c-1' }));
    await until(() => agent.tasks.running.length === 1);
    expect(agent.tasks.running[0]).toMatchObject({ contextId: 'c-1' });
    expect(await refusal(caller.send('one too many'))).toMatchObject({ reason: 'AGENT_UNAVAILABLE', retryable: true, retryAfterMs: 1_000 });
    silence.open();
    expect((await slow).message?.parts).toEqual([{ text: 'hi' }]);
    await untilIdle(agent);
    expect((await caller.send('again')).message?.parts).toEqual([{ text: 'hi' }]);
    expect(await caller.list()).toMatchObject({ tasks: [], totalSize: 0 });
  });
});

describe('D15: helpers create the Task', () => {
  const HELPERS: Record<string, (events: TaskEvents) => Promise<void>> = {
    working: (events) => events.working('hm'),
    progress: (events) => events.progress(0.1),
    status: (events) => events.status('TASK_STATE_WORKING'),
    appendText: (events) => events.appendText('a', 'x'),
    artifact: (events) => events.artifact({ parts: [{ text: 'x' }] }),
    file: (events) => events.file({ filename: 'x.bin', bytes: new Uint8Array([1, 2]) }),
    data: (events) => events.data([1, null]),
    complete: (events) => events.complete(),
    fail: (events) => events.fail('no'),
    reject: (events) => events.reject(),
    canceled: (events) => events.canceled(),
    requireInput: async (events) => events.status('TASK_STATE_INPUT_REQUIRED', 'which?'),
  };

  test.each(Object.entries(HELPERS))(
    'D15: `%s` starts with a SUBMITTED Task that has the user’s message in its history',
    async (_, speak) => {
      const agent = agentThat((_context, events) => speak(events), { onIncomplete: 'keep' });
      const message = say('hello', { contextId: 'c-1', metadata: { n: 1 } });
      const reader = await callerOf(agent).stream(message);
      const [first, second] = await reader.all();
      const id = first?.task?.id;
      expect(first?.task).toEqual({
        id,
        contextId: 'c-1',
        status: { state: 'TASK_STATE_SUBMITTED', timestamp: expect.any(String) },
        history: [{ ...message, taskId: id }],
      });
      expect(second?.statusUpdate?.taskId ?? second?.artifactUpdate?.taskId).toBe(id);
    },
  );

  test('D15: context.requireInput starts with a Task as well', async () => {
    const agent = agentThat(async (context, events) => events.complete(await context.requireInput('which?')));
    const reader = await callerOf(agent).stream('hello');
    await reader.all();
    expect(reader.states).toEqual(['SUBMITTED', 'INPUT_REQUIRED']);
  });

  test.each(['reply', 'publish'] as const)('D15: on a continued task a direct Message throws at the call (%s)', async (word) => {
    const thrown: unknown[] = [];
    const message = { messageId: 'a-1', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } as const;
    const agent = agentThat(async (context, events) => {
      if (context.currentTask === undefined) return events.status('TASK_STATE_INPUT_REQUIRED');
      await events[word](message).catch((error: unknown) => thrown.push(error));
      await events.complete().catch(() => {});
    });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    const { status } = await caller.task(say('on', { taskId: id }));
    expect(thrown).toEqual([expect.objectContaining({ reason: 'INVALID_AGENT_RESPONSE' })]);
    expect(status.state).toBe('TASK_STATE_FAILED');
  });
});
