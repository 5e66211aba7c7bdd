// A page that dies at any moment, and the next page: no message is missing, and no work is done twice.
import { type ConversationStorage, memoryStorage } from '@parley/a2a/conversation';
import { createAgent } from '@parley/a2a/server';
import { createTestFetch, fakeBrowser, manualClock, type ScriptStep, scriptedExecutor } from '@parley/a2a/testing';
import { describe, expect, test } from 'vitest';
import { openPage, type Page, passUntil, stateOf, textOf } from './pages.js';
import { withoutLog } from './plain-peer.js';

const PEERS = ['our server', 'a peer without the log'] as const;
type PeerName = (typeof PEERS)[number];

/** An agent that advances by one step per call of `step`. A first `working` step needs no call. */
function gated(steps: readonly ScriptStep[], peer: PeerName = 'our server') {
  const free = steps[0]?.do === 'working' ? 1 : 0;
  const executor = scriptedExecutor(
    steps.flatMap((step, at): ScriptStep[] => [
      ...(at < free ? [] : [{ do: 'gate', name: `${at}` } as const]),
      step,
      ...(step.do === 'append' || step.do === 'working' ? [{ do: 'flush' } as const] : []),
    ]),
  );
  const served = createTestFetch(createAgent({ name: 'teller', executor }));
  let opened = free;
  return {
    executor,
    requests: served.requests,
    streams: () =>
      served.requests.filter(({ operation }) => operation === 'SendStreamingMessage' || operation === 'SubscribeToTask').length,
    fetch: peer === 'our server' ? served : withoutLog(served),
    clock: manualClock(),
    step: () => executor.open(`${opened++}`),
    finish() {
      while (opened < steps.length) executor.open(`${opened++}`);
    },
  };
}

const CHUNKS = 50;
const STORY: readonly ScriptStep[] = [
  { do: 'working', text: 'thinking' },
  ...Array.from({ length: CHUNKS }, (_, at): ScriptStep => ({ do: 'append', artifactId: at < 40 ? 'answer' : 'notes', text: `${at} ` })),
  { do: 'complete', text: 'done' },
];

/** Whether this many chunks have arrived; beyond the last chunk, whether the answer has ended. */
function hasCome({ events, conversation }: Page, count: number): boolean {
  if (count > CHUNKS) return !conversation.state.isRunning;
  const chunks = events.filter((event) => event.kind === 'update' && event.update.kind === 'artifact');
  return chunks.length >= count;
}

describe.each(PEERS)('D38: a page that dies during an answer of %s', (peer) => {
  const undisturbed = async () => {
    const agent = gated(STORY, peer);
    const page = openPage({ ...agent, storage: memoryStorage() });
    agent.finish();
    const sent = page.conversation.send('go');
    await passUntil(agent.clock, () => page.conversation.state.messages.length === 2 && !page.conversation.state.isRunning);
    await sent;
    const state = stateOf(page.conversation);
    page.conversation.close();
    return state;
  };

  test('D38: wherever it died, the next page shows the stored part at once and ends like an uninterrupted one', async () => {
    const whole = await undisturbed();
    for (let count = 0; count < STORY.length; count += 1) {
      const agent = gated(STORY, peer);
      const { clock } = agent;
      const storage = memoryStorage();
      const page = openPage({ ...agent, storage });
      page.conversation.send('go').catch(() => {});
      await passUntil(clock, () => page.conversation.state.task !== undefined);
      for (let at = 0; at < count; at += 1) agent.step();
      await passUntil(clock, () => hasCome(page, count));
      await clock.tick(300);
      const shown = textOf(page.conversation);
      page.die();
      const next = openPage({ ...agent, storage, isOffline: true });
      const loading = next.conversation.load();
      await passUntil(clock, () => next.conversation.state.messages.length > 0);
      expect([count, textOf(next.conversation)]).toEqual([count, shown]);
      next.connect();
      await loading;
      agent.finish();
      await passUntil(clock, () => !next.conversation.state.isRunning);
      expect([count, stateOf(next.conversation)]).toEqual([count, whole]);
      expect(agent.executor.runs).toHaveLength(1);
      expect(next.errors).toEqual([]);
      next.conversation.close();
    }
  }, 60_000);

  test('D38: the answer is complete also when nothing was saved since it began, and after many reloads', async () => {
    const whole = await undisturbed();
    const agent = gated(STORY, peer);
    const { clock } = agent;
    const storage = memoryStorage();
    let page = openPage({ ...agent, storage });
    page.conversation.send('go').catch(() => {});
    await passUntil(clock, () => page.conversation.state.task !== undefined);
    for (let reloads = 0; reloads < 10; reloads += 1) {
      for (let at = 0; at < 3; at += 1) agent.step();
      // In odd rounds the page dies before it has saved the new chunks.
      await clock.tick(reloads % 2 === 0 ? 300 : 20);
      page.die();
      page = openPage({ ...agent, storage });
      await page.conversation.load();
    }
    agent.finish();
    await passUntil(clock, () => !page.conversation.state.isRunning);
    expect(stateOf(page.conversation)).toEqual(whole);
    page.conversation.close();
  });

  test('D38: an open question stays open, and its reply goes to the same task', async () => {
    const agent = gated(
      [{ do: 'requireInput', prompt: 'Where?' }, { do: 'append', artifactId: 'answer', text: 'Rome' }, { do: 'complete' }],
      peer,
    );
    const { clock, executor } = agent;
    const storage = memoryStorage();
    const page = openPage({ ...agent, storage });
    page.conversation.send('plan').catch(() => {});
    agent.step();
    await passUntil(clock, () => page.conversation.state.question !== undefined);
    await clock.tick(300);
    page.die();
    const next = openPage({ ...agent, storage, isOffline: true });
    const loading = next.conversation.load();
    await passUntil(clock, () => next.conversation.state.question !== undefined);
    expect(next.conversation.state).toMatchObject({ question: { want: 'input', prompt: 'Where?' }, isRunning: false });
    next.connect();
    await loading;
    const { question } = next.conversation.state;
    const answered = next.conversation.send('to Italy', question && { answers: question.messageId });
    agent.finish();
    await passUntil(clock, () => textOf(next.conversation).at(-1) === 'Rome' && !next.conversation.state.isRunning);
    await answered;
    expect([executor.answers, executor.runs.length]).toEqual([['to Italy'], 1]);
    next.conversation.close();
  });
});

