import { describe, expect, test } from 'vitest';
import type { A2AError } from '../src/protocol/errors.js';
import { bearer } from '../src/security.js';
import { type AgentOptions, createAgent, memoryStore, type RequestContext, type TaskEvents } from '../src/server/index.js';
import { manualClock } from '../src/testing/index.js';
import { callerOf } from './harness.js';

const SLIPS: readonly [string, unknown, string][] = [
  ['nothing', undefined, 'an object of options'],
  ['neither execute nor executor', { name: 'a' }, '`execute`'],
  ['an execute that is not a function', { name: 'a', execute: 'x' }, '`execute`'],
  ['an executor without execute', { name: 'a', executor: {} }, '`execute`'],
  ['an auth that is a string', { name: 'a', execute: () => 'x', auth: 'bearer' }, 'auth must be'],
  ['security without auth', { name: 'a', execute: () => 'x', security: bearer() }, '`auth`'],
  ['a limit below one', { name: 'a', execute: () => 'x', maxRunMs: -1 }, 'maxRunMs'],
  ['no name', { execute: () => 'x' }, 'name'],
];

describe('D31: createAgent refuses wrong options', () => {
  test.each(SLIPS)('D31: createAgent with %s throws an error that says what it needs', (_, options, word) => {
    expect(() => createAgent(options as AgentOptions)).toThrow(
      expect.objectContaining({ reason: 'INVALID_PARAMS', message: expect.stringContaining(word) }),
    );
  });

  test('D31: with auth none, a proxy may check the credentials of the security scheme', () => {
    expect(() => createAgent({ name: 'a', execute: () => 'x', security: bearer(), auth: 'none' })).not.toThrow();
  });

  test.each([null, undefined])('D31: an auth that returns %s refuses every caller', async (refused) => {
    const agent = createAgent({ name: 'a', execute: () => 'x', auth: () => refused });
    await expect(agent.authenticate({} as never)).rejects.toMatchObject({ reason: 'AUTH_REQUIRED' });
  });
});

describe('F12: createAgent checks its options', () => {
  const wrong = (options: object): string => {
    try {
      createAgent({ name: 'a', execute: () => 'x', ...options });
      return 'accepted';
    } catch (error) {
      expect(error).toMatchObject({ reason: 'INVALID_PARAMS' });
      return (error as Error).message;
    }
  };

  test.each<[object, string]>([
    [{ store: 'agent.db' }, `createAgent: store must be a task store such as sqlite('agent.db'), got the string "agent.db"`],
    [{ store: memoryStore }, `createAgent: store must be a task store such as sqlite('agent.db'), got the function memoryStore`],
    [{ store: Promise.resolve() }, `createAgent: store must be a task store such as sqlite('agent.db'), got a promise: await it first`],
    [{ store: {} }, `createAgent: store must be a task store such as sqlite('agent.db'), got an object`],
    [{ store: null }, `createAgent: store must be a task store such as sqlite('agent.db'), got null`],
    [{ bus: 'redis://localhost' }, 'createAgent: bus must be an event bus such as redis(url), got the string "redis://localhost"'],
    [{ logger: () => {} }, 'createAgent: logger must be a logger with the methods debug, info, warn and error, got the function logger'],
    [{ interceptors: [1] }, 'createAgent: interceptors must be a list of functions, got a list'],
    [{ streaming: 'yes' }, 'createAgent: streaming must be true or false, got the string "yes"'],
    [{ recovery: 'retry' }, `createAgent: recovery must be 'fail' or 'restart', got the string "retry"`],
    [{ maxRunMs: '1000' }, 'createAgent: maxRunMs must be a positive number, got the string "1000"'],
    [{ maxRunMs: Number.NaN }, 'createAgent: maxRunMs must be a positive number, got NaN'],
    [{ node: '' }, 'createAgent: node must be a string that is not empty, got the string ""'],
    [{ executor: null }, 'createAgent needs `execute` (a function) or `executor` ({ execute, cancel })'],
    [{ executor: {}, execute: () => 'x' }, 'createAgent needs `execute` (a function) or `executor` ({ execute, cancel })'],
    [{ onError: 'x'.repeat(1_000) }, `createAgent: onError must be a function, got the string "${'x'.repeat(60)}…"`],
    [{ ids: { taskId: 'one' } }, 'createAgent: ids.taskId must be a function, got the string "one"'],
  ])('F12: a value of the wrong type is refused with the expected type: %j', (options, message) => {
    expect(wrong(options)).toBe(message);
  });

  test.each<[string, string]>([
    ['storee', 'store'],
    ['Store', 'store'],
    ['timeout', 'inputTimeoutMs'],
    ['maxRunMS', 'maxRunMs'],
    ['exectue', 'execute'],
    ['descripton', 'description'],
    ['onerror', 'onError'],
    ['interceptor', 'interceptors'],
  ])('F12: the name %s is refused, and %s is suggested', (name, offered) => {
    expect(wrong({ [name]: 1 })).toBe(`createAgent has no option "${name}": did you mean "${offered}"?`);
  });

  test('F12: names inside an option that is an object are checked as well', () => {
    expect(wrong({ capabilities: { streeming: true } })).toBe(
      'createAgent has no option "capabilities.streeming": did you mean "capabilities.streaming"?',
    );
    expect(wrong({ ids: { messageID: () => 'm' } })).toBe('createAgent has no option "ids.messageID": did you mean "ids.messageId"?');
  });

  test('F12: a misspelled execute is named, and not reported as missing', () => {
    const options = { name: 'a', exectue: () => 'x' } as unknown as AgentOptions;
    expect(() => createAgent(options)).toThrow('createAgent has no option "exectue": did you mean "execute"?');
  });

  test('F12: an undefined option takes its default, and an instance of a class is a valid store', () => {
    class Store {
      readonly lingerMs = 0;
    }
    Object.assign(Store.prototype, memoryStore());
    expect(wrong({ store: undefined, logger: undefined, maxRunMs: undefined })).toBe('accepted');
    expect(wrong({ store: new Store() })).toBe('accepted');
    expect(wrong(JSON.parse('{"__proto__": 1}'))).toMatch(/^createAgent has no option "__proto__"/);
  });
});

