// Generated requests for each binding: every answer is well formed, and the tasks stay right. `npm run generated` sends ten thousand.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHandler } from '../src/bindings/route.js';
import { ERRORS, type ErrorReason } from '../src/protocol/errors.js';
import { isTerminal } from '../src/protocol/task-state.js';
import type { Task } from '../src/protocol/types.js';
import type { Agent } from '../src/server/agent.js';
import { createAgent } from '../src/server/create-agent.js';
import type { WireHandler, WireReply, WireStream } from '../src/wire/http.js';
import { type FuzzRequest, restRequest, rpcRequest, toWireRequest } from './fuzz-requests.js';
import { generatedCases } from './generated-cases.js';

const ALL_RUNS = 1_000;
const RUNS = generatedCases(ALL_RUNS);
const REQUESTS_PER_RUN = 10;

interface Detail {
  readonly '@type': string;
  readonly reason: ErrorReason;
  readonly domain: string;
  readonly metadata: Readonly<Record<string, string>>;
}

interface World {
  readonly agent: Agent;
  readonly handler: WireHandler;
  /** Ids of the tasks seen so far. */
  readonly known: string[];
  /** Final tasks as first seen. They must never change. */
  readonly final: Map<string, string>;
  /** Unexpected errors that the agent reported to `onError`. */
  readonly reports: { readonly cause: unknown }[];
  /** How often each error reason or result was returned. */
  readonly answers: Map<string, number>;
}

/** The generated requests must cause each of these in both bindings; otherwise they test too little. A tenth of them may miss a rare one. */
const EXPECTED_ANSWERS: readonly string[] = [
  'result',
  'stream',
  'INTERNAL_ERROR',
  'INVALID_PARAMS',
  'INVALID_REQUEST',
  'METHOD_NOT_FOUND',
  'PARSE_ERROR',
  'CONTENT_TYPE_NOT_SUPPORTED',
  'PUSH_NOTIFICATION_NOT_SUPPORTED',
  'TASK_NOT_CANCELABLE',
  'TASK_NOT_FOUND',
  'UNSUPPORTED_OPERATION',
  'VERSION_NOT_SUPPORTED',
];

const CRASH = new Error('secret /etc/passwd');

function createWorld(answers: Map<string, number>): World {
  const reports: { readonly cause: unknown }[] = [];
  const agent = createAgent({
    name: 'Fuzz',
    auth: 'none',
    onError: ({ cause }) => reports.push({ cause }),
    executor: {
      async execute(context, events) {
        const text = context.text.trim();
        if (text === 'crash') throw CRASH;
        if (text === 'reply' && context.currentTask === undefined) return events.reply('hello');
        if (text === 'fail') return events.fail('failed');
        if (text === 'reject') return events.reject('rejected');
        if (text === 'ask') return events.complete(await context.requireInput('What?'));
        if (text === 'stream') for (const word of ['a', 'b', 'c']) await events.appendText('answer', word);
        await events.complete(text);
      },
    },
  });
  return { agent, handler: createHandler(agent, { anonymousList: 'all' }), known: [], final: new Map(), reports, answers };
}

test(
  'D21, B1, B20: generated requests over JSON-RPC get well-formed answers and leave the tasks right',
  () => fuzz(rpcRequest, checkRpc),
  120_000,
);
test(
  'D21, B1, B20: generated requests over HTTP+JSON get well-formed answers and leave the tasks right',
  () => fuzz(restRequest, checkRest),
  120_000,
);

type Check = (world: World, request: ReturnType<typeof toWireRequest>, reply: WireReply) => Promise<void>;

