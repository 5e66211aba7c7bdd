/** A page that is closed and opened again: no message is missing, and no work is done twice. */
import { describe, expect, test, vi } from 'vitest';
import { memoryStorage } from '../../src/client/conversation/memory-storage.js';
import type { ConversationOptions } from '../../src/client/conversation/options.js';
import { savedKey } from '../../src/client/conversation/saved.js';
import type { ConversationStorage } from '../../src/client/conversation/storage.js';
import { A2AError } from '../../src/protocol/errors.js';
import type { JsonValue, Message, StreamResponse } from '../../src/protocol/types.js';
import { createAgent } from '../../src/server/index.js';
import type { FaultScript } from '../../src/testing/faults/script.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { type ScriptStep, scriptedExecutor } from '../../src/testing/scripted-executor.js';
import { createTestFetch } from '../../src/testing/test-fetch.js';
import { answerOf, type Meeting, type MeetOptions, meet, shown, textsOf, until } from './conversation-walk.js';
import { chunk, says, status, TASK, task, theTask } from './scripted-peer.js';

/** Opens pages one after the other on the same storage. */
function browser(more: MeetOptions = {}, storage: ConversationStorage = memoryStorage()) {
  const clock = more.clock ?? manualClock();
  const kept: ConversationOptions = { id: 'thread', storage, tabs: false };
  const open = (script: FaultScript): Meeting => meet(script, { ...more, clock, conversation: { ...more.conversation, ...kept } });
  return { open, clock, storage };
}

/** Ends the page like a process that dies: it sends nothing to the agent or to other tabs. */
async function kill({ conversation, clock }: Meeting): Promise<void> {
  await clock.tick(300); // the page saves every 250 ms
  conversation.close();
}

/** Numbers the events as a Parley server does. */
const numbered = (events: readonly StreamResponse[], from = 2) => events.map((response, at) => ({ seq: from + at, response }));

const words = (...texts: string[]): ScriptStep[] => texts.map((text) => ({ do: 'append', artifactId: 'answer', text }));

