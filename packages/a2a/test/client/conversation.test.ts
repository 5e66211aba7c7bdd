/** One message of a conversation and its answer: what is sent, what is shown, and how the answer ends. */
import { describe, expect, test } from 'vitest';
import { createConversation } from '../../src/client/conversation/create-conversation.js';
import { createClient } from '../../src/client/create-client.js';
import { A2AError, A2ATaskFailedError, A2ATaskRejectedError } from '../../src/protocol/errors.js';
import type { TaskState } from '../../src/protocol/types.js';
import type { ScriptedResponse } from '../../src/testing/faults/script.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { answerOf, meet, shown, textsOf, until } from './conversation-walk.js';
import { CONTEXT, chunk, says, status, TASK, task, theTask } from './scripted-peer.js';

const HELLO: ScriptedResponse = {
  events: [
    task('TASK_STATE_SUBMITTED'),
    status('TASK_STATE_WORKING', 'Thinking.'),
    chunk('Hello ', { append: false }),
    chunk('world', { last: true }),
    status('TASK_STATE_COMPLETED'),
  ],
};
/** Each answer has its own task. */
const DONE = (): ScriptedResponse => {
  const said = says('Done.');
  return { events: [{ task: { id: said.messageId, contextId: CONTEXT, status: { state: 'TASK_STATE_COMPLETED', message: said } } }] };
};
const ASKS: ScriptedResponse = { events: [task('TASK_STATE_SUBMITTED'), status('TASK_STATE_INPUT_REQUIRED', 'Where?')] };
const HANGS: ScriptedResponse = { events: [task('TASK_STATE_WORKING'), chunk('One ', { append: false })], finish: 'stall' };