describe('B20: the developer gets the details of a mistake in the agent', () => {
  const WRONGS: readonly [string, (events: TaskEvents) => unknown, Partial<AgentOptions>, string][] = [
    ['an illegal event', (events) => events.artifact({ parts: [] }), {}, 'INVALID_AGENT_RESPONSE'],
    ['an event that is too large', (events) => events.data('x'.repeat(2_000)), { maxEventBytes: 1_000 }, 'CONTENT_TOO_LARGE'],
    ['a turn without a final state', (events) => events.working('half way'), {}, 'INVALID_AGENT_RESPONSE'],
  ];

  test.each(WRONGS)('B20: %s is reported with its cause, and callers get a neutral message', async (_, offend, options, reason) => {
    const reported: A2AError[] = [];
    const executor = {
      async execute(_context: unknown, events: TaskEvents) {
        await events.task();
        await offend(events);
      },
    };
    const { status } = await callerOf(createAgent({ name: 'a', executor, onError: (error) => reported.push(error), ...options })).task(
      'go',
    );
    expect(reported).toHaveLength(1);
    expect(reported[0]).toMatchObject({ reason, cause: expect.any(Error) });
    const { cause } = reported[0] ?? {};
    const detail = cause instanceof Error ? cause.message : '';
    const told = status.message?.parts[0]?.text ?? '';
    expect(told).toMatch(/^the (agent|answer of the agent) /);
    expect(detail).not.toBe('');
    expect(told).not.toContain(detail);
  });

  test.each<[string, Partial<AgentOptions>]>([
    ['maxEventBytes', { maxEventBytes: 1_000 }],
    ['maxTaskBytes', { maxTaskBytes: 2_000 }],
  ])('B20: a first Task above %s is refused as a whole: one report, nothing is stored, no retry is offered', async (_name, options) => {
    const reported: A2AError[] = [];
    const executor = {
      async execute({ taskId, contextId }: RequestContext, events: TaskEvents) {
        const artifacts = [{ artifactId: 'a', parts: [{ text: 'x'.repeat(3_000) }] }];
        await events.publish({ id: taskId, contextId, status: { state: 'TASK_STATE_WORKING' }, artifacts }).catch(() => {});
        await events.flush();
      },
    };
    const agent = createAgent({
      name: 'a',
      executor,
      taskAfterMs: Number.POSITIVE_INFINITY,
      onError: (error) => reported.push(error),
      ...options,
    });
    const error = await callerOf(agent)
      .task('go')
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ reason: 'CONTENT_TOO_LARGE', retryable: false });
    expect(reported.map(({ reason }) => reason)).toEqual(['CONTENT_TOO_LARGE']);
    expect((await callerOf(agent).list()).tasks).toEqual([]);
  });

  test('B20: a turn that takes too long is reported as well', async () => {
    const clock = manualClock();
    const reported: string[] = [];
    const executor = { execute: (_context: unknown, events: TaskEvents) => events.working().then(() => new Promise<void>(() => {})) };
    const agent = createAgent({ name: 'a', executor, clock, maxRunMs: 100, onError: ({ reason }) => reported.push(reason) });
    const sent = callerOf(agent).task('go');
    await clock.tick(200);
    expect((await sent).status.state).toBe('TASK_STATE_FAILED');
    expect(reported).toEqual(['TASK_TIMEOUT']);
  });
});

describe('D40: a file is given in one of four forms', () => {
  test.each([
    ['bytes', { bytes: new TextEncoder().encode('héllo') }, { raw: 'aMOpbGxv' }],
    ['text', { text: 'héllo' }, { raw: 'aMOpbGxv' }],
    ['base64', { base64: 'aMOpbGxv' }, { raw: 'aMOpbGxv' }],
    ['url', { url: 'https://example.com/x' }, { url: 'https://example.com/x' }],
  ])('D40: as %s', async (_, content, part) => {
    const agent = createAgent({
      name: 'a',
      executor: { execute: (_context, events) => events.file({ filename: 'x.txt', ...content }).then(() => events.complete()) },
    });
    const { artifacts } = await callerOf(agent).task('go');
    expect(artifacts).toEqual([{ artifactId: expect.any(String), name: 'x.txt', parts: [{ ...part, filename: 'x.txt' }] }]);
  });
});