describe('a page reload during an answer', () => {
  const BEFORE = numbered([
    task('TASK_STATE_WORKING'),
    status('TASK_STATE_WORKING', 'Looking.'),
    chunk('One ', { append: false }),
    chunk('two '),
  ]);

  test('shows the partial answer at once, and resumes after its last event', async () => {
    const { open, clock } = browser({ log: true });
    const first = open({ SendStreamingMessage: { events: BEFORE, finish: 'stall' } });
    void first.conversation.send('Hi');
    await until(clock, () => textsOf(answerOf(first.conversation)).at(-1) === 'One two ');
    await kill(first);

    const second = open({
      SubscribeToTask: { events: numbered([chunk('three'), status('TASK_STATE_COMPLETED')], 6), delays: { firstByteMs: 100 } },
    });
    const loading = second.conversation.load();
    expect(second.conversation.state.isLoading).toBe(true);
    await second.finish(loading);
    expect(shown(second.conversation)).toEqual(['user: Hi', 'agent: Looking.One two ']);
    expect(second.conversation.state).toMatchObject({ isLoading: false, isRunning: true, contextId: 'context-1' });
    await until(clock, () => !second.conversation.state.isRunning);
    expect(textsOf(answerOf(second.conversation))).toEqual(['Looking.', 'One two three']);
    expect(answerOf(second.conversation)).toMatchObject({
      status: { type: 'complete' },
      seq: 7,
      task: { status: { state: 'TASK_STATE_COMPLETED' } },
    });
    expect(second.operations()).toEqual(['SubscribeToTask']);
    expect(second.fetch.requests.find(({ operation }) => operation === 'SubscribeToTask')?.headers['last-event-id']).toBe('5');
    expect(clock.pending).toBe(0);
  });

  test('resumes also with an agent that does not number its events', async () => {
    const { open, clock } = browser();
    const first = open({ SendStreamingMessage: { events: BEFORE.map(({ response }) => response), finish: 'stall' } });
    void first.conversation.send('Hi');
    await until(clock, () => textsOf(answerOf(first.conversation)).at(-1) === 'One two ');
    await kill(first);
    const now = task('TASK_STATE_WORKING', { artifacts: [{ artifactId: 'answer', parts: [{ text: 'One two three ' }] }] });
    const second = open({ SubscribeToTask: { events: [now, chunk('four'), status('TASK_STATE_COMPLETED')] } });
    await second.finish(second.conversation.load());
    await until(clock, () => !second.conversation.state.isRunning);
    expect(textsOf(answerOf(second.conversation))).toEqual(['Looking.', 'One two three four']);
  });

  test.each([0, 1, 2, 3, 4, 5])('ends with the text of an uninterrupted answer, wherever the reload happens (%i)', async (cut) => {
    const steps = [{ do: 'working', text: 'Looking.' } as const, ...words('Once ', 'upon ', 'a ', 'time'), { do: 'complete' } as const];
    const gated = steps.flatMap((step, at): ScriptStep[] => (at === cut ? [{ do: 'gate', name: 'go' }, step] : [step]));
    const executor = scriptedExecutor(gated);
    const clock = manualClock();
    const fetch = createTestFetch(createAgent({ name: 'teller', executor, clock }));
    const { open } = browser({ fetch, clock });
    const first = open({});
    void first.conversation.send('Tell me');
    await until(clock, () => executor.runs.length === 1);
    await kill(first);
    const second = open({});
    await second.finish(second.conversation.load());
    executor.open('go');
    await until(clock, () => second.conversation.state.messages.length === 2 && !second.conversation.state.isRunning);
    expect(textsOf(answerOf(second.conversation))).toEqual(['Looking.', 'Once upon a time']);
    expect(executor.runs).toHaveLength(1);
  });

  test('U23: completes an unfinished artifact when its task ends, and does not report a finished artifact again', async () => {
    const { open, clock } = browser({ log: true });
    const first = open({
      SendStreamingMessage: {
        events: numbered([
          task('TASK_STATE_WORKING'),
          chunk('a', { append: false, id: 'a', last: true }),
          chunk('b', { append: false, id: 'b' }),
        ]),
        finish: 'stall',
      },
    });
    void first.conversation.send('Hi');
    await until(clock, () => answerOf(first.conversation).parts.length === 2);
    expect(first.artifacts.map(({ artifactId }) => artifactId)).toEqual(['a']);
    await kill(first);
    const second = open({ SubscribeToTask: { events: numbered([status('TASK_STATE_COMPLETED')], 5) } });
    await second.finish(second.conversation.load());
    await until(clock, () => answerOf(second.conversation).status.type === 'complete');
    expect(second.artifacts).toEqual([{ artifactId: 'b', parts: [{ text: 'b' }] }]);
  });

  test('sends nothing when the page is closed before it knows whether it may send again', async () => {
    const { open, clock } = browser({ log: true });
    const first = open({ SendStreamingMessage: 'stall' });
    void first.conversation.send('Hi');
    await clock.tick(10);
    await kill(first);
    const second = open({ GetAgentCard: { value: {}, delays: { headersMs: 1_000 } }, SendStreamingMessage: 'stall' });
    void second.conversation.load();
    await until(clock, () => second.conversation.state.messages.length === 2);
    second.conversation.close();
    await clock.tick(5_000);
    expect([second.sent(), clock.pending]).toEqual([[], 0]);
  });

  test('shows the final state of a task that ended meanwhile', async () => {
    const { open, clock } = browser();
    const first = open({ SendStreamingMessage: { events: BEFORE.map(({ response }) => response), finish: 'stall' } });
    void first.conversation.send('Hi');
    await until(clock, () => textsOf(answerOf(first.conversation)).at(-1) === 'One two ');
    await kill(first);
    const over = theTask('TASK_STATE_FAILED', {
      artifacts: [{ artifactId: 'answer', parts: [{ text: 'One two three' }] }],
      said: says('No.'),
    });
    const second = open({ SubscribeToTask: { error: new A2AError('UNSUPPORTED_OPERATION', 'over') }, GetTask: { value: over } });
    await second.finish(second.conversation.load());
    await until(clock, () => !second.conversation.state.isRunning);
    expect(answerOf(second.conversation)).toMatchObject({
      status: { reason: 'error', error: { name: 'A2ATaskFailedError', message: 'No.' } },
    });
    expect(textsOf(answerOf(second.conversation))).toEqual(['Looking.', 'One two three', 'No.']);
    const third = open({});
    await third.finish(third.conversation.load());
    expect(answerOf(third.conversation).status).toMatchObject({ reason: 'error', error: { name: 'A2ATaskFailedError', message: 'No.' } });
    expect([third.operations(), third.errors]).toEqual([[], []]);
  });

  test('resumes an answer that a network failure had ended on the page before', async () => {
    const { open, clock } = browser({ conversation: { run: { reconnect: { maxRetries: 0 } } } });
    const first = open({
      SendStreamingMessage: { events: [task('TASK_STATE_WORKING'), chunk('One ', { append: false })], finish: 'drop' },
      GetTask: 503,
    });
    await expect(first.finish(first.conversation.send('Hi'))).rejects.toMatchObject({ name: 'A2AReconnectError' });
    await kill(first);
    const second = open({
      SubscribeToTask: {
        events: [
          task('TASK_STATE_WORKING', { artifacts: [{ artifactId: 'answer', parts: [{ text: 'One two' }] }] }),
          status('TASK_STATE_COMPLETED'),
        ],
      },
    });
    await second.finish(second.conversation.load());
    await until(clock, () => answerOf(second.conversation).status.type === 'complete');
    expect(textsOf(answerOf(second.conversation))).toEqual(['One two']);
  });
});

