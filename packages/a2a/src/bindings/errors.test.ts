// Errors, which both bindings report in the same way.
import { expect, test } from 'vitest';
import { endpointsOf, fetchInProcess, userMessage } from '../../test/endpoints.js';
import { A2AError, ERRORS, type ErrorReason, isPeerReason } from '../protocol/errors.js';
import type { MethodName } from '../protocol/methods.js';
import type { SendMessageRequest } from '../protocol/types.js';
import { createAgent } from '../server/create-agent.js';
import type { AgentOptions } from '../server/options.js';

const anonymous = { name: 'Test', auth: 'none' } as const;
const silent = { ...anonymous, execute: () => undefined };
const [rpcOfEcho, restOfEcho] = endpointsOf(fetchInProcess(createAgent({ ...anonymous, execute: async (context) => context.text })));

const errorAbout = (reason: ErrorReason): A2AError =>
  new A2AError(reason, `about ${reason}`, { metadata: { hint: 'h' }, violations: [{ field: 'f', description: 'd' }] });

/** The message text names the reason: one agent for the whole table. */
const thrower = createAgent({
  ...anonymous,
  execute: async (context) => {
    throw errorAbout(context.text as ErrorReason);
  },
});

/** Throws before the executor runs: an executor cannot refuse a method or a version. */
const refuser = createAgent({
  ...silent,
  interceptors: [
    () => async (call) => {
      const { message } = call.params as SendMessageRequest; // this agent is sent messages only
      throw errorAbout(message.parts[0]?.text as ErrorReason);
    },
  ],
});

for (const reason of Object.keys(ERRORS).filter(isPeerReason)) {
  const [rpc, rest] = endpointsOf(fetchInProcess(refuser));
  const row = ERRORS[reason];
  const details = (requestId: string | null) => [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason,
      domain: row.domain,
      metadata: { hint: 'h', retryable: String(row.retryable), requestId },
    },
    { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field: 'f', description: 'd' }] },
  ];

  test(`P57: ${reason} is ${row.rpc} in JSON-RPC`, async () => {
    const { status, headers, error } = await rpc.call('SendMessage', userMessage(reason));
    expect(status).toBe(200);
    expect(error).toEqual({ code: row.rpc, message: `about ${reason}`, reason, details: details(headers.get('x-request-id')) });
  });

  test(`P57: ${reason} is ${row.http} ${row.grpc} in HTTP+JSON`, async () => {
    const { status, headers, error } = await rest.call('SendMessage', userMessage(reason));
    expect(status).toBe(row.http);
    expect(error).toEqual({
      code: row.http,
      status: row.grpc,
      message: `about ${reason}`,
      reason,
      details: details(headers.get('x-request-id')),
    });
  });
}

test.each(['ABORTED', 'INPUT_REQUIRED'])(
  'D28: %s is for clients only: an agent that lets it escape reports a failed downstream call',
  async (reason) => {
    for (const door of endpointsOf(fetchInProcess(thrower))) {
      const { error } = await door.call('SendMessage', userMessage(reason));
      expect(error).toMatchObject({ reason: 'INTERNAL_ERROR', message: "Downstream agent 'unknown' failed" });
    }
  },
);