describe('a message and its answer', () => {
  test('a message is sent, and its answer is shown while it arrives', async () => {
    const { conversation, finish } = meet({ SendStreamingMessage: HELLO });
    const answer = await finish(conversation.send('Hi'));
    expect(shown(conversation)).toEqual(['user: Hi', 'agent: Thinking.Hello world']);
    expect(textsOf(answer)).toEqual(['Thinking.', 'Hello world']);
    expect(answer).toBe(conversation.state.messages[1]);
    expect(answer).toMatchObject({ status: { type: 'complete', reason: 'stop' }, task: { id: TASK } });
    expect(conversation.state).toMatchObject({ isRunning: false, isLoading: false, connection: { state: 'idle' }, contextId: CONTEXT });
    expect(conversation.state.messages[0]).toMatchObject({ delivery: 'sent', parentId: null });
    expect(conversation.state.task).toBe(answer?.task);
  });

  test('U14: the card is fetched once, and a failure is not reported', async () => {
    const { conversation, fetch, errors, finish } = meet({ GetAgentCard: [500, 500, { value: undefined }] });
    const loading = conversation.load();
    expect(conversation.load()).toBe(loading);
    await finish(loading);
    expect(conversation.state).toMatchObject({ card: undefined, isLoading: false });
    expect([fetch.requests.length, errors]).toEqual([1, []]);
    const other = meet({ SendStreamingMessage: HELLO });
    await other.finish(other.conversation.load());
    expect(other.conversation.state.card?.capabilities.streaming).toBe(true);
  });

  test('U15: the message is streamed when the card declares streaming; otherwise the task is polled', async () => {
    const value = { task: theTask('TASK_STATE_COMPLETED') };
    for (const [streaming, operation] of [
      [true, 'SendStreamingMessage'],
      [false, 'SendMessage'],
      [undefined, 'SendMessage'],
    ] as const) {
      const { conversation, operations, finish } = meet(
        { SendStreamingMessage: DONE, SendMessage: { value } },
        { card: { capabilities: streaming === undefined ? {} : { streaming } } },
      );
      await finish(conversation.send('Hi'));
      expect(operations()).toEqual([operation]);
    }
  });

  test('U16: a user message starts a run, an assistant message does not, and startRun overrides both', async () => {
    const { conversation, sent, finish } = meet({ SendStreamingMessage: DONE });
    await finish(conversation.send('One', { startRun: false }));
    await finish(conversation.send({ role: 'ROLE_AGENT', parts: [{ text: 'Two' }] }));
    expect(shown(conversation)).toEqual(['user: One', 'agent: Two']);
    expect(conversation.state.messages).toMatchObject([{ delivery: 'local' }, { status: { type: 'complete' } }]);
    expect(sent()).toEqual([]);
    await finish(conversation.send({ role: 'ROLE_AGENT', parts: [{ text: 'Three' }] }, { startRun: true }));
    expect(shown(conversation)).toEqual(['user: One', 'agent: Two', 'agent: Three', 'agent: Done.']);
    expect(sent().map(({ parts, role }) => [role, parts])).toEqual([['ROLE_USER', [{ text: 'One' }]]]);
  });

  test('U16: a message is added after parentId, at the start (null), or after the last shown message', async () => {
    const { conversation, finish } = meet({ SendStreamingMessage: DONE });
    const first = await finish(conversation.send('One'));
    await finish(conversation.send('Two'));
    await finish(conversation.send('Else', { parentId: first?.id ?? '' }));
    expect(shown(conversation)).toEqual(['user: One', 'agent: Done.', 'user: Else', 'agent: Done.']);
    expect(conversation.state.messages[2]?.siblings).toHaveLength(2);
    await finish(conversation.send('Lost', { parentId: 'missing' }));
    expect(shown(conversation)).toHaveLength(6);
    await finish(conversation.send('Anew', { parentId: null }));
    expect(shown(conversation)).toEqual(['user: Anew', 'agent: Done.']);
    expect(conversation.state.messages[0]?.siblings).toHaveLength(2);
  });

  test('U17: the answer exists at once, running and empty', () => {
    const { conversation } = meet({ SendStreamingMessage: 'stall' });
    void conversation.send('Hi');
    expect(conversation.state.isRunning).toBe(true);
    expect(conversation.state.messages).toMatchObject([
      { delivery: 'sending' },
      { status: { type: 'running' }, parts: [], task: undefined },
    ]);
    conversation.close();
  });

  test.each<[TaskState, unknown]>([
    ['TASK_STATE_COMPLETED', { type: 'complete', reason: 'stop' }],
    ['TASK_STATE_FAILED', { type: 'incomplete', reason: 'error', error: expect.any(A2ATaskFailedError) }],
    ['TASK_STATE_REJECTED', { type: 'incomplete', reason: 'error', error: expect.any(A2ATaskRejectedError) }],
    ['TASK_STATE_CANCELED', { type: 'incomplete', reason: 'cancelled' }],
    ['TASK_STATE_INPUT_REQUIRED', { type: 'requires-action', reason: 'interrupt', want: 'input', prompt: 'So.' }],
    ['TASK_STATE_AUTH_REQUIRED', { type: 'requires-action', reason: 'interrupt', want: 'auth', prompt: 'So.' }],
    ['TASK_STATE_UNSPECIFIED', { type: 'running' }],
    ['TASK_STATE_SUBMITTED', { type: 'running' }],
    ['TASK_STATE_WORKING', { type: 'running' }],
  ])('U18: %s has the matching answer status', async (state, expected) => {
    const { conversation, clock } = meet({
      SendStreamingMessage: { events: [task('TASK_STATE_SUBMITTED'), status(state, 'So.')], finish: 'stall' },
      SubscribeToTask: 'stall',
    });
    conversation.send('Hi').catch(() => {});
    await until(clock, () => conversation.state.messages[1]?.parts.length === 1);
    await clock.tick(50);
    expect(answerOf(conversation).status).toEqual(expected);
    expect(conversation.state.isRunning).toBe((expected as { type: string }).type === 'running');
    conversation.close();
  });

  test('U19: statuses, messages and artifacts of the agent are shown in the order of their first event; user messages are not repeated', async () => {
    const own = says('I am the user', { role: 'ROLE_USER' });
    const { conversation, finish } = meet({
      SendStreamingMessage: {
        events: [
          task('TASK_STATE_SUBMITTED'),
          status('TASK_STATE_WORKING', own),
          status('TASK_STATE_WORKING', 'Looking.'),
          chunk('a1', { append: false, id: 'a' }),
          chunk('b1', { append: false, id: 'b' }),
          status('TASK_STATE_WORKING', 'Going on.'),
          chunk('a2', { id: 'a' }),
          { message: says('By the way.', { taskId: TASK }) },
          status('TASK_STATE_COMPLETED', 'There.'),
        ],
      },
    });
    const answer = await finish(conversation.send('Hi'));
    expect(textsOf(answer)).toEqual(['Looking.', 'a1a2', 'b1', 'Going on.\n\nBy the way.\n\nThere.']);
    expect(answer?.said).toHaveLength(4);
  });

  test('U43: the configuration is sent with each message, and a send can override it', async () => {
    const { conversation, fetch, finish } = meet(
      { SendStreamingMessage: DONE },
      {
        conversation: {
          configuration: {
            acceptedOutputModes: ['image/png'],
            historyLength: 3,
            taskPushNotificationConfig: { url: 'http://127.0.0.1/hook' },
          },
        },
      },
    );
    await finish(conversation.send('One'));
    await finish(conversation.send('Two', { configuration: { acceptedOutputModes: ['text/plain'] } }));
    const configurations = fetch.requests.flatMap(({ params }) => (params as { configuration?: unknown }).configuration ?? []);
    const hook = { taskPushNotificationConfig: { url: 'http://127.0.0.1/hook' } };
    expect(configurations).toEqual([
      { acceptedOutputModes: ['image/png'], historyLength: 3, ...hook },
      { acceptedOutputModes: ['text/plain'], historyLength: 3, ...hook },
    ]);
  });

  test('7.3(15): metadata and referenceTaskIds are sent only with their own message', async () => {
    const { conversation, sent, finish } = meet({ SendStreamingMessage: DONE });
    await finish(conversation.send('One', { messageMetadata: { a: 1 }, referenceTaskIds: ['t-0'] }));
    await finish(conversation.send('Two'));
    expect(sent()[0]).toMatchObject({ metadata: { a: 1 }, referenceTaskIds: ['t-0'] });
    expect(sent()[1]).not.toHaveProperty('metadata');
    expect(sent()[1]).not.toHaveProperty('referenceTaskIds');
  });

  test('invalid input and options are refused before a message is shown', async () => {
    const { conversation } = meet({});
    await expect(conversation.send([])).rejects.toThrow('the message must be a string');
    expect(conversation.state.messages).toEqual([]);
    const client = createClient('http://test');
    expect(() => createConversation(client, { frameMs: -1 })).toThrow('frameMs');
    const history = { load: async () => ({ messages: [] }), append: async () => {} };
    const storage = { get: async () => undefined, set: async () => {}, remove: async () => {}, keys: async () => [] };
    expect(() => createConversation(client, { history, storage })).toThrow('storage and history');
    conversation.close();
    await expect(conversation.send('Hi')).rejects.toThrow('The conversation was closed');
  });
});