async function fuzz(requests: fc.Arbitrary<FuzzRequest>, check: Check): Promise<void> {
  let sent = 0;
  const answers = new Map<string, number>();
  const run = fc.array(requests, { minLength: REQUESTS_PER_RUN, maxLength: REQUESTS_PER_RUN });
  const property = fc.asyncProperty(run, async (list) => {
    const world = createWorld(answers);
    for (const text of ['echo', 'ask']) await seed(world, text);
    for (const each of list) {
      const request = toWireRequest(each, world.known);
      const reply = await world.handler(request);
      expect(Number.isInteger(reply.status) && reply.headers['x-request-id'] !== undefined).toBe(true);
      await check(world, request, reply);
      sent++;
    }
    await checkState(world);
    await world.agent.close({ drainMs: 0 });
  });
  await fc.assert(property, { numRuns: RUNS });
  expect(sent).toBeGreaterThanOrEqual(RUNS * REQUESTS_PER_RUN);
  if (RUNS === ALL_RUNS) expect(EXPECTED_ANSWERS.filter((answer) => !answers.has(answer))).toEqual([]);
  expect((answers.get('result') ?? 0) + (answers.get('stream') ?? 0)).toBeGreaterThan(sent / 10);
}

/** Creates a first task. */
async function seed(world: World, text: string): Promise<void> {
  const body = JSON.stringify({ message: { messageId: text, role: 'ROLE_USER', parts: [{ text }] } });
  const reply = await world.handler(toWireRequest({ ...plain('POST', '/message:send'), body }, []));
  learn(world, JSON.parse(String(reply.body)));
}

async function checkRpc(world: World, request: ReturnType<typeof toWireRequest>, reply: WireReply): Promise<void> {
  expect([200, 400, 415]).toContain(reply.status);
  const id = idOf(request.text);
  if (reply.body instanceof Uint8Array) throw new Error('a response of the protocol must not be bytes');
  if (typeof reply.body !== 'string') {
    count(world, 'stream');
    for (const body of await readStream(reply, reply.body)) checkRpcBody(world, body, id);
    return;
  }
  expect(reply.headers['content-type']).toBe('application/json');
  checkRpcBody(world, reply.body, reply.status === 200 ? id : null);
}

