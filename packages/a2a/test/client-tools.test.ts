import { describe, expect, test } from 'vitest';
import type { ClientTool } from '../src/client/tools/client-tool.js';
import { createToolSession } from '../src/client/tools/tool-session.js';
import type { Message, Part, Task } from '../src/protocol/types.js';
import {
  type AgentOptions,
  CLIENT_TOOLS,
  clientTools,
  createAgent,
  type Execute,
  memoryStore,
  type RequestContext,
  type TaskEvents,
  type ToolResult,
  toolResults,
} from '../src/server/index.js';
import { manualClock, sequentialIds } from '../src/testing/index.js';
import { callerOf, say } from './harness.js';
import { quiet, refOf, storyOf } from './looking.js';
import { cluster, type Node } from './nodes.js';

const URI = 'urn:ag2:client-tools:v1';

const WEATHER: ClientTool = {
  name: 'weather',
  description: 'Tells the weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
  execute: ({ city }) => (city === 'Atlantis' ? Promise.reject(new Error('under water')) : `sun in ${city}`),
};

const TIME: ClientTool = { name: 'time', description: 'Tells the time', parameters: { type: 'object' }, execute: () => ({ hour: 9 }) };

const agentOf = (execute: Execute, options: Partial<AgentOptions> = {}) =>
  createAgent({ name: 'Asker', extensions: [CLIENT_TOOLS], execute, ...options });

type Caller = ReturnType<typeof callerOf>;

/** Acts as the caller's run: sends, executes the requested tools and sends their results, until the task requests no more tools. */
async function drive(caller: Caller, cardOf: Parameters<typeof createToolSession>[1], tools = [WEATHER, TIME]) {
  const session = createToolSession(tools, cardOf);
  const carry = (own: readonly Part[], about: Partial<Message> = {}): Message =>
    say([...own, ...session.schemaParts(own)], { ...about, extensions: [session.extension] });
  const legs: Task[] = [];
  let task = await caller.task(carry([{ text: 'go' }]));
  legs.push(task);
  for (let calls = session.pending(task); calls.length > 0; calls = session.pending(task)) {
    const own = await session.answer(calls, new AbortController().signal);
    task = await caller.task(carry(own, { taskId: task.id }));
    legs.push(task);
  }
  return { task, legs, session, carry };
}

const driveAgent = (agent: ReturnType<typeof createAgent>, tools?: ClientTool[]) =>
  drive(callerOf(agent), agent.cardAt({ url: 'http://localhost', bindings: ['JSONRPC'] }), tools);

const answerOf = (task: Task): string => (task.artifacts ?? []).find(({ artifactId }) => artifactId === 'answer')?.parts[0]?.text ?? '';