describe('a page reload at an open question', () => {
  test('shows the question again; the reply goes to the same task, and its answer contains only new content', async () => {
    const { open } = browser();
    const question = says('Where?');
    const first = open({
      SendStreamingMessage: {
        events: [task('TASK_STATE_WORKING'), chunk('One. ', { append: false }), status('TASK_STATE_INPUT_REQUIRED', question)],
      },
    });
    await first.finish(first.conversation.send('Hi'));
    await kill(first);
    const artifacts = [{ artifactId: 'answer', parts: [{ text: 'One. ' }] }];
    const second = open({
      SendStreamingMessage: {
        events: [task('TASK_STATE_INPUT_REQUIRED', { said: question, artifacts }), chunk('Two.'), status('TASK_STATE_COMPLETED')],
      },
    });
    await second.finish(second.conversation.load());
    expect(second.conversation.state.question).toMatchObject({ prompt: 'Where?', want: 'input', message: question });
    expect(second.operations()).toEqual(['GetTask']); // the question may have been answered elsewhere
    await second.finish(second.conversation.send('Lisbon'));
    expect(second.sent()[0]?.taskId).toBe(TASK);
    expect(shown(second.conversation)).toEqual(['user: Hi', 'agent: One. Where?', 'user: Lisbon', 'agent: Two.']);
  });

  test('resumes an answer that follows the question, and shows only new content', async () => {
    const { open, clock } = browser();
    const question = says('Where?');
    const artifacts = (...texts: string[]) => [{ artifactId: 'answer', parts: texts.map((text) => ({ text })) }];
    const first = open({
      SendStreamingMessage: [
        { events: [task('TASK_STATE_WORKING'), chunk('One. ', { append: false }), status('TASK_STATE_INPUT_REQUIRED', question)] },
        { events: [task('TASK_STATE_INPUT_REQUIRED', { said: question, artifacts: artifacts('One. ') }), chunk('Two. ')], finish: 'stall' },
      ],
    });
    await first.finish(first.conversation.send('Hi'));
    void first.conversation.send('Lisbon');
    await until(clock, () => textsOf(answerOf(first.conversation))[0] === 'Two. ');
    await kill(first);
    const second = open({
      SubscribeToTask: {
        events: [
          task('TASK_STATE_WORKING', { artifacts: artifacts('One. ', 'Two. ', 'Three. ') }),
          chunk('Four.'),
          status('TASK_STATE_COMPLETED'),
        ],
      },
    });
    await second.finish(second.conversation.load());
    await until(clock, () => answerOf(second.conversation).status.type === 'complete');
    expect(shown(second.conversation)).toEqual(['user: Hi', 'agent: One. Where?', 'user: Lisbon', 'agent: Two. Three. Four.']);
    const third = open({});
    await third.finish(third.conversation.load());
    expect(shown(third.conversation)).toEqual(shown(second.conversation));
  });

  test('continues to wait for an authorization that is granted elsewhere', async () => {
    const { open, clock } = browser();
    const first = open({
      SendStreamingMessage: { events: [task('TASK_STATE_WORKING'), status('TASK_STATE_AUTH_REQUIRED', 'Sign in')] },
      SubscribeToTask: { events: [], finish: 'stall' },
    });
    await first.finish(first.conversation.send('Hi'));
    await kill(first);
    const second = open({
      SubscribeToTask: { events: [task('TASK_STATE_WORKING'), status('TASK_STATE_COMPLETED', 'Thanks.')], delays: { firstByteMs: 1_000 } },
    });
    await second.finish(second.conversation.load());
    expect(second.conversation.state).toMatchObject({ isRunning: false, question: { want: 'auth' } });
    await until(clock, () => answerOf(second.conversation).status.type === 'complete');
    expect(second.conversation.state.question).toBeUndefined();
  });
});