describe('D38: a send that was in flight when the page died', () => {
  /** The agent receives the message, but its response never reaches the page. */
  const sendIntoTheDark = async (peer: PeerName) => {
    const agent = gated([{ do: 'append', artifactId: 'answer', text: 'done' }, { do: 'complete' }], peer);
    const storage = memoryStorage();
    const deaf: typeof fetch = async (input, init) => {
      const response = await agent.fetch(input, init);
      return response.headers.get('content-type')?.startsWith('text/event-stream') ? new Promise<never>(() => {}) : response;
    };
    const page = openPage({ ...agent, fetch: deaf, storage });
    page.conversation.send('do it').catch(() => {});
    await passUntil(agent.clock, () => agent.executor.runs.length === 1);
    page.die();
    agent.finish();
    const next = openPage({ ...agent, storage });
    await next.conversation.load();
    return { ...agent, next, storage };
  };

  test('D38: is executed once by an agent with the log extension, and the next page shows the answer', async () => {
    const { clock, executor, next } = await sendIntoTheDark('our server');
    await passUntil(clock, () => !next.conversation.state.isRunning);
    expect(textOf(next.conversation)).toEqual(['do it', 'done']);
    expect(next.conversation.state.messages[0]).toMatchObject({ delivery: 'sent' });
    expect(executor.runs).toHaveLength(1);
    next.conversation.close();
  });

  test('D38: has an unknown delivery with other agents, and is sent again only when the user decides so', async () => {
    const { clock, executor, next, fetch, storage } = await sendIntoTheDark('a peer without the log');
    await passUntil(clock, () => !next.conversation.state.isRunning);
    const [message] = next.conversation.state.messages;
    expect(message).toMatchObject({ delivery: 'unknown' });
    expect(executor.runs).toHaveLength(1);
    // The delivery is still unknown after another reload.
    await clock.tick(300);
    next.die();
    const third = openPage({ fetch, clock, storage });
    await third.conversation.load();
    expect(third.conversation.state.messages[0]).toMatchObject({ delivery: 'unknown' });
    const settled = third.conversation.settle(message?.id ?? '', 'resend');
    await passUntil(clock, () => textOf(third.conversation).at(-1) === 'done' && !third.conversation.state.isRunning);
    await settled;
    expect(third.conversation.state.messages[0]).toMatchObject({ delivery: 'sent' });
    expect(executor.runs).toHaveLength(2);
    third.conversation.close();
  });

  test('D38: is discarded when the user decides so', async () => {
    const { clock, executor, next } = await sendIntoTheDark('a peer without the log');
    await passUntil(clock, () => !next.conversation.state.isRunning);
    await next.conversation.settle(next.conversation.state.messages[0]?.id ?? '', 'discard');
    expect(next.conversation.state.messages[0]).toMatchObject({ delivery: 'failed' });
    expect(executor.runs).toHaveLength(1);
    next.conversation.close();
  });
});