describe('on the wire', () => {
  test('G35: the card declares the extension, alone or next to others; declaring it twice is an error', () => {
    const card = agentOf(() => 'x').cardAt({ url: 'http://localhost', bindings: ['JSONRPC'] });
    expect(card.capabilities.extensions).toContainEqual({ uri: URI, description: 'AG2 client-side tool execution', required: false });
    expect(() => agentOf(() => 'x', { extensions: [CLIENT_TOOLS, CLIENT_TOOLS] })).toThrow(`Extension ${URI} is declared twice`);
  });

  test('G35: each call is one artifact, then INPUT_REQUIRED follows without a message', async () => {
    const clock = manualClock();
    const agent = agentOf(
      async (context, events) => {
        await clientTools(context, events).callAll([{ name: 'weather', arguments: { city: 'Ulm' } }, { name: 'time' }]);
      },
      { clock, store: memoryStore({ clock }), ids: sequentialIds() },
    );
    const session = createToolSession([WEATHER, TIME], agent.cardAt({ url: 'http://localhost', bindings: ['JSONRPC'] }));
    const reader = await callerOf(agent).stream(say([{ text: 'go' }, ...session.schemaParts()]));
    const [, ...events] = await reader.all();
    const about = { taskId: 'task-1', contextId: 'context-1' };
    const ids = events.map(({ artifactUpdate }) => artifactUpdate?.artifact.artifactId);
    const called = (id: string | undefined, name: string, input: string) => ({
      artifactUpdate: {
        ...about,
        artifact: {
          artifactId: id,
          name,
          parts: [{ mediaType: 'application/vnd.ag2.tool-call+json', data: { id, name, arguments: input } }],
        },
        lastChunk: true,
      },
    });
    expect(events).toMatchObject([
      called(ids[0], 'weather', '{"city":"Ulm"}'),
      called(ids[1], 'time', '{}'),
      { statusUpdate: { ...about, status: { state: 'TASK_STATE_INPUT_REQUIRED' } } },
    ]);
    expect(events.map(({ artifactUpdate }) => artifactUpdate?.append)).toEqual([undefined, undefined, undefined]);
    expect(events.at(-1)?.statusUpdate?.status.message).toBeUndefined();
    expect(new Set(ids).size).toBe(3);
  });

  test('G35: an agent that declares the extension accepts its parts in spite of its input modes; other agents refuse them', async () => {
    const part = { mediaType: 'application/vnd.ag2.tool-schemas+json', data: { tools: [] } };
    const declared = agentOf(() => 'x', { defaultInputModes: ['text/plain'] });
    await expect(callerOf(declared).task(say([{ text: 'go' }, part]))).resolves.toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
    });
    const other = createAgent({ name: 'Other', execute: () => 'x' });
    await expect(callerOf(other).task(say([{ text: 'go' }, part]))).rejects.toMatchObject({ reason: 'CONTENT_TYPE_NOT_SUPPORTED' });
  });
});

