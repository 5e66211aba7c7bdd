/** A conversation shows the true state, whatever happened to its task while no page was open. */
import { describe, expect, test, vi } from 'vitest';
import { memoryStorage } from '../../src/client/conversation/memory-storage.js';
import type { ConversationMessage } from '../../src/client/conversation/message.js';
import { savedKey } from '../../src/client/conversation/saved.js';
import type { ConversationStorage } from '../../src/client/conversation/storage.js';
import { webTabs } from '../../src/client/conversation/web-tabs.js';
import { A2AError } from '../../src/protocol/errors.js';
import type { JsonValue, Task, TaskState } from '../../src/protocol/types.js';
import { fakeBrowser } from '../../src/testing/fake-browser.js';
import type { FaultScript } from '../../src/testing/faults/script.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { answerOf, type Meeting, meet, until } from './conversation-walk.js';
import { chunk, says, status, task } from './scripted-peer.js';

const ASKS = { events: [task('TASK_STATE_WORKING'), status('TASK_STATE_INPUT_REQUIRED', 'Which?')] };
const SAYS = { events: [task('TASK_STATE_WORKING'), status('TASK_STATE_COMPLETED', 'Hello')] };

const taskIn = (state: TaskState): Task => ({ id: 'task-1', contextId: 'context-1', status: { state } });
const deliveries = ({ conversation }: Meeting) =>
  conversation.state.messages.flatMap((message) => (message.role === 'ROLE_USER' ? [message.delivery] : []));

/** Opens pages one after the other on the same storage. */
function pages(storage = memoryStorage()) {
  const clock = manualClock();
  const open = (script: FaultScript, log = false) => meet(script, { clock, log, conversation: { id: 'thread', storage, tabs: false } });
  const leave = async ({ conversation }: Meeting) => {
    await clock.tick(300);
    conversation.close();
  };
  return { clock, storage, open, leave };
}

describe('an open question, after the page is opened again', () => {
  const asked = async () => {
    const browser = pages();
    const first = browser.open({ SendStreamingMessage: ASKS });
    await first.finish(first.conversation.send('Hi'));
    await browser.leave(first);
    return browser;
  };

  test('is closed when its task was canceled elsewhere, and the next message starts a new task', async () => {
    const { open, clock } = await asked();
    const over = { error: new A2AError('UNSUPPORTED_OPERATION', 'it is over') };
    const page = open({ GetTask: { value: taskIn('TASK_STATE_CANCELED') }, SubscribeToTask: over, SendStreamingMessage: SAYS });
    await page.finish(page.conversation.load());
    await until(clock, () => page.conversation.state.question === undefined);
    expect(answerOf(page.conversation).status).toEqual({ type: 'incomplete', reason: 'cancelled' });
    await page.finish(page.conversation.send('Again'));
    expect(page.sent().map(({ taskId }) => taskId)).toEqual([undefined]);
    expect(page.errors).toEqual([]);
  });

  test('is replaced by the answer when another client replied', async () => {
    const { open, clock } = await asked();
    const now = task('TASK_STATE_WORKING', { history: [says('Which?')] });
    const page = open({
      GetTask: { value: taskIn('TASK_STATE_WORKING') },
      SubscribeToTask: { events: [now, chunk('That one', { append: false }), status('TASK_STATE_COMPLETED')] },
    });
    await page.finish(page.conversation.load());
    await until(clock, () => answerOf(page.conversation).status.type === 'complete');
    expect(page.conversation.state.question).toBeUndefined();
    expect(answerOf(page.conversation).parts.at(-1)).toEqual({ text: 'That one' });
  });

  test('becomes an error when the agent no longer has the task', async () => {
    const { open, clock } = await asked();
    const page = open({
      GetTask: { error: new A2AError('TASK_NOT_FOUND', 'no such task') },
      SubscribeToTask: { error: new A2AError('TASK_NOT_FOUND', 'no such task') },
    });
    await page.finish(page.conversation.load());
    await until(clock, () => page.conversation.state.question === undefined);
    expect(answerOf(page.conversation).status).toMatchObject({ reason: 'error', error: { reason: 'TASK_NOT_FOUND' } });
  });

  test('stays open when the agent cannot be reached', async () => {
    const { open, clock } = await asked();
    const page = open({ GetTask: 503 });
    await page.finish(page.conversation.load());
    await clock.tick(1_000);
    expect(page.conversation.state.question).toMatchObject({ prompt: 'Which?' });
    expect(page.errors).toEqual([]);
  });

  test.each([
    ['TASK_STATE_INPUT_REQUIRED', 'input'],
    ['TASK_STATE_AUTH_REQUIRED', 'auth'],
  ] as const)('is shown also when it has no text and the page closed before it was saved (%s)', async (state, want) => {
    const { open, clock, storage } = pages();
    await storage.set(savedKey('thread'), keptWith({ task: { ...taskIn(state) } }));
    const page = open({ SubscribeToTask: { events: [{ task: taskIn(state) }], finish: 'stall' }, GetTask: { value: taskIn(state) } });
    await page.finish(page.conversation.load());
    await clock.tick(100);
    expect(page.conversation.state).toMatchObject({ isRunning: false, question: { want } });
    page.conversation.close();
    await clock.tick(10_000);
    expect(clock.pending).toBe(0);
  });
});