describe('D38: invalid stored data', () => {
  const KEY = 'parley:conversation:thread';

  test.each([
    ['a text', 'garbage'],
    ['a number', 7],
    ['a list', []],
    ['an entry of another version', { version: 99, nodes: [] }],
    ['an incomplete entry', { version: 1, id: 'thread' }],
    ['an entry with invalid messages', { version: 1, id: 'thread', savedAt: '2026-01-01T00:00:00Z', headId: null, nodes: [{ id: 1 }] }],
  ])('D38: %s under the key of the conversation is reported and not shown, and the conversation works', async (_what, value) => {
    const storage = memoryStorage();
    await storage.set(KEY, value);
    await storage.set('parley:other', { mine: true });
    const agent = gated([{ do: 'append', artifactId: 'answer', text: 'fine' }, { do: 'complete' }]);
    agent.finish();
    const page = openPage({ ...agent, storage });
    await page.conversation.load();
    expect(page.errors).toHaveLength(1);
    expect(page.errors[0]).toMatchObject({ name: 'A2AError' });
    expect(page.conversation.state).toMatchObject({ messages: [], isRunning: false, isLoading: false });
    const sent = page.conversation.send('hello');
    await passUntil(agent.clock, () => textOf(page.conversation).at(-1) === 'fine' && !page.conversation.state.isRunning);
    await sent;
    expect(await storage.get('parley:other')).toEqual({ mine: true });
    page.conversation.close();
  });

  test('D38: a storage that cannot be read or is full is reported, and the conversation works without it', async () => {
    const full: ConversationStorage = {
      ...memoryStorage(),
      get: () => Promise.reject(new Error('broken')),
      set: () => Promise.reject(new Error('full')),
    };
    const agent = gated([{ do: 'append', artifactId: 'answer', text: 'fine' }, { do: 'complete' }]);
    agent.finish();
    const page = openPage({ ...agent, storage: full });
    const sent = page.conversation.send('hello');
    await passUntil(agent.clock, () => textOf(page.conversation).at(-1) === 'fine' && !page.conversation.state.isRunning);
    await sent;
    expect(page.errors.length).toBeGreaterThan(0);
    page.conversation.close();
  });
});

