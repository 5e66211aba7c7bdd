import { expect, test } from 'vitest';
import { bench, httpError, outcome, peerOf, type Step, scriptedSend } from '../../../test/client/scripted-send.js';
import { silentLogger } from '../../platform/logger.js';
import { A2AError } from '../../protocol/errors.js';
import type { ClientCall } from '../call.js';
import { fieldsOf, taskIdOf } from './call-fields.js';
import { logging } from './logging.js';
import { retry } from './retry.js';

const SECRETS: Partial<ClientCall> = {
  peer: peerOf('https://user:hunter2@agent.test/card?key=hunter2'),
  headers: { authorization: 'Bearer hunter2' },
  params: { message: { messageId: 'm', taskId: 't9', role: 'ROLE_USER', parts: [{ text: 'hunter2' }] } },
};

async function logged(steps: readonly Step[]) {
  const tools = bench();
  const peer = scriptedSend(tools.clock, steps);
  const send = tools.chain(peer, logging(tools), retry({ jitter: false }, tools));
  const result = outcome(send(tools.call('SendMessage', SECRETS)));
  await tools.clock.tick(60_000);
  return { lines: tools.lines, result };
}

const WHERE = { requestId: 'r1', agent: 'https://agent.test/card', method: 'SendMessage', taskId: 't9' };

test('D32: a successful call logs one debug line with ids, attempts and time', async () => {
  const { lines } = await logged([503, 'ok']);
  expect(lines).toEqual([
    {
      level: 'warn',
      fields: { ...WHERE, attempt: 1, reason: 'AGENT_UNAVAILABLE', delayMs: 1_000 },
      text: 'call failed; retrying',
    },
    { level: 'debug', fields: { ...WHERE, attempt: 2, ms: 1_000 }, text: 'call succeeded' },
  ]);
});

test('D32: a failed call logs a warning with the reason, and no line contains content or secrets', async () => {
  const error = new A2AError('INVALID_PARAMS', 'the peer quotes hunter2', { metadata: { token: 'hunter2' }, cause: new Error('hunter2') });
  const { lines, result } = await logged([httpError(503), error]);
  expect(lines.at(-1)).toEqual({
    level: 'warn',
    fields: { ...WHERE, attempt: 2, ms: 1_000, reason: 'INVALID_PARAMS' },
    text: 'call failed',
  });
  expect(JSON.stringify(lines)).not.toContain('hunter2');
  expect(result.error).toBe(error);
});

test('B21: the line of a failed or successful call contains ids and numbers and nothing else of the call', async () => {
  const quoted = new A2AError('INVALID_PARAMS', 'hunter2', { cause: new Error('hunter2') });
  for (const [steps, last] of [
    [[503, quoted], { ...WHERE, attempt: 2, ms: 1_000, reason: 'INVALID_PARAMS' }],
    [['ok'], { ...WHERE, attempt: 1, ms: 0 }],
  ] as const) {
    const { lines } = await logged(steps);
    expect(lines.at(-1)?.fields).toEqual(last);
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  }
});

test('without a logger no fields are built', () => {
  const { clock } = bench();
  const next = async () => ({ kind: 'value', value: {}, extensions: [] }) as const;
  expect(logging({ clock, logger: silentLogger })(next)).toBe(next);
});

test('D32: a stream is logged when it is open', async () => {
  expect((await logged(['stream'])).lines).toMatchObject([{ level: 'debug', text: 'stream opened' }]);
});

test('B21: the task of a call is named if it has one', () => {
  const { call } = bench();
  expect(taskIdOf(call('GetTask', { params: { id: 't1' } }))).toBe('t1');
  expect(taskIdOf(call('ListTaskPushNotificationConfigs', { params: { taskId: 't2' } }))).toBe('t2');
  expect(taskIdOf(call('GetTaskPushNotificationConfig', { params: { taskId: 't3', id: 'c1' } }))).toBe('t3');
  expect(taskIdOf(call('SendMessage'))).toBeUndefined();
  expect(taskIdOf(call('GetAgentCard'))).toBeUndefined();
  expect(taskIdOf(call('ListTasks', { params: {} }))).toBeUndefined();
});

test('B21: an extension method may have parameters of any type', () => {
  const { call } = bench();
  for (const params of [undefined, null, 5, 'x', ['y'], { message: 'x' }, { message: { taskId: 7 } }, { taskId: {} }]) {
    const raw = { ...call('GetTask'), method: 'Charge', params } as unknown as ClientCall;
    expect(taskIdOf(raw)).toBeUndefined();
    expect(fieldsOf(raw)).toMatchObject({ requestId: 'r1', method: 'Charge' });
  }
});
