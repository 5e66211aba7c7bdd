import { describe, expect, test } from 'vitest';
import { cardWith } from '../../test/client/scripted-agent.js';
import type { LogFields } from '../platform/logger.js';
import { silentLogger } from '../platform/logger.js';
import { A2ACardSignatureError, A2AError, A2ATransportError } from '../protocol/errors.js';
import { manualClock } from '../testing/manual-clock.js';
import type { GetAgentCardResponse } from './call.js';
import { createCardCache, type Validators } from './card-cache.js';

const down = new A2ATransportError('network', 'refused', { sent: false });
type Answer = GetAgentCardResponse | Error | (() => Promise<GetAgentCardResponse>);

function cacheOf(...answers: Answer[]) {
  const clock = manualClock();
  const asked: (Validators | undefined)[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const warnings: string[] = [];
  const verified: string[] = [];
  const cache = createCardCache({
    async fetch(known, { signal }) {
      const answer = answers[Math.min(asked.length, answers.length - 1)] ?? down;
      asked.push(known && { etag: known.etag, lastModified: known.lastModified });
      signals.push(signal);
      if (answer instanceof Error) throw answer;
      return typeof answer === 'function' ? answer() : answer;
    },
    async verify({ name }) {
      verified.push(name);
      if (name === 'forged') throw new A2ACardSignatureError('fetched', 'forged');
    },
    clock,
    logger: { ...silentLogger, warn: (_: LogFields, text: string) => warnings.push(text) },
  });
  return { cache, clock, asked, signals, warnings, verified };
}

describe('lifetime of a cached card', () => {
  test('the card is used as long as the server allows, then it is revalidated', async () => {
    const card = cardWith();
    const { cache, clock, asked, verified } = cacheOf(
      { card, etag: '"1"', maxAgeMs: 10_000 },
      { maxAgeMs: 10_000 },
      { card: cardWith({ name: 'New' }) },
    );
    expect(await cache.get()).toBe(card);
    await clock.tick(9_999);
    expect(await cache.get()).toBe(card);
    expect(asked).toHaveLength(1);
    await clock.tick(1);
    expect(await cache.get()).toBe(card);
    expect(asked).toEqual([undefined, { etag: '"1"', lastModified: undefined }]);
    await clock.tick(10_000);
    expect((await cache.get()).name).toBe('New');
    expect(asked[2]?.etag).toBe('"1"');
    expect(verified).toEqual(['Echo', 'New']);
  });

  test('the card is used for five minutes if the server does not say', async () => {
    const { cache, clock, asked } = cacheOf({ card: cardWith() });
    await cache.get();
    await clock.tick(299_999);
    await cache.get();
    expect(asked).toHaveLength(1);
    await clock.tick(1);
    await cache.get();
    expect(asked).toHaveLength(2);
  });

  test('the card is not cached if the server forbids it', async () => {
    const { cache, asked } = cacheOf({ card: cardWith(), maxAgeMs: 0 });
    await cache.get();
    await cache.get();
    expect(asked).toEqual([undefined, { etag: undefined, lastModified: undefined }]);
  });

  test('refresh revalidates even a fresh card', async () => {
    const { cache, asked } = cacheOf({ card: cardWith() });
    await cache.get();
    await cache.refresh();
    expect(asked).toHaveLength(2);
  });
});

describe('the card cannot be fetched', () => {
  test('a failure is not cached: the next caller sends a new request', async () => {
    const { cache } = cacheOf(down, { card: cardWith() });
    await expect(cache.get()).rejects.toBe(down);
    expect((await cache.get()).name).toBe('Echo');
  });

  test('an expired card is used with a warning, and the server is not asked again for a while', async () => {
    const { cache, clock, asked, warnings } = cacheOf({ card: cardWith(), maxAgeMs: 1000 }, down);
    await cache.get();
    await clock.tick(1000);
    expect((await cache.get()).name).toBe('Echo');
    expect((await cache.get()).name).toBe('Echo');
    expect(asked).toHaveLength(2);
    expect(warnings).toEqual(['The card could not be fetched again; the old one is used']);
    await clock.tick(60_000);
    await cache.get();
    expect(asked).toHaveLength(3);
  });

  test('G42: an untrusted new card is reported, not hidden behind the old one', async () => {
    const { cache, clock } = cacheOf({ card: cardWith(), maxAgeMs: 1000 }, { card: cardWith({ name: 'forged' }) });
    await cache.get();
    await clock.tick(1000);
    await expect(cache.get()).rejects.toThrow(A2ACardSignatureError);
  });

  test('"unchanged" without a cached card is a server error', async () => {
    const { cache } = cacheOf({});
    await expect(cache.get()).rejects.toThrow(/unchanged, but the client has no card yet/);
  });
});

describe('concurrent callers', () => {
  test('concurrent callers share one request', async () => {
    const { cache, asked } = cacheOf({ card: cardWith() });
    const cards = await Promise.all([cache.get(), cache.get(), cache.refresh()]);
    expect(new Set(cards).size).toBe(1);
    expect(asked).toHaveLength(1);
  });

  test('concurrent callers share its failure', async () => {
    const { cache, asked } = cacheOf(down);
    const outcomes = await Promise.allSettled([cache.get(), cache.get()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(asked).toHaveLength(1);
  });

  test('a caller that aborts does not affect the others; the last abort ends the request', async () => {
    const never = () => new Promise<GetAgentCardResponse>(() => {});
    const { cache, asked, signals } = cacheOf(never, { card: cardWith() });
    const [one, two] = [new AbortController(), new AbortController()];
    const first = cache.get({ signal: one.signal });
    const second = cache.get({ signal: two.signal });
    one.abort(new Error('bye'));
    await expect(first).rejects.toMatchObject({ reason: 'ABORTED', cause: new Error('bye') });
    expect(signals[0]?.aborted).toBe(false);
    two.abort();
    await expect(second).rejects.toMatchObject({ reason: 'ABORTED' });
    expect(signals[0]?.aborted).toBe(true);
    expect((await cache.get()).name).toBe('Echo');
    expect(asked).toHaveLength(2);
  });

  test('a caller that aborted before sends no request', async () => {
    const { cache, asked } = cacheOf({ card: cardWith() });
    await expect(cache.get({ signal: AbortSignal.abort() })).rejects.toThrow(A2AError);
    expect(asked).toEqual([]);
  });
});