describe('a run that waits for the results', () => {
  test('G35: the tools of the caller are called like functions', async () => {
    const agent = agentOf(async (context, events) => {
      const { tools, call } = clientTools(context, events);
      expect(tools.map(({ name, description }) => [name, description])).toEqual([
        ['weather', 'Tells the weather'],
        ['time', 'Tells the time'],
      ]);
      return `${await call('weather', { city: 'Ulm' })} at ${await call('time')}`;
    });
    const { task, legs } = await driveAgent(agent);
    expect(legs.map(({ status }) => status.state)).toEqual([
      'TASK_STATE_INPUT_REQUIRED',
      'TASK_STATE_INPUT_REQUIRED',
      'TASK_STATE_COMPLETED',
    ]);
    expect(answerOf(task)).toBe('sun in Ulm at {"hour":9}');
  });

  test('G35: an error of a tool is an error that can be caught, with the message of the tool', async () => {
    const agent = agentOf(async (context, events) => {
      const caught = await clientTools(context, events)
        .call('weather', { city: 'Atlantis' })
        .catch((error) => error);
      return `${caught.name} ${caught.reason}: ${caught.message}`;
    });
    const { task } = await driveAgent(agent);
    expect(answerOf(task)).toBe("A2AError INVALID_PARAMS: the caller's tool weather failed: under water");
  });

  test('G35: an error of a tool that is not caught ends the task, with a reason that the caller can read', async () => {
    const { task } = await driveAgent(
      agentOf(async (context, events) => clientTools(context, events).call('weather', { city: 'Atlantis' })),
    );
    expect(task.status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { parts: [{ text: "the caller's tool weather failed: under water" }] },
    });
  });

  test('G37: several calls at the same time are one question, and each failed call has its own error', async () => {
    let results: readonly ToolResult[] = [];
    const agent = agentOf(async (context, events) => {
      results = await clientTools(context, events).callAll([
        { name: 'weather', arguments: '{"city":"Atlantis"}' },
        { name: 'missing' },
        { name: 'time' },
      ]);
    });
    const { legs } = await driveAgent(agent);
    expect(legs).toHaveLength(2);
    expect(results.map(({ name, content, error }) => [name, content, error])).toEqual([
      ['weather', '', 'under water'],
      ['missing', '', 'the caller does not offer this tool'],
      ['time', '{"hour":9}', null],
    ]);
  });

  test('G35: a tool that the caller does not offer is never requested', async () => {
    const agent = agentOf(async (context, events) => {
      const { tools, call } = clientTools(context, events);
      return `${tools.length} ${await call('weather').catch(({ message }) => message)}`;
    });
    const task = await callerOf(agent).task('go');
    expect(answerOf(task)).toBe("0 the caller's tool weather failed: the caller does not offer this tool");
  });

  test('G36: a tool of the server runs in the same turn as a tool of the caller, and the caller does not see it', async () => {
    const serverTools = { double: (text: string) => `${text} and ${text}` };
    const agent = agentOf(async (context, events) => {
      const sky = await clientTools(context, events).call('weather', { city: 'Ulm' });
      return serverTools.double(sky);
    });
    const { task, legs } = await driveAgent(agent);
    expect(answerOf(task)).toBe('sun in Ulm and sun in Ulm');
    expect(legs).toHaveLength(2);
    expect(task.artifacts?.map(({ name }) => name)).toEqual(['weather', undefined]);
    expect(task.history?.filter(({ role }) => role === 'ROLE_USER')).toHaveLength(2);
  });

  test('C12: calls and a question in one turn: the tools answer the calls, the user answers the question', async () => {
    const agent = agentOf(async (context, events) => {
      const city = await context.requireInput('which city?');
      return clientTools(context, events).call('weather', { city });
    });
    const caller = callerOf(agent);
    const { task, session, carry } = await driveWith(caller, agent);
    expect(session.pending(task)).toEqual([]);
    expect(task.status.message?.parts).toEqual([{ text: 'which city?' }]);
    const asked = await caller.task(carry([{ text: 'Ulm' }], { taskId: task.id }));
    const calls = session.pending(asked);
    expect(calls.map(({ name, arguments: input }) => [name, input])).toEqual([['weather', '{"city":"Ulm"}']]);
    const own = await session.answer(calls, new AbortController().signal);
    expect(answerOf(await caller.task(carry(own, { taskId: task.id })))).toBe('sun in Ulm');
  });

  test('G35: a message without results is no reply: the calls are requested again, three times in all', async () => {
    const agent = agentOf(async (context, events) => {
      const [first] = await clientTools(context, events).callAll([{ name: 'time' }]);
      return `${first?.content}${first?.error ?? ''}`;
    });
    const caller = callerOf(agent);
    const { carry, task } = await stopAtCalls(caller, agent);
    const again = await caller.task(say('are you there?', { taskId: task.id }));
    expect(again.status).toEqual({ state: 'TASK_STATE_INPUT_REQUIRED', timestamp: again.status.timestamp });
    const session = createToolSession([TIME], agent.cardAt({ url: 'http://localhost', bindings: ['JSONRPC'] }));
    const own = await session.answer(session.pending(again), new AbortController().signal);
    expect(answerOf(await caller.task(carry(own, { taskId: task.id })))).toBe('{"hour":9}');

    const deaf = await stopAtCalls(caller, agent);
    for (const text of ['one', 'two']) await caller.task(say(text, { taskId: deaf.task.id }));
    expect(answerOf(await caller.task(say('three', { taskId: deaf.task.id })))).toBe('the caller sent no result');
  });

  test('G35: results from two messages are combined', async () => {
    const agent = agentOf(async (context, events) => {
      const results = await clientTools(context, events).callAll([{ name: 'time' }, { name: 'weather', arguments: { city: 'Ulm' } }]);
      return results.map(({ content }) => content).join(' ');
    });
    const caller = callerOf(agent);
    const { session, carry, task } = await stopAtCalls(caller, agent);
    const [time, weather] = session.pending(task);
    if (time === undefined || weather === undefined) throw new Error('no calls');
    const half = await caller.task(carry(await session.answer([weather], new AbortController().signal), { taskId: task.id }));
    expect(session.pending(half)).toEqual([time]);
    const own = await session.answer([time], new AbortController().signal);
    expect(answerOf(await caller.task(carry(own, { taskId: task.id })))).toBe('{"hour":9} sun in Ulm');
  });

  test('G35: arguments that are not JSON are refused, and a context that `execute` did not get has no client tools', async () => {
    const circle: Record<string, never> = {};
    Object.assign(circle, { circle });
    const agent = agentOf(async (context, events) => {
      const said = await clientTools(context, events)
        .callAll([{ name: 'time', arguments: circle }])
        .catch(({ reason, message }) => `${reason} ${message}`);
      const { ...spread } = context;
      expect(clientTools(spread, events).tools).toHaveLength(2); // a builder's copy works as well
      const byHand = { parts: [] } as unknown as RequestContext;
      expect(() => clientTools(byHand, events)).toThrow('clientTools needs the context that was passed to `execute`');
      return said as string;
    });
    expect(answerOf((await driveAgent(agent)).task)).toBe('INVALID_PARAMS the arguments of time cannot be written as JSON');
  });

  test('G35: the history and the variables of the caller are available', async () => {
    const seen: unknown[] = [];
    const agent = agentOf((context, events) => {
      const { history, variables } = clientTools(context, events);
      seen.push(history, variables);
    });
    const history = { events: [{ kind: 'agent_message', content: 'hello' }] };
    const parts = [{ text: 'go' }, { mediaType: 'application/vnd.ag2.history+json', data: history }];
    await callerOf(agent).task(say(parts, { metadata: { 'ag2.context_update': { city: 'Ulm' } } }));
    expect(seen).toEqual([history.events, { city: 'Ulm' }]);
  });
});

