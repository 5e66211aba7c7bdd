/** Requests that fast-check generates: valid ones, modified ones, and noise. */
import fc from 'fast-check';
import { METHODS, type MethodName, type MethodRow } from '../src/protocol/methods.js';
import type { WireRequest } from '../src/wire/http.js';

/** One request. `{{n}}` in it stands for the id of the n-th task that the test has seen. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

// Sends create the tasks that all other methods read, so they are more frequent.
const methods = [
  ...(Object.keys(METHODS) as MethodName[]),
  ...(['SendMessage', 'SendMessage', 'SendMessage', 'SendStreamingMessage', 'SendStreamingMessage', 'CancelTask', 'GetTask'] as const),
];
const rare = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { freq: 4, nil: undefined });
const rarely = <T>(usual: T, otherwise: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 24, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: otherwise });

const evilKey = fc.constantFrom('__proto__', 'constructor', 'toString', 'id', 'message', 'metadata', 'parts', 'task_id', '');
const json = fc.jsonValue({ maxDepth: 3 });
const object = fc.dictionary(fc.oneof(evilKey, fc.string({ maxLength: 5 })), json, { maxKeys: 3, noNullPrototype: true });
const taskId = fc.oneof(
  { weight: 4, arbitrary: fc.nat({ max: 9 }).map((n) => `{{${n}}}`) },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
);

/** The executor of the fuzzed agent does what the text names. */
const text = fc.oneof(fc.constantFrom('echo', 'ask', 'fail', 'reject', 'reply', 'stream', 'crash'), fc.string());
const part = fc.oneof(
  { weight: 6, arbitrary: fc.record({ text }) },
  { weight: 1, arbitrary: fc.record({ data: json }) },
  {
    weight: 1,
    arbitrary: fc.record({ url: fc.webUrl(), filename: fc.string(), mediaType: fc.constantFrom('text/plain', 'image/png', '') }),
  },
  { weight: 1, arbitrary: fc.record({ raw: fc.base64String() }) },
  { weight: 1, arbitrary: object },
);
const goodMessage = fc.record(
  {
    messageId: fc.uuid(),
    role: fc.constant('ROLE_USER'),
    parts: fc.array(fc.record({ text }), { minLength: 1, maxLength: 2 }),
    contextId: fc.constantFrom('c1', 'c2'),
    metadata: object,
  },
  { requiredKeys: ['messageId', 'role', 'parts'] },
);
const anyMessage = fc.record(
  {
    messageId: fc.oneof(fc.uuid(), fc.string()),
    role: fc.constantFrom('ROLE_USER', 'ROLE_USER', 'ROLE_AGENT', 1, 'user'),
    parts: fc.array(part, { maxLength: 3 }),
    taskId,
    contextId: fc.string({ maxLength: 3 }),
    metadata: object,
    referenceTaskIds: fc.array(taskId, { maxLength: 2 }),
  },
  { requiredKeys: ['messageId', 'role', 'parts'] },
);
const message = fc.oneof(
  { weight: 3, arbitrary: goodMessage as fc.Arbitrary<unknown> },
  { weight: 1, arbitrary: fc.tuple(goodMessage, taskId).map(([good, id]) => ({ ...good, contextId: undefined, taskId: id })) },
  { weight: 1, arbitrary: anyMessage },
);
const configuration = fc.record(
  { historyLength: fc.integer({ min: -1, max: 9 }), returnImmediately: fc.boolean(), acceptedOutputModes: fc.array(fc.string()) },
  { requiredKeys: [] },
);
const send = fc.record({ message, configuration, metadata: object, tenant: fc.constantFrom('', 't1') }, { requiredKeys: ['message'] });
const list = fc.record(
  {
    contextId: fc.constantFrom('c1', 'c2', ''),
    pageSize: fc.integer({ min: -1, max: 102 }),
    pageToken: rarely('', fc.string()),
    historyLength: fc.integer({ min: -1, max: 30 }),
    includeArtifacts: fc.boolean(),
    status: fc.constantFrom('TASK_STATE_COMPLETED', 'TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_FAILED', 'nope', 3),
    statusTimestampAfter: rarely('2025-01-01T00:00:00Z', fc.string()),
  },
  { requiredKeys: [] },
);
const byId = fc.record({ id: taskId, historyLength: fc.integer({ min: -1, max: 30 }), metadata: object }, { requiredKeys: ['id'] });
const config = fc.record({ taskId, id: fc.string(), url: fc.webUrl() });

function paramsOf(method: string): fc.Arbitrary<unknown> {
  if (method.startsWith('Send')) return send;
  if (method === 'ListTasks') return list;
  return method.includes('Push') ? config : byId;
}

/** Replaces or removes one member somewhere in `value`. */
function bend(value: unknown, turns: readonly number[], junk: unknown): unknown {
  const [turn = 0, ...rest] = turns;
  if (typeof value !== 'object' || value === null) return junk;
  const keys = Object.keys(value);
  const key = keys[turn % Math.max(1, keys.length)];
  if (key === undefined || turn % 7 === 0) return junk;
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? bend(item, rest, junk) : item));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, name === key ? bend(item, rest, junk) : item]));
}

const bent = (whole: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(whole, fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 5 }), fc.oneof(json, fc.constant(undefined)))
    .map(([value, turns, junk]) => bend(value, turns, junk));

const maybeBent = (whole: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 8, arbitrary: whole }, { weight: 2, arbitrary: bent(whole) }, { weight: 1, arbitrary: json });