function checkRpcBody(world: World, text: string, id: unknown): void {
  const body = JSON.parse(text);
  expect(body.jsonrpc).toBe('2.0');
  expect(body.id).toBe(id);
  if ('result' in body) {
    expect(Object.keys(body)).toEqual(['jsonrpc', 'id', 'result']);
    count(world, 'result');
    learn(world, body.result);
    return;
  }
  expect(Object.keys(body)).toEqual(['jsonrpc', 'id', 'error']);
  const { code, message, data } = body.error;
  if (!Array.isArray(data)) {
    // A request without a version is of 0.3, whose errors have one object as data.
    expect([typeof message, ERRORS[(data as Detail).reason].rpc]).toEqual(['string', code]);
    return;
  }
  checkDetails(world, message, data);
  expect(ERRORS[(data as Detail[])[0]?.reason ?? 'INTERNAL_ERROR'].rpc).toBe(code);
  expect(text).not.toMatch(/etc\/passwd|at \w+ \(|\/src\//);
}

async function checkRest(world: World, request: ReturnType<typeof toWireRequest>, reply: WireReply): Promise<void> {
  if (reply.body instanceof Uint8Array) throw new Error('a response of the protocol must not be bytes');
  if (typeof reply.body !== 'string') {
    count(world, 'stream');
    for (const body of await readStream(reply, reply.body)) checkRestBody(world, body, 200);
    return;
  }
  if (request.path === '/.well-known/agent-card.json' || request.path.startsWith('/-/')) return;
  expect(reply.headers['content-type']).toMatch(/^application\/(a2a\+)?json$/);
  checkRestBody(world, reply.body, reply.status);
}

function checkRestBody(world: World, text: string, httpStatus: number): void {
  const body = JSON.parse(text);
  if (httpStatus === 200 && !('error' in body)) {
    count(world, 'result');
    learn(world, body);
    return;
  }
  const { code, status, message, details } = body.error;
  checkDetails(world, message, details);
  const row = ERRORS[(details as Detail[])[0]?.reason ?? 'INTERNAL_ERROR'];
  expect(status).toBe(row.grpc);
  if (httpStatus !== 200) expect(code).toBe(httpStatus);
  if (httpStatus !== 405 && httpStatus !== 200) expect(code).toBe(row.http);
  expect(text).not.toMatch(/etc\/passwd|at \w+ \(|\/src\//);
}

function checkDetails(world: World, message: unknown, details: readonly Detail[]): void {
  expect(typeof message).toBe('string');
  const [info] = details;
  count(world, info?.reason ?? 'none');
  expect(info?.['@type']).toBe('type.googleapis.com/google.rpc.ErrorInfo');
  expect(Object.values(info?.metadata ?? {}).every((value) => typeof value === 'string')).toBe(true);
  if (info?.reason !== 'INTERNAL_ERROR') return;
  // The only valid cause is a crash of the executor.
  expect(world.reports.at(-1)?.cause).toBe(CRASH);
}

function count({ answers }: World, answer: string): void {
  answers.set(answer, (answers.get(answer) ?? 0) + 1);
}

/** Reads the events that arrive at once, then disconnects. */
async function readStream(reply: WireReply, stream: WireStream): Promise<readonly string[]> {
  expect(reply.headers['content-type']).toBe('text/event-stream');
  let text = '';
  const reading = stream.open({
    write: (more) => {
      text += more;
      return true;
    },
    end: () => {},
  });
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  reading.close();
  const blocks = text.split('\n\n').slice(0, -1);
  const ids = blocks.flatMap((block) => /^id: (\d+)$/m.exec(block)?.[1] ?? []).map(Number);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  return blocks.flatMap((block) => /^data: (.*)$/m.exec(block)?.[1] ?? []);
}

/** Records the ids of the tasks of a result. */
function learn(
  world: World,
  result: { readonly id?: unknown; readonly status?: unknown; readonly task?: Task; readonly tasks?: readonly Task[] },
): void {
  const tasks = [
    result.task,
    ...(result.tasks ?? []),
    'status' in result && typeof result.id === 'string' ? (result as unknown as Task) : undefined,
  ];
  for (const task of tasks) if (task !== undefined && !world.known.includes(task.id)) world.known.push(task.id);
}

async function checkState(world: World): Promise<void> {
  for (const id of world.known) {
    const rest = await world.handler(toWireRequest({ ...plain('GET', `/tasks/${id}`), body: '' }, []));
    // The task belongs to another tenant.
    if (rest.status === 404) continue;
    const rpc = await world.handler(
      toWireRequest({ ...plain('POST', '/'), body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id } }) }, []),
    );
    expect(JSON.parse(String(rpc.body)).result).toEqual(JSON.parse(String(rest.body)));
    const { status }: Task = JSON.parse(String(rest.body));
    if (isTerminal(status.state)) world.final.set(id, String(rest.body));
  }
  for (const [id, before] of world.final) {
    for (const path of [`/tasks/${id}:cancel`, '/message:send']) {
      const body = JSON.stringify({ message: { messageId: 'late', role: 'ROLE_USER', parts: [{ text: 'late' }], taskId: id } });
      const late = await world.handler(toWireRequest({ ...plain('POST', path), body: path.endsWith('cancel') ? '' : body }, []));
      expect([200, 400]).toContain(late.status);
    }
    expect((await world.handler(toWireRequest({ ...plain('GET', `/tasks/${id}`), body: '' }, []))).body).toBe(before);
  }
  expect(world.reports.every(({ cause }) => cause === CRASH)).toBe(true);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
}

function plain(method: string, path: string): Omit<FuzzRequest, 'body'> {
  return { method, path, query: '', headers: { 'a2a-version': '1.0', 'content-type': 'application/json' } };
}

/** The id that the response must repeat. */
function idOf(text: string): unknown {
  try {
    const { id = null } = JSON.parse(text);
    return id;
  } catch {
    return null;
  }
}
