/** A leader tab that the browser has frozen: the other tabs continue without it and report it. */
import { describe, expect, test, vi } from 'vitest';
import { memoryStorage } from '../../src/client/conversation/memory-storage.js';
import type { TabMember } from '../../src/client/conversation/tabs.js';
import { webTabs } from '../../src/client/conversation/web-tabs.js';
import { A2AError } from '../../src/protocol/errors.js';
import { fakeBrowser } from '../../src/testing/fake-browser.js';
import { type ManualClock, manualClock } from '../../src/testing/manual-clock.js';
import { type Meeting, meet, shown, until } from './conversation-walk.js';
import { status, task } from './scripted-peer.js';
import { settle } from './tab-walk.js';

const quiet: TabMember = {
  lead() {},
  receive() {},
  snapshot: () => null,
  adopt() {},
  handle: async () => null,
};

const SILENT = {
  reason: 'AGENT_UNAVAILABLE',
  message: 'the leader tab does not respond; it may still execute the command later',
  retryable: false,
};

/** Tabs that can be frozen: messages to a frozen tab wait until it wakes up. */
function freezing() {
  const browser = fakeBrowser();
  const open = () => {
    const { locks, channel } = browser.openTab();
    const missed: (() => void)[] = [];
    let isFrozen = false;
    const open = (name: string): ReturnType<typeof channel> => {
      const own = channel(name);
      return {
        ...own,
        addEventListener: (type, listener) =>
          own.addEventListener(type, (event) => void (isFrozen ? missed.push(() => listener(event)) : listener(event))),
      };
    };
    const freeze = (): void => {
      isFrozen = true;
    };
    const wake = (): void => {
      isFrozen = false;
      for (const hear of missed.splice(0)) hear();
    };
    return { locks, channel: open, freeze, wake };
  };
  return { open };
}

/** Advances the clock and delivers the messages between tabs. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1_000) {
    await clock.tick(Math.min(1_000, left));
    await settle(4);
  }
}

describe('D38: a command', () => {
  const pair = async (handle: TabMember['handle']) => {
    const clock = manualClock();
    const { open } = freezing();
    const [one, two] = [open(), open()];
    await webTabs({ ...one, clock }).join('log', { ...quiet, handle });
    const seat = await webTabs({ ...two, clock }).join('log', quiet);
    await settle();
    return { clock, one, seat };
  };

  test('D38: to a frozen leader rejects after 15 s, and is executed once when the leader wakes up', async () => {
    const handle = vi.fn(async () => 'done');
    const { clock, one, seat } = await pair(handle);
    one.freeze();
    const outcome = vi.fn();
    seat.ask('x').catch(outcome);
    await pass(clock, 14_000);
    expect(outcome).not.toHaveBeenCalled();
    await pass(clock, 1_000);
    expect(outcome.mock.calls).toMatchObject([[SILENT]]);
    expect(outcome.mock.calls[0]?.[0]).toBeInstanceOf(A2AError);
    one.wake();
    await pass(clock, 60_000);
    expect(handle).toHaveBeenCalledTimes(1);
    expect(await seat.ask('y')).toBe('done');
  });

  test('D38: that takes an hour is awaited and executed once', async () => {
    let finish = (): void => {};
    const handle = vi.fn(() => new Promise<string>((resolve) => (finish = () => resolve('done'))));
    const { clock, seat } = await pair(handle);
    const asked = seat.ask('x');
    await pass(clock, 3_600_000);
    finish();
    expect(await asked).toBe('done');
    expect(handle).toHaveBeenCalledTimes(1);
  });

  test('D38: also rejects when the leader is frozen during its execution', async () => {
    const { clock, one, seat } = await pair(() => new Promise(() => {}));
    const outcome = vi.fn();
    seat.ask('x').catch(outcome);
    await pass(clock, 5_000);
    one.freeze();
    await pass(clock, 30_000);
    expect(outcome.mock.calls).toMatchObject([[SILENT]]);
  });

  test('D38: leaves no timer, whether it is answered or abandoned', async () => {
    const { clock, seat } = await pair(async () => 'done');
    const after = vi.spyOn(clock, 'after');
    await seat.ask('x');
    const abandoned = seat.ask('y').catch(() => {});
    seat.leave();
    await abandoned;
    expect(after).toHaveBeenCalledTimes(2);
    await pass(clock, 60_000);
    expect(after).toHaveBeenCalledTimes(2);
  });
});

describe('D38: a conversation in a follower tab', () => {
  const DONE = { events: [task('TASK_STATE_WORKING'), status('TASK_STATE_COMPLETED', 'Hello')] };

  const start = async () => {
    const clock = manualClock();
    const { open } = freezing();
    const storage = memoryStorage();
    const page = (tab: ReturnType<typeof open>): Meeting =>
      meet({ SendStreamingMessage: DONE }, { clock, conversation: { id: 'thread', storage, tabs: webTabs({ ...tab, clock }) } });
    const [one, two] = [open(), open()];
    const leading = page(one);
    await leading.finish(leading.conversation.send('Hi'));
    await clock.tick(300);
    return { clock, one, leading, page: page(two) };
  };

  test('D38: is loaded when it has the state of the leader', async () => {
    const { page, leading } = await start();
    void leading.conversation.send('Not kept yet', { startRun: false });
    await page.conversation.load();
    expect(page.conversation.state.isLoading).toBe(false);
    expect(shown(page.conversation)).toEqual(['user: Hi', 'agent: Hello', 'user: Not kept yet']);
    expect(page.clock.pending).toBe(0);
  });

  test('D38: shows the stored messages and stops loading when the leader is frozen', async () => {
    const { page, one, clock, leading } = await start();
    one.freeze();
    const load = page.conversation.load();
    await settle();
    await pass(clock, 2_000);
    expect(page.conversation.state).toMatchObject({ isLoading: true, messages: [{}, {}] });
    await pass(clock, 1_000);
    await load;
    expect(page.conversation.state).toMatchObject({ isLoading: false, isLeader: false });
    const outcome = vi.fn();
    page.conversation.send('Are you there?').catch(outcome);
    await pass(clock, 15_000);
    expect(outcome.mock.calls).toMatchObject([[SILENT]]);
    one.wake();
    await until(clock, () => shown(page.conversation).length === 4);
    expect(shown(page.conversation)).toEqual(shown(leading.conversation));
    expect(leading.sent()).toHaveLength(2);
  });

  test('D38: that is closed while it waits for the leader is loaded, and leaves no timer', async () => {
    const { page, one, clock } = await start();
    one.freeze();
    const load = page.conversation.load();
    await pass(clock, 1_000);
    page.conversation.close();
    await load;
    expect(clock.pending).toBe(0);
  });
});