describe('artifacts', () => {
  test('U22: a chunk with append extends an artifact, one without append replaces it, and the next answer starts with none', async () => {
    const { conversation, finish } = meet({
      SendStreamingMessage: [
        {
          events: [
            task('TASK_STATE_SUBMITTED'),
            chunk('a1', { append: false, id: 'a' }),
            chunk('a2', { id: 'a' }),
            chunk('b1', { append: true, id: 'b' }),
            chunk('c1', { append: false, id: 'c' }),
            chunk('c2', { append: false, id: 'c' }),
            status('TASK_STATE_COMPLETED'),
          ],
        },
        { events: [{ task: { ...theTask('TASK_STATE_COMPLETED'), id: 'other' } }] },
      ],
    });
    await finish(conversation.send('Hi'));
    expect(conversation.state.artifacts.map(({ artifactId, parts }) => [artifactId, parts.map(({ text }) => text)])).toEqual([
      ['a', ['a1a2']],
      ['b', ['b1']],
      ['c', ['c2']],
    ]);
    expect(textsOf(answerOf(conversation))).toEqual(['a1a2', 'b1', 'c2']);
    await finish(conversation.send('Again'));
    expect(conversation.state.artifacts).toEqual([]);
    expect(conversation.state.messages[1]).toMatchObject({ artifacts: [{}, {}, {}] });
  });

  test('U22: a snapshot replaces the artifacts, and later updates extend it', async () => {
    const artifacts = [{ artifactId: 'answer', parts: [{ text: 'One ' }, { text: 'two ' }] }];
    const { conversation, finish } = meet({
      SendStreamingMessage: {
        events: [
          task('TASK_STATE_WORKING'),
          chunk('One ', { append: false }),
          task('TASK_STATE_WORKING', { artifacts }),
          chunk('three'),
          status('TASK_STATE_COMPLETED'),
        ],
      },
    });
    const answer = await finish(conversation.send('Hi'));
    expect(textsOf(answer)).toEqual(['One two three']);
    expect(answer?.artifacts[0]?.parts).toEqual([{ text: 'One ' }, { text: 'two three' }]);
  });

  test('U23: onArtifactComplete is called once per artifact, with all its parts, at its last chunk or at the end of the task', async () => {
    const { conversation, artifacts, finish } = meet({
      SendStreamingMessage: {
        events: [
          task('TASK_STATE_WORKING'),
          chunk('a1', { append: false, id: 'a' }),
          chunk('a2', { id: 'a', last: true }),
          chunk('b1', { append: false, id: 'b' }),
          status('TASK_STATE_COMPLETED'),
        ],
      },
    });
    await finish(conversation.send('Hi'));
    expect(artifacts).toEqual([
      { artifactId: 'a', parts: [{ text: 'a1a2' }] },
      { artifactId: 'b', parts: [{ text: 'b1' }] },
    ]);
  });

  test('7.3(5): an answer that consists of one artifact shows it', async () => {
    const { conversation, finish } = meet({
      SendStreamingMessage: { events: [task('TASK_STATE_COMPLETED', { artifacts: [{ artifactId: 'a', parts: [{ text: 'All.' }] }] })] },
    });
    expect(textsOf(await finish(conversation.send('Hi')))).toEqual(['All.']);
  });

  test('7.3(6): an artifact keeps its name and metadata, and artifacts of another task are ignored', async () => {
    const foreign = {
      artifactUpdate: { taskId: 'other', contextId: CONTEXT, artifact: { artifactId: 'x', parts: [{ text: 'not ours' }] } },
    };
    const named = (more: object, append: boolean) => ({
      artifactUpdate: { taskId: TASK, contextId: CONTEXT, append, artifact: { artifactId: 'a', parts: [{ text: '.' }], ...more } },
    });
    const { conversation, finish } = meet({
      SendStreamingMessage: {
        events: [
          task('TASK_STATE_WORKING'),
          named({ name: 'map', metadata: { a: 1 } }, false),
          foreign,
          named({ metadata: { b: 2 } }, true),
          status('TASK_STATE_COMPLETED'),
        ],
      },
    });
    const answer = await finish(conversation.send('Hi'));
    expect(answer?.artifacts).toEqual([{ artifactId: 'a', name: 'map', metadata: { a: 1, b: 2 }, parts: [{ text: '..' }] }]);
  });

  test('a final status text that repeats the artifact is not shown twice', async () => {
    const { conversation, finish } = meet({
      SendStreamingMessage: {
        events: [task('TASK_STATE_WORKING'), chunk('Hello world', { append: false }), status('TASK_STATE_COMPLETED', 'Hello world')],
      },
    });
    const answer = await finish(conversation.send('Hi'));
    expect(textsOf(answer)).toEqual(['Hello world']);
    expect(answer?.said).toHaveLength(1);
  });
});

describe('texts', () => {
  const textFrom = async (...texts: string[]): Promise<(string | undefined)[]> => {
    const { conversation, finish } = meet({
      SendStreamingMessage: {
        events: [task('TASK_STATE_WORKING'), ...texts.map((text) => status('TASK_STATE_WORKING', text)), status('TASK_STATE_COMPLETED')],
      },
    });
    return textsOf(await finish(conversation.send('Hi')));
  };

  test('7.3(4): status texts are joined, and none replaces another', async () => {
    expect(await textFrom('Hello ', 'world')).toEqual(['Hello world']);
    expect(await textFrom('Hel', 'lo', ' world')).toEqual(['Hello world']);
    expect(await textFrom('Looking at the map', 'Reading reviews')).toEqual(['Looking at the map\n\nReading reviews']);
    expect(await textFrom('One.', 'two', ' three')).toEqual(['One.\n\ntwo three']);
  });
});

