// Several conversations with one agent: the list, answers in background threads, and storage.
import { A2AError, type JsonValue } from '@parley/a2a';
import { createClient } from '@parley/a2a/client';
import {
  type Conversation,
  type ConversationStorage,
  createThreads,
  memoryStorage,
  soloTabs,
  type Threads,
  type ThreadsOptions,
} from '@parley/a2a/conversation';
import { createAgent } from '@parley/a2a/server';
import { createTestFetch, fakeBrowser } from '@parley/a2a/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';

const open: Threads[] = [];
afterEach(() => {
  for (const threads of open.splice(0)) threads.close();
});

/**
 * An agent that answers in two chunks. For texts that start with "slow" the second chunk waits for `finish`. For texts that end with a
 * question mark it asks back.
 */
function gatedAgent() {
  const gates = new Map<string, () => void>();
  const agent = createAgent({
    name: 'slow',
    executor: {
      async execute(context, events) {
        const { text } = context;
        if (text.endsWith('?')) await context.requireInput('What do you mean?');
        await events.appendText('answer', `first of ${text}; `);
        await events.flush();
        if (text.startsWith('slow')) await new Promise<void>((resolve) => gates.set(text, resolve));
        await events.appendText('answer', `rest of ${text}`);
        await events.complete();
      },
    },
  });
  const fetch = createTestFetch(agent);
  const client = createClient('http://test', { fetch, retry: false });
  const finish = (text: string): void => gates.get(text)?.();
  return { client, finish, requests: fetch.requests };
}

function start(options: ThreadsOptions = {}, agent = gatedAgent()) {
  const threads = createThreads(agent.client, { frameMs: 0, ...options });
  open.push(threads);
  return { ...agent, agent, threads };
}

const textOf = (conversation: Conversation): string =>
  conversation.state.messages.map(({ parts }) => parts.map(({ text }) => text).join('')).join(' | ');
const until = (check: () => void): Promise<void> => vi.waitFor(check, { interval: 2, timeout: 3_000 });
const titles = ({ state }: Threads): string[] => state.threads.map(({ title }) => title);

describe('D38: threads', () => {
  test('D38: one thread exists from the start, and its title is the first user message', async () => {
    const { threads } = start();
    expect(threads.state).toMatchObject({ threads: [{ id: threads.state.activeId, title: '' }], isLoading: false });
    await threads.state.active.send('  Hello\n there  ');
    await threads.state.active.send('and more');
    await until(() =>
      expect(threads.state.threads).toMatchObject([
        { title: 'Hello there', isRunning: false, waits: false, preview: expect.stringContaining('rest of and more') },
      ]),
    );
  });

  test('D38: long titles are truncated, and a file is shown by its name', async () => {
    const { threads } = start();
    await threads.state.active.send([{ filename: 'report.pdf', url: 'http://test/x', mediaType: 'text/plain' }, { text: 'x'.repeat(500) }]);
    await until(() => expect(titles(threads)[0]).toMatch(/^report\.pdfx+…$/));
    expect(titles(threads)[0]).toHaveLength(80);
  });

  test('D38: a new thread is shown at once, and an empty thread is removed when it is left', async () => {
    const { threads } = start();
    const empty = threads.state.active;
    expect(threads.create()).toBe(empty);
    await empty.send('one');
    const second = threads.create();
    expect(threads.state.active).toBe(second);
    expect(titles(threads)).toEqual(['', 'one']);
    threads.switchTo(threads.state.threads[1]?.id ?? '');
    expect(titles(threads)).toEqual(['one']);
  });

  test('D38: subscribers are notified when the list or the shown thread changes, but not for each chunk of an answer', async () => {
    const { threads } = start();
    let calls = 0;
    const stop = threads.subscribe(() => {
      calls += 1;
    });
    await threads.load();
    const before = threads.state;
    calls = 0;
    await threads.state.active.send('one');
    await until(() => expect(threads.state.threads[0]?.preview).toContain('rest of one'));
    expect(calls).toBeLessThanOrEqual(4);
    expect(threads.state).not.toBe(before);
    stop();
    calls = 0;
    threads.create();
    expect(calls).toBe(0);
  });

  test('D38: a thread with an open question is marked as waiting', async () => {
    const { threads } = start();
    void threads.state.active.send('what?');
    await until(() => expect(threads.state.threads[0]).toMatchObject({ waits: true, isRunning: false }));
    await threads.state.active.send('that');
    await until(() => expect(threads.state.threads[0]?.waits).toBe(false));
  });

  test('D38: a title set by the user stays, and an empty title restores the automatic one', async () => {
    const { threads } = start();
    const { activeId, active } = threads.state;
    await active.send('one');
    threads.rename(activeId, '  My   trip ');
    await active.send('two');
    await until(() => expect(titles(threads)).toEqual(['My trip']));
    threads.rename(activeId, '');
    expect(titles(threads)).toEqual(['one']);
    expect(() => threads.rename('unknown', 'x')).toThrow(A2AError);
  });
});