describe('D38: one stream for all tabs', () => {
  const openTabs = (agent: ReturnType<typeof gated>, count: number): Page[] => {
    const browser = fakeBrowser();
    const storage = memoryStorage();
    return Array.from({ length: count }, () => openPage({ ...agent, storage, tab: browser.openTab() }));
  };

  test('D38: four tabs on one task open one stream and show the same; when the leader dies, the next tab resumes without loss', async () => {
    const agent = gated(STORY);
    const { clock } = agent;
    const [first, ...others] = openTabs(agent, 4) as [Page, ...Page[]];
    await first.conversation.load();
    await Promise.all(others.map(({ conversation }) => conversation.load()));
    others[2]?.conversation.send('go').catch(() => {});
    await passUntil(clock, () => first.conversation.state.task !== undefined);
    for (let at = 0; at < 20; at += 1) agent.step();
    await passUntil(clock, () => others.every(({ conversation }) => textOf(conversation).at(-1)?.includes('15 ') ?? false));
    expect(agent.streams()).toBe(1);
    expect([first, ...others].map(({ conversation }) => conversation.state.isLeader)).toEqual([true, false, false, false]);
    first.die();
    await passUntil(clock, () => others[0]?.conversation.state.isLeader ?? false);
    agent.finish();
    await passUntil(clock, () => others.every(({ conversation: { state } }) => !state.isRunning && state.messages.length === 2));
    expect(agent.streams()).toBe(2);
    expect(agent.executor.runs).toHaveLength(1);
    const text = Array.from({ length: CHUNKS }, (_, at) => `${at} `).join('');
    for (const { conversation } of others) expect(textOf(conversation).at(-1)).toContain(text.slice(0, 100));
    const [a, b, c] = others.map(({ conversation }) => stateOf(conversation));
    expect([b, c]).toEqual([a, a]);
    for (const { conversation } of others) conversation.close();
  });

  test('D38: a tab that opens while the leader is slow shows the stored messages at once', async () => {
    const agent = gated(STORY);
    const { clock } = agent;
    const storage = memoryStorage();
    let isFrozen = false;
    const held: (() => void)[] = [];
    const defer = (step: () => void): unknown => (isFrozen ? held.push(step) : setImmediate(step));
    const browser = fakeBrowser({ defer: (step) => void defer(step) });
    const first = openPage({ ...agent, storage, tab: browser.openTab() });
    first.conversation.send('go').catch(() => {});
    await passUntil(clock, () => first.conversation.state.task !== undefined);
    for (let at = 0; at < 10; at += 1) agent.step();
    await passUntil(clock, () => hasCome(first, 10));
    await clock.tick(300);
    const late = openPage({ ...agent, storage, tab: browser.openTab() });
    const loading = late.conversation.load();
    // The leader is known at this point; from now on its messages are held back.
    await passUntil(clock, () => agent.requests.length > 2);
    await new Promise((resolve) => setImmediate(resolve));
    isFrozen = true;
    await passUntil(clock, () => textOf(late.conversation).at(-1)?.includes('8 ') ?? false);
    expect(late.conversation.state.isLeader).toBe(false);
    isFrozen = false;
    for (const step of held.splice(0)) step();
    agent.finish();
    await loading;
    await passUntil(clock, () => !late.conversation.state.isRunning);
    expect(stateOf(late.conversation)).toEqual(stateOf(first.conversation));
    expect(agent.streams()).toBe(1);
    for (const { conversation } of [first, late]) conversation.close();
  });

  test('D38: the last message of a leader that died is not lost when it arrives after its lock was released', async () => {
    const agent = gated([{ do: 'append', artifactId: 'answer', text: 'fine' }, { do: 'complete' }]);
    const { clock } = agent;
    const storage = memoryStorage();
    // Messages between tabs that are in flight arrive in reverse order.
    let held: (() => void)[] | undefined;
    const browser = fakeBrowser({ defer: (step) => (held === undefined ? void setImmediate(step) : void held.push(step)) });
    const [first, second] = [1, 2].map(() => openPage({ ...agent, storage, tab: browser.openTab() })) as [Page, Page];
    await first.conversation.load();
    await second.conversation.load();
    await passUntil(clock, () => second.events.length > 0);
    held = [];
    first.conversation.send('are you there').catch(() => {});
    await passUntil(clock, () => agent.executor.runs.length === 1);
    await clock.tick(300);
    first.die();
    while (held.length > 0) {
      held.pop()?.();
      await clock.tick(1);
    }
    held = undefined;
    agent.finish();
    await passUntil(clock, () => textOf(second.conversation).at(-1) === 'fine');
    expect(textOf(second.conversation)).toEqual(['are you there', 'fine']);
    expect(agent.executor.runs).toHaveLength(1);
    second.conversation.close();
  });

  test('D38: when two tabs answer the same question, one reply is used and the other is rejected', async () => {
    const agent = gated([
      { do: 'requireInput', prompt: 'Where?' },
      { do: 'append', artifactId: 'answer', text: 'thanks' },
      { do: 'complete' },
    ]);
    const { clock, executor } = agent;
    const pages = openTabs(agent, 3);
    await Promise.all(pages.map(({ conversation }) => conversation.load()));
    pages[0]?.conversation.send('plan').catch(() => {});
    agent.step();
    await passUntil(clock, () => pages.every(({ conversation }) => conversation.state.question !== undefined));
    const answers = pages.slice(1).map(({ conversation }, at) =>
      conversation.send(`answer ${at}`, { answers: conversation.state.question?.messageId ?? '' }).then(
        () => 'heard',
        (error: { reason?: string }) => error.reason,
      ),
    );
    agent.finish();
    await passUntil(clock, () => pages.every(({ conversation }) => textOf(conversation).at(-1) === 'thanks'));
    expect((await Promise.all(answers)).sort()).toEqual(['INVALID_REQUEST', 'heard']);
    expect(executor.answers).toHaveLength(1);
    for (const { conversation } of pages) conversation.close();
  });

  test('D38: a tab that opens late shows the answer in progress, and a command of a dead leader is executed once', async () => {
    const agent = gated(STORY);
    const { clock } = agent;
    const browser = fakeBrowser();
    const storage = memoryStorage();
    const first = openPage({ ...agent, storage, tab: browser.openTab() });
    await first.conversation.load();
    const second = openPage({ ...agent, storage, tab: browser.openTab() });
    await second.conversation.load();
    const sent = second.conversation.send('go');
    await passUntil(clock, () => first.conversation.state.task !== undefined);
    for (let at = 0; at < 10; at += 1) agent.step();
    const late = openPage({ ...agent, storage, tab: browser.openTab() });
    await late.conversation.load();
    await passUntil(clock, () => textOf(late.conversation).at(-1)?.includes('8 ') ?? false);
    first.die();
    agent.finish();
    await passUntil(clock, () => late.conversation.state.messages.length === 2 && !late.conversation.state.isRunning);
    // The sending tab is the leader now, so it answers its own command.
    expect(await sent).toMatchObject({ status: { type: 'complete' } });
    expect(agent.executor.runs).toHaveLength(1);
    for (const { conversation } of [second, late]) conversation.close();
  });
});