describe('callbacks', () => {
  test('U24: a callback that fails does not stop the run', async () => {
    for (const fail of [
      () => {
        throw new Error('mine');
      },
      () => Promise.reject(new Error('mine')),
    ]) {
      const told: A2AError[] = [];
      const { conversation, finish } = meet(
        { SendStreamingMessage: [HELLO, HANGS], CancelTask: { value: theTask('TASK_STATE_CANCELED') } },
        { conversation: { onArtifactComplete: fail, onCancel: fail, onError: (error) => void told.push(error) } },
      );
      conversation.subscribe(fail);
      conversation.onEvent(() => fail());
      expect((await finish(conversation.send('Hi')))?.status.type).toBe('complete');
      const hanging = conversation.send('Hi');
      await finish(conversation.cancel());
      await finish(hanging);
      expect(answerOf(conversation).status).toEqual({ type: 'incomplete', reason: 'cancelled' });
      expect(told.map(({ message }) => message)).toEqual(expect.arrayContaining(['onArtifactComplete failed', 'onCancel failed']));
    }
  });

  test('U24: an onError callback that throws has no effect', async () => {
    const { conversation, finish } = meet(
      { SendStreamingMessage: 500 },
      {
        conversation: {
          onError: () => {
            throw new Error('mine');
          },
        },
      },
    );
    await expect(finish(conversation.send('Hi'))).rejects.toThrow(A2AError);
    expect(answerOf(conversation).status).toMatchObject({ reason: 'error' });
  });
});

describe('the context', () => {
  test('U25: is the contextId option until the agent sends another, and is the option again after clear()', async () => {
    const { conversation, sent, finish } = meet({ SendStreamingMessage: DONE }, { conversation: { contextId: 'source' } });
    expect(conversation.state.contextId).toBe('source');
    await finish(conversation.send('One'));
    await finish(conversation.send('Two'));
    conversation.clear();
    expect(conversation.state).toMatchObject({ contextId: 'source', messages: [] });
    await finish(conversation.send('Three'));
    expect(sent().map(({ contextId }) => contextId)).toEqual(['source', CONTEXT, 'source']);
  });

  test('7.3(13): survives setMessages()', async () => {
    const { conversation, sent, finish } = meet({ SendStreamingMessage: DONE });
    await finish(conversation.send('One'));
    conversation.setMessages([]);
    await finish(conversation.send('Two'));
    expect(sent()[1]?.contextId).toBe(CONTEXT);
  });

  test('7.3(11): is also taken from a plain Message', async () => {
    const { conversation, sent, finish } = meet({ SendStreamingMessage: { events: [{ message: says('Hello', { contextId: 'c-9' }) }] } });
    const answer = await finish(conversation.send('Hi'));
    expect(answer).toMatchObject({ status: { type: 'complete' }, parts: [{ text: 'Hello' }], task: undefined });
    expect(conversation.state.contextId).toBe('c-9');
    await finish(conversation.send('Again'));
    expect(sent().map(({ contextId }) => contextId)).toEqual([undefined, 'c-9']);
  });
});