describe('a turn that restarts', () => {
  test('D14: after a crash the results in the log answer the calls again: no call is made twice', async () => {
    const world = cluster();
    let runs = 0;
    const options = {
      extensions: [CLIENT_TOOLS],
      executor: {
        async execute(context: RequestContext, events: TaskEvents) {
          runs += 1;
          const { call, callAll } = clientTools(context, events);
          const [sky, time] = await callAll([{ name: 'weather', arguments: { city: 'Ulm' } }, { name: 'time' }]);
          const last = await call('weather', { city: 'Atlantis' }).catch(({ message }) => message);
          await events.complete(`${sky?.content}, ${time?.content}, ${last}`);
        },
      },
    };
    let node: Node = world.start(options);
    const card = node.agent.cardAt({ url: 'http://localhost', bindings: ['JSONRPC'] });
    const session = createToolSession([WEATHER, TIME], card);
    const made: string[] = [];
    let task = await node.caller.task(say([{ text: 'go' }, ...session.schemaParts()]));
    for (let calls = session.pending(task); calls.length > 0; calls = session.pending(task)) {
      made.push(...calls.map(({ name }) => name));
      await quiet();
      await world.crash(node);
      node = world.start(options);
      task = await node.caller.task(say(await session.answer(calls, new AbortController().signal), { taskId: task.id }));
    }
    expect(task.status).toMatchObject({
      state: 'TASK_STATE_COMPLETED',
      message: { parts: [{ text: 'sun in Ulm, {"hour":9}, the caller\'s tool weather failed: under water' }] },
    });
    expect([made, runs]).toEqual([['weather', 'time', 'weather'], 3]);
    const story = await storyOf(world.store, refOf(task.id));
    expect(story.filter((line) => line === 'status:INPUT_REQUIRED')).toHaveLength(2);
    expect(story.filter((line) => line.startsWith('artifact'))).toHaveLength(3);
  });

  test('D14: a run that makes another call after a restart does not get the result of the first call', async () => {
    const world = cluster();
    const wants = ['weather', 'time'];
    const options = {
      extensions: [CLIENT_TOOLS],
      executor: {
        async execute(context: RequestContext, events: TaskEvents) {
          await events.complete(await clientTools(context, events).call(wants.shift() ?? 'time'));
        },
      },
    };
    const first = world.start(options);
    const session = createToolSession([WEATHER, TIME], first.agent.cardAt({ url: 'http://localhost', bindings: ['JSONRPC'] }));
    const asked = await first.caller.task(say([{ text: 'go' }, ...session.schemaParts()]));
    await quiet();
    await world.crash(first);
    const second = world.start(options);
    const { signal } = new AbortController();
    const other = await second.caller.task(say(await session.answer(session.pending(asked), signal), { taskId: asked.id }));
    expect(session.pending(other).map(({ name }) => name)).toEqual(['time']);
    const done = await second.caller.task(say(await session.answer(session.pending(other), signal), { taskId: asked.id }));
    expect(done.status.message?.parts).toEqual([{ text: '{"hour":9}' }]);
  });
});

