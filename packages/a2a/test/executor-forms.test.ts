import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { A2AError } from '../src/protocol/errors.js';
import type { Message } from '../src/protocol/types.js';
import { createAgent, type Execute, type RequestContext, type StandardSchema, type TaskEvents } from '../src/server/index.js';
import { scriptedExecutor } from '../src/testing/index.js';
import { callerOf, gate, type Seen, say } from './harness.js';
import { follow } from './looking.js';

const NAME = { name: 'Speaker' };

const agentOf = (execute: Execute) => createAgent({ ...NAME, execute });

/** Each event of a stream in short form: `WORKING`, `answer = text`, `answer + text`, and `!` if it is marked as the last chunk. */
function short({ task, statusUpdate, artifactUpdate, message }: Seen): string {
  const status = task?.status ?? statusUpdate?.status;
  if (status) return `${task ? 'Task ' : ''}${status.state.replace('TASK_STATE_', '')}`;
  if (message) return `Message ${message.parts.map(({ text }) => text).join()}`;
  const { artifact, append, lastChunk } = artifactUpdate ?? {};
  const content = artifact?.parts.map(({ text, data }) => text ?? JSON.stringify(data)).join();
  return `${artifact?.artifactId} ${append ? '+' : '='} ${content}${lastChunk ? '!' : ''}`;
}

async function eventsOf(execute: Execute): Promise<readonly string[]> {
  const reader = await callerOf(agentOf(execute)).stream('hello');
  return (await reader.all()).map(short);
}

describe('G51, D40: a function', () => {
  test('G51, D40: text becomes a Task, WORKING, the artifact `answer` in one last chunk, COMPLETED', async () => {
    expect(await eventsOf(async ({ text }) => `${text} back`)).toEqual(['Task SUBMITTED', 'WORKING', 'answer = hello back!', 'COMPLETED']);
  });

  test('D40: the function need not be async', async () => {
    expect(await eventsOf(({ text }) => text)).toContain('answer = hello!');
  });

  test('D40: parts become the artifact `answer` as well', async () => {
    expect(await eventsOf(() => [{ text: 'a' }, { data: { b: 1 } }])).toEqual([
      'Task SUBMITTED',
      'WORKING',
      'answer = a,{"b":1}!',
      'COMPLETED',
    ]);
  });

  test('D40: a function that returns nothing completes the task', async () => {
    expect(await eventsOf(async () => {})).toEqual(['Task SUBMITTED', 'COMPLETED']);
    expect(await eventsOf((_, events) => events.appendText('notes', 'x'))).toEqual(['Task SUBMITTED', 'notes = x', 'COMPLETED']);
  });

  test('D40: an empty text is an answer', async () => {
    expect(await eventsOf(() => '')).toEqual(['Task SUBMITTED', 'WORKING', 'answer = !', 'COMPLETED']);
  });

  test('D40: a Message is a direct reply', async () => {
    const message: Message = { messageId: 'a-1', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] };
    expect(await eventsOf(() => message)).toEqual(['Message hi']);
  });

  test('D40: a direct reply is sent when execute has returned, not before', async () => {
    const tidying = gate();
    const replied = gate();
    const agent = agentOf(async (_, events) => {
      await events.reply('hi');
      replied.open();
      await tidying.passed;
    });
    const sent = follow(callerOf(agent).send('hello'));
    await replied.passed;
    await nextTurn();
    expect(sent.isSettled).toBe(false);
    tidying.open();
    expect((await sent.outcome).message?.parts).toEqual([{ text: 'hi' }]);
  });

  test('D40: a state that the function set itself, final or interrupted, is not replaced by COMPLETED', async () => {
    expect(await eventsOf((_, events) => events.reject())).toEqual(['Task SUBMITTED', 'REJECTED']);
    expect(await eventsOf((_, events) => events.status('TASK_STATE_INPUT_REQUIRED'))).toEqual(['Task SUBMITTED', 'INPUT_REQUIRED']);
  });
});