describe('U37: switching between threads', () => {
  test('U37: an answer continues in the background after a switch, and nothing of it appears in the other thread', async () => {
    const { threads, finish } = start();
    const first = threads.state.active;
    const { activeId } = threads.state;
    const answered = first.send('slow one');
    await until(() => expect(textOf(first)).toContain('first of slow one'));
    const second = threads.create();
    await second.send('two');
    expect(threads.state.threads.map(({ title, isRunning }) => [title, isRunning])).toEqual([
      ['two', false],
      ['slow one', true],
    ]);
    finish('slow one');
    await answered;
    await until(() =>
      expect(threads.state.threads.find(({ id }) => id === activeId)).toMatchObject({
        isRunning: false,
        preview: 'first of slow one; rest of slow one',
      }),
    );
    expect(textOf(second)).not.toContain('slow one');
    // A background thread is closed when its answer has ended.
    await expect(first.send('x')).rejects.toBeInstanceOf(A2AError);
    const again = threads.switchTo(activeId);
    await again.load();
    expect(textOf(again)).toBe('slow one | first of slow one; rest of slow one');
    expect(textOf(second)).not.toContain('slow one');
  });

  test('U37: a thread with a running answer is the same conversation object when it is shown again', async () => {
    const { threads, finish } = start();
    const { active, activeId } = threads.state;
    void active.send('slow one');
    await until(() => expect(textOf(active)).toContain('first of'));
    threads.create();
    expect(threads.switchTo(activeId)).toBe(active);
    finish('slow one');
    await until(() => expect(active.state.isRunning).toBe(false));
  });

  test('U37: a thread without a running answer is closed, and is restored from storage', async () => {
    const { threads } = start();
    const { active, activeId } = threads.state;
    await active.send('one');
    const shown = textOf(active);
    await threads.create().send('two');
    await expect(active.send('to a closed one')).rejects.toBeInstanceOf(A2AError);
    const again = threads.switchTo(activeId);
    expect(again).not.toBe(active);
    await again.load();
    expect(textOf(again)).toBe(shown);
  });
});