const asText = (value: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 24, arbitrary: value.map((each) => JSON.stringify(each) ?? '') },
    { weight: 1, arbitrary: fc.string() },
    { weight: 1, arbitrary: fc.tuple(value, fc.nat({ max: 60 })).map(([each, cut]) => (JSON.stringify(each) ?? '').slice(0, cut)) },
    { weight: 1, arbitrary: fc.nat({ max: 300 }).map((depth) => `${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`) },
  );

const headers: fc.Arbitrary<Readonly<Record<string, string>>> = fc
  .record({
    'a2a-version': rarely<string | undefined>('1.0', fc.constantFrom('', '0.3', '1.1', 'x', undefined)),
    'content-type': rarely<string | undefined>('application/json', fc.constantFrom('text/plain', 'application/a2a+json', '', undefined)),
    accept: rare(fc.constantFrom('application/a2a+json', '*/*', 'text/event-stream', '')),
    'a2a-extensions': rare(fc.oneof(fc.constant('urn:parley:a2a:log:v1'), fc.string())),
    'last-event-id': rare(fc.oneof(fc.nat({ max: 9 }).map(String), fc.string())),
    'idempotency-key': rare(fc.string()),
    'x-request-id': rare(fc.string()),
    authorization: rare(fc.string()),
    origin: rare(fc.constantFrom('https://app.test', 'null', '')),
  })
  .map((all) => Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)));

const envelope = fc
  .oneof(
    { weight: 8, arbitrary: fc.constantFrom(...methods) as fc.Arbitrary<string> },
    { weight: 1, arbitrary: fc.oneof(evilKey, fc.string()) },
  )
  .chain((method) =>
    fc.record(
      {
        jsonrpc: rarely<unknown>('2.0', json),
        id: fc.oneof(fc.nat(), fc.string(), fc.constantFrom<unknown>(0, '', null)),
        method: fc.constant(method),
        params: maybeBent(paramsOf(method)),
      },
      { requiredKeys: ['jsonrpc', 'id', 'method'] },
    ),
  );

export const rpcRequest: fc.Arbitrary<FuzzRequest> = fc.record({
  method: fc.constant('POST'),
  path: fc.constantFrom('/', ''),
  query: rarely('', fc.constantFrom('A2A-Version=1.0', 'a=1&b', '%')),
  headers,
  body: asText(fc.oneof({ weight: 12, arbitrary: envelope as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: bent(envelope) })),
});

const segment = fc.oneof(
  { weight: 4, arbitrary: taskId.map((id) => (id.startsWith('{{') ? id : encodeURIComponent(safe(id)))) },
  { weight: 1, arbitrary: fc.constantFrom('%', '%ff', '..', '__proto__', 'tasks', 'a:cancel', '-', '.well-known') },
);
const routes = methods.flatMap((method) => (METHODS[method] as MethodRow).routes.map((route) => ({ method, ...route })));

const routed = fc.constantFrom(...routes).chain(({ method, verb, path, body }) =>
  fc
    .record({
      segments: fc.tuple(segment, segment),
      tenant: rarely(
        '',
        segment.map((one) => `/${one}`),
      ),
      tail: rarely('', fc.constantFrom('/', '/x', ':x')),
    })
    .chain(({ segments, tenant, tail }) => {
      let used = 0;
      const filled = path.replace(/\{\w+\}/g, () => segments[used++ % 2] ?? '');
      return fc.record({
        method: rarely<string>(verb, fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS')),
        path: fc.constant(`${tenant}${filled}${tail}`),
        query: body ? fc.constant('') : queryOf(paramsOf(method)),
        headers,
        body: body ? asText(maybeBent(paramsOf(method))) : fc.constant(''),
      });
    }),
);

const noise = fc.record({
  method: fc.constantFrom('GET', 'POST', 'DELETE', 'PATCH'),
  path: fc
    .array(
      fc.oneof(
        segment,
        fc.string().map((one) => encodeURIComponent(safe(one))),
      ),
      { maxLength: 4 },
    )
    .map((parts) => `/${parts.join('/')}`),
  query: fc.string(),
  headers,
  body: fc.string(),
});

export const restRequest: fc.Arbitrary<FuzzRequest> = fc
  .oneof({ weight: 10, arbitrary: routed }, { weight: 1, arbitrary: noise })
  // This route belongs to JSON-RPC.
  .filter(({ method, path }) => !(method === 'POST' && path === '/'));

function queryOf(params: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  return fc.tuple(params, rarely('', fc.string())).map(([given, more]) => {
    const pairs = Object.entries(given as object).map(
      ([name, value]) => `${name}=${encodeURIComponent(safe(typeof value === 'string' ? value : JSON.stringify(value)))}`,
    );
    return [...pairs, ...(more === '' ? [] : [more])].join('&');
  });
}

/** Lone surrogates cannot be percent-encoded. */
function safe(value: string): string {
  return value.replace(/\p{Surrogate}/gu, '?');
}

export function toWireRequest(request: FuzzRequest, known: readonly string[]): WireRequest & { readonly text: string } {
  const fill = (given: string): string =>
    given.replace(/\{\{(\d)\}\}/g, (_, n: string) => known[Number(n) % Math.max(1, known.length)] ?? 'none');
  const text = fill(request.body);
  return {
    method: request.method,
    path: fill(request.path),
    query: fill(request.query),
    origin: 'http://agent.test',
    host: {},
    header: (name) => request.headers[name],
    body: async () => text,
    text,
  };
}