describe('questions', () => {
  const GOES_ON: ScriptedResponse = {
    events: [
      task('TASK_STATE_INPUT_REQUIRED', {
        said: says('Where?', { messageId: 'q' }),
        artifacts: [{ artifactId: 'answer', parts: [{ text: 'One. ' }] }],
      }),
      status('TASK_STATE_WORKING'),
      chunk('Two.'),
      status('TASK_STATE_COMPLETED'),
    ],
  };
  const ASKS_LATE: ScriptedResponse = {
    events: [
      task('TASK_STATE_WORKING'),
      chunk('One. ', { append: false }),
      status('TASK_STATE_INPUT_REQUIRED', says('Where?', { messageId: 'q' })),
    ],
  };

  test('U26: the reply to a question goes to its task, and the message after it starts a new task', async () => {
    const { conversation, sent, finish } = meet({ SendStreamingMessage: [ASKS_LATE, GOES_ON, DONE()] });
    const asked = await finish(conversation.send('Hi'));
    expect(asked?.status).toEqual({ type: 'requires-action', reason: 'interrupt', want: 'input', prompt: 'Where?' });
    expect(conversation.state).toMatchObject({
      isRunning: false,
      question: { messageId: asked?.id, want: 'input', prompt: 'Where?', message: { messageId: 'q' } },
    });
    await finish(conversation.send('Lisbon', { answers: asked?.id ?? '' }));
    expect(conversation.state.question).toBeUndefined();
    expect(conversation.state.messages[1]).toMatchObject({ status: { type: 'complete' } });
    await finish(conversation.send('Thanks'));
    expect(sent().map(({ taskId }) => taskId)).toEqual([undefined, TASK, undefined]);
  });

  test('an answer that continues a task shows only its new content', async () => {
    const { conversation, finish } = meet({ SendStreamingMessage: [ASKS_LATE, GOES_ON] });
    await finish(conversation.send('Hi'));
    const answer = await finish(conversation.send('Lisbon'));
    expect(shown(conversation)).toEqual(['user: Hi', 'agent: One. Where?', 'user: Lisbon', 'agent: Two.']);
    expect(answer?.artifacts.map(({ parts }) => parts.map(({ text }) => text))).toEqual([['One. Two.']]);
  });

  test('a second reply to an answered question is refused', async () => {
    const { conversation, sent, finish } = meet({ SendStreamingMessage: [ASKS, 'stall'] });
    const asked = await finish(conversation.send('Hi'));
    const answers = asked?.id ?? '';
    void conversation.send('Lisbon', { answers });
    await expect(finish(conversation.send('Paris', { answers }))).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      message: expect.stringContaining('The question has been answered already'),
    });
    expect(sent()).toHaveLength(2);
    conversation.close();
  });

  test('a reply that fails leaves the question open', async () => {
    const { conversation, sent, finish } = meet({ SendStreamingMessage: [ASKS, 503, GOES_ON] });
    await finish(conversation.send('Hi'));
    await expect(finish(conversation.send('Lisbon'))).rejects.toThrow(A2AError);
    expect(conversation.state.messages).toMatchObject([
      {},
      { status: { type: 'requires-action' } },
      { delivery: 'failed' },
      { status: { reason: 'error' } },
    ]);
    await finish(conversation.reload(conversation.state.messages[2]?.id ?? null));
    expect(sent().map(({ taskId }) => taskId)).toEqual([undefined, TASK, TASK]);
    expect(conversation.state.messages[2]).toMatchObject({ delivery: 'sent' });
  });

  test('7.3(8): an edit of an earlier message does not go to the waiting task', async () => {
    const { conversation, sent, finish } = meet({ SendStreamingMessage: [ASKS, DONE()] });
    await finish(conversation.send('Hi'));
    await finish(conversation.edit(conversation.state.messages[0]?.id ?? '', 'Hello'));
    expect(sent().map(({ taskId, contextId }) => [taskId, contextId])).toEqual([
      [undefined, undefined],
      [undefined, CONTEXT],
    ]);
  });

  test('an authorization that was granted elsewhere lets the answer continue without a message', async () => {
    const { conversation, operations, clock, finish, events } = meet({
      SendStreamingMessage: { events: [task('TASK_STATE_WORKING'), status('TASK_STATE_AUTH_REQUIRED', 'Sign in')] },
      SubscribeToTask: {
        events: [
          task('TASK_STATE_AUTH_REQUIRED', { said: says('Sign in') }),
          status('TASK_STATE_WORKING'),
          chunk('Done.', { append: false }),
          status('TASK_STATE_COMPLETED'),
        ],
        delays: { chunkMs: 1_000 },
      },
    });
    const asked = await finish(conversation.send('Hi'));
    expect(asked?.status).toMatchObject({ want: 'auth', prompt: 'Sign in' });
    expect(conversation.state).toMatchObject({ isRunning: false, connection: { state: 'idle' } });
    await until(clock, () => conversation.state.isRunning);
    expect(conversation.state.question).toBeUndefined();
    await until(clock, () => answerOf(conversation).status.type === 'complete');
    expect(textsOf(answerOf(conversation)).at(-1)).toBe('Done.');
    expect(operations()).toEqual(['SendStreamingMessage', 'SubscribeToTask']);
    expect(events.filter(({ kind }) => kind === 'status')).toHaveLength(3);
    expect(clock.pending).toBe(0);
  });

  test.each([
    ['every five seconds', undefined, 6],
    ['at pollingIntervalMs', 1_000, 30],
  ])(
    'without streaming, a task that waits for authorization is polled %s, and at the normal interval afterwards',
    async (_, pollingIntervalMs, looks) => {
      let isGiven = false;
      const polled = (): ScriptedResponse => ({ value: theTask(isGiven ? 'TASK_STATE_WORKING' : 'TASK_STATE_AUTH_REQUIRED') });
      const { conversation, operations, clock, finish } = meet(
        {
          SendStreamingMessage: { events: [task('TASK_STATE_WORKING'), status('TASK_STATE_AUTH_REQUIRED', 'Sign in')] },
          SubscribeToTask: { error: new A2AError('UNSUPPORTED_OPERATION', 'no') },
          GetTask: polled,
        },
        { conversation: { run: pollingIntervalMs === undefined ? {} : { pollingIntervalMs } } },
      );
      await finish(conversation.send('Hi'));
      await clock.tick(100);
      const before = operations().length;
      await clock.tick(30_000);
      expect(operations().length - before).toBe(looks);
      isGiven = true;
      await until(clock, () => conversation.state.isRunning);
      const given = operations().length;
      await clock.tick(5_000);
      expect(operations().length - given).toBe(5_000 / (pollingIntervalMs ?? 500));
      conversation.close();
      await clock.tick(10_000);
      expect(clock.pending).toBe(0);
    },
  );

  test('close() while waiting for an authorization leaves no stream open', async () => {
    const { conversation, operations, clock, finish } = meet({
      SendStreamingMessage: { events: [task('TASK_STATE_WORKING'), status('TASK_STATE_AUTH_REQUIRED', 'Sign in')] },
      SubscribeToTask: { events: [task('TASK_STATE_AUTH_REQUIRED', { said: says('Sign in, please') })], finish: 'stall' },
    });
    await finish(conversation.send('Hi'));
    await clock.tick(100);
    conversation.close();
    await clock.tick(60_000);
    expect(operations()).toEqual(['SendStreamingMessage', 'SubscribeToTask']);
    expect(clock.pending).toBe(0);
  });

  test('a message sent while waiting for an authorization is its reply, and only one stream stays open', async () => {
    const { conversation, sent, clock, finish } = meet({
      SendStreamingMessage: [
        { events: [task('TASK_STATE_WORKING'), status('TASK_STATE_AUTH_REQUIRED', 'Sign in')] },
        { events: [task('TASK_STATE_COMPLETED', { said: says('Done.') })] },
      ],
      SubscribeToTask: { events: [], finish: 'stall' },
    });
    await finish(conversation.send('Hi'));
    await clock.tick(100);
    await finish(conversation.send('I did'));
    expect(sent()[1]?.taskId).toBe(TASK);
    expect(conversation.state.isRunning).toBe(false);
    conversation.close();
    await clock.tick();
    expect(clock.pending).toBe(0);
  });
});