describe('G51, D40: a generator', () => {
  test('G51, D40: chunks go to `answer`: the first creates it, the others are appended, and none is marked as the last', async () => {
    const story = await eventsOf(async function* () {
      yield 'one ';
      yield { text: 'two ' };
      yield 'three';
    });
    expect(story).toEqual(['Task SUBMITTED', 'WORKING', 'answer = one ', 'answer + two ', 'answer + three', 'COMPLETED']);
  });

  test('D40: the return value is appended after the chunks', async () => {
    async function* speak() {
      yield 'one';
      return [{ data: 2 }];
    }
    expect(await eventsOf(speak)).toEqual(['Task SUBMITTED', 'WORKING', 'answer = one', 'answer + 2!', 'COMPLETED']);
  });

  test('D40: a generator that only returns acts like a function, and an empty generator completes the task', async () => {
    // biome-ignore lint/correctness/useYield: the test needs a generator without a yield
    const only = async function* () {
      return 'all';
    };
    const nothing = async function* () {};
    expect(await eventsOf(only)).toEqual(['Task SUBMITTED', 'WORKING', 'answer = all!', 'COMPLETED']);
    expect(await eventsOf(nothing)).toEqual(['Task SUBMITTED', 'COMPLETED']);
  });

  test('D40: a second turn replaces `answer` instead of appending to it', async () => {
    const agent = agentOf(async function* (context, events) {
      yield `${context.text} a`;
      yield `${context.text} b`;
      if (context.text === '1') await events.status('TASK_STATE_INPUT_REQUIRED');
    });
    const caller = callerOf(agent);
    const { id, artifacts } = await caller.task('1');
    expect(artifacts).toMatchObject([{ artifactId: 'answer', parts: [{ text: '1 a1 b' }] }]);
    const second = await caller.task(say('2', { taskId: id }));
    expect(second.status.state).toBe('TASK_STATE_COMPLETED');
    expect(second.artifacts).toMatchObject([{ artifactId: 'answer', parts: [{ text: '2 a2 b' }] }]);
  });

  const ENDS: Record<string, { readonly piece: unknown; readonly state: string }> = {
    'it ends normally': { piece: 'fine', state: 'TASK_STATE_COMPLETED' },
    'it yields an invalid part': { piece: { text: 1 }, state: 'TASK_STATE_FAILED' },
    'it yields undefined': { piece: undefined, state: 'TASK_STATE_FAILED' },
    'it yields too much': { piece: 'x'.repeat(4 * 1024 * 1024), state: 'TASK_STATE_FAILED' },
  };
  test.each(Object.entries(ENDS))('D40: its own cleanup runs when %s', async (_, { piece, state }) => {
    let cleaned = 0;
    const agent = agentOf(async function* () {
      try {
        yield 'first';
        yield piece as string;
      } finally {
        cleaned += 1;
      }
    });
    const { status } = await callerOf(agent).task('hello');
    expect(status.state).toBe(state);
    expect(cleaned).toBe(1);
  });

  test('G51: a canceled generator stops between two chunks, cleans up, and publishes only CANCELED', async () => {
    const cleaned = gate();
    let pieces = 0;
    const agent = agentOf(async function* ({ signal }) {
      try {
        yield 'one';
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        for (;;) yield `more ${++pieces}`;
      } finally {
        cleaned.open();
      }
    });
    const caller = callerOf(agent);
    const reader = await caller.stream('hello');
    await reader.until(3);
    const { status } = await caller.cancel(reader.seen[0]?.task?.id ?? '');
    await cleaned.passed;
    await reader.all();
    expect(status).toEqual({ state: 'TASK_STATE_CANCELED', timestamp: expect.any(String) });
    expect(reader.seen.map(short)).toEqual(['Task SUBMITTED', 'WORKING', 'answer = one', 'CANCELED']);
    expect(pieces).toBeLessThanOrEqual(1);
  });
});

describe('G51: a form that throws', () => {
  test('G51: after its first chunk the task is FAILED, and the error is reported', async () => {
    const reported: A2AError[] = [];
    const crash = new Error('disk on fire');
    const agent = createAgent({
      ...NAME,
      onError: (error) => reported.push(error),
      execute: async function* () {
        yield 'one';
        throw crash;
      },
    });
    const reader = await callerOf(agent).stream('hello');
    expect((await reader.all()).map(short)).toEqual(['Task SUBMITTED', 'WORKING', 'answer = one', 'FAILED']);
    expect(reported.map(({ cause }) => cause)).toEqual([crash]);
  });
});

describe('G58: a plain function, and an executor that replaces it', () => {
  const card = { name: 'Stub', description: 'Serves for its card', skills: [{ id: 's', name: 'S', description: 'skill', tags: ['t'] }] };
  const at = { url: 'http://localhost', bindings: ['JSONRPC'] };

  test('G58: a plain function is an agent with its own card and behaviour', async () => {
    const agent = createAgent({ ...card, execute: ({ text }) => text.toUpperCase() });
    expect(agent.cardAt(at)).toMatchObject(card);
    expect((await callerOf(agent).task('hello')).artifacts).toMatchObject([{ artifactId: 'answer', parts: [{ text: 'HELLO' }] }]);
  });

  test('G58: with a custom executor the card is that of the stub and the behaviour that of the executor', async () => {
    let stubbed = 0;
    const executor = scriptedExecutor([{ do: 'append', artifactId: 'own', text: 'custom' }, { do: 'complete' }]);
    const agent = createAgent({ ...card, executor, execute: () => `${++stubbed}` });
    expect(agent.cardAt(at)).toMatchObject(card);
    const { artifacts } = await callerOf(agent).task('hello');
    expect(artifacts).toEqual([{ artifactId: 'own', parts: [{ text: 'custom' }] }]);
    expect(executor.runs).toHaveLength(1);
    expect(stubbed).toBe(0);
  });

  test('G58: an agent without execute and executor is refused at once, with both names in the error', () => {
    // @ts-expect-error Neither execute nor executor is given.
    expect(() => createAgent(card)).toThrow(/execute.*executor/);
  });
});

