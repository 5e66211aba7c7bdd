import { describe, expect, test } from 'vitest';
import type { MethodName, RequestOf } from '../src/protocol/methods.js';
import { ANONYMOUS, type Caller } from '../src/server/call.js';
import { type AgentOptions, createAgent, memoryStore } from '../src/server/index.js';
import { scriptedExecutor } from '../src/testing/index.js';
import type { WireRequest } from '../src/wire/http.js';
import { callerOf, say } from './harness.js';
import { inboxOf, quiet, refOf, refusal, told, untilIdle } from './looking.js';

const NAME = { name: 'Keeper' };
const ANN: Caller = { id: 'ann' };

type About = (id: string) => { method: MethodName; params: object; lastEventId?: string };

/** Every request about one task. */
const ABOUT_A_TASK: readonly [string, About][] = [
  ['GetTask', (id) => ({ method: 'GetTask', params: { id } })],
  ['GetTask with a historyLength', (id) => ({ method: 'GetTask', params: { id, historyLength: 0 } })],
  ['CancelTask', (id) => ({ method: 'CancelTask', params: { id } })],
  ['SubscribeToTask', (id) => ({ method: 'SubscribeToTask', params: { id } })],
  ['SubscribeToTask from the start', (id) => ({ method: 'SubscribeToTask', params: { id }, lastEventId: '0' })],
  ['SendMessage', (id) => ({ method: 'SendMessage', params: { message: say('mine?', { taskId: id, messageId: 'm' }) } })],
  [
    'SendMessage with returnImmediately',
    (id) => ({
      method: 'SendMessage',
      params: { message: say('mine?', { taskId: id, messageId: 'm' }), configuration: { returnImmediately: true } },
    }),
  ],
  [
    'SendMessage with a context',
    (id) => ({ method: 'SendMessage', params: { message: say('mine?', { taskId: id, messageId: 'm', contextId: 'secret context' }) } }),
  ],
  ['SendStreamingMessage', (id) => ({ method: 'SendStreamingMessage', params: { message: say('mine?', { taskId: id, messageId: 'm' }) } })],
];

const STRANGERS: readonly [string, Caller, string | undefined][] = [
  ['another owner', { id: 'bob' }, undefined],
  ['the anonymous caller', ANONYMOUS, undefined],
  ['the owner in another tenant', ANN, 'elsewhere'],
  ['the owner in a forbidden tenant', { id: 'ann', tenants: [''] }, 'forbidden'],
  ['an owner whose id contains the separator', { id: '/ann' }, undefined],
];

const STATES = [
  ['running', [{ do: 'working' }, { do: 'gate', name: 'never' }]],
  [
    'waiting',
    [
      {
        do: 'call',
        run: (_: unknown, events: { status(state: 'TASK_STATE_INPUT_REQUIRED'): Promise<void> }) =>
          events.status('TASK_STATE_INPUT_REQUIRED'),
      },
    ],
  ],
  ['ended', [{ do: 'complete' }]],
] as const;

describe.each(STATES)('D31, P14: a task that is %s is invisible to others', (_state, steps) => {
  test.each(STRANGERS)('D31, P14: for %s it is exactly like a task that does not exist', async (_name, stranger, tenant) => {
    const store = memoryStore();
    const executor = scriptedExecutor(steps);
    const agent = createAgent({ ...NAME, store, executor, ids: { taskId: () => 'the-task' } });
    const owner = callerOf(agent, ANN);
    await owner.task(say('go', { contextId: 'secret context' }), { returnImmediately: true });
    await quiet();
    const before = await owner.get('the-task');
    const who = callerOf(agent, stranger);
    const ask = async (about: About, id: string, within?: string): Promise<string> => {
      const { method, params, lastEventId } = about(id);
      const scoped = { ...params, ...(within !== undefined && { tenant: within }) } as RequestOf<MethodName>;
      return told(await refusal(who.handle(method, scoped, lastEventId === undefined ? {} : { lastEventId })));
    };
    for (const [name, about] of ABOUT_A_TASK) {
      const unknown = await ask(about, 'not-there');
      expect(unknown).toContain('TASK_NOT_FOUND');
      expect(await ask(about, 'the-task', tenant), name).toBe(unknown.replaceAll('not-there', 'the-task'));
      expect(await ask(about, 'not-there', tenant), name).toBe(unknown);
    }
    expect(await owner.get('the-task'), 'the task is unchanged').toEqual(before);
    expect(await inboxOf(store, refOf('the-task', { owner: 'ann' }))).toEqual([]);
    expect(executor.runs).toHaveLength(1);
  });
});

