import { describe, expect, test } from 'vitest';
import type { A2AError } from '../src/index.js';
import { type AgentOptions, createAgent, type Interceptor, type LogFields, memoryStore } from '../src/server/index.js';
import { failingStore, scriptedExecutor } from '../src/testing/index.js';
import { callerOf, say } from './harness.js';
import { quiet, refusal, untilIdle } from './looking.js';

const CONTENT = 'my diagnosis is private';
const TOKEN = 'sk-token-0123';
const CALLER = { id: 'ann', claims: { token: TOKEN } };

interface Line {
  readonly level: string;
  readonly fields: LogFields;
  readonly text: string;
}

/** An agent that records its log lines and its errors. */
function listening(options: Partial<AgentOptions>) {
  const lines: Line[] = [];
  const errors: { readonly error: A2AError; readonly where: object }[] = [];
  const at = (level: string) => (fields: LogFields, text: string) => void lines.push({ level, fields, text });
  const logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  const agent = createAgent({
    name: 'Logger',
    execute: () => '',
    logger,
    onError: (error, where) => errors.push({ error, where }),
    ...options,
  });
  return { agent, caller: callerOf(agent, CALLER), errors, lines };
}

const send = (caller: ReturnType<typeof callerOf>, text = CONTENT) =>
  caller.send(say(text, { contextId: 'the context', metadata: { note: CONTENT } }), undefined, { requestId: 'the request' });

const WHERE = { requestId: 'the request', taskId: expect.any(String), contextId: 'the context', caller: 'ann', attempt: 1 };

/** Failures of a run, and the reason that their log lines have. */
const CASES: readonly [string, Partial<AgentOptions>, reason: string][] = [
  ['a crash before the Task exists', { executor: scriptedExecutor([{ do: 'throw', error: new Error('boom') }]) }, 'INTERNAL_ERROR'],
  [
    'a crash of a task',
    {
      executor: scriptedExecutor([
        { do: 'working', text: CONTENT },
        { do: 'throw', error: new Error('boom') },
      ]),
    },
    'INTERNAL_ERROR',
  ],
  ['an illegal event', { executor: scriptedExecutor([{ do: 'working' }, { do: 'reply', text: CONTENT }]) }, 'INVALID_AGENT_RESPONSE'],
  [
    'a malformed event',
    { executor: scriptedExecutor([{ do: 'working' }, { do: 'publish', event: { taskId: 7, artifact: CONTENT } as never }]) },
    'INVALID_AGENT_RESPONSE',
  ],
  [
    'a run that stops without a final state',
    { executor: scriptedExecutor([{ do: 'append', artifactId: 'a', text: CONTENT }]) },
    'INVALID_AGENT_RESPONSE',
  ],
  [
    'a store that fails',
    { store: failingStore(memoryStore(), { 1: 'before' }), executor: scriptedExecutor([{ do: 'complete', text: CONTENT }]) },
    'AGENT_UNAVAILABLE',
  ],
];

