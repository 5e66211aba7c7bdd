import { describe, expect, test } from 'vitest';
import type { MethodName, RequestOf } from '../src/protocol/methods.js';
import type { AgentCard } from '../src/protocol/types.js';
import { type AgentOptions, createAgent, memoryStore, type TaskStore } from '../src/server/index.js';
import { callerOf, say } from './harness.js';
import { quiet, refusal } from './looking.js';

const AT = { url: 'http://localhost:4000', bindings: ['JSONRPC'] };
const create = (options: Partial<AgentOptions> = {}) => createAgent({ name: 'Gated', execute: () => 'x', ...options });
const CARD = create().cardAt(AT);

const STREAMING: readonly [MethodName, (id: string) => object][] = [
  ['SendStreamingMessage', () => ({ message: say('go') })],
  ['SubscribeToTask', (id) => ({ id })],
];
const PUSH: readonly [MethodName, (id: string) => object][] = [
  ['CreateTaskPushNotificationConfig', (taskId) => ({ taskId, url: 'https://example.com/hook' })],
  ['GetTaskPushNotificationConfig', (taskId) => ({ taskId, id: 'c' })],
  ['ListTaskPushNotificationConfigs', (taskId) => ({ taskId })],
  ['DeleteTaskPushNotificationConfig', (taskId) => ({ taskId, id: 'c' })],
];

const ask = (options: Partial<AgentOptions>, method: MethodName, params: object, id = 'ann') =>
  refusal(callerOf(create(options), { id }).handle(method, params as RequestOf<MethodName>));

describe('P48: a disabled capability refuses the methods that depend on it', () => {
  test.each(STREAMING)('P48: streaming off: %s is UnsupportedOperation for every task', async (method, params) => {
    for (const options of [{ streaming: false }, { capabilities: { streaming: false } }]) {
      expect(await ask(options, method, params('unknown'))).toMatchObject({ reason: 'UNSUPPORTED_OPERATION', code: -32004 });
    }
  });

  test.each(STREAMING)('P48: streaming on: %s is served', async (method, params) => {
    const caller = callerOf(
      create({
        executor: {
          async execute(_context, events) {
            await events.working();
            await events.flush();
            await quiet();
            await events.complete();
          },
        },
      }),
    );
    const { id } = await caller.task('go', { returnImmediately: true });
    const reader = await caller.open(method as 'SubscribeToTask', params(id) as RequestOf<'SubscribeToTask'>);
    await reader.all();
    expect(reader.states.at(-1)).toBe('COMPLETED');
  });

  test.each(PUSH)('P48: push off: %s is PushNotificationNotSupported, also for an unknown task', async (method, params) => {
    expect(await ask({}, method, params('unknown'))).toMatchObject({ reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED', code: -32003 });
  });

  test.each(['SendMessage', 'SendStreamingMessage'] as const)(
    'P48: push off: a config inside %s is refused, not ignored',
    async (method) => {
      const params = { message: say('go'), configuration: { taskPushNotificationConfig: { url: 'https://example.com/hook' } } };
      expect(await ask({}, method, params)).toMatchObject({ reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED', code: -32003 });
    },
  );

  test('P48: extended card: off is UnsupportedOperation, on but absent is ExtendedAgentCardNotConfigured, for an anonymous caller is AuthRequired', async () => {
    expect(await ask({}, 'GetExtendedAgentCard', {})).toMatchObject({ reason: 'UNSUPPORTED_OPERATION', code: -32004 });
    expect(await ask({ extendedCard: () => CARD, capabilities: { extendedAgentCard: false } }, 'GetExtendedAgentCard', {})).toMatchObject({
      code: -32004,
    });
    expect(await ask({ extendedCard: () => undefined }, 'GetExtendedAgentCard', {})).toMatchObject({
      reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
      code: -32007,
    });
    expect(await ask({ extendedCard: () => CARD }, 'GetExtendedAgentCard', {}, '')).toMatchObject({
      reason: 'AUTH_REQUIRED',
      code: -31001,
    });
  });

  test('P48: extended card on: each caller gets a card of its own', async () => {
    const agent = create({ extendedCard: async ({ id }) => ({ ...CARD, name: `for ${id}` }) });
    expect((await callerOf(agent, { id: 'ann' }).value('GetExtendedAgentCard', {})).name).toBe('for ann');
  });

  test.each([
    ['streaming', {}, { streaming: false }],
    ['extendedAgentCard', { extendedCard: () => CARD }, {}],
  ] as const)('P48: the card declares the capability as the check enforces it, for %s', (capability, on, off) => {
    const flag = (options: Partial<AgentOptions>) => create(options).cardAt(AT).capabilities[capability];
    expect([flag(on), flag(off)]).toEqual([true, false]);
  });
});

describe('D5: the additional features are declared as an extension', () => {
  const URI = 'urn:parley:a2a:log:v1';
  const declared = ({ capabilities }: AgentCard) => capabilities.extensions?.filter(({ uri }) => uri === URI);

  test('D5: the card lists it once, not required, with the features that work: resume by id, and its retention', () => {
    const card = (store: TaskStore) => declared(create({ store }).cardAt(AT));
    const entry = { uri: URI, description: expect.any(String), required: false };
    const params = { lastEventId: true, idempotencyKey: true, maxBodyBytes: 4 * 1024 * 1024 };
    expect(card(memoryStore())).toEqual([{ ...entry, params }]);
    expect(card({ ...memoryStore(), replayHours: 48 })).toEqual([{ ...entry, params: { ...params, replayHours: 48 } }]);
  });

  test('D5: a feature that does not work is not declared: without streams there is no resume', async () => {
    for (const options of [{ streaming: false }, { capabilities: { streaming: false } }]) {
      expect(declared(create(options).cardAt(AT))).toMatchObject([{ params: { idempotencyKey: true } }]);
      expect(JSON.stringify(create(options).cardAt(AT))).not.toContain('lastEventId');
    }
  });

  test('D5: it is listed next to the extensions of the user, and the user cannot declare it again', () => {
    const own = { uri: 'urn:test:own', required: true };
    const { extensions } = create({ extensions: [own] }).cardAt(AT).capabilities;
    expect(extensions?.map(({ uri }) => uri)).toEqual(['urn:test:own', URI]);
    expect(() => create({ extensions: [{ uri: URI }] })).toThrow('declared twice');
  });

  test('D5: a client can activate it but does not have to', async () => {
    const caller = callerOf(create());
    expect((await caller.handle('SendMessage', { message: say('go') }, { extensions: [URI] })).extensions).toEqual([URI]);
    expect((await caller.handle('SendMessage', { message: say('go') })).extensions).toEqual([]);
  });
});
