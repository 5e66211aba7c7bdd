/** The text of an answer is the same in a run, in its updates and in a conversation. */
import { expect, test } from 'vitest';
import { memoryStorage } from '../../src/client/conversation/memory-storage.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { answerOf, meet } from './conversation-walk.js';
import { walk } from './run-walk.js';
import { chunk, status, task } from './scripted-peer.js';

const EVENTS = [
  task('TASK_STATE_WORKING'),
  chunk('hotel ', { id: 'hotel', append: false }),
  chunk('flight to Lisbon', { id: 'flight', append: false }),
  chunk('for Lisbon', { id: 'hotel' }),
  status('TASK_STATE_COMPLETED'),
];
const TEXT = 'hotel for Lisbon\n\nflight to Lisbon';

test('F35: the text of a reply, and of the updates of its run, has a blank line between two artifacts', async () => {
  const { reply, updates } = await walk([{ events: EVENTS }]);
  expect(reply?.text).toBe(TEXT);
  expect(updates.flatMap((update) => (update.kind === 'text' ? [update.text] : []))).toEqual([
    'hotel ',
    'hotel \n\nflight to Lisbon',
    TEXT,
  ]);
});

test('F35: a polled task has the same text as a streamed task', async () => {
  const { reply } = await walk([{ events: EVENTS }]);
  const whole = reply?.kind === 'task' ? reply.task : undefined;
  const polled = await walk([{ value: { task: whole } }], { mode: 'poll' });
  expect(polled.reply?.text).toBe(TEXT);
});

test('F35: a message of a conversation has the text of the reply, during the stream and after a page reload', async () => {
  const clock = manualClock();
  const storage = memoryStorage();
  const open = () => meet({ SendStreamingMessage: { events: EVENTS } }, { clock, conversation: { id: 'thread', storage, tabs: false } });
  const first = open();
  await first.finish(first.conversation.send('Plan'));
  expect(answerOf(first.conversation).text).toBe(TEXT);
  expect(first.conversation.state.messages[0]?.text).toBe('Plan');
  await clock.tick(1_000);
  first.conversation.close();
  const second = open();
  await second.finish(second.conversation.load());
  expect(second.conversation.state.messages.map(({ text }) => text)).toEqual(['Plan', TEXT]);
  second.conversation.import(JSON.parse(JSON.stringify(first.conversation.export())));
  await clock.tick(100);
  expect(answerOf(second.conversation).text).toBe(TEXT);
});

test('F35: text parts of one artifact are joined without a separator, also around data; a status text is separated by a blank line', async () => {
  const parts = [{ text: 'a' }, { data: { n: 1 } }, { text: 'b' }];
  const events = [task('TASK_STATE_WORKING'), chunk('', { append: false, parts }), status('TASK_STATE_COMPLETED', 'That is all.')];
  const { reply } = await walk([{ events }]);
  const { conversation, finish } = meet({ SendStreamingMessage: { events } });
  await finish(conversation.send('Go'));
  expect([reply?.text, answerOf(conversation).text]).toEqual(['ab\n\nThat is all.', 'ab\n\nThat is all.']);
});

test('F35: when a caller changes the parts of a user message, its text follows the parts', async () => {
  const { conversation, clock, finish } = meet({ SendStreamingMessage: { events: EVENTS } });
  await finish(conversation.send('Plan'));
  const [user] = conversation.state.messages;
  if (user === undefined) throw new Error('expected a message');
  conversation.setMessages([{ ...user, parts: [{ text: 'Other' }] }]);
  await clock.tick(100);
  expect(conversation.state.messages[0]?.text).toBe('Other');
});
