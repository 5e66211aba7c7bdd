/** The metadata of events reaches runs, conversations, other tabs, and the page after a reload. */
import { expect, test } from 'vitest';
import type { ConversationEvent } from '../../src/client/conversation/conversation.js';
import { memoryStorage } from '../../src/client/conversation/memory-storage.js';
import { savedKey } from '../../src/client/conversation/saved.js';
import { webTabs } from '../../src/client/conversation/web-tabs.js';
import type { JsonValue, StreamResponse } from '../../src/protocol/types.js';
import { createAgent } from '../../src/server/index.js';
import { fakeBrowser } from '../../src/testing/fake-browser.js';
import { faultFetch } from '../../src/testing/fault-fetch.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { createTestFetch } from '../../src/testing/test-fetch.js';
import { answerOf, meet, until } from './conversation-walk.js';
import { walk } from './run-walk.js';
import { chunk, status, task } from './scripted-peer.js';

const progress = (fraction: number): StreamResponse => {
  const { statusUpdate } = status('TASK_STATE_WORKING');
  return statusUpdate === undefined ? {} : { statusUpdate: { ...statusUpdate, metadata: { progress: fraction } } };
};
const page = (n: number): StreamResponse => {
  const { artifactUpdate } = chunk('x', { append: false });
  return artifactUpdate === undefined ? {} : { artifactUpdate: { ...artifactUpdate, metadata: { page: n } } };
};
const BEGUN = [task('TASK_STATE_WORKING'), progress(0.25), page(1), progress(0.5)];

const metadataOf = (events: readonly ConversationEvent[]): unknown[] =>
  events.flatMap((event) => (event.kind === 'update' && 'metadata' in event.update ? [event.update.metadata] : []));

test('F40: the updates of a run have the metadata of their events', async () => {
  const { updates } = await walk([{ events: [...BEGUN, status('TASK_STATE_COMPLETED')] }]);
  const told = updates.flatMap((update) => (update.kind === 'state' || update.kind === 'artifact' ? [update.metadata] : []));
  expect(told).toEqual([undefined, { progress: 0.25 }, { page: 1 }, { progress: 0.5 }, undefined]);
});

test('F40: progress reaches the task and the events of a conversation while the task works', async () => {
  const { conversation, clock, events } = meet({ SendStreamingMessage: { events: BEGUN, finish: 'stall' } });
  void conversation.send('Go');
  await until(clock, () => conversation.state.task?.metadata?.progress === 0.5);
  expect(metadataOf(events)).toEqual([{ progress: 0.25 }, { page: 1 }, { progress: 0.5 }]);
  conversation.close();
});

test('F40: progress of a Parley agent reaches a page', async () => {
  const clock = manualClock();
  let goOn = (): void => {};
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const agent = createAgent({
    name: 'Worker',
    clock,
    execute: async (_context, events) => {
      await events.progress(0.75, 'Almost');
      await events.flush();
      await gate;
    },
  });
  const { conversation, finish } = meet({}, { clock, fetch: createTestFetch(agent) });
  const sent = conversation.send('Go');
  await until(clock, () => conversation.state.task?.metadata?.progress === 0.75);
  expect(conversation.state.task?.metadata).toEqual({ progress: 0.75, progressText: 'Almost' });
  goOn();
  await finish(sent);
});

test('F40: progress is available after a page reload and in another tab', async () => {
  const clock = manualClock();
  const browser = fakeBrowser();
  const storage = memoryStorage();
  const script = { SendStreamingMessage: { events: BEGUN, finish: 'stall' }, SubscribeToTask: 'stall' } as const;
  const fetch = faultFetch({ script, clock });
  const open = () => {
    const tab = browser.openTab();
    return meet({}, { clock, fetch, conversation: { id: 'thread', storage, tabs: webTabs({ locks: tab.locks, channel: tab.channel }) } });
  };
  const [leader, follower] = [open(), open()];
  await leader.finish(leader.conversation.load());
  await follower.finish(follower.conversation.load());
  void leader.conversation.send('Go');
  await until(clock, () => follower.conversation.state.task?.metadata?.progress === 0.5);
  expect(metadataOf(follower.events)).toEqual([{ progress: 0.25 }, { page: 1 }, { progress: 0.5 }]);
  await clock.tick(1_000);
  leader.conversation.close();
  follower.conversation.close();
  const again = meet({ SubscribeToTask: 'stall' }, { clock, conversation: { id: 'thread', storage, tabs: false } });
  await again.finish(again.conversation.load());
  expect(again.conversation.state.task?.metadata).toEqual({ progress: 0.5 });
  again.conversation.close();
});

test('F40: a conversation that was saved without metadata can still be loaded', async () => {
  const clock = manualClock();
  const storage = memoryStorage();
  const at = '2026-01-01T00:00:00.000Z';
  const message = { messageId: 'u', role: 'ROLE_USER', parts: [{ text: 'Hi' }] };
  const made = { id: 't', status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ artifactId: 'a', parts: [{ text: 'Hello' }] }] };
  const saved: JsonValue = {
    version: 1,
    id: 'thread',
    savedAt: at,
    headId: 'a',
    nodes: [
      { id: 'u', parentId: null, createdAt: at, user: { message, delivery: 'sent' } },
      {
        id: 'a',
        parentId: 'u',
        createdAt: at,
        answer: { status: { type: 'complete', reason: 'stop' }, task: made, blocks: [{ artifactId: 'a' }] },
      },
    ],
  };
  await storage.set(savedKey('thread'), saved);
  const { conversation, finish } = meet({}, { clock, conversation: { id: 'thread', storage, tabs: false } });
  await finish(conversation.load());
  expect(answerOf(conversation)).toMatchObject({ text: 'Hello', parts: [{ text: 'Hello' }], task: made });
});