describe('an executor without state', () => {
  test('G35: the turn ends with the calls, and the results start a new turn with their values unchanged', async () => {
    const turns: unknown[] = [];
    const agent = agentOf(async (context, events) => {
      const results = toolResults(context.message);
      turns.push([context.text, results.map(({ name, content, error }) => [name, content, error])]);
      if (results.length > 0) return `done with ${results.length}`;
      await clientTools(context, events).callLater([{ name: 'weather', arguments: { city: 'Atlantis' } }, { name: 'time' }]);
      return undefined;
    });
    const { task, legs } = await driveAgent(agent);
    expect(legs[0]?.status).toEqual({ state: 'TASK_STATE_INPUT_REQUIRED', timestamp: legs[0]?.status.timestamp });
    expect(answerOf(task)).toBe('done with 2');
    expect(turns).toEqual([
      ['go', []],
      [
        '',
        [
          ['weather', '', 'under water'],
          ['time', '{"hour":9}', null],
        ],
      ],
    ]);
  });

  test('G35: for a message without schemas, the tools are those of the last message with schemas', async () => {
    const offered: number[] = [];
    const agent = agentOf(async (context, events) => {
      const { tools, callLater } = clientTools(context, events);
      offered.push(tools.length);
      if (offered.length === 3) return 'done';
      await callLater([{ name: 'time' }]);
      return undefined;
    });
    const caller = callerOf(agent);
    const { task } = await stopAtCalls(caller, agent);
    for (const text of ['a', 'b']) await caller.task(say(text, { taskId: task.id }));
    expect(offered).toEqual([2, 2, 2]);
  });

  test('G35: calls of a later turn have ids of their own, so that results are not mixed up', async () => {
    let turns = 0;
    const agent = agentOf(async (context, events) => {
      turns += 1;
      if (turns === 3) return 'done';
      await clientTools(context, events).callLater([{ name: 'time' }]);
      return undefined;
    });
    const { task, legs } = await driveAgent(agent);
    expect(legs).toHaveLength(3);
    expect(new Set(task.artifacts?.map(({ artifactId }) => artifactId)).size).toBe(3);
  });

  test('G35: a call for a tool that the caller does not offer is refused before anything is published', async () => {
    const agent = agentOf(async (context, events) => {
      const { callLater } = clientTools(context, events);
      return callLater([{ name: 'time' }, { name: 'missing' }]).catch(({ message }) => message);
    });
    const { task } = await driveAgent(agent);
    expect([answerOf(task), task.artifacts?.length]).toEqual(['the caller does not offer the tool missing', 1]);
  });
});

/** As `drive`, up to the first stop. */
async function driveWith(caller: Caller, agent: ReturnType<typeof createAgent>) {
  const session = createToolSession([WEATHER, TIME], agent.cardAt({ url: 'http://localhost', bindings: ['JSONRPC'] }));
  const carry = (own: readonly Part[], about: Partial<Message> = {}): Message =>
    say([...own, ...session.schemaParts(own)], { ...about, extensions: [session.extension] });
  return { session, carry, task: await caller.task(carry([{ text: 'go' }])) };
}

async function stopAtCalls(caller: Caller, agent: ReturnType<typeof createAgent>) {
  const stopped = await driveWith(caller, agent);
  expect(stopped.session.pending(stopped.task).length).toBeGreaterThan(0);
  return stopped;
}