describe('P14: owners and tenants', () => {
  test('P14: the same task id may exist once per owner and tenant, with separate contents', async () => {
    const agent = createAgent({
      ...NAME,
      ids: { taskId: () => 'same' },
      execute: (context) => `${context.caller.id} in ${context.tenant}: ${context.text}`,
    });
    const scopes = [
      ['ann', ''],
      ['bob', ''],
      ['ann', 't'],
      ['a', 'nn'],
    ] as const;
    for (const [id, tenant] of scopes) await callerOf(agent, { id }).value('SendMessage', { tenant, message: say('hello') });
    for (const [id, tenant] of scopes) {
      const caller = callerOf(agent, { id });
      const task = await caller.value('GetTask', { id: 'same', tenant });
      expect(task.artifacts?.[0]?.parts).toEqual([{ text: `${id} in ${tenant}: hello` }]);
      expect((await caller.list({ tenant })).totalSize).toBe(1);
    }
  });

  test('P14: concurrent tasks with one id in several scopes are independent', async () => {
    const executor = scriptedExecutor([{ do: 'requireInput', prompt: 'which?' }, { do: 'complete' }]);
    const agent = createAgent({ ...NAME, ids: { taskId: () => 'same' }, executor });
    const [ann, bob] = [callerOf(agent, ANN), callerOf(agent, { id: 'bob' })];
    await ann.task('go');
    await bob.task('go');
    expect(agent.tasks.running.map(({ owner, taskId }) => [owner, taskId])).toEqual([
      ['ann', 'same'],
      ['bob', 'same'],
    ]);
    const reader = await ann.subscribe('same');
    await bob.task(say('for bob', { taskId: 'same' }));
    await quiet();
    expect(executor.answers).toEqual(['for bob']);
    expect((await ann.get('same')).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(reader.states).toEqual(['INPUT_REQUIRED']);
    await ann.cancel('same');
    await reader.all();
    expect((await bob.get('same')).status.state).toBe('TASK_STATE_COMPLETED');
    await untilIdle(agent);
  });

  test('P14: the executor gets the caller, its tenant, scopes and claims', async () => {
    const caller: Caller = { id: 'ann', tenants: ['t'], scopes: ['read'], claims: { email: 'ann@example.com' } };
    const executor = scriptedExecutor([{ do: 'complete' }]);
    await callerOf(createAgent({ ...NAME, executor }), caller).value('SendMessage', { tenant: 't', message: say('hello') });
    expect(executor.runs[0]).toMatchObject({ caller, tenant: 't' });
  });

  test('P14: a later turn runs for the caller that sent its message', async () => {
    const executor = scriptedExecutor([{ do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED') }], {
      turns: [[{ do: 'complete' }]],
    });
    const agent = createAgent({ ...NAME, executor });
    const { id } = await callerOf(agent, { id: 'ann', scopes: ['read'] }).task('go');
    await callerOf(agent, { id: 'ann', scopes: ['read', 'write'] }).task(say('on', { taskId: id }));
    expect(executor.runs.map(({ caller }) => caller.scopes)).toEqual([['read'], ['read', 'write']]);
  });
});

describe('D31: safe defaults', () => {
  const request = (header: (name: string) => string | undefined): WireRequest => ({
    method: 'POST',
    path: '/',
    query: '',
    origin: 'http://localhost',
    host: {},
    header,
    body: async () => '',
  });
  const withAuth = (auth: AgentOptions['auth']) => createAgent({ ...NAME, execute: () => 'x', ...(auth && { auth }) });

  test('D31: without auth, or with none, every caller is the anonymous caller', async () => {
    const nothing = request(() => undefined);
    expect(await withAuth(undefined).authenticate(nothing)).toEqual({ id: '' });
    expect(await withAuth('none').authenticate(nothing)).toEqual({ id: '' });
  });

  test('D31: auth identifies the caller, and an unknown caller is refused with AUTH_REQUIRED', async () => {
    const agent = withAuth(async ({ header }) => (header('authorization') === 'Bearer good' ? { id: 'ann' } : undefined));
    expect(await agent.authenticate(request(() => 'Bearer good'))).toEqual({ id: 'ann' });
    expect(await refusal(agent.authenticate(request(() => 'Bearer bad')))).toMatchObject({
      reason: 'AUTH_REQUIRED',
      code: -31001,
      httpStatus: 401,
    });
  });

  test('D31: anonymous callers beyond loopback can list only by context, and the error says so; on loopback they list all', async () => {
    const agent = createAgent({ ...NAME, execute: () => 'x' });
    const caller = callerOf(agent);
    await caller.task(say('hello', { contextId: 'c' }));
    expect((await caller.list({}, { exposed: false })).totalSize).toBe(1);
    expect((await caller.list({ contextId: 'c' }, { exposed: true })).totalSize).toBe(1);
    const error = await refusal(caller.list({}, { exposed: true }));
    expect(error).toMatchObject({ reason: 'INVALID_PARAMS', violations: [{ field: 'contextId' }] });
    expect(error.message).toContain('contextId');
    const ann = callerOf(agent, ANN);
    expect((await ann.list({}, { exposed: true })).totalSize, 'an authenticated caller lists its own tasks').toBe(0);
  });

  test('D31: a list in a tenant that the caller may not use reveals nothing about it', async () => {
    const agent = createAgent({ ...NAME, execute: () => 'x' });
    await callerOf(agent, ANN).value('SendMessage', { tenant: 'theirs', message: say('hello') });
    const limited = callerOf(agent, { id: 'ann', tenants: ['mine'] });
    expect((await refusal(limited.list({ tenant: 'theirs' }))).reason).toBe('TASK_NOT_FOUND');
    expect((await refusal(limited.handle('SendMessage', { tenant: 'theirs', message: say('hello') }))).reason).toBe('TASK_NOT_FOUND');
    expect((await limited.list({ tenant: 'mine' })).totalSize).toBe(0);
  });
});