describe('branches', () => {
  test('U33: an edit creates a new branch, and the old branch remains', async () => {
    const { conversation, finish } = meet({ SendStreamingMessage: DONE });
    await finish(conversation.send('One'));
    await finish(conversation.send('Two'));
    await finish(conversation.send('Three'));
    const third = conversation.state.messages[4]?.id ?? '';
    await finish(conversation.edit(third, 'Drei'));
    expect(shown(conversation).slice(4)).toEqual(['user: Drei', 'agent: Done.']);
    expect(conversation.state.messages[4]?.siblings).toEqual([third, conversation.state.messages[4]?.id]);
    conversation.switchTo(third);
    expect(shown(conversation).slice(4)).toEqual(['user: Three', 'agent: Done.']);
    await expect(conversation.edit('m-0', 'x')).rejects.toThrow('no message m-0');
  });

  test('U34: reload() creates a second answer to the message; with null or an unknown id it does nothing', async () => {
    const { conversation, sent, finish } = meet({ SendStreamingMessage: [HELLO, DONE()] });
    const first = await finish(conversation.send('Hi'));
    const second = await finish(conversation.reload(first?.id ?? null));
    expect(second?.parentId).toBe(first?.parentId);
    expect(second?.siblings).toEqual([first?.id, second?.id]);
    expect(answerOf(conversation)).toBe(second);
    expect(sent()).toHaveLength(2);
    expect(await conversation.reload(null)).toBeUndefined();
    expect(await conversation.reload('missing')).toBeUndefined();
    expect(sent()).toHaveLength(2);
  });

  test('7.3(9): reload() sends the message with a new id', async () => {
    const { conversation, sent, finish } = meet({ SendStreamingMessage: DONE });
    const first = await finish(conversation.send({ messageId: 'mine', parts: [{ text: 'Hi' }] }));
    await finish(conversation.reload(first?.id ?? null));
    const [one, two] = sent();
    expect(one).toMatchObject({ messageId: 'mine', parts: [{ text: 'Hi' }] });
    expect(two).toMatchObject({ parts: [{ text: 'Hi' }] });
    expect(two?.messageId).not.toBe('mine');
  });

  test('U38: setMessages updates the same chain in place and keeps hidden branches; other parents replace everything', async () => {
    const { conversation, finish } = meet({ SendStreamingMessage: HELLO });
    await finish(conversation.send('One'));
    await finish(conversation.edit(conversation.state.messages[0]?.id ?? '', 'Uno'));
    const [user, agent] = conversation.state.messages;
    if (user === undefined || agent === undefined) throw new Error('expected two messages');
    conversation.setMessages([{ ...user, parts: [{ text: 'UNO' }] }, agent]);
    expect(shown(conversation)).toEqual(['user: UNO', 'agent: Thinking.Hello world']);
    expect(conversation.state.messages[0]?.siblings).toHaveLength(2);
    expect(conversation.state.messages[1]).toBe(agent);
    expect(conversation.state).toMatchObject({ task: undefined, artifacts: [], contextId: CONTEXT });
    conversation.setMessages([
      { ...agent, parentId: null },
      { ...user, parentId: agent.id },
    ]);
    expect(shown(conversation)).toEqual(['agent: Thinking.Hello world', 'user: Uno']);
    expect(conversation.export().messages).toHaveLength(2);
    expect(() => conversation.setMessages([{ ...user, parts: 'x' } as never])).toThrow('not a valid conversation');
  });

  test('U35: an imported conversation shows the same as the exported one', async () => {
    const { conversation, finish } = meet({ SendStreamingMessage: DONE });
    await finish(conversation.send('One'));
    await finish(conversation.send('Two'));
    await finish(conversation.edit(conversation.state.messages[2]?.id ?? '', 'Zwei'));
    const other = meet({});
    other.conversation.import(JSON.parse(JSON.stringify(conversation.export())));
    expect(shown(other.conversation)).toEqual(shown(conversation));
    expect(other.conversation.state.messages.map(({ siblings }) => siblings)).toEqual(
      conversation.state.messages.map(({ siblings }) => siblings),
    );
    expect(() => other.conversation.import({ messages: [{ parentId: null, message: { id: 'x' } as never }] })).toThrow(A2AError);
  });
});