describe('D32: log lines', () => {
  test.each(CASES)('D32: %s is logged, each line with all ids and the reason, and without content', async (_name, options, reason) => {
    const { agent, caller, errors, lines } = listening(options);
    await send(caller).catch(() => {});
    await untilIdle(agent);
    expect(lines.length).toBeGreaterThan(0);
    for (const { level, fields } of lines) expect([level, fields]).toEqual(['error', expect.objectContaining({ ...WHERE, reason })]);
    expect(errors.map(({ error, where }) => [error.reason, where])).toEqual([[reason, WHERE]]);
    const everything =
      JSON.stringify(lines) + JSON.stringify(errors) + errors.map(({ error }) => error.message + String(error.cause)).join();
    expect(everything).not.toContain(CONTENT);
    expect(everything).not.toContain(TOKEN);
  });

  test('D32: a second Task is logged, without its content', async () => {
    const task = (taskId: string) => ({ id: taskId, status: { state: 'TASK_STATE_WORKING' as const }, metadata: { note: CONTENT } });
    const executor = scriptedExecutor([
      {
        do: 'call',
        run: async ({ taskId }, events) => {
          await events.publish(task(taskId));
          await events.publish(task(taskId));
        },
      },
      { do: 'complete' },
    ]);
    const { caller, lines } = listening({ executor });
    await send(caller);
    expect(lines).toMatchObject([{ level: 'error', fields: { ...WHERE, reason: 'INVALID_AGENT_RESPONSE' } }]);
    expect(JSON.stringify(lines)).not.toContain(CONTENT);
  });

  test('D32: a cancel that throws is logged', async () => {
    const executor = scriptedExecutor([{ do: 'working' }, { do: 'gate', name: 'never' }], {
      cancel: [{ do: 'throw', error: new Error('boom') }],
    });
    const { caller, errors, lines } = listening({ executor });
    const { task } = await caller.send(
      say(CONTENT, { contextId: 'the context' }),
      { returnImmediately: true },
      { requestId: 'the request' },
    );
    await quiet();
    await caller.cancel(task?.id ?? '');
    expect(lines).toMatchObject([{ fields: { ...WHERE, taskId: task?.id, reason: 'INTERNAL_ERROR' } }]);
    expect(errors).toHaveLength(1);
  });

  test('D32: each turn is logged with the request id of its message', async () => {
    const executor = scriptedExecutor([{ do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED') }], {
      turns: [[{ do: 'throw', error: new Error('boom') }]],
    });
    const { caller, lines } = listening({ executor });
    const { task } = await caller.send(say('go'), undefined, { requestId: 'first' });
    await caller.send(say('on', { taskId: task?.id ?? '' }), undefined, { requestId: 'second' });
    expect(lines).toMatchObject([{ fields: { requestId: 'second', taskId: task?.id, contextId: task?.contextId } }]);
  });

  test('D32: an unexpected error of a call is logged with its request, task and method, and the caller gets no details', async () => {
    const broken: Interceptor = () => async () => {
      throw new Error(`cannot connect with ${TOKEN}`);
    };
    const { caller, errors, lines } = listening({ interceptors: [broken], execute: () => 'x' });
    const error = await refusal(caller.value('GetTask', { id: 'the task' }, { requestId: 'the request' }));
    expect(error).toMatchObject({ reason: 'INTERNAL_ERROR', message: 'Internal error' });
    const where = { requestId: 'the request', caller: 'ann', method: 'GetTask', taskId: 'the task' };
    expect(lines.map(({ level, fields }) => [level, fields])).toEqual([
      ['error', expect.objectContaining({ ...where, reason: 'INTERNAL_ERROR' })],
    ]);
    expect(errors.map(({ where: at }) => at)).toEqual([where]);
    expect(JSON.stringify(lines.map(({ text, fields: { cause: _, ...fields } }) => [text, fields]))).not.toContain(TOKEN);
  });

  test('D32: a mistake of the caller is not logged as an error', async () => {
    const { caller, errors, lines } = listening({ execute: () => 'x' });
    await refusal(caller.get('unknown'));
    await refusal(caller.send(say('x', { taskId: 'unknown' })));
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
    expect(errors).toEqual([]);
  });

  test('D32: an onError that throws is logged and has no other effect', async () => {
    const { caller, lines } = listening({
      executor: scriptedExecutor([{ do: 'throw', error: new Error('boom') }]),
      onError: () => {
        throw new Error('and again');
      },
    });
    expect((await refusal(send(caller))).reason).toBe('INTERNAL_ERROR');
    expect(lines.map(({ text }) => text)).toEqual(['The agent failed unexpectedly', 'onError threw']);
    expect(lines[1]?.fields).toMatchObject(WHERE);
  });

  test('D32: log lines of an executor have the ids of its turn', async () => {
    const executor = scriptedExecutor([
      {
        do: 'call',
        run: ({ logger }) => {
          logger.info({ reason: 'own' }, 'one');
          logger.warn({}, 'two');
          logger.debug({}, 'three');
          logger.error({}, 'four');
        },
      },
      { do: 'complete' },
    ]);
    const { caller, lines } = listening({ executor });
    await send(caller);
    expect(lines).toMatchObject([
      { level: 'info', text: 'one', fields: { ...WHERE, reason: 'own' } },
      { level: 'warn', text: 'two', fields: WHERE },
      { level: 'debug', text: 'three', fields: WHERE },
      { level: 'error', text: 'four', fields: WHERE },
    ]);
  });

  test('D32: a successful task logs neither errors nor warnings', async () => {
    const { agent, caller, errors, lines } = listening({
      executor: scriptedExecutor([{ do: 'requireInput', prompt: 'which?' }, { do: 'complete' }]),
    });
    const { task } = await send(caller);
    const reader = await caller.subscribe(task?.id ?? '');
    reader.close();
    await caller.task(say('this', { taskId: task?.id ?? '' }));
    await untilIdle(agent);
    expect(lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
    expect(errors).toEqual([]);
  });
});