describe('a page reload during a send', () => {
  test('sends the message again to an agent with idempotency keys, with the same message id', async () => {
    const { open, clock } = browser({ log: true });
    const first = open({ SendStreamingMessage: 'stall' });
    void first.conversation.send('Hi');
    await clock.tick(10);
    await kill(first);
    const second = open({
      SendStreamingMessage: { events: numbered([task('TASK_STATE_WORKING'), status('TASK_STATE_COMPLETED', 'Done.')]) },
    });
    await second.finish(second.conversation.load());
    await until(clock, () => !second.conversation.state.isRunning);
    expect(shown(second.conversation)).toEqual(['user: Hi', 'agent: Done.']);
    expect(second.conversation.state.messages[0]).toMatchObject({ delivery: 'sent' });
    expect(second.sent().map(({ messageId }) => messageId)).toEqual(first.sent().map(({ messageId }) => messageId));
  });

  test('a real server that received the first send runs the task once', async () => {
    const executor = scriptedExecutor([...words('Hello'), { do: 'complete' }]);
    const clock = manualClock();
    const served = createTestFetch(createAgent({ name: 'teller', executor, clock }));
    let isCut = true;
    // The request arrives at the server; the response never reaches the client.
    const fetch = Object.assign(
      (async (input, init) => {
        const response = await served(input, init);
        return isCut && String(init?.body).includes('SendStreamingMessage') ? new Promise<never>(() => {}) : response;
      }) as typeof globalThis.fetch,
      { requests: served.requests },
    );
    const { open } = browser({ fetch, clock });
    const first = open({});
    void first.conversation.send('Hi');
    await until(clock, () => executor.runs.length === 1);
    await kill(first);
    isCut = false;
    const second = open({});
    await second.finish(second.conversation.load());
    await until(clock, () => !second.conversation.state.isRunning);
    expect(shown(second.conversation)).toEqual(['user: Hi', 'agent: Hello']);
    expect(executor.runs).toHaveLength(1);
  });

  test('shows the delivery as unknown for an agent without idempotency keys, and the user decides', async () => {
    const { open, clock } = browser();
    const first = open({ SendStreamingMessage: 'stall' });
    void first.conversation.send('Hi');
    await clock.tick(10);
    await kill(first);
    const second = open({ SendStreamingMessage: { events: [task('TASK_STATE_WORKING'), status('TASK_STATE_COMPLETED', 'Done.')] } });
    await second.finish(second.conversation.load());
    await until(clock, () => !second.conversation.state.isRunning);
    const [user] = second.conversation.state.messages;
    expect(user).toMatchObject({ delivery: 'unknown' });
    expect(second.sent()).toEqual([]);
    await second.finish(second.conversation.settle(user?.id ?? '', 'resend'));
    expect(shown(second.conversation)).toEqual(['user: Hi', 'agent: Done.']);
    expect(second.conversation.state.messages[0]).toMatchObject({ delivery: 'sent' });
    expect(answerOf(second.conversation).siblings).toHaveLength(1);
    expect(second.sent().map(({ messageId }) => messageId)).toEqual(first.sent().map(({ messageId }) => messageId));
    await expect(second.conversation.settle(user?.id ?? '', 'discard')).rejects.toThrow('cannot be settled');
  });

  test('marks the message as failed when the user discards it', async () => {
    const { open, clock } = browser();
    const first = open({ SendStreamingMessage: 'stall' });
    void first.conversation.send('Hi');
    await clock.tick(10);
    await kill(first);
    const second = open({});
    await second.finish(second.conversation.load());
    await until(clock, () => !second.conversation.state.isRunning);
    await second.finish(second.conversation.settle(second.conversation.state.messages[0]?.id ?? '', 'discard'));
    expect(second.conversation.state.messages[0]).toMatchObject({ delivery: 'failed' });
    expect(second.sent()).toEqual([]);
  });

  test('an answer that is not resumed yet can be canceled', async () => {
    const { open, clock } = browser({ log: true });
    const first = open({ SendStreamingMessage: 'stall' });
    void first.conversation.send('Hi');
    await clock.tick(10);
    await kill(first);
    const second = open({ GetAgentCard: { value: {}, delays: { headersMs: 60_000 } }, SendStreamingMessage: 'stall' });
    await until(clock, () => {
      void second.conversation.load();
      return second.conversation.state.messages.length === 2;
    });
    expect(second.conversation.state.isRunning).toBe(true);
    void second.conversation.cancel();
    await clock.tick();
    expect(answerOf(second.conversation).status).toMatchObject({ reason: 'cancelled' });
    second.conversation.close();
  });
});

