// @vitest-environment happy-dom
/** The hook for the event log: it has all events and renders at most once per frame. */
import { createElement } from 'react';
import { describe, expect, test } from 'vitest';
import type { ConversationEvent } from '../../src/client/conversation/conversation.js';
import { type LoggedEvent, useConversationEvents } from '../../src/react/index.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { openPage } from './page.js';
import { type ScriptedConversation, scriptedConversation } from './scripted-conversation.js';

describe('useConversationEvents', () => {
  test('1,000 events in 10 frames render 10 times, and the newest events are kept, numbered without gaps', async () => {
    const { page, conversation, clock, renders } = await open({ limit: 150 });
    for (let frame = 0; frame < 10; frame += 1) {
      for (let i = 0; i < 100; i += 1) conversation.emit(event(`c${frame * 100 + i + 1}`));
      await page.act(() => clock.tick(16));
    }
    expect(renders).toHaveLength(11);
    const last = renders.at(-1) ?? [];
    expect(last.map(({ number }) => number)).toEqual(Array.from({ length: 150 }, (_, i) => 851 + i));
    expect(last.at(-1)?.event).toEqual(event('c1000'));
    await page.leave();
  });

  test('nothing renders before the end of the frame, or without events', async () => {
    const { page, conversation, clock, renders } = await open({});
    await page.act(() => clock.tick(1000));
    await page.act(() => conversation.emit(event('c1')));
    await page.act(() => clock.tick(15));
    expect(renders).toHaveLength(1);
    await page.act(() => clock.tick(1));
    expect(renders).toHaveLength(2);
    expect(clock.pending).toBe(0);
    await page.leave();
  });

  test('100,000 events without a frame do not accumulate beyond the limit', async () => {
    const { page, conversation, clock, renders } = await open({ limit: 10 });
    for (let i = 1; i <= 100_000; i += 1) conversation.emit(event(`c${i}`));
    await page.act(() => clock.tick(16));
    expect(renders.at(-1)?.map(({ number }) => number)).toEqual([99991, 99992, 99993, 99994, 99995, 99996, 99997, 99998, 99999, 100000]);
    await page.leave();
  });

  test.each([true, false])('unmounting leaves no listener and no timer (StrictMode: %s)', async (strict) => {
    const { page, conversation, clock } = await open({}, strict);
    expect(conversation.eventListenerCount).toBe(1);
    await page.act(() => conversation.emit(event('c1')));
    await page.leave();
    expect([conversation.eventListenerCount, clock.pending]).toEqual([0, 0]);
  });

  test.each([0, -1, Number.NaN])('a limit of %s is refused', async (limit) => {
    await expect(open({ limit })).rejects.toThrow(`limit must be a number of at least 1, got ${limit}`);
  });
});

async function open({ limit }: { readonly limit?: number }, strict = false) {
  const clock = manualClock();
  const conversation: ScriptedConversation = scriptedConversation();
  const renders: (readonly LoggedEvent[])[] = [];
  const Log = () => {
    renders.push(useConversationEvents({ conversation, clock, ...(limit !== undefined && { limit }) }));
    return null;
  };
  return { page: await openPage(createElement(Log), { strict }), conversation, clock, renders };
}

function event(contextId: string): ConversationEvent {
  return { at: '2026-01-01T00:00:00Z', kind: 'context', contextId };
}
