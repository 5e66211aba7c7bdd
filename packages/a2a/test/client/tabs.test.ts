// How the tabs of a browser elect and use one leader.
import { A2AError } from '@parley/a2a';
import { soloTabs, type TabMember, webTabs } from '@parley/a2a/conversation';
import { fakeBrowser } from '@parley/a2a/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { joinTab, type Shared, settle } from './tab-walk.js';

const shared = (): Shared => ({ kept: [], done: [] });
const quiet: TabMember = { lead() {}, receive() {}, snapshot: () => null, adopt() {}, handle: async () => null };

describe('D38: one tab leads', () => {
  test('D38: the first tab leads before its join resolves; the others follow', async () => {
    const browser = fakeBrowser();
    const all = shared();
    const tabs = [1, 2, 3].map(() => joinTab(browser.openTab(), { shared: all }));
    const seats = await Promise.all(tabs.map(({ seat }) => seat));
    expect(seats.map(({ isLeader }) => isLeader)).toEqual([true, false, false]);
    expect(tabs.map(({ leads }) => leads)).toEqual([1, 0, 0]);
  });

  test('D38: a tab that joins late gets a snapshot, then all later events', async () => {
    const browser = fakeBrowser();
    const all = shared();
    const first = joinTab(browser.openTab(), { shared: all });
    for (const event of ['a', 'b']) await first.tell(event);
    const late = joinTab(browser.openTab(), { shared: all });
    await late.seat;
    await first.tell('c');
    await settle();
    await first.tell('d');
    await settle();
    expect(late.log).toEqual(['a', 'b', 'c', 'd']);
    expect(late.adopted).toBe(1);
  });

  test('D38: a leader that is still loading sends no partial state', async () => {
    const browser = fakeBrowser();
    let ready = (): void => {};
    let state: string[] = [];
    const first = browser.openTab();
    const seat = await webTabs(first).join('log', {
      ...quiet,
      snapshot: () => state,
      lead: () =>
        new Promise<void>((resolve) => {
          ready = resolve;
        }),
    });
    const late = joinTab(browser.openTab(), { shared: shared() });
    await settle();
    seat.tell('in between');
    await settle();
    expect([late.adopted, late.log]).toEqual([0, []]);
    state = ['kept', 'in between'];
    ready();
    await settle();
    seat.tell('after');
    await settle();
    expect([late.adopted, late.log]).toEqual([1, ['kept', 'in between', 'after']]);
  });

  test('D38: when the leader leaves or dies, the next tab leads, and nothing is lost', async () => {
    const browser = fakeBrowser();
    const all = shared();
    const [a, b, c] = [1, 2, 3].map(() => joinTab(browser.openTab(), { shared: all }));
    await settle();
    await a?.tell('1');
    await a?.leave();
    await settle();
    expect([b?.leads, c?.leads]).toEqual([1, 0]);
    await b?.tell('2');
    await settle();
    b?.kill();
    await settle();
    expect(c?.leads).toBe(1);
    await c?.tell('3');
    expect(c?.log).toEqual(['1', '2', '3']);
  });

  test('D38: different conversations have separate leaders', async () => {
    const browser = fakeBrowser();
    const one = joinTab(browser.openTab(), { shared: shared(), name: 'one' });
    const two = joinTab(browser.openTab(), { shared: shared(), name: 'two' });
    await settle();
    await one.tell('x');
    await settle();
    expect([one.leads, two.leads, two.log]).toEqual([1, 1, []]);
  });

  test('D38: a tab that leaves while it waits for the lock never leads', async () => {
    const browser = fakeBrowser();
    const all = shared();
    const [a, b, c] = [1, 2, 3].map(() => joinTab(browser.openTab(), { shared: all }));
    await settle();
    (await b?.seat)?.leave();
    (await b?.seat)?.leave();
    (await a?.seat)?.leave();
    await settle();
    expect([b?.leads, c?.leads]).toEqual([0, 1]);
    expect((await b?.seat)?.isLeader).toBe(false);
  });

  test('D38: events of a follower, or of a tab that has left, are ignored', async () => {
    const browser = fakeBrowser();
    const all = shared();
    const [a, b] = [1, 2].map(() => joinTab(browser.openTab(), { shared: all }));
    await settle();
    (await b?.seat)?.tell('not mine to tell');
    await settle();
    expect(a?.log).toEqual([]);
    (await a?.seat)?.leave();
    (await a?.seat)?.tell('too late');
    await settle();
    expect(b?.log).toEqual([]);
  });
});