describe('D38: stored threads', () => {
  test('D38: a reload restores the list and the thread that was shown last', async () => {
    const storage = memoryStorage();
    const { threads, agent } = start({ storage, tabs: false });
    await threads.state.active.send('one');
    await threads.create().send('two');
    threads.rename(threads.state.activeId, 'Second');
    const { activeId } = threads.state;
    await until(() => expect(threads.state.threads[0]?.preview).toContain('rest of two'));
    threads.close();
    const { threads: after } = start({ storage, tabs: false }, agent);
    await after.load();
    expect(after.state).toMatchObject({ activeId, isLoading: false });
    expect(titles(after)).toEqual(['Second', 'one']);
    await after.state.active.load();
    expect(textOf(after.state.active)).toContain('rest of two');
  });

  test('D38: a thread that the user chose while the list was loading stays selected', async () => {
    const storage = memoryStorage();
    const { threads, agent } = start({ storage, tabs: false });
    await threads.state.active.send('one');
    await until(() => expect(titles(threads)).toEqual(['one']));
    threads.close();
    const { threads: after } = start({ storage, tabs: false }, agent);
    const loading = after.load();
    const chosen = after.create();
    await loading;
    expect(after.state.active).toBe(chosen);
    expect(titles(after)).toEqual(['', 'one']);
  });

  test('D38: lists with different names are independent', async () => {
    const storage = memoryStorage();
    const { threads, agent } = start({ storage, tabs: false, name: 'a' });
    await threads.state.active.send('one');
    const { threads: other } = start({ storage, tabs: false, name: 'a:b' }, agent);
    const { threads: same } = start({ storage, tabs: false, name: 'a' }, agent);
    await Promise.all([other.load(), same.load()]);
    expect([titles(other), titles(same)]).toEqual([[''], ['one']]);
    expect(() => createThreads(agent.client, { name: '' })).toThrow(A2AError);
  });

  test('D38: a removed thread is deleted with its conversation, and the next thread is shown', async () => {
    const storage = memoryStorage();
    const { threads } = start({ storage, tabs: false });
    await threads.state.active.send('one');
    const { activeId: first } = threads.state;
    await threads.create().send('two');
    threads.remove(threads.state.activeId);
    expect([threads.state.activeId, titles(threads)]).toEqual([first, ['one']]);
    threads.remove(first);
    expect(titles(threads)).toEqual(['']);
    await until(async () => expect(await keysWithout(storage, 'parley:threads:default')).toEqual([]));
  });

  test('D38: a thread that is removed during an answer does not come back, even with a slow storage', async () => {
    const storage = memoryStorage();
    const slow = slowed(storage);
    const { threads, finish } = start({ storage: slow, tabs: false });
    const { activeId, active } = threads.state;
    await threads.load();
    const stop = active.subscribe(() => {
      if (active.state.messages.length < 2) return;
      // The conversation is being saved at this moment.
      stop();
      threads.remove(activeId);
    });
    void active.send('slow one').catch(() => {});
    await until(() => expect(threads.state.activeId).not.toBe(activeId));
    finish('slow one');
    await until(async () => expect(await keysWithout(storage, 'parley:threads:default')).toEqual([]));
    // Every operation that was queued before these, and every operation that follows one of those, is executed.
    for (const _ of [1, 2, 3]) await slow.keys('parley:');
    expect([titles(threads), await keysWithout(storage, 'parley:threads:default')]).toEqual([[''], []]);
  });

  test('D38: an answer that was running when the page was closed is resumed in the background', async () => {
    const storage = memoryStorage();
    const { threads, agent, finish } = start({ storage, tabs: false });
    const { activeId, active } = threads.state;
    void active.send('slow one').catch(() => {});
    await until(() => expect(textOf(active)).toContain('first of'));
    await threads.create().send('two');
    threads.close();
    const { threads: after } = start({ storage, tabs: false }, agent);
    await after.load();
    expect(after.state.threads.find(({ id }) => id === activeId)).toMatchObject({ isRunning: true });
    finish('slow one');
    await until(() =>
      expect(after.state.threads.find(({ id }) => id === activeId)).toMatchObject({
        isRunning: false,
        preview: 'first of slow one; rest of slow one',
      }),
    );
  });

  test.each<[string, JsonValue]>([
    ['a text', 'not a thread'],
    ['null', null],
    ['an entry of another version', { version: 2, id: 'x', title: 'shown?' }],
    ['an incomplete entry', { version: 1, id: 'x', title: 'shown?' }],
    [
      'an entry with another id',
      { version: 1, id: 'y', title: 'shown?', updatedAt: '2026-01-01T00:00:00Z', waits: false, isRunning: false, isRenamed: false },
    ],
    [
      'an entry with an invalid time',
      { version: 1, id: 'x', title: 'shown?', updatedAt: 'yesterday', waits: false, isRunning: false, isRenamed: false },
    ],
  ])('D38: %s under a thread key is reported, not shown, and not changed', async (_what, value) => {
    const storage = memoryStorage();
    await storage.set('parley:threads:default:x', value);
    await storage.set('parley:threads:default', value);
    const onError = vi.fn();
    const { threads } = start({ storage, tabs: false, onError });
    await threads.load();
    await threads.state.active.send('one');
    await until(() => expect(titles(threads)).toEqual(['one']));
    expect(onError.mock.calls.map(([error]) => error.reason)).toEqual(['PARSE_ERROR']);
    expect(await storage.get('parley:threads:default:x')).toEqual(value);
  });

  test('D38: a storage that fails is reported, and the conversation works without it', async () => {
    const fail = async (): Promise<never> => {
      throw new A2AError('CONTENT_TOO_LARGE', 'full');
    };
    const onError = vi.fn();
    const { threads } = start({ storage: { get: fail, set: fail, remove: fail, keys: fail }, tabs: false, onError });
    await threads.load();
    await threads.state.active.send('one');
    await until(() => expect(titles(threads)).toEqual(['one']));
    expect(onError.mock.calls.every(([error]) => error instanceof A2AError)).toBe(true);
    expect(onError).toHaveBeenCalled();
  });

  test('D38: closed threads refuse all calls', async () => {
    const { threads } = start();
    threads.close();
    threads.close();
    expect(() => threads.create()).toThrow(A2AError);
    expect(() => threads.switchTo('x')).toThrow(A2AError);
    await expect(threads.state.active.send('x')).rejects.toBeInstanceOf(A2AError);
  });
});