test('P57: a retry hint is a detail and a header', async () => {
  const agent = createAgent({
    ...anonymous,
    execute: async () => {
      throw new A2AError('RATE_LIMITED', 'slow down', { retryAfterMs: 1_200 });
    },
  });
  for (const door of endpointsOf(fetchInProcess(agent))) {
    const { headers, error } = await door.call('SendMessage', userMessage('x'));
    expect(headers.get('retry-after')).toBe('2');
    expect(error?.details.at(-1)).toEqual({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1.2s' });
  }
});

const THROWN: Readonly<Record<string, unknown>> = {
  'an Error': new Error('cannot read /etc/x'),
  'a string': '/etc/x',
  'an object': { secret: '/etc/x', toString: () => '/etc/x' },
  nothing: undefined,
  'an error in disguise': Object.assign(new Error('/etc/x'), { reason: 'TASK_NOT_FOUND', code: -32001, httpStatus: 404, status: '/etc/x' }),
};

for (const [what, thrown] of Object.entries(THROWN)) {
  test(`B1, B20: an executor that throws ${what} is an internal error without its text`, async () => {
    const seen: unknown[] = [];
    const agent = createAgent({
      ...anonymous,
      execute: async () => {
        throw thrown;
      },
      onError: (error) => seen.push(error.cause),
    });
    const [rpc, rest] = endpointsOf(fetchInProcess(agent));
    const answers = [await rpc.call('SendMessage', userMessage('x')), await rest.call('SendMessage', userMessage('x'))];
    expect(answers.map(({ status, error }) => [status, error?.reason, error?.message])).toEqual([
      [200, 'INTERNAL_ERROR', answers[0]?.error?.message],
      [500, 'INTERNAL_ERROR', answers[0]?.error?.message],
    ]);
    for (const { text } of answers) expect(text).not.toMatch(/etc|node_modules|\.ts|at \w+ \(/);
    expect(seen).toEqual(thrown === undefined ? [expect.any(Error), expect.any(Error)] : [thrown, thrown]);
  });
}

test('B1: an interceptor and a context builder that throw are internal errors too, and reported', async () => {
  const fail = (): never => {
    throw new Error('/etc/x');
  };
  const broken: readonly Partial<AgentOptions>[] = [{ interceptors: [() => fail] }, { buildContext: fail }];
  for (const options of broken) {
    const seen: unknown[] = [];
    const agent = createAgent({ ...silent, ...options, onError: (error, where) => seen.push([error.reason, where.requestId]) });
    for (const door of endpointsOf(fetchInProcess(agent))) {
      const { error, text } = await door.call('SendMessage', userMessage('x'), { 'x-request-id': 'r1' });
      expect(error?.reason).toBe('INTERNAL_ERROR');
      expect(text).not.toContain('etc');
    }
    expect(seen).toEqual([
      ['INTERNAL_ERROR', 'r1'],
      ['INTERNAL_ERROR', 'r1'],
    ]);
  }
});

test('in tests, every message is checked against the strict output schema before it is sent', async () => {
  const seen: unknown[] = [];
  const answer = async () => ({ kind: 'value', extensions: [], json: '{"task":{"id":"t"},"bogus":1}' }) as const;
  const agent = createAgent({ ...silent, interceptors: [() => answer], onError: ({ cause }) => seen.push(String(cause)) });
  for (const door of endpointsOf(fetchInProcess(agent)))
    expect((await door.call('SendMessage', userMessage('x'))).error?.reason).toBe('INTERNAL_ERROR');
  expect(seen).toEqual([
    expect.stringContaining('Sent an invalid SendMessageResponse'),
    expect.stringContaining('Sent an invalid SendMessageResponse'),
  ]);
});

test('P57: an invalid member is named in a BadRequest detail', async () => {
  for (const door of [rpcOfEcho, restOfEcho]) {
    const { error } = await door.call('SendMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [] } });
    expect(error?.reason).toBe('INVALID_PARAMS');
    expect(error?.details.at(-1)?.fieldViolations).toEqual([{ field: 'message.parts', description: expect.any(String) }]);
  }
});

const PUSH_METHODS: readonly [MethodName, object][] = [
  ['CreateTaskPushNotificationConfig', { taskId: 't', url: 'https://hook.test' }],
  ['GetTaskPushNotificationConfig', { taskId: 't', id: 'c' }],
  ['ListTaskPushNotificationConfigs', { taskId: 't' }],
  ['DeleteTaskPushNotificationConfig', { taskId: 't', id: 'c' }],
];
const GATES: readonly [string, Partial<AgentOptions>, MethodName, object, ErrorReason][] = [
  ['streaming off', { streaming: false }, 'SendStreamingMessage', userMessage('x'), 'UNSUPPORTED_OPERATION'],
  ['streaming off', { streaming: false }, 'SubscribeToTask', { id: 't' }, 'UNSUPPORTED_OPERATION'],
  ...PUSH_METHODS.map(([method, params]): (typeof GATES)[number] => ['push off', {}, method, params, 'PUSH_NOTIFICATION_NOT_SUPPORTED']),
  ['extended card off', {}, 'GetExtendedAgentCard', {}, 'UNSUPPORTED_OPERATION'],
  [
    'extended card on but absent',
    { extendedCard: () => undefined, auth: () => ({ id: 'me' }) },
    'GetExtendedAgentCard',
    {},
    'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
  ],
];

for (const [state, options, method, params, reason] of GATES) {
  test(`P48: ${state}: ${method} is ${reason} in both bindings`, async () => {
    const [rpc, rest] = endpointsOf(fetchInProcess(createAgent({ ...silent, ...options })));
    const fromRpc = await rpc.call(method, params);
    const fromRest = await rest.call(method, params);
    expect([fromRpc.status, fromRpc.error?.code, fromRpc.error?.reason]).toEqual([200, ERRORS[reason].rpc, reason]);
    expect([fromRest.status, fromRest.error?.status, fromRest.error?.reason]).toEqual([ERRORS[reason].http, ERRORS[reason].grpc, reason]);
  });
}
