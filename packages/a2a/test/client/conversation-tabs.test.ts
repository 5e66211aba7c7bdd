/** One conversation in several browser tabs: one stream, and all tabs show the same. */
import { describe, expect, test, vi } from 'vitest';
import { memoryStorage } from '../../src/client/conversation/memory-storage.js';
import { webTabs } from '../../src/client/conversation/web-tabs.js';
import { A2AError } from '../../src/protocol/errors.js';
import { createAgent } from '../../src/server/index.js';
import { type FakeTab, fakeBrowser } from '../../src/testing/fake-browser.js';
import { faultFetch } from '../../src/testing/fault-fetch.js';
import type { FaultScript } from '../../src/testing/faults/script.js';
import { type ManualClock, manualClock } from '../../src/testing/manual-clock.js';
import { type ScriptStep, scriptedExecutor } from '../../src/testing/scripted-executor.js';
import { createTestFetch, type TestFetch } from '../../src/testing/test-fetch.js';
import { answerOf, type Meeting, meet, shown, textsOf, until } from './conversation-walk.js';
import { chunk, says, status, task } from './scripted-peer.js';

const words = (...texts: string[]): ScriptStep[] => texts.map((text) => ({ do: 'append', artifactId: 'answer', text }));

interface OpenTab extends Meeting {
  readonly tab: FakeTab;
  /** Ends the tab like a process that dies: it sends nothing to the other tabs or to the agent. */
  kill(): void;
}

function tabsOf(fetch: TestFetch, clock = manualClock()) {
  const browser = fakeBrowser();
  const storage = memoryStorage();
  const open = async (): Promise<OpenTab> => {
    const tab = browser.openTab();
    // A closed page receives no responses.
    const own = Object.assign(
      ((input, init) => (tab.isAlive ? fetch(input, init) : new Promise<never>(() => {}))) as typeof globalThis.fetch,
      { requests: fetch.requests },
    );
    const meeting = meet(
      {},
      { clock, fetch: own, conversation: { id: 'thread', storage, tabs: webTabs({ locks: tab.locks, channel: tab.channel }) } },
    );
    await meeting.finish(meeting.conversation.load());
    await clock.tick(20);
    const kill = (): void => {
      tab.kill();
      meeting.conversation.close();
    };
    return { ...meeting, tab, kill };
  };
  return { open, clock, storage };
}

const scripted = (script: FaultScript, clock = manualClock()) => tabsOf(faultFetch({ script, clock }), clock);

/** Messages between tabs arrive asynchronously, so the check is repeated until it passes. */
const settle = async (clock: ManualClock, check: () => void): Promise<void> => {
  await until(clock, () => {
    check();
    return true;
  }).catch(() => {});
  check();
};

const allShown = (...tabs: Meeting[]): string[][] => tabs.map(({ conversation }) => shown(conversation));

