/** The configuration of a message is sent again whenever the message is sent again. */
import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../src/client/conversation/memory-storage.js';
import { savedKey } from '../../src/client/conversation/saved.js';
import { isObject } from '../../src/protocol/is-object.js';
import type { JsonValue } from '../../src/protocol/types.js';
import type { FaultScript } from '../../src/testing/faults/script.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { answerOf, type Meeting, meet, until } from './conversation-walk.js';
import { status, task } from './scripted-peer.js';

const DONE = { events: [task('TASK_STATE_WORKING'), status('TASK_STATE_COMPLETED', 'Done.')] };
/** The configuration that a client sends by default. */
const DEFAULTS = { acceptedOutputModes: ['text/plain', 'application/json'] };
const CONFIGURATION = { acceptedOutputModes: ['text/markdown'], historyLength: 3 };

const configurations = ({ fetch }: Meeting): unknown[] =>
  fetch.requests
    .filter(({ operation }) => operation === 'SendStreamingMessage')
    .map(({ params }) => isObject(params) && params.configuration);

function pages(log: boolean) {
  const clock = manualClock();
  const storage = memoryStorage();
  const open = (script: FaultScript): Meeting => meet(script, { clock, log, conversation: { id: 'thread', storage, tabs: false } });
  /** Closes a page while its message is being sent. */
  const leave = async (): Promise<void> => {
    const page = open({ SendStreamingMessage: 'stall' });
    void page.conversation.send('Hi', { configuration: CONFIGURATION });
    await clock.tick(300);
    page.conversation.close();
  };
  return { open, leave, clock, storage };
}

describe('the configuration of a message', () => {
  test('is sent again after a page reload during the send', async () => {
    const { open, leave, clock } = pages(true);
    await leave();
    const page = open({ SendStreamingMessage: { events: DONE.events.map((response, at) => ({ seq: at + 2, response })) } });
    await page.finish(page.conversation.load());
    await until(clock, () => answerOf(page.conversation).status.type === 'complete');
    expect(configurations(page)).toEqual([CONFIGURATION]);
  });

  test('is sent again when the user chooses to resend the message', async () => {
    const { open, leave, clock } = pages(false);
    await leave();
    const page = open({ SendStreamingMessage: DONE });
    await page.finish(page.conversation.load());
    await until(clock, () => !page.conversation.state.isRunning);
    await page.finish(page.conversation.settle(page.conversation.state.messages[0]?.id ?? '', 'resend'));
    expect(configurations(page)).toEqual([CONFIGURATION]);
  });

  test('is sent again with each reload() of the answer, also from another page', async () => {
    const { open, clock } = pages(false);
    const first = open({ SendStreamingMessage: DONE });
    await first.finish(first.conversation.send('Hi', { configuration: CONFIGURATION }));
    await first.finish(first.conversation.reload(answerOf(first.conversation).id));
    expect(configurations(first)).toEqual([CONFIGURATION, CONFIGURATION]);
    await clock.tick(300);
    first.conversation.close();
    const page = open({ SendStreamingMessage: DONE });
    await page.finish(page.conversation.load());
    await page.finish(page.conversation.reload(page.conversation.state.messages[0]?.id ?? null));
    expect(configurations(page)).toEqual([CONFIGURATION]);
  });

  test.each([
    ['missing', undefined],
    ['invalid', { historyLength: 'many' }],
    ['with an invalid webhook url', { taskPushNotificationConfig: { url: 7 } }],
  ])('a stored configuration (%s) is replaced by the default, and the rest of the conversation is restored', async (_, configuration) => {
    const { open, leave, storage, clock } = pages(false);
    await leave();
    const kept = (await storage.get(savedKey('thread'))) as { nodes: readonly { configuration?: JsonValue }[] }; // as the page stored it
    expect(kept.nodes[1]?.configuration).toEqual(CONFIGURATION);
    const nodes = kept.nodes.map(({ configuration: _old, ...node }) => ({ ...node, ...(configuration && { configuration }) }));
    await storage.set(savedKey('thread'), JSON.parse(JSON.stringify({ ...kept, nodes })));
    const page = open({ SendStreamingMessage: DONE });
    await page.finish(page.conversation.load());
    await until(clock, () => !page.conversation.state.isRunning);
    await page.finish(page.conversation.settle(page.conversation.state.messages[0]?.id ?? '', 'resend'));
    expect(configurations(page)).toEqual([DEFAULTS]);
    expect(page.errors).toEqual([]);
  });
});
