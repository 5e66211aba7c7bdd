/** Conversations with a history adapter: the application stores the messages. */
import { describe, expect, test } from 'vitest';
import type { ExportedConversation } from '../../src/client/conversation/conversation.js';
import type { ConversationMessage, UserMessage } from '../../src/client/conversation/message.js';
import type { HistoryAdapter } from '../../src/client/conversation/options.js';
import type { ScriptedResponse } from '../../src/testing/faults/script.js';
import { answerOf, meet, shown, until } from './conversation-walk.js';
import { chunk, says, status, task } from './scripted-peer.js';

const user = (id: string, parentId: string | null): { parentId: string | null; message: UserMessage } => ({
  parentId,
  message: {
    id,
    parentId,
    siblings: [],
    createdAt: '2026-01-01T00:00:00.000Z',
    role: 'ROLE_USER',
    parts: [{ text: id }],
    text: id,
    message: { messageId: id, role: 'ROLE_USER', parts: [{ text: id }] },
    delivery: 'sent',
  },
});

function remember(kept: ExportedConversation = { messages: [] }, fails: (append: number) => boolean = () => false) {
  const appended: { readonly parentId: string | null; readonly message: ConversationMessage }[] = [];
  let loads = 0;
  let appends = 0;
  const history: HistoryAdapter = {
    async load() {
      loads += 1;
      return kept;
    },
    async append(item) {
      appends += 1;
      if (fails(appends)) throw new Error('mine');
      appended.push(item);
    },
  };
  return { history, appended, loads: () => loads };
}

const DONE: ScriptedResponse = { events: [task('TASK_STATE_WORKING'), chunk('Done.', { append: false }), status('TASK_STATE_COMPLETED')] };
const ASKS: ScriptedResponse = { events: [task('TASK_STATE_WORKING'), status('TASK_STATE_INPUT_REQUIRED', 'Where?')] };