describe('the end of an answer', () => {
  test('U27: a new message ends the old answer, and the new answer runs on, whichever request settles first', async () => {
    for (const later of ['old', 'new'] as const) {
      const { conversation, clock, operations } = meet({
        SendStreamingMessage: [HANGS, { ...(DONE() as { events: [] }), delays: { firstByteMs: later === 'new' ? 5_000 : 10 } }],
        CancelTask: { value: theTask('TASK_STATE_CANCELED'), delays: { headersMs: later === 'old' ? 5_000 : 10 } },
      });
      const old = conversation.send('One');
      await until(clock, () => answerOf(conversation).parts.length > 0);
      const next = conversation.send('Two');
      expect(conversation.state.messages[1]).toMatchObject({ status: { type: 'incomplete', reason: 'cancelled' } });
      expect((await old)?.status).toEqual({ type: 'incomplete', reason: 'cancelled' });
      expect(conversation.state.isRunning).toBe(true);
      if (later === 'new') {
        await clock.tick(1_000);
        expect(conversation.state.isRunning).toBe(true);
      }
      await clock.tick(10_000);
      await next;
      expect(conversation.state).toMatchObject({
        isRunning: false,
        messages: [{}, { status: { reason: 'cancelled' } }, {}, { status: { type: 'complete' } }],
      });
      expect(operations().sort()).toEqual(['CancelTask', 'SendStreamingMessage', 'SendStreamingMessage']);
      expect(clock.pending).toBe(0);
    }
  });

  test('7.3(16): when a new message ends an answer, its task is canceled at the agent, and its id is not sent again', async () => {
    const { conversation, sent, operations, clock, finish } = meet({
      SendStreamingMessage: [HANGS, DONE()],
      CancelTask: { value: theTask('TASK_STATE_CANCELED') },
    });
    void conversation.send('One');
    await until(clock, () => answerOf(conversation).parts.length > 0);
    await finish(conversation.send('Two'));
    expect(operations()).toContain('CancelTask');
    expect(sent()[1]?.taskId).toBeUndefined();
  });

  test('U28: cancel() ends the answer locally first, then cancels at the agent, and stores the canceled task', async () => {
    const { conversation, cancels, clock, operations } = meet({
      SendStreamingMessage: HANGS,
      CancelTask: { value: theTask('TASK_STATE_CANCELED'), delays: { headersMs: 1_000 } },
    });
    const sending = conversation.send('Hi');
    await until(clock, () => answerOf(conversation).parts.length > 0);
    const canceled = conversation.cancel();
    expect(answerOf(conversation)).toMatchObject({ status: { reason: 'cancelled' }, parts: [{ text: 'One ' }] });
    expect([cancels.length, conversation.state.isRunning]).toEqual([1, false]);
    expect(await sending).toBe(answerOf(conversation));
    await clock.tick(2_000);
    await canceled;
    expect(answerOf(conversation)).toMatchObject({
      status: { reason: 'cancelled' },
      parts: [{ text: 'One ' }],
      task: { status: { state: 'TASK_STATE_CANCELED' } },
    });
    await conversation.cancel();
    expect(operations()).toEqual(['SendStreamingMessage', 'CancelTask']);
    expect([cancels.length, clock.pending]).toEqual([1, 0]);
  });

  test('U28: a cancel that fails at the agent is not reported', async () => {
    const { conversation, clock, errors, finish } = meet({ SendStreamingMessage: HANGS, CancelTask: 500 });
    void conversation.send('Hi');
    await until(clock, () => answerOf(conversation).parts.length > 0);
    await finish(conversation.cancel());
    expect(errors).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  test('7.3(10): a cancel before the first event reaches the agent', async () => {
    const { conversation, clock, operations } = meet({
      SendStreamingMessage: { ...(HANGS as { events: [] }), delays: { firstByteMs: 500 }, finish: 'stall' },
      CancelTask: { value: theTask('TASK_STATE_CANCELED') },
    });
    void conversation.send('Hi');
    await clock.tick();
    const canceled = conversation.cancel();
    expect(answerOf(conversation).status).toMatchObject({ reason: 'cancelled' });
    await clock.tick(1_000);
    await canceled;
    expect(operations()).toEqual(['SendStreamingMessage', 'CancelTask']);
    expect(answerOf(conversation).parts).toEqual([]);
  });

  test('U29: close() ends the stream and does not cancel the task', async () => {
    const clock = manualClock();
    const { conversation, operations, errors } = meet({ SendStreamingMessage: HANGS }, { clock });
    const sending = conversation.send('Hi');
    await until(clock, () => answerOf(conversation).parts.length > 0);
    conversation.close();
    conversation.close();
    expect((await sending)?.status.type).toBe('running');
    await clock.tick(60_000);
    expect(operations()).toEqual(['SendStreamingMessage']);
    expect([errors, clock.pending]).toEqual([[], 0]);
  });

  test('U30: the message, onError and the promise have the same error object', async () => {
    const { conversation, errors, finish } = meet({ SendStreamingMessage: { error: new A2AError('INVALID_PARAMS', 'no') } });
    const thrown = await finish(conversation.send('Hi').catch((error: unknown) => error));
    expect(errors).toEqual([thrown]);
    const { status: shownStatus } = answerOf(conversation);
    expect(shownStatus.type === 'incomplete' && shownStatus.reason === 'error' && shownStatus.error).toBe(thrown);
    expect(errors[0]).toBe(thrown);
    expect(conversation.state.messages[0]).toMatchObject({ delivery: 'failed' });
  });

  test('U30: after a cancel no error is reported', async () => {
    const { conversation, clock, errors, finish } = meet({
      SendStreamingMessage: {
        events: [task('TASK_STATE_WORKING'), { error: new A2AError('INVALID_PARAMS', 'no') }],
        delays: { chunkMs: 100 },
      },
      CancelTask: 'stall',
    });
    const sending = conversation.send('Hi');
    await until(clock, () => answerOf(conversation).task !== undefined);
    void conversation.cancel();
    await clock.tick(1_000);
    expect((await finish(sending))?.status).toMatchObject({ reason: 'cancelled' });
    expect(errors).toEqual([]);
    conversation.close();
  });

  test('7.3(14): a failed or rejected task is an error, and onError is called', async () => {
    for (const [state, kind] of [
      ['TASK_STATE_FAILED', A2ATaskFailedError],
      ['TASK_STATE_REJECTED', A2ATaskRejectedError],
    ] as const) {
      const { conversation, errors, finish } = meet({
        SendStreamingMessage: { events: [task('TASK_STATE_WORKING'), status(state, 'No.')] },
      });
      const thrown = await finish(conversation.send('Hi').catch((error: unknown) => error));
      expect(thrown).toBeInstanceOf(kind);
      expect(errors).toEqual([thrown]);
      expect(answerOf(conversation)).toMatchObject({
        status: { type: 'incomplete', reason: 'error', error: { message: 'No.' } },
        parts: [{ text: 'No.' }],
      });
    }
  });

  test('U31: a stream without any valid event is an error that states the cause; one valid event is enough', async () => {
    const empty = meet({ SendStreamingMessage: { events: [] } });
    await expect(empty.finish(empty.conversation.send('Hi'))).rejects.toThrow('The stream ended before the task was known');
    const garbage = meet({ SendStreamingMessage: { events: ['data: {"broken\n\n'] } }, { client: { skipBadFrames: true } });
    await expect(garbage.finish(garbage.conversation.send('Hi'))).rejects.toThrow('is not JSON: {"broken');
    const both = meet(
      { SendStreamingMessage: { events: ['data: {"broken\n\n', ...(DONE() as { events: [] }).events] } },
      { client: { skipBadFrames: true } },
    );
    expect((await both.finish(both.conversation.send('Hi')))?.status.type).toBe('complete');
  });

  test('U32: a stream that ends while the task works is resumed; when that fails, the answer is incomplete', async () => {
    const { conversation, finish, operations } = meet(
      { SendStreamingMessage: { events: [task('TASK_STATE_WORKING')] }, SubscribeToTask: 503, GetTask: 503 },
      { conversation: { run: { reconnect: { maxRetries: 2, jitter: false } } } },
    );
    await expect(finish(conversation.send('Hi'))).rejects.toMatchObject({ name: 'A2AReconnectError' });
    expect(answerOf(conversation).status).toMatchObject({ type: 'incomplete', reason: 'error' });
    expect(operations()).toEqual(['SendStreamingMessage', 'SubscribeToTask', 'SubscribeToTask', 'GetTask']);
  });

  test('7.3(1): a stream that ends while the task works does not complete the answer', async () => {
    const { conversation, clock, finish } = meet({
      SendStreamingMessage: { events: [task('TASK_STATE_WORKING'), chunk('One ', { append: false })] },
      SubscribeToTask: {
        events: [
          task('TASK_STATE_WORKING', { artifacts: [{ artifactId: 'answer', parts: [{ text: 'One ' }] }] }),
          chunk('two'),
          status('TASK_STATE_COMPLETED'),
        ],
      },
    });
    const sending = conversation.send('Hi');
    await until(clock, () => conversation.state.connection.state === 'reconnecting');
    expect(answerOf(conversation).status).toEqual({ type: 'running' });
    expect(textsOf(await finish(sending))).toEqual(['One two']);
    expect(conversation.state.connection).toEqual({ state: 'idle' });
  });

  test('7.3(2): without streaming, a task that still works is polled until it stops', async () => {
    const artifacts = (...texts: string[]) => ({ artifacts: [{ artifactId: 'answer', parts: texts.map((text) => ({ text })) }] });
    const { conversation, finish, operations } = meet(
      {
        SendMessage: { value: { task: theTask('TASK_STATE_WORKING') } },
        GetTask: [
          { value: theTask('TASK_STATE_WORKING', artifacts('One ')) },
          { value: theTask('TASK_STATE_COMPLETED', artifacts('One ', 'two')) },
        ],
      },
      { card: { capabilities: { streaming: false } } },
    );
    const answer = await finish(conversation.send('Hi'));
    expect(answer).toMatchObject({
      status: { type: 'complete' },
      parts: [{ text: 'One two' }],
      task: { status: { state: 'TASK_STATE_COMPLETED' } },
    });
    expect(operations()).toEqual(['SendMessage', 'GetTask', 'GetTask']);
  });

  test('7.3(3): a dropped connection is resumed by SubscribeToTask, without loss or duplicates', async () => {
    const { conversation, finish, operations, errors } = meet({
      SendStreamingMessage: { events: [task('TASK_STATE_WORKING'), chunk('One ', { append: false })], finish: 'drop' },
      SubscribeToTask: {
        events: [
          task('TASK_STATE_WORKING', { artifacts: [{ artifactId: 'answer', parts: [{ text: 'One two ' }] }] }),
          chunk('three'),
          status('TASK_STATE_COMPLETED'),
        ],
      },
    });
    expect(textsOf(await finish(conversation.send('Hi')))).toEqual(['One two three']);
    expect([operations(), errors]).toEqual([['SendStreamingMessage', 'SubscribeToTask'], []]);
  });
});