describe('D38: threads in several tabs', () => {
  test('D38: all tabs have the same list, and each tab selects its own thread', async () => {
    const browser = fakeBrowser();
    const storage = memoryStorage();
    // The conversations are not shared between the tabs.
    const { threads: here, agent } = start({ storage, channel: browser.openTab().channel, tabs: soloTabs() });
    const { threads: there } = start({ storage, channel: browser.openTab().channel, tabs: soloTabs() }, agent);
    await Promise.all([here.load(), there.load()]);
    await here.state.active.send('one');
    await until(() => expect(titles(there)).toEqual(['', 'one']));
    const { activeId } = here.state;
    here.rename(activeId, 'Renamed');
    await until(() => expect(titles(there)).toEqual(['', 'Renamed']));
    there.switchTo(activeId);
    here.remove(activeId);
    await until(() => expect(titles(there)).toEqual(['']));
    expect(there.state.activeId).not.toBe(activeId);
    await until(async () => expect(await storage.keys('parley:conversation:')).toEqual([]));
  });

  test('D38: an invalid message from another tab is ignored', async () => {
    const browser = fakeBrowser();
    const storage = memoryStorage();
    const onError = vi.fn();
    const { threads } = start({ storage, channel: browser.openTab().channel, tabs: soloTabs(), onError });
    await threads.state.active.send('one');
    const stranger = browser.openTab().channel('parley:threads:default');
    for (const hint of [null, 7, 'x', {}, { thread: 7 }, { thread: '../x' }, { thread: '__proto__' }]) stranger.postMessage(hint);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([titles(threads), onError.mock.calls]).toEqual([['one'], []]);
  });
});

async function keysWithout(storage: ConversationStorage, key: string): Promise<readonly string[]> {
  return (await storage.keys('parley:')).filter((one) => one !== key);
}

/** Executes the operations one after the other, each with a delay. */
function slowed(storage: ConversationStorage): ConversationStorage {
  let last: Promise<unknown> = Promise.resolve();
  const queue = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(() => new Promise((resolve) => setTimeout(resolve, 3))).then(work);
    last = next;
    return next;
  };
  return {
    get: (key) => queue(() => storage.get(key)),
    set: (key, value) => queue(() => storage.set(key, value)),
    remove: (key) => queue(() => storage.remove(key)),
    keys: (prefix) => queue(() => storage.keys(prefix)),
  };
}