describe('D38: a command of a tab', () => {
  test('D38: is executed by the leader, and its answer is returned', async () => {
    const browser = fakeBrowser();
    const all = shared();
    const [a, b] = [1, 2].map(() => joinTab(browser.openTab(), { shared: all }));
    await settle();
    expect(await (await b?.seat)?.ask('x')).toBe('did x');
    expect(await (await a?.seat)?.ask('y')).toBe('did y');
    await settle();
    expect([all.done, a?.log, b?.log]).toEqual([
      ['x', 'y'],
      ['x', 'y'],
      ['x', 'y'],
    ]);
  });

  test('D38: that fails rejects with the original error', async () => {
    const browser = fakeBrowser();
    const refuse = async (): Promise<null> => {
      throw new A2AError('INVALID_REQUEST', 'the question is no longer open', { httpStatus: 409 });
    };
    const join = (handle: TabMember['handle']) => {
      const { locks, channel } = browser.openTab();
      return webTabs({ locks, channel }).join('x', { ...quiet, handle });
    };
    await join(refuse);
    const follower = await join(refuse);
    await expect(follower.ask(1)).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      message: 'the question is no longer open',
      httpStatus: 409,
    });
    await expect(follower.ask(1)).rejects.toBeInstanceOf(A2AError);
  });

  test('D38: is executed by the next leader when the leader dies before it starts', async () => {
    const browser = fakeBrowser();
    const all = shared();
    const hang = joinTab(browser.openTab(), { shared: all, work: () => new Promise(() => {}) });
    const [b, c] = [1, 2].map(() => joinTab(browser.openTab(), { shared: all }));
    await settle();
    const fromNext = (await b?.seat)?.ask('b');
    const fromOther = (await c?.seat)?.ask('c');
    await settle();
    hang.kill();
    expect(await Promise.all([fromNext, fromOther])).toEqual(['did b', 'did c']);
    expect([...all.done].sort()).toEqual(['b', 'c']);
  });

  test('D38: is answered by the next leader without a second execution when the leader dies after it', async () => {
    const browser = fakeBrowser();
    const all = shared();
    const [a, b] = [1, 2].map(() => joinTab(browser.openTab(), { shared: all }));
    await settle();
    const answer = (await b?.seat)?.ask('x');
    while (all.done.length === 0) await new Promise((resolve) => setImmediate(resolve));
    a?.kill();
    expect(await answer).toBe('did x');
    expect(all.done).toEqual(['x']);
  });

  test('D38: is not lost when the leader is slow', async () => {
    const browser = fakeBrowser();
    const all = shared();
    let wake = (): void => {};
    const frozen = new Promise<void>((resolve) => {
      wake = resolve;
    });
    joinTab(browser.openTab(), { shared: all, work: () => frozen });
    const b = joinTab(browser.openTab(), { shared: all });
    await settle();
    const seat = await b.seat;
    const answers = Promise.all(['1', '2', '3'].map((command) => seat.ask(command)));
    await settle(200);
    expect(all.done).toEqual([]);
    wake();
    expect(await answers).toEqual(['did 1', 'did 2', 'did 3']);
    expect(all.done).toEqual(['1', '2', '3']);
  });

  test('D38: rejects when its tab leaves', async () => {
    const browser = fakeBrowser();
    const all = shared();
    joinTab(browser.openTab(), { shared: all, work: () => new Promise(() => {}) });
    const b = joinTab(browser.openTab(), { shared: all });
    await settle();
    const seat = await b.seat;
    const asked = seat.ask('x');
    seat.leave();
    await expect(asked).rejects.toMatchObject({ reason: 'ABORTED' });
    await expect(seat.ask('y')).rejects.toMatchObject({ reason: 'ABORTED' });
  });
});

