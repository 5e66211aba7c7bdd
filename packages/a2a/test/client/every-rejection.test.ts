/** Whatever the peer does, a caller only ever catches an A2AError. */
import { expect, test } from 'vitest';
import type { CallOptions } from '../../src/client/call-options.js';
import type { Client } from '../../src/client/client.js';
import { createClient } from '../../src/client/create-client.js';
import type { Reply } from '../../src/client/run/update.js';
import type { Clock } from '../../src/protocol/clock.js';
import { A2AError } from '../../src/protocol/errors.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { seededRandom } from '../../src/testing/seeded-random.js';
import { at, cardWith, taskWith } from './scripted-agent.js';
import { serve } from './served-agent.js';

type Random = () => number;

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const bytes = (random: Random): Uint8Array<ArrayBuffer> => Uint8Array.from({ length: Math.floor(random() * 64) }, () => random() * 256);

const STATUSES = [
  200, 200, 200, 201, 204, 206, 301, 302, 304, 307, 400, 401, 403, 404, 405, 408, 409, 413, 415, 418, 422, 429, 451, 499, 500, 501, 502,
  503, 504, 599,
];
const TYPES = [
  'application/json',
  'application/json',
  'application/a2a+json',
  'text/event-stream',
  'text/html',
  'image/png',
  '',
  'nonsense;;',
  'application/problem+json',
];
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  '',
  [],
  {},
  [null],
  { error: null },
  { error: 'no' },
  { error: { code: 'x' } },
  { error: { code: -32001, message: 'gone', data: { detail: 7 } } },
  { jsonrpc: '2.0', id: 1, result: null },
  { jsonrpc: '2.0', id: 1, result: { task: {} } },
  { jsonrpc: '2.0', id: 1, result: { task: taskWith() } },
  { jsonrpc: '1.0' },
  { jsonrpc: '2.0', id: 1, error: { code: -32004, message: 'no' } },
  { task: taskWith() },
  { task: { ...taskWith(), status: 7 } },
  { tasks: [{}], nextPageToken: 7 },
  { tasks: 'all' },
  { message: { parts: [] } },
  cardWith(),
  { ...cardWith(), supportedInterfaces: [{}] },
  { __proto__: null, constructor: 1 },
];
const HEADERS = {
  'retry-after': ['1', '-1', 'soon', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  location: ['/', 'http://elsewhere.test/', ':::', ''],
  'www-authenticate': ['Bearer', '""'],
  'cache-control': ['max-age=x', 'no-store'],
};
const THROWN: readonly unknown[] = [
  new TypeError('fetch failed'),
  new Error('odd'),
  undefined,
  null,
  0,
  '',
  'text',
  {},
  [],
  Symbol('odd'),
  new DOMException('aborted', 'AbortError'),
  new DOMException('late', 'TimeoutError'),
  Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } }),
  Object.freeze({ message: 7 }),
  new Proxy(
    {},
    {
      get() {
        throw new Error('trap');
      },
    },
  ),
];

function body(random: Random): ConstructorParameters<typeof Response>[0] {
  const kind = random();
  if (kind < 0.3) return bytes(random);
  const json = JSON.stringify(pick(random, VALUES));
  if (kind < 0.6) return json;
  if (kind < 0.75) return json.slice(0, Math.floor(random() * json.length));
  const frames = Array.from(
    { length: 1 + Math.floor(random() * 3) },
    () =>
      `${pick(random, ['data', 'data', 'event', 'id', 'retry', ''])}: ${JSON.stringify(pick(random, VALUES))}\n${pick(random, ['\n', '', '\r\n\r\n'])}`,
  );
  if (kind < 0.9) return frames.join('');
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(frames[0]));
      controller.error(pick(random, THROWN));
    },
  });
}

function oddFetch(random: Random): typeof fetch {
  return async (input) => {
    if (random() < 0.2) throw pick(random, THROWN);
    if (String(input).includes('.well-known') && random() < 0.6)
      return Response.json(cardWith({ capabilities: { streaming: random() < 0.5, extendedAgentCard: random() < 0.5 } }));
    const status = pick(random, STATUSES);
    const headers = new Headers();
    const type = pick(random, TYPES);
    if (type !== '') headers.set('content-type', type);
    for (const [name, values] of Object.entries(HEADERS)) if (random() < 0.2) headers.set(name, pick(random, values));
    const isEmpty = status === 204 || status === 304;
    return new Response(isEmpty ? null : body(random), { status, headers });
  };
}

async function drain(items: AsyncIterable<unknown>): Promise<void> {
  let count = 0;
  for await (const _ of items) if (++count > 20) return;
}

