// Several conversations with one agent: what is shown, what goes on behind, and what is kept.
import { A2AError, type JsonValue } from '@parley/a2a';
import {
  type Conversation,
  type ConversationStorage,
  createClient,
  createThreads,
  memoryStorage,
  soloTabs,
  type Threads,
  type ThreadsOptions,
} from '@parley/a2a/client';
import { createAgent } from '@parley/a2a/server';
import { createTestFetch, fakeBrowser } from '@parley/a2a/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';

const open: Threads[] = [];
afterEach(() => {
  for (const threads of open.splice(0)) threads.close();
});

/** An agent that answers in two pieces, the second when it is told to; texts with a question mark are asked back. */
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
  test('D38: there is one from the beginning, named after what the user says first', async () => {
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

  test('D38: long titles are cut, and the text of a file is its name', async () => {
    const { threads } = start();
    await threads.state.active.send([{ filename: 'report.pdf', url: 'http://test/x', mediaType: 'text/plain' }, { text: 'x'.repeat(500) }]);
    await until(() => expect(titles(threads)[0]).toMatch(/^report\.pdfx+…$/));
    expect(titles(threads)[0]).toHaveLength(80);
  });

  test('D38: a new one is shown at once; an empty one is not left behind', async () => {
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

  test('D38: subscribers are told when the list or what is shown changes, and not for each piece of an answer', async () => {
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

  test('D38: one that waits for its user says so', async () => {
    const { threads } = start();
    void threads.state.active.send('what?');
    await until(() => expect(threads.state.threads[0]).toMatchObject({ waits: true, isRunning: false }));
    await threads.state.active.send('that');
    await until(() => expect(threads.state.threads[0]?.waits).toBe(false));
  });

  test('D38: a title of the user stays, and an empty one gives the own back', async () => {
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
  test('U37: what is left in the middle of an answer goes on behind, and nothing of it gets into the other', async () => {
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
    // When nothing goes on in it any more, it is left.
    await expect(first.send('x')).rejects.toBeInstanceOf(A2AError);
    const again = threads.switchTo(activeId);
    await again.load();
    expect(textOf(again)).toBe('slow one | first of slow one; rest of slow one');
    expect(textOf(second)).not.toContain('slow one');
  });

  test('U37: one that is still being answered is the same conversation when it is shown again', async () => {
    const { threads, finish } = start();
    const { active, activeId } = threads.state;
    void active.send('slow one');
    await until(() => expect(textOf(active)).toContain('first of'));
    threads.create();
    expect(threads.switchTo(activeId)).toBe(active);
    finish('slow one');
    await until(() => expect(active.state.isRunning).toBe(false));
  });

  test('U37: one that nothing goes on in is closed, and comes back from what was kept', async () => {
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

describe('D38: threads that are kept', () => {
  test('D38: a reload shows the list, and the thread that was shown last', async () => {
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

  test('D38: what the user chose while the list was being read stays', async () => {
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

  test('D38: lists of different names have nothing to do with each other', async () => {
    const storage = memoryStorage();
    const { threads, agent } = start({ storage, tabs: false, name: 'a' });
    await threads.state.active.send('one');
    const { threads: other } = start({ storage, tabs: false, name: 'a:b' }, agent);
    const { threads: same } = start({ storage, tabs: false, name: 'a' }, agent);
    await Promise.all([other.load(), same.load()]);
    expect([titles(other), titles(same)]).toEqual([[''], ['one']]);
    expect(() => createThreads(agent.client, { name: '' })).toThrow(A2AError);
  });

  test('D38: one that is removed is gone with its conversation, and the next is shown', async () => {
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

  test('D38: one that is removed in the middle of an answer does not come back, however slow its storage is', async () => {
    const storage = memoryStorage();
    const { threads, finish } = start({ storage: slowed(storage), tabs: false });
    const { activeId, active } = threads.state;
    await threads.load();
    const stop = active.subscribe(() => {
      if (active.state.messages.length < 2) return;
      // In the middle of keeping what was said.
      stop();
      threads.remove(activeId);
    });
    void active.send('slow one').catch(() => {});
    await until(() => expect(threads.state.activeId).not.toBe(activeId));
    finish('slow one');
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect([titles(threads), await keysWithout(storage, 'parley:threads:default')]).toEqual([[''], []]);
  });

  test('D38: an answer that was coming in when the page went away is gone on with behind', async () => {
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
    ['another version', { version: 2, id: 'x', title: 'shown?' }],
    ['half of one', { version: 1, id: 'x', title: 'shown?' }],
    [
      'a thread of another id',
      { version: 1, id: 'y', title: 'shown?', updatedAt: '2026-01-01T00:00:00Z', waits: false, isRunning: false, isRenamed: false },
    ],
    [
      'one with a time that is none',
      { version: 1, id: 'x', title: 'shown?', updatedAt: 'yesterday', waits: false, isRunning: false, isRenamed: false },
    ],
  ])('D38: %s under a key of ours is told, not shown, and left where it is', async (_what, value) => {
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

  test('D38: a storage that fails costs the list, and not the conversation', async () => {
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

  test('D38: closed threads do nothing any more', async () => {
    const { threads } = start();
    threads.close();
    threads.close();
    expect(() => threads.create()).toThrow(A2AError);
    expect(() => threads.switchTo('x')).toThrow(A2AError);
    await expect(threads.state.active.send('x')).rejects.toBeInstanceOf(A2AError);
  });
});

describe('D38: threads over tabs', () => {
  test('D38: a list is the same in all tabs, and each shows what it wants', async () => {
    const browser = fakeBrowser();
    const storage = memoryStorage();
    // Their conversations are each for itself.
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

  test('D38: a hint that is none is passed over', async () => {
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

/** One after the other, and each takes its time. */
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