describe('D38: failures between tabs', () => {
  test('D38: foreign and hostile messages are ignored', async () => {
    const browser = fakeBrowser();
    const all = shared();
    const [a, b] = [1, 2].map(() => joinTab(browser.openTab(), { shared: all }));
    await settle();
    const stranger = browser.openTab().channel('parley:tabs:1:log');
    const from = 'stranger';
    for (const message of [
      undefined,
      null,
      'text',
      7,
      [],
      {},
      { kind: 'event' },
      { from, kind: 'toString' },
      { from, kind: '__proto__' },
      { from, kind: 'event', n: -1, event: 'x' },
      { from, kind: 'event', n: '1', event: 'x' },
      { from, kind: 'snapshot', nonce: 'guessed', n: 0, snapshot: ['forged'], answers: [] },
      { from, kind: 'snapshot', nonce: 'guessed', n: 0, snapshot: [], answers: [['x', null]] },
      { from, kind: 'ask', id: 7, command: 'x' },
      { from, kind: 'answer', id: 'unknown', answer: { value: 'forged' } },
      { from, kind: 'answer', id: 'unknown', answer: { error: { message: 'x', reason: 'constructor' } } },
      { from, kind: 'unable', nonce: 'guessed', error: { message: 'x', reason: 'ABORTED' } },
    ]) {
      stranger.postMessage(message);
    }
    await settle();
    await a?.tell('1');
    await settle();
    expect([a?.log, b?.log, all.done, a?.errors, b?.errors]).toEqual([['1'], ['1'], [], [], []]);
  });

  test('D38: only the answer to the own request counts: an answer for an earlier leader is ignored', async () => {
    const browser = fakeBrowser();
    const all = shared();
    joinTab(browser.openTab(), { shared: { ...all, kept: ['true'] } });
    await settle();
    const stranger = browser.openTab().channel('parley:tabs:1:log');
    stranger.addEventListener('message', () => {
      stranger.postMessage({ from: 'stranger', kind: 'snapshot', nonce: 'of another question', n: 9, snapshot: ['stale'], answers: [] });
    });
    const late = joinTab(browser.openTab(), { shared: all });
    await settle();
    expect(late.log).toEqual(['true']);
  });

  test('D38: a command that is repeated during or after its execution is executed once and answered each time', async () => {
    const browser = fakeBrowser();
    const { locks, channel } = browser.openTab();
    let finish = (): void => {};
    const handle = vi.fn(() => new Promise<string>((resolve) => (finish = () => resolve('done'))));
    await webTabs({ locks, channel }).join('log', { ...quiet, handle });
    const heard: unknown[] = [];
    const other = browser.openTab().channel('parley:tabs:1:log');
    other.addEventListener('message', ({ data }) => heard.push(data));
    const ask = { from: 'other', kind: 'ask', id: '1', command: 'x' };
    for (let time = 0; time < 3; time += 1) other.postMessage(ask);
    await settle();
    finish();
    await settle();
    other.postMessage(ask);
    await settle();
    expect(handle).toHaveBeenCalledTimes(1);
    expect(heard).toMatchObject([
      ...[1, 2, 3].map(() => ({ kind: 'heard', id: '1' })),
      ...[1, 2].map(() => ({ kind: 'answer', id: '1', answer: { value: 'done' } })),
    ]);
  });

  test('D38: a tab that claims to lead without the lock is not followed', async () => {
    const browser = fakeBrowser();
    const all = shared();
    const [a, b] = [1, 2].map(() => joinTab(browser.openTab(), { shared: all }));
    await settle();
    const stranger = browser.openTab().channel('parley:tabs:1:log');
    for (const n of [1, 2, 3]) stranger.postMessage({ from: 'stranger', kind: 'event', n, event: 'forged' });
    stranger.postMessage({ from: 'stranger', kind: 'lead' });
    await settle();
    await a?.tell('1');
    await settle();
    expect(b?.log).toEqual(['1']);
  });

  test('D38: an event that is too large for other tabs is reported as an error on both sides, and commands still work', async () => {
    const browser = fakeBrowser({ maxMessageBytes: 2_000 });
    const all = shared();
    const [a, b] = [1, 2].map(() => joinTab(browser.openTab(), { shared: all }));
    await settle();
    await a?.tell('x'.repeat(5_000));
    await settle();
    expect(a?.errors.map(({ reason }) => reason)).toEqual(['CONTENT_TOO_LARGE', 'CONTENT_TOO_LARGE']);
    expect(b?.errors.map(({ reason }) => reason)).toEqual(['CONTENT_TOO_LARGE']);
    expect((await a?.seat)?.isLeader).toBe(true);
    expect(await (await b?.seat)?.ask('y')).toBe('did y');
  });

  test('D38: a command or an answer that is too large rejects', async () => {
    const browser = fakeBrowser({ maxMessageBytes: 2_000 });
    const join = () => {
      const { locks, channel } = browser.openTab();
      return webTabs({ locks, channel }).join('x', { ...quiet, handle: async () => 'x'.repeat(3_000) });
    };
    await join();
    const follower = await join();
    await expect(follower.ask('x'.repeat(3_000))).rejects.toMatchObject({ reason: 'CONTENT_TOO_LARGE' });
    await expect(follower.ask('x')).rejects.toMatchObject({ reason: 'CONTENT_TOO_LARGE' });
  });

  test('D38: a member that throws does not affect other tabs', async () => {
    const browser = fakeBrowser();
    const fail = vi.fn();
    const explode = (): never => {
      throw new TypeError('broken');
    };
    const all = shared();
    const first = joinTab(browser.openTab(), { shared: all });
    const { locks, channel } = browser.openTab();
    await webTabs({ locks, channel }).join('log', { ...quiet, adopt: explode, receive: explode, lead: explode, fail });
    await settle();
    await first.tell('1');
    await settle();
    first.kill();
    await settle();
    expect(fail).toHaveBeenCalledTimes(3);
    expect(fail.mock.calls.every(([error]) => error instanceof A2AError)).toBe(true);
  });
});