describe('D40: the list of functions', () => {
  test('D40: events and context have every function and property', async () => {
    let given: { readonly context: RequestContext; readonly events: TaskEvents } | undefined;
    await eventsOf((context, events) => {
      given = { context, events };
    });
    const onEvents = 'working progress status appendText artifact file data task reply complete fail reject canceled publish flush';
    const onContext =
      'taskId contextId text message parts relatedTasks conversation requireInput requireAuth attempt signal caller tenant metadata requestedExtensions logger getUserInput attachRelatedTask';
    for (const word of onEvents.split(' ')) expect(given?.events, word).toHaveProperty(word, expect.any(Function));
    for (const word of onContext.split(' ')) expect(given?.context, word).toHaveProperty(word);
  });

  test('D40: progress is WORKING without a message, with the fraction in the metadata', async () => {
    const agent = agentOf((_, events) => events.progress(0.25, 'a quarter'));
    const [, progress] = await (await callerOf(agent).stream('hello')).all();
    expect(progress?.statusUpdate).toMatchObject({
      status: { state: 'TASK_STATE_WORKING' },
      metadata: { progress: 0.25, progressText: 'a quarter' },
    });
    expect(progress?.statusUpdate?.status.message).toBeUndefined();
  });

  test.each([-0.1, 1.1, Number.NaN])('D40: a progress of %s is not a fraction and fails the task', async (fraction) => {
    const { status } = await callerOf(
      agentOf(async (_, events) => {
        await events.working();
        await events.progress(fraction);
      }),
    ).task('hello');
    expect(status.state).toBe('TASK_STATE_FAILED');
  });

  test('D40: lastChunk is set only if the executor passes `last`', async () => {
    const story = await eventsOf(async (_, events) => {
      await events.appendText('a', 'one');
      await events.appendText('a', 'two', { last: true });
      await events.artifact({ artifactId: 'b', parts: [{ text: 'three' }] });
      await events.artifact({ artifactId: 'b', parts: [{ text: 'four' }] }, { append: true, last: true });
    });
    expect(story).toEqual(['Task SUBMITTED', 'a = one', 'a + two!', 'b = three', 'b + four!', 'COMPLETED']);
  });

  test('D40: a file has base64 bytes or a url, data has its value, each with the given names', async () => {
    const agent = agentOf(async (_, events) => {
      await events.file({ filename: 'a.bin', mediaType: 'application/octet-stream', bytes: new Uint8Array([0, 255, 128]) });
      await events.file({ id: 'f-2', name: 'Second', filename: 'b.txt', url: 'https://example.com/b.txt' });
      await events.data(null, { id: 'd-1', description: 'nothing', metadata: { n: 1 } });
    });
    const { artifacts } = await callerOf(agent).task('hello');
    expect(artifacts).toEqual([
      {
        artifactId: expect.any(String),
        name: 'a.bin',
        parts: [{ raw: 'AP+A', filename: 'a.bin', mediaType: 'application/octet-stream' }],
      },
      { artifactId: 'f-2', name: 'Second', parts: [{ url: 'https://example.com/b.txt', filename: 'b.txt' }] },
      { artifactId: 'd-1', description: 'nothing', metadata: { n: 1 }, parts: [{ data: null, mediaType: 'application/json' }] },
    ]);
  });

  const number: StandardSchema<number> = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) => (Number.isNaN(Number(value)) ? { issues: [{ message: 'is no number' }] } : { value: Number(value) }),
    },
  };
  const adder = () =>
    agentOf(async (context, events) => {
      const n: number = await context.requireInput('How many?', { schema: number });
      await events.complete(`${n + 1}`);
    });

  test('D40: a reply that does not match its schema is asked for once more, and the accepted value is typed', async () => {
    const caller = callerOf(adder());
    const { id } = await caller.task('go');
    const again = await caller.task(say('many', { taskId: id }));
    expect(again.status).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { parts: [{ text: expect.stringContaining('is no number') }, { text: 'How many?' }] },
    });
    const { status } = await caller.task(say('41', { taskId: id }));
    expect(status).toMatchObject({ state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: '42' }] } });
  });

  test('D40: a second reply that does not match ends the task with INVALID_PARAMS', async () => {
    const caller = callerOf(adder());
    const { id } = await caller.task('go');
    await caller.task(say('many', { taskId: id }));
    const { status } = await caller.task(say('lots', { taskId: id }));
    expect(status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { metadata: { 'urn:parley:a2a:error': { reason: 'INVALID_PARAMS' } } },
    });
  });

  test('D40: a structured reply is validated as data', async () => {
    const caller = callerOf(adder());
    const { id } = await caller.task('go');
    const { status } = await caller.task(say([{ text: 'here' }, { data: 6 }], { taskId: id }));
    expect(status.message?.parts).toEqual([{ text: '7' }]);
  });
});
