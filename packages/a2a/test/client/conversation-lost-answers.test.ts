/** A reply to a question that does not reach the agent leaves the question open. */
import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../src/client/conversation/memory-storage.js';
import { A2AError } from '../../src/protocol/errors.js';
import type { FaultScript } from '../../src/testing/faults/script.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { answerOf, type Meeting, meet, shown, until } from './conversation-walk.js';
import { chunk, says, status, TASK, task } from './scripted-peer.js';

const ASKS = { events: [task('TASK_STATE_WORKING'), status('TASK_STATE_INPUT_REQUIRED', 'Which?')] };
const SIGN_IN = { events: [task('TASK_STATE_WORKING'), status('TASK_STATE_AUTH_REQUIRED', 'Sign in')] };
const DONE = { events: [task('TASK_STATE_WORKING'), status('TASK_STATE_COMPLETED', 'Done.')] };

const tasks = ({ sent }: Meeting) => sent().map(({ taskId }) => taskId);
const lose = ({ conversation, finish }: Meeting, text = 'This') => finish(conversation.send(text).catch(() => {}));

describe('a reply that fails to send', () => {
  test('leaves the question open, and the next message answers it', async () => {
    const page = meet({ SendStreamingMessage: [ASKS, 503, 503, DONE, DONE] });
    const asked = await page.finish(page.conversation.send('Hi'));
    const { question } = page.conversation.state;
    await lose(page);
    expect(page.conversation.state.question).toEqual(question);
    await lose(page, 'This, please');
    expect(page.conversation.state.question).toMatchObject({ messageId: asked?.id, prompt: 'Which?' });
    await page.finish(page.conversation.send('This again'));
    expect(page.conversation.state.question).toBeUndefined();
    expect(page.conversation.state.messages[1]).toMatchObject({ id: asked?.id, status: { type: 'complete' } });
    expect(shown(page.conversation).slice(-2)).toEqual(['user: This again', 'agent: Done.']);
    await page.finish(page.conversation.send('Thanks'));
    expect(tasks(page)).toEqual([undefined, TASK, TASK, TASK, undefined]);
  });

  test('leaves the question open for one reply, which may follow the question or the failed reply', async () => {
    const page = meet({ SendStreamingMessage: [ASKS, 503, 'stall'] });
    const asked = await page.finish(page.conversation.send('Hi'));
    await lose(page);
    const answers = asked?.id ?? '';
    void page.conversation.send('This again', { answers, parentId: answerOf(page.conversation).id });
    await page.clock.tick(10);
    expect(page.conversation.state).toMatchObject({ isRunning: true, question: undefined });
    await expect(page.finish(page.conversation.send('That', { answers }))).rejects.toThrow('The question has been answered already');
    expect(tasks(page)).toEqual([undefined, TASK, TASK]);
    page.conversation.close();
  });

  test.each(['TASK_NOT_FOUND', 'UNSUPPORTED_OPERATION'] as const)(
    'closes the question when the agent rejects it with %s: the next message starts a new task',
    async (reason) => {
      const over = { error: new A2AError(reason, 'it is over') };
      const page = meet({ SendStreamingMessage: [ASKS, over, DONE], SendMessage: over });
      await page.finish(page.conversation.send('Hi'));
      await lose(page);
      expect(page.conversation.state.question).toBeUndefined();
      await page.finish(page.conversation.send('Anew'));
      expect(tasks(page).at(-1)).toBeUndefined();
    },
  );

  test('counts as received when the agent sent an event before the failure', async () => {
    const broken = { events: [status('TASK_STATE_WORKING', 'Let me see.')], finish: 'cut' as const };
    const page = meet(
      { SendStreamingMessage: [ASKS, broken, DONE], SubscribeToTask: 503, GetTask: 503 },
      { conversation: { run: { reconnect: { maxRetries: 0 } } } },
    );
    await page.finish(page.conversation.send('Hi'));
    await lose(page);
    expect(answerOf(page.conversation).status).toMatchObject({ reason: 'error' });
    expect(page.conversation.state.question).toBeUndefined();
    await page.finish(page.conversation.send('Anew'));
    expect(tasks(page)).toEqual([undefined, TASK, undefined]);
  });

  test('does not hide an authorization that is granted elsewhere', async () => {
    const page = meet({
      SendStreamingMessage: [SIGN_IN, 503],
      SubscribeToTask: [
        { events: [], finish: 'stall' },
        {
          events: [
            task('TASK_STATE_AUTH_REQUIRED', { said: says('Sign in') }),
            chunk('Here.', { append: false }),
            status('TASK_STATE_COMPLETED'),
          ],
          delays: { chunkMs: 100 },
        },
      ],
    });
    const asked = await page.finish(page.conversation.send('Hi'));
    await lose(page, 'I did');
    await until(page.clock, () => page.conversation.state.messages[1]?.parts.at(-1)?.text === 'Here.');
    await until(page.clock, () => page.conversation.state.question === undefined);
    expect(page.conversation.state.messages[1]).toMatchObject({ id: asked?.id, status: { type: 'complete' } });
    expect(page.clock.pending).toBe(0);
  });
});

describe('a reply that failed to send, after the page is opened again', () => {
  const reopened = async (script: FaultScript) => {
    const clock = manualClock();
    const conversation = { id: 'thread', storage: memoryStorage(), tabs: false } as const;
    const first = meet({ SendStreamingMessage: [ASKS, 503] }, { clock, conversation });
    await first.finish(first.conversation.send('Hi'));
    await lose(first);
    await clock.tick(300);
    first.conversation.close();
    const page = meet(script, { clock, conversation });
    await page.finish(page.conversation.load());
    return page;
  };

  test('still leaves the question open', async () => {
    const page = await reopened({ SendStreamingMessage: DONE, GetTask: 503 });
    expect(page.conversation.state.question).toMatchObject({ prompt: 'Which?' });
    await page.finish(page.conversation.send('This again'));
    expect(tasks(page)).toEqual([TASK]);
  });

  test('leaves no question when the task was canceled meanwhile', async () => {
    const over = { error: new A2AError('UNSUPPORTED_OPERATION', 'it is over') };
    const gone = { value: { id: TASK, contextId: 'context-1', status: { state: 'TASK_STATE_CANCELED' as const } } };
    const page = await reopened({ GetTask: gone, SubscribeToTask: over });
    await until(page.clock, () => page.conversation.state.question === undefined);
    expect(page.conversation.state.messages[1]).toMatchObject({ status: { reason: 'cancelled' } });
  });
});