describe('a history', () => {
  test('U14: is loaded once, whatever happens to the card, and isLoading is true meanwhile', async () => {
    const { history, loads } = remember({ messages: [user('a', null), user('b', 'a')] });
    const { conversation, finish } = meet({ GetAgentCard: 500 }, { conversation: { history } });
    expect(conversation.state.isLoading).toBe(false);
    const loading = conversation.load();
    expect([conversation.load() === loading, conversation.state.isLoading]).toEqual([true, true]);
    await finish(loading);
    expect([loads(), conversation.state.isLoading, shown(conversation)]).toEqual([1, false, ['user: a', 'user: b']]);
  });

  test('U14: a load that fails is reported once, and the conversation works without it', async () => {
    const history: HistoryAdapter = { load: () => Promise.reject(new Error('mine')), append: async () => {} };
    const { conversation, finish, errors } = meet({ SendStreamingMessage: DONE }, { conversation: { history } });
    await finish(conversation.load());
    await finish(conversation.load());
    expect(conversation.state.isLoading).toBe(false);
    expect(errors).toMatchObject([{ reason: 'INTERNAL_ERROR', cause: new Error('mine') }]);
    await finish(conversation.send('Hi'));
    expect(shown(conversation)).toEqual(['user: Hi', 'agent: Done.']);
  });

  test('U36: receives each user message at once, and each answer when it has ended', async () => {
    const { history, appended } = remember();
    const { conversation, finish } = meet({ SendStreamingMessage: [DONE, 500] }, { conversation: { history } });
    await finish(conversation.send('One'));
    await finish(conversation.send('Two').catch(() => {}));
    await finish(Promise.resolve());
    expect(appended.map(({ message }) => [message.role, message.role === 'ROLE_AGENT' ? message.status.type : ''])).toEqual([
      ['ROLE_USER', ''],
      ['ROLE_AGENT', 'complete'],
      ['ROLE_USER', ''],
      ['ROLE_AGENT', 'incomplete'],
    ]);
    expect(appended.map(({ parentId }) => parentId)).toEqual([null, ...appended.slice(0, 3).map(({ message }) => message.id)]);
  });

  test('7.3(7): receives an answer with an open question, and receives it again when the question is answered', async () => {
    const { history, appended } = remember();
    const { conversation, finish } = meet({ SendStreamingMessage: [ASKS, DONE] }, { conversation: { history } });
    await finish(conversation.send('Hi'));
    expect(appended.at(-1)?.message).toMatchObject({ status: { type: 'requires-action' }, parts: [{ text: 'Where?' }] });
    const asked = appended.at(-1)?.message.id;
    await finish(conversation.send('Lisbon'));
    const told = appended
      .filter(({ message }) => message.id === asked)
      .map(({ message }) => message.role === 'ROLE_AGENT' && message.status.type);
    expect(told).toEqual(['requires-action', 'complete']);
  });

  test('U36: an append that failed is repeated before the next append, so the order stays', async () => {
    const { history, appended } = remember({ messages: [] }, (append) => append === 2);
    const { conversation, finish, errors } = meet({ SendStreamingMessage: DONE }, { conversation: { history } });
    await finish(conversation.send('One'));
    expect(appended).toHaveLength(1);
    expect(errors).toMatchObject([{ message: 'A message could not be added to the history' }]);
    await finish(conversation.send('Two'));
    await finish(Promise.resolve());
    expect(appended.map(({ message }) => message.id)).toEqual(conversation.state.messages.map(({ id }) => id));
  });

  test.each<[string, ExportedConversation]>([
    ['duplicate ids', { messages: [user('a', null), user('b', 'a'), user('a', 'b')] }],
    ['a circle', { messages: [user('a', 'b'), user('b', 'a')] }],
    ['a missing parent', { messages: [user('a', null), user('b', 'missing')] }],
    ['a missing head', { headId: 'missing', messages: [user('a', null), user('b', 'a')] }],
  ])('U36: a history with %s is shown as a linear list', async (_name, kept) => {
    const { history } = remember(kept);
    const { conversation, finish } = meet({}, { conversation: { history } });
    await finish(conversation.load());
    expect(shown(conversation)).toEqual(['user: a', 'user: b']);
  });

  test.each([
    null,
    'x',
    {},
    { messages: [1] },
    { messages: [{ parentId: 1, message: {} }] },
    { messages: [{ message: { id: 'a', role: 'x' } }] },
  ])('an invalid history (%j) is reported, and the conversation starts empty', async (kept) => {
    const { history } = remember(kept as unknown as ExportedConversation);
    const { conversation, finish, errors } = meet({}, { conversation: { history } });
    await finish(conversation.load());
    expect([conversation.state.messages, errors.length]).toEqual([[], 1]);
  });

  test('U37: when another thread replaces one during an answer, the new thread contains nothing of that answer', async () => {
    const { history, appended } = remember();
    const hanging: ScriptedResponse = { events: [task('TASK_STATE_WORKING'), chunk('One ', { append: false })], finish: 'stall' };
    const { conversation, clock, operations } = meet({ SendStreamingMessage: hanging }, { conversation: { history } });
    void conversation.send('Hi');
    await until(clock, () => answerOf(conversation).parts.length > 0);
    conversation.clear();
    conversation.import({ messages: [user('a', null)] });
    await clock.tick(10_000);
    expect(shown(conversation)).toEqual(['user: a']);
    expect(conversation.state).toMatchObject({ isRunning: false, contextId: undefined, task: undefined, connection: { state: 'idle' } });
    expect(appended.map(({ message }) => message.role)).toEqual(['ROLE_USER']);
    expect([operations(), clock.pending]).toEqual([['SendStreamingMessage'], 0]);
  });

  test('messages that were stored as JSON are restored unchanged', async () => {
    const { history, appended } = remember();
    const first = meet(
      { SendStreamingMessage: [DONE, { events: [task('TASK_STATE_FAILED', { said: says('No.') })] }] },
      { conversation: { history } },
    );
    await first.finish(first.conversation.send('Hi'));
    await first.finish(first.conversation.send('Again').catch(() => {}));
    await first.finish(Promise.resolve());
    const again = remember(JSON.parse(JSON.stringify({ messages: appended })));
    const second = meet({}, { conversation: { history: again.history } });
    await second.finish(second.conversation.load());
    expect(shown(second.conversation)).toEqual(shown(first.conversation));
    expect(second.errors).toEqual([]);
    expect(answerOf(second.conversation).status).toMatchObject({
      type: 'incomplete',
      reason: 'error',
      error: { name: 'A2ATaskFailedError' },
    });
  });
});