describe('saving', () => {
  const spying = (storage = memoryStorage()) => {
    const saves: { readonly at: number; readonly value: JsonValue }[] = [];
    const clock = manualClock();
    const spied: ConversationStorage = {
      ...storage,
      set(key, value) {
        saves.push({ at: clock.now(), value: structuredClone(value) });
        return storage.set(key, value);
      },
    };
    return { saves, clock, storage: spied };
  };

  test('saves at once when a run starts, ends or asks, and at most every 250 ms in between', async () => {
    const { saves, clock, storage } = spying();
    const { open } = browser({ clock }, storage);
    const many = Array.from({ length: 100 }, (_, at) => chunk(`${at} `, { append: at > 0 }));
    const { conversation, finish } = open({
      SendStreamingMessage: {
        events: [task('TASK_STATE_WORKING'), ...many, status('TASK_STATE_INPUT_REQUIRED', 'More?')],
        delays: { chunkMs: 10 },
      },
    });
    const began = clock.now();
    await finish(conversation.send('Hi'));
    expect(saves[0]?.at).toBe(began);
    expect(saves.length).toBeGreaterThan(4);
    expect(saves.length).toBeLessThan(12);
    expect(JSON.stringify(saves.at(-1)?.value)).toContain('requires-action');
    conversation.close();
    await clock.tick();
    expect(clock.pending).toBe(0);
  });

  test('reports a failed save once, and tries again', async () => {
    let isFull = true;
    const memory = memoryStorage();
    const storage: ConversationStorage = {
      ...memory,
      set: (key, value) => (isFull ? Promise.reject(new A2AError('CONTENT_TOO_LARGE', 'full')) : memory.set(key, value)),
    };
    const { open, clock } = browser({}, storage);
    const { conversation, finish, errors } = open({
      SendStreamingMessage: { events: [task('TASK_STATE_COMPLETED', { said: says('Done.') })] },
    });
    await finish(conversation.send('Hi'));
    await clock.tick(6_000);
    expect(errors).toMatchObject([{ message: 'full' }]);
    isFull = false;
    await clock.tick(6_000);
    expect(JSON.stringify(await memory.get(savedKey('thread')))).toContain('Done.');
  });

  test('saves less data when the storage is too small, and the next page shows the same', async () => {
    const memory = memoryStorage();
    const storage: ConversationStorage = {
      ...memory,
      set: (key, value) => (JSON.stringify(value).length > 1_500 ? Promise.reject(new Error('full')) : memory.set(key, value)),
    };
    const { open, clock } = browser({}, storage);
    const long = 'x'.repeat(400);
    const history = [says(long)];
    const first = open({
      SendStreamingMessage: {
        events: [task('TASK_STATE_WORKING', { history }), chunk(long, { append: false }), status('TASK_STATE_COMPLETED', 'There.')],
      },
    });
    await first.finish(first.conversation.send('Hi'));
    await clock.tick(300);
    expect(first.errors).toEqual([]);
    await kill(first);
    const second = open({});
    await second.finish(second.conversation.load());
    expect(shown(second.conversation)).toEqual(shown(first.conversation));
  });

  test('saves when the page is hidden', async () => {
    const page = new EventTarget();
    vi.stubGlobal('document', new EventTarget());
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
    vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
    try {
      const { saves, clock, storage } = spying();
      const { open } = browser({ clock }, storage);
      const { conversation } = open({
        SendStreamingMessage: { events: [task('TASK_STATE_WORKING'), chunk('One ', { append: false })], finish: 'stall' },
      });
      void conversation.send('Hi');
      await until(clock, () => conversation.state.messages[1]?.parts.length === 1);
      const before = saves.length;
      page.dispatchEvent(new Event('pagehide'));
      expect(JSON.stringify(saves[before]?.value)).toContain('One ');
      conversation.close();
      await clock.tick();
      const after = saves.length;
      page.dispatchEvent(new Event('pagehide'));
      await clock.tick();
      expect(saves).toHaveLength(after);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test.each([
    ['a text', 'hello'],
    ['an object with values of wrong types', { version: 1, id: 1 }],
    ['an entry of another version', { version: 2, id: 'thread', savedAt: '', headId: null, nodes: [] }],
    ['an entry with invalid messages', { version: 1, id: 'thread', savedAt: '', headId: null, nodes: [{ id: 'x' }] }],
    [
      'an entry with an invalid task',
      {
        version: 1,
        id: 'thread',
        savedAt: '',
        headId: null,
        nodes: [{ id: 'x', parentId: null, createdAt: '', answer: { status: { type: 'running' }, task: { id: 1 } } }],
      },
    ],
  ])('a storage entry that is %s is reported, and the conversation starts empty', async (_name, value) => {
    const { open, storage } = browser();
    await storage.set(savedKey('thread'), value as JsonValue);
    const { conversation, finish, errors } = open({
      SendStreamingMessage: { events: [task('TASK_STATE_COMPLETED', { said: says('Done.') })] },
    });
    await finish(conversation.load());
    expect(conversation.state).toMatchObject({ messages: [], isLoading: false });
    expect(errors).toMatchObject([{ reason: 'INVALID_PARAMS' }]);
    await finish(conversation.send('Hi'));
    expect(shown(conversation)).toEqual(['user: Hi', 'agent: Done.']);
  });

  test('a storage that fails is reported, and messages can still be sent', async () => {
    const broken: ConversationStorage = {
      get: () => Promise.reject(new Error('mine')),
      set: () => Promise.reject(new Error('mine')),
      remove: async () => {},
      keys: async () => [],
    };
    const { open } = browser({}, broken);
    const { conversation, finish, errors } = open({
      SendStreamingMessage: { events: [task('TASK_STATE_COMPLETED', { said: says('Done.') })] },
    });
    await finish(conversation.send('Hi'));
    expect(shown(conversation)).toEqual(['user: Hi', 'agent: Done.']);
    expect(errors.length).toBe(2);
    expect(errors.every((error) => error instanceof A2AError)).toBe(true);
  });

  test('a message that is sent during the load is added after the stored messages', async () => {
    const { open } = browser();
    const first = open({ SendStreamingMessage: { events: [task('TASK_STATE_COMPLETED', { said: says('Done.') })] } });
    await first.finish(first.conversation.send('One'));
    await kill(first);
    const leg = { events: [{ task: { ...theTask('TASK_STATE_COMPLETED', { said: says('Again.') }), id: 'other' } }] };
    const second = open({ SendStreamingMessage: leg });
    await second.finish(second.conversation.send('Two'));
    expect(shown(second.conversation)).toEqual(['user: One', 'agent: Done.', 'user: Two', 'agent: Again.']);
    expect(second.sent().map(({ contextId }: Message) => contextId)).toEqual(['context-1']);
  });
});

/** An artifact with two text parts of different media types. */
const CUT: FaultScript = {
  SendStreamingMessage: {
    events: [
      task('TASK_STATE_WORKING'),
      status('TASK_STATE_WORKING', 'Looking'),
      chunk('', {
        append: false,
        parts: [
          { text: 'Hello ', mediaType: 'text/plain' },
          { text: 'world', mediaType: 'text/markdown' },
        ],
      }),
      status('TASK_STATE_COMPLETED'),
    ],
  },
};

test('F35: the text of an answer stays the same after export, JSON, import and storage', async () => {
  const { open } = browser();
  const first = meet(CUT);
  await first.finish(first.conversation.send('Hi'));
  expect(answerOf(first.conversation).text).toBe('Looking\n\nHello world');
  const second = open({});
  await second.finish(second.conversation.load());
  second.conversation.import(JSON.parse(JSON.stringify(first.conversation.export())));
  expect(answerOf(second.conversation).text).toBe('Looking\n\nHello world');
  await kill(second);
  const third = open({});
  await third.finish(third.conversation.load());
  expect(answerOf(third.conversation).text).toBe('Looking\n\nHello world');
});

test('F35: when the parts of an answer are changed, its text follows the parts', async () => {
  const { conversation, finish } = meet(CUT);
  await finish(conversation.send('Hi'));
  const [user, agent] = conversation.state.messages;
  if (user === undefined || agent === undefined) throw new Error('expected two messages');
  conversation.setMessages([user, { ...agent, parts: [{ text: 'Bye' }] }]);
  expect(answerOf(conversation).text).toBe('Bye');
});

test('D48: a storage preserves the parts of a task', async () => {
  const parts = ['One ', 'two '].map((text) => ({ text, mediaType: 'text/plain' }));
  const pieces = [
    chunk('', { append: false, parts: parts.slice(0, 1) }),
    chunk('', { parts: parts.slice(1) }),
    chunk('three'),
    chunk(' four'),
  ];
  const script: FaultScript = { SendStreamingMessage: { events: [task('TASK_STATE_WORKING'), ...pieces, status('TASK_STATE_COMPLETED')] } };
  for (const keepParts of [false, true]) {
    const { open } = browser({ conversation: { run: { keepParts } } });
    const first = open(script);
    await first.finish(first.conversation.send('Hi'));
    await kill(first);
    const second = open({});
    await second.finish(second.conversation.load());
    const plain = keepParts ? [{ text: 'three' }, { text: ' four' }] : [{ text: 'three four' }];
    expect(answerOf(second.conversation).task?.artifacts).toEqual([{ artifactId: 'answer', parts: [...parts, ...plain] }]);
  }
});