describe('tabs', () => {
  test('D38: four tabs share one stream and show the same messages', async () => {
    const { open, clock } = scripted({
      SendStreamingMessage: {
        events: [task('TASK_STATE_WORKING'), chunk('One ', { append: false }), chunk('two'), status('TASK_STATE_COMPLETED')],
        delays: { chunkMs: 50 },
      },
    });
    const [one, two, three] = [await open(), await open(), await open()];
    expect([one, two, three].map(({ conversation }) => conversation.state.isLeader)).toEqual([true, false, false]);
    const sending = two.conversation.send('Hi');
    await until(clock, () => textsOf(answerOf(three.conversation))[0] === 'One ');
    const late = await open();
    expect(shown(late.conversation)).toEqual(['user: Hi', 'agent: One ']);
    expect(late.conversation.state).toMatchObject({ isRunning: true, isLeader: false, connection: { state: 'live' } });
    const answer = await two.finish(sending);
    expect(answer).toMatchObject({ status: { type: 'complete' }, parts: [{ text: 'One two' }] });
    expect(answer).toBe(answerOf(two.conversation));
    await settle(clock, () => expect(allShown(one, two, three, late)).toEqual(Array(4).fill(['user: Hi', 'agent: One two'])));
    expect(one.operations()).toEqual(['SendStreamingMessage']);
    expect(late.conversation.state).toMatchObject({
      isRunning: false,
      contextId: 'context-1',
      task: { status: { state: 'TASK_STATE_COMPLETED' } },
    });
  });

  test('D38: when the leader tab dies during an answer, another tab resumes the answer', async () => {
    const executor = scriptedExecutor([...words('Once ', 'upon '), { do: 'gate', name: 'go' }, ...words('a ', 'time'), { do: 'complete' }]);
    const clock = manualClock();
    const { open } = tabsOf(createTestFetch(createAgent({ name: 'teller', executor, clock })), clock);
    const [one, two] = [await open(), await open()];
    const sending = two.conversation.send('Tell me');
    await until(clock, () => textsOf(answerOf(two.conversation))[0] === 'Once upon ');
    one.kill();
    await until(clock, () => two.conversation.state.isLeader);
    executor.open('go');
    const answer = await two.finish(sending);
    expect(textsOf(answer)).toEqual(['Once upon a time']);
    expect(executor.runs).toHaveLength(1);
    expect(two.operations().filter((name) => name === 'SubscribeToTask')).toHaveLength(1);
  });

  test('D38: when two tabs answer the same question, the second one is rejected', async () => {
    const { open } = scripted({
      SendStreamingMessage: [
        { events: [task('TASK_STATE_WORKING'), status('TASK_STATE_INPUT_REQUIRED', 'Where?')] },
        { events: [task('TASK_STATE_COMPLETED', { said: says('Good.') })], delays: { firstByteMs: 100 } },
      ],
    });
    const [one, two, three] = [await open(), await open(), await open()];
    const asked = await one.finish(one.conversation.send('Hi'));
    await until(one.clock, () => three.conversation.state.question !== undefined);
    const answers = asked?.id ?? '';
    const outcomes = await one.finish(
      Promise.allSettled([two.conversation.send('Lisbon', { answers }), three.conversation.send('Paris', { answers })]),
    );
    expect(outcomes.map(({ status: outcome }) => outcome).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(refused?.reason).toBeInstanceOf(A2AError);
    expect(refused?.reason).toMatchObject({
      reason: 'INVALID_REQUEST',
      message: expect.stringContaining('The question has been answered already'),
    });
    expect(one.sent()).toHaveLength(2);
  });

  test('D38: the leader tab executes every command of a follower tab', async () => {
    let count = 0;
    const { open, clock } = scripted({
      SendStreamingMessage: () => {
        count += 1;
        const done = says(`Done ${count}.`);
        return count === 3
          ? { events: [{ task: { id: 'hanging', status: { state: 'TASK_STATE_WORKING', message: says('Hm.') } } }], finish: 'stall' }
          : { events: [{ task: { id: done.messageId, contextId: 'c', status: { state: 'TASK_STATE_COMPLETED', message: done } } }] };
      },
      CancelTask: { value: { id: 'hanging', status: { state: 'TASK_STATE_CANCELED' } } },
    });
    const [one, two] = [await open(), await open()];
    const first = await two.finish(two.conversation.send('Hi'));
    const second = await two.finish(two.conversation.reload(first?.id ?? null));
    expect(second?.siblings).toEqual([first?.id, second?.id]);
    two.conversation.switchTo(first?.id ?? '');
    await settle(clock, () => expect(allShown(one, two)).toEqual(Array(2).fill(['user: Hi', 'agent: Done 1.'])));
    const editing = two.conversation.edit(two.conversation.state.messages[0]?.id ?? '', 'Hello');
    await until(clock, () => two.conversation.state.isRunning && answerOf(two.conversation).parts.length > 0);
    await two.finish(two.conversation.cancel());
    expect((await two.finish(editing))?.status).toMatchObject({ reason: 'cancelled' });
    expect(one.cancels).toHaveLength(1);
    const exported = two.conversation.export();
    two.conversation.clear();
    await settle(clock, () => expect(allShown(one, two)).toEqual([[], []]));
    two.conversation.import(exported);
    await settle(clock, () => expect(allShown(one, two)).toEqual(Array(2).fill(['user: Hello', 'agent: Hm.'])));
    two.conversation.setMessages(two.conversation.state.messages.slice(0, 1));
    await settle(clock, () => expect(allShown(one, two)).toEqual(Array(2).fill(['user: Hello'])));
    expect([one.errors, two.errors]).toEqual([[], []]);
  });

  test('D38: an error reaches the tab that sent the message, and is the same object as on its answer', async () => {
    const { open } = scripted({ SendStreamingMessage: { events: [task('TASK_STATE_FAILED', { said: says('No.') })] } });
    const [, two] = [await open(), await open()];
    const thrown = await two.finish(two.conversation.send('Hi').catch((error: unknown) => error));
    const shownStatus = answerOf(two.conversation).status;
    expect(thrown).toMatchObject({ name: 'A2ATaskFailedError', message: 'No.' });
    expect(shownStatus.type === 'incomplete' && shownStatus.reason === 'error' && shownStatus.error).toBe(thrown);
  });

  test('D38: when the leader dies together with a failed answer, the tab that sent the message still gets the error', async () => {
    const { open } = scripted({ SendStreamingMessage: { events: [task('TASK_STATE_FAILED', { said: says('No.') })] } });
    const [one, two] = [await open(), await open()];
    one.conversation.onEvent((event) => event.kind === 'status' && event.status.type === 'incomplete' && one.kill());
    const thrown = await two.finish(two.conversation.send('Hi').catch((error: unknown) => error));
    expect(two.conversation.state.isLeader).toBe(true);
    expect(thrown).toMatchObject({ name: 'A2ATaskFailedError', message: 'No.' });
    expect(two.sent()).toHaveLength(1);
  });

  test('D38: a tab that opens after all others are closed restores the conversation', async () => {
    const { open, clock } = scripted({ SendStreamingMessage: { events: [task('TASK_STATE_COMPLETED', { said: says('Done.') })] } });
    const one = await open();
    await one.finish(one.conversation.send('Hi'));
    await clock.tick(300);
    one.conversation.close();
    await clock.tick(20);
    const two = await open();
    expect(two.conversation.state.isLeader).toBe(true);
    expect(shown(two.conversation)).toEqual(['user: Hi', 'agent: Done.']);
  });

  test('a restored or received state is one reset event, and causes no save and no message to other tabs', async () => {
    const { open, clock, storage } = scripted({
      SendStreamingMessage: { events: [task('TASK_STATE_COMPLETED', { said: says('Done.') })] },
    });
    const one = await open();
    await one.finish(one.conversation.send('Hi'));
    await clock.tick(300);
    one.conversation.close();
    const set = vi.spyOn(storage, 'set');
    const [two, three] = [await open(), await open()];
    const resets = (tab: Meeting) => tab.events.flatMap((event) => (event.kind === 'reset' ? [event.exported.messages.length] : []));
    await settle(clock, () => expect(three.conversation.state.isLoading).toBe(false));
    expect([resets(two), new Set(resets(three))]).toEqual([[2], new Set([2])]);
    await clock.tick(10_000);
    expect(set).not.toHaveBeenCalled();
    expect(resets(two)).toEqual([2]);
  });
});