const VERBS: readonly [string, (client: Client) => Promise<unknown>][] = [
  ['card', (client) => client.card()],
  ['ping', (client) => client.ping()],
  ['send', (client) => client.send('hi')],
  ['call', (client) => client.call('x/y', { a: 1 })],
  ['tasks', (client) => drain(client.tasks())],
  ['sendMessage', (client) => client.sendMessage({ message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] } })],
  [
    'sendStreamingMessage',
    (client) => drain(client.sendStreamingMessage({ message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] } })),
  ],
  ['subscribeToTask', (client) => drain(client.subscribeToTask({ id: 't' }))],
  ['getTask', (client) => client.getTask({ id: 't' })],
  ['listTasks', (client) => client.listTasks({})],
  ['cancelTask', (client) => client.cancelTask({ id: 't' })],
  ['createTaskPushNotificationConfig', (client) => client.createTaskPushNotificationConfig({ taskId: 't', url: 'http://hook.test' })],
  ['getTaskPushNotificationConfig', (client) => client.getTaskPushNotificationConfig({ taskId: 't', id: 'p' })],
  ['listTaskPushNotificationConfigs', (client) => client.listTaskPushNotificationConfigs({ taskId: 't' })],
  ['deleteTaskPushNotificationConfig', (client) => client.deleteTaskPushNotificationConfig({ taskId: 't', id: 'p' })],
  ['getExtendedAgentCard', (client) => client.getExtendedAgentCard({})],
  ['close', (client) => client.close()],
];

test.each(VERBS)('G46: whatever fetch returns or throws, %s resolves or rejects with an A2AError', async (name, verb) => {
  const random = seededRandom(name.length * 7919);
  let rejections = 0;
  for (let round = 0; round < 40; round += 1) {
    const clock = manualClock();
    const card = cardWith({
      supportedInterfaces: [pick(random, [at('JSONRPC', 'http://agent.test/'), at('HTTP+JSON', 'http://agent.test/')])],
      capabilities: { streaming: true },
    });
    const client = createClient(random() < 0.5 ? card : 'http://agent.test', {
      fetch: oddFetch(random),
      clock,
      retry: false,
      maxResponseBytes: 4096,
      credentials: { get: () => (random() < 0.1 ? Promise.reject(pick(random, THROWN)) : { headers: { authorization: 'Bearer x' } }) },
    });
    const outcome = await verb(client).then(
      () => undefined,
      (thrown: unknown) => ({ thrown }),
    );
    if (outcome === undefined) continue;
    rejections += 1;
    expect(outcome.thrown, `round ${round}`).toBeInstanceOf(A2AError);
    expect(clock.pending, `round ${round}`).toBe(0);
  }
  // Without rejections the test would prove nothing.
  if (name !== 'close') expect(rejections).toBeGreaterThan(10);
});

/** Timers fire after 5 real ms, and the clock jumps by their delay. */
function hurriedClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    after(delayMs, callback) {
      const timer = setTimeout(() => {
        now += delayMs;
        callback();
      }, 5);
      return () => clearTimeout(timer);
    },
    soon: (callback) => void setImmediate(callback),
  };
}

test.each([
  ['run', (client: Client) => client.run('hi', { mode: 'auto' })],
  ['run by polling', (client: Client) => client.run('hi', { mode: 'poll' })],
  ['watch', (client: Client) => client.watch('t-1')],
])('G46: whatever fetch returns or throws, %s ends with a Reply or an A2AError', async (name, start) => {
  const random = seededRandom(name.length * 104_729);
  let rejections = 0;
  const rounds = Array.from({ length: 40 }, async (_, round) => {
    const card = cardWith({ capabilities: { streaming: round % 2 === 0 } });
    const client = createClient(card, {
      fetch: oddFetch(random),
      clock: hurriedClock(),
      retry: false,
      breaker: false,
      pollingIntervalMs: 1,
    });
    const run = start(client);
    const [result, loop] = await Promise.allSettled([run.result, drain(run)]);
    for (const outcome of [result, loop]) {
      if (outcome.status === 'fulfilled') continue;
      rejections += 1;
      expect(outcome.reason, `round ${round}`).toBeInstanceOf(A2AError);
    }
  });
  await Promise.all(rounds);
  expect(rejections).toBeGreaterThan(10);
});

test('G46: a value thrown by a function of the caller becomes an A2AError too', async () => {
  for (const thrown of THROWN) {
    const fail = () => {
      throw thrown;
    };
    const options = { fetch: async () => Response.json({ jsonrpc: '2.0', id: 1, result: taskWith() }), retry: false } as const;
    for (const odd of [{ verifyCard: fail }, { headers: fail }, { interceptors: [() => fail] }, { credentials: { get: fail } }]) {
      const error = await createClient(cardWith(), { ...options, ...odd })
        .getTask({ id: 't' })
        .catch((caught) => caught);
      expect(error).toBeInstanceOf(A2AError);
    }
    for (const harmless of [{ trace: fail, onError: fail }]) {
      expect((await createClient(cardWith(), { ...options, ...harmless }).getTask({ id: 't' })).id).toBe('t-1');
    }
  }
});

test('G46: when onExtensions or newId throw, the call returns its answer or rejects with an A2AError', async () => {
  const fail = () => {
    throw new Error('mine');
  };
  const { options } = serve();
  const told: A2AError[] = [];
  const onError = (error: A2AError): void => void told.push(error);
  const verbs: readonly ((client: Client, more: CallOptions) => Promise<Reply>)[] = [
    (client, more) => client.send('hi', more),
    (client, more) => client.run('hi', more).result,
  ];
  for (const verb of verbs) {
    expect((await verb(createClient('http://test', { ...options, onError }), { onExtensions: fail })).text).toBe('hi');
    expect(told.splice(0).length).toBeGreaterThan(0);
    await expect(verb(createClient('http://test', { ...options, newId: fail }), {})).rejects.toMatchObject({
      name: 'A2AError',
      reason: 'INVALID_REQUEST',
      message: 'The function newId in the options failed',
    });
  }
});