describe('D38: browsers that cannot share', () => {
  afterEach(() => vi.unstubAllGlobals());

  test.each(['locks', 'channel'] as const)('D38: without %s each tab works alone', async (missing) => {
    vi.stubGlobal('navigator', {});
    vi.stubGlobal('BroadcastChannel', undefined);
    const { locks, channel } = fakeBrowser().openTab();
    const lead = vi.fn();
    const tabs = webTabs(missing === 'locks' ? { channel } : { locks });
    const seats = await Promise.all([1, 2].map(() => tabs.join('x', { ...quiet, lead })));
    expect(seats.map(({ isLeader }) => isLeader)).toEqual([true, true]);
    expect(lead).toHaveBeenCalledTimes(2);
  });

  test('D38: a page without permission for locks or channels works alone', async () => {
    const forbid = (): never => {
      throw new DOMException('not here', 'SecurityError');
    };
    const { locks, channel } = fakeBrowser().openTab();
    const noChannel = await webTabs({ locks, channel: forbid }).join('x', quiet);
    const noLock = await webTabs({ locks: { request: async () => forbid() }, channel }).join('x', quiet);
    expect([noChannel.isLeader, noLock.isLeader]).toEqual([true, true]);
  });

  test('D38: soloTabs executes commands itself', async () => {
    const handle = vi.fn(async () => 'done');
    const seat = await soloTabs().join('x', { ...quiet, handle });
    seat.tell('ignored');
    expect(await seat.ask('x')).toBe('done');
    seat.leave();
    await expect(seat.ask('y')).rejects.toMatchObject({ reason: 'ABORTED' });
    expect(handle).toHaveBeenCalledTimes(1);
  });

  test('D38: it works with the BroadcastChannel of this platform', async () => {
    const { locks } = fakeBrowser().openTab();
    const events: unknown[] = [];
    const tabs = webTabs({ locks });
    const leader = await tabs.join('real', { ...quiet, handle: async (command) => ({ command }) });
    const follower = await tabs.join('real', { ...quiet, receive: (event) => void events.push(event) });
    expect(await follower.ask('x')).toEqual({ command: 'x' });
    await vi.waitFor(() => {
      leader.tell('event');
      expect(events).toContain('event');
    });
    follower.leave();
    leader.leave();
  });
});