const at = '2026-01-01T00:00:00.000Z';
const keptWith = (answer: object): JsonValue => ({
  version: 1,
  id: 'thread',
  savedAt: at,
  headId: 'a',
  nodes: [
    {
      id: 'u',
      parentId: null,
      createdAt: at,
      user: { message: { messageId: 'u', role: 'ROLE_USER', parts: [{ text: 'Hi' }] }, delivery: 'sent' },
    },
    { id: 'a', parentId: 'u', createdAt: at, answer: { status: { type: 'running' }, ...JSON.parse(JSON.stringify(answer)) } },
  ],
});

test('an answer that cannot be resumed becomes an error and does not stay running', async () => {
  const { open, clock, storage } = pages();
  await storage.set(savedKey('thread'), keptWith({ task: { id: '', status: { state: 'TASK_STATE_WORKING' } } }));
  const page = open({});
  await page.finish(page.conversation.load());
  await clock.tick(100);
  expect(page.conversation.state).toMatchObject({ isRunning: false, connection: { state: 'idle' } });
  expect(page.errors).toHaveLength(1);
});

describe('a cancel before the first event', () => {
  const CANCELED = { value: taskIn('TASK_STATE_CANCELED') };

  test('marks the message as sent when the agent has canceled its task', async () => {
    const page = meet({ SendStreamingMessage: { ...SAYS, finish: 'stall', delays: { firstByteMs: 1_000 } }, CancelTask: CANCELED });
    void page.conversation.send('Hi');
    await page.clock.tick(10);
    await page.finish(page.conversation.cancel());
    expect(deliveries(page)).toEqual(['sent']);
  });

  test('of a reply to a question leaves no question that cannot be answered', async () => {
    const page = meet({ SendStreamingMessage: [ASKS, 'stall'], CancelTask: CANCELED });
    await page.finish(page.conversation.send('Hi'));
    const answers = page.conversation.state.question?.messageId ?? '';
    void page.conversation.send('This', { answers });
    await page.clock.tick(10);
    await page.finish(page.conversation.cancel());
    expect(deliveries(page)).toEqual(['sent', 'sent']);
    expect(page.conversation.state.messages[1]).toMatchObject({ status: { type: 'complete' } });
  });

  test('by a reload that sends the message again does not change the delivery of the new send', async () => {
    const page = meet({ SendStreamingMessage: ['stall', { ...SAYS, delays: { firstByteMs: 60_000 } }] });
    void page.conversation.send('Hi');
    await page.clock.tick(10);
    void page.conversation.reload(answerOf(page.conversation).id);
    await page.clock.tick(10);
    expect(deliveries(page)).toEqual(['sending']);
    page.conversation.close();
    await page.clock.tick(10_000);
    expect(deliveries(page)).toEqual(['sending']);
  });

  test('without a confirmation leaves the delivery unknown after the page is opened again', async () => {
    const { open, leave } = pages();
    const first = open({ SendStreamingMessage: 'stall' });
    void first.conversation.send('Hi');
    await first.clock.tick(10);
    void first.conversation.cancel();
    await leave(first);
    const page = open({});
    await page.finish(page.conversation.load());
    expect(deliveries(page)).toEqual(['unknown']);
  });
});

describe('a closed conversation', () => {
  test('does not overwrite what the next leader tab has saved since', async () => {
    const clock = manualClock();
    const browser = fakeBrowser();
    const kept = memoryStorage();
    const slow: ConversationStorage = {
      ...kept,
      async set(key, value) {
        const then = structuredClone(value);
        if (isSlow) await new Promise<void>((resolve) => clock.after(1_000, resolve));
        await kept.set(key, then);
      },
    };
    let isSlow = false;
    const open = (storage: ConversationStorage): Meeting => {
      const { locks, channel } = browser.openTab();
      return meet({ SendStreamingMessage: SAYS }, { clock, conversation: { id: 'thread', storage, tabs: webTabs({ locks, channel }) } });
    };
    const first = open(slow);
    await first.finish(first.conversation.send('One'));
    const second = open(kept);
    await second.finish(second.conversation.load());
    await until(clock, () => second.conversation.state.messages.length === 2);
    isSlow = true;
    void first.conversation.send('Two', { startRun: false });
    await until(clock, () => second.conversation.state.messages.length === 3);
    first.conversation.close();
    await until(clock, () => second.conversation.state.isLeader);
    await second.finish(second.conversation.send('Three'));
    await clock.tick(10_000);
    expect(await kept.get(savedKey('thread'))).toMatchObject({ nodes: { length: 5 } });
  });
});

/** Counts the Map lookups of the import of a history of this length. Every answer has its own task. */
function looksToImport(length: number): number {
  const messages = Array.from({ length }, (_, index): ConversationMessage => {
    const id = `m${index}`;
    const parts = [{ text: id }];
    const place = { id, parentId: index === 0 ? null : `m${index - 1}`, siblings: [], createdAt: at, parts, text: id };
    if (index % 2 === 0) return { ...place, role: 'ROLE_USER', message: { messageId: id, role: 'ROLE_USER', parts }, delivery: 'sent' };
    const done: Task = { id: `t${index}`, status: { state: 'TASK_STATE_COMPLETED' } };
    return {
      ...place,
      role: 'ROLE_AGENT',
      status: { type: 'complete', reason: 'stop' },
      task: done,
      seq: undefined,
      said: [],
      artifacts: [],
    };
  });
  const { conversation } = meet({});
  const look = vi.spyOn(Map.prototype, 'get');
  conversation.import({ messages: messages.map((message) => ({ parentId: message.parentId, message })) });
  const looks = look.mock.calls.length;
  look.mockRestore();
  expect(conversation.state.messages).toHaveLength(length);
  return looks;
}

test('the cost of an import grows linearly with the length of the history', () => {
  expect(looksToImport(800)).toBeLessThan(2.5 * looksToImport(400));
});
