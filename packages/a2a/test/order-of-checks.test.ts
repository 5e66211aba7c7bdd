import { describe, expect, test } from 'vitest';
import type { MethodName } from '../src/protocol/methods.js';
import { createAgent } from '../src/server/index.js';
import { scriptedExecutor } from '../src/testing/index.js';
import { callerOf, say } from './harness.js';
import { refusal, told } from './looking.js';

const EXTENSION = 'urn:test:must-have';
const IMAGE = { mediaType: 'image/png', raw: 'AAAA' };

describe('D26: the order of checks', () => {
  test('D26: of many faults the first in order is reported: extensions, capability, part types, task, context, state', async () => {
    const executor = scriptedExecutor([{ do: 'call', run: (_, events) => events.status('TASK_STATE_INPUT_REQUIRED') }], {
      turns: [[{ do: 'complete' }]],
    });
    const agent = createAgent({
      name: 'Gate',
      streaming: false,
      extensions: [{ uri: EXTENSION, required: true }],
      defaultInputModes: ['text/plain'],
      executor,
    });
    const caller = callerOf(agent, { id: 'ann', tenants: ['', 'mine'] });
    const extensions = [EXTENSION];
    const { task } = await caller.send('go', undefined, { extensions });
    const taskId = task?.id ?? '';
    const push = { taskPushNotificationConfig: { url: 'https://example.com/hook' } };
    const all = { tenant: 'theirs', message: say([IMAGE], { taskId: 'unknown', contextId: 'wrong' }), configuration: push };

    const steps = [
      [caller.handle('SendStreamingMessage', all), 'EXTENSION_SUPPORT_REQUIRED'],
      [caller.handle('SendStreamingMessage', all, { extensions }), 'UNSUPPORTED_OPERATION'],
      [caller.handle('SendMessage', all, { extensions }), 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
      [caller.handle('SendMessage', { ...all, configuration: {} }, { extensions }), 'CONTENT_TYPE_NOT_SUPPORTED'],
      [
        caller.handle('SendMessage', { tenant: 'theirs', message: say('x', { taskId, contextId: 'wrong' }) }, { extensions }),
        'TASK_NOT_FOUND',
      ],
      [
        caller.handle('SendMessage', { tenant: 'mine', message: say('x', { taskId, contextId: 'wrong' }) }, { extensions }),
        'TASK_NOT_FOUND',
      ],
      [caller.handle('SendMessage', { message: say('x', { taskId, contextId: 'wrong' }) }, { extensions }), 'INVALID_PARAMS'],
    ] as const;
    for (const [call, reason] of steps) expect((await refusal(call)).reason).toBe(reason);
    expect(executor.runs, 'execute was not called').toHaveLength(1);
    await caller.send(say('x', { taskId }), undefined, { extensions });
    expect((await refusal(caller.send(say('y', { taskId }), undefined, { extensions }))).reason).toBe('UNSUPPORTED_OPERATION');
  });

  test('D26: capability is checked before the task: a disabled method does not reveal whether a task exists', async () => {
    const agent = createAgent({ name: 'Gate', streaming: false, execute: () => 'x' });
    const caller = callerOf(agent);
    const { id } = await caller.task('go');
    const gated: readonly [MethodName, object][] = [
      ['SubscribeToTask', { id }],
      ['GetTaskPushNotificationConfig', { taskId: id, id: 'c' }],
      ['ListTaskPushNotificationConfigs', { taskId: id }],
      ['DeleteTaskPushNotificationConfig', { taskId: id, id: 'c' }],
      ['CreateTaskPushNotificationConfig', { taskId: id, url: 'https://example.com/hook' }],
    ];
    for (const [method, params] of gated) {
      const [known, unknown] = [params, JSON.parse(JSON.stringify(params).replaceAll(id, 'unknown'))];
      expect(told(await refusal(caller.handle(method, known as never)))).toBe(told(await refusal(caller.handle(method, unknown))));
    }
  });

  test('D26: the extended card requires no extension, because callers learn from it which ones there are', async () => {
    const card = createAgent({ name: 'Gate', execute: () => 'x' }).cardAt({ url: 'http://localhost', bindings: ['JSONRPC'] });
    const agent = createAgent({
      name: 'Gate',
      extensions: [{ uri: EXTENSION, required: true }],
      extendedCard: () => card,
      execute: () => 'x',
    });
    expect(await callerOf(agent, { id: 'ann' }).value('GetExtendedAgentCard', {})).toEqual(card);
  });

  test('D26: the active extensions are those both requested and declared, and the reply lists them', async () => {
    const agent = createAgent({ name: 'Gate', extensions: [{ uri: EXTENSION }], execute: () => 'x' });
    const reply = await callerOf(agent).handle('SendMessage', { message: say('x') }, { extensions: ['urn:test:unknown', EXTENSION] });
    expect(reply.extensions).toEqual([EXTENSION]);
  });
});

describe('D26: part media types', () => {
  const skill = { id: 's', name: 's', description: 's', tags: ['t'] };

  test.each([
    ['the same type is accepted', ['text/plain'], 'text/plain', true],
    ['the same type in upper case is accepted', ['text/plain'], 'Text/PLAIN', true],
    ['the same type with parameters is accepted', ['text/plain'], 'text/plain; charset=utf-8', true],
    ['a mode with parameters accepts its type', ['text/plain;charset=utf-8'], 'text/plain', true],
    ['another type is refused', ['text/plain'], 'text/html', false],
    ['a type with the same prefix is refused', ['text/plain'], 'text/plainer', false],
    ['a subtype of a wildcard is accepted', ['image/*'], 'image/png', true],
    ['another type than the wildcard is refused', ['image/*'], 'audio/png', false],
    ['a type with the prefix of a wildcard is refused', ['image/*'], 'imagery/png', false],
    ['*/* accepts every type', ['*/*'], 'x/y', true],
    ['* accepts every type', ['*'], 'x/y', true],
    ['one of several modes is accepted', ['text/plain', 'application/json'], 'application/json', true],
  ] as const)('D26: %s', async (_name, modes, mediaType, taken) => {
    const caller = callerOf(createAgent({ name: 'Gate', defaultInputModes: modes, execute: () => 'x' }));
    const sent = caller.send(say([{ text: 'x', mediaType }]));
    if (taken) expect((await sent).task?.status.state).toBe('TASK_STATE_COMPLETED');
    else expect(await refusal(sent)).toMatchObject({ reason: 'CONTENT_TYPE_NOT_SUPPORTED', code: -32005 });
  });

  test('D26: the input modes of a skill are accepted as well', async () => {
    const caller = callerOf(
      createAgent({ name: 'Gate', defaultInputModes: ['text/plain'], skills: [{ ...skill, inputModes: ['image/*'] }], execute: () => 'x' }),
    );
    expect((await caller.task(say([IMAGE]))).status.state).toBe('TASK_STATE_COMPLETED');
    expect(await refusal(caller.send(say([{ ...IMAGE, mediaType: 'audio/ogg' }])))).toMatchObject({ code: -32005 });
  });

  test('D26: a part without a type is accepted; the error names the part at fault, at any position', async () => {
    const caller = callerOf(createAgent({ name: 'Gate', defaultInputModes: ['text/plain'], execute: () => 'x' }));
    expect((await caller.task(say([{ raw: 'AAAA' }, { data: { a: 1 } }, { url: 'https://example.com/x.png' }]))).status.state).toBe(
      'TASK_STATE_COMPLETED',
    );
    for (const method of ['SendMessage', 'SendStreamingMessage'] as const) {
      const error = await refusal(caller.handle(method, { message: say([{ text: 'x' }, IMAGE]) }));
      expect(error).toMatchObject({ reason: 'CONTENT_TYPE_NOT_SUPPORTED', violations: [{ field: 'message.parts[1].mediaType' }] });
    }
  });
});
