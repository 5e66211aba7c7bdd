import { describe, expect, test } from 'vitest';
import { type Answered, CARD_URL, cardWith, scriptedExchange } from '../../test/client/scripted-agent.js';
import { A2AInvalidCardError } from '../protocol/errors.js';
import { handClock } from '../testing/hand-clock.js';
import type { ClientCall } from './call.js';
import { createBudget } from './resilience/budget.js';
import { cardUrlOf, fetchCard } from './resolve-card.js';

describe('where a card is', () => {
  test.each([
    ['http://a.test', undefined, 'http://a.test/.well-known/agent-card.json'],
    ['http://a.test/', undefined, 'http://a.test/.well-known/agent-card.json'],
    ['http://a.test/agents/one/', undefined, 'http://a.test/agents/one/.well-known/agent-card.json'],
    ['http://a.test/one?key=1#top', undefined, 'http://a.test/one/.well-known/agent-card.json?key=1'],
    ['http://a.test/cards/one.json', undefined, 'http://a.test/cards/one.json'],
    ['http://a.test/one', '/card', 'http://a.test/one/card'],
    ['http://a.test/one', 'card', 'http://a.test/one/card'],
    ['http://a.test/one', 'https://cards.test/one', 'https://cards.test/one'],
  ])('%s with path %s is %s', (url, cardPath, expected) => {
    expect(cardUrlOf(url, cardPath)).toBe(expected);
  });
});

async function ask(answer: Answered, more: Partial<ClientCall<'GetAgentCard'>> = {}) {
  const exchange = scriptedExchange(answer);
  const call: ClientCall<'GetAgentCard'> = {
    method: 'GetAgentCard',
    params: { url: CARD_URL },
    peer: { key: CARD_URL, name: CARD_URL, card: undefined, interfaces: [], log: { lastEventId: false, idempotencyKey: false } },
    requestId: 'r-1',
    attempt: 1,
    headers: {},
    extensions: [],
    signal: undefined,
    timeouts: {},
    budget: createBudget({ clock: handClock() }),
    ...more,
  };
  const reply = await fetchCard(call, { exchange, maxResponseBytes: 1000, legacyCodes: undefined });
  return { value: reply.kind === 'value' ? reply.value : undefined, request: exchange.requests[0] };
}

describe('one GET of the card', () => {
  test('asks for JSON of our version, and the caller’s headers win', async () => {
    const { request } = await ask({ body: cardWith() }, { headers: { accept: 'text/json', 'x-key': '1' } });
    expect(request).toMatchObject({ method: 'GET', url: CARD_URL, headers: { accept: 'text/json', 'a2a-version': '1.0', 'x-key': '1' } });
  });

  test('credentials that travel in the URL are added to it', async () => {
    const { request } = await ask({ body: cardWith() }, { query: { key: 'a b' } });
    expect(new URL(request?.url ?? '').searchParams.get('key')).toBe('a b');
  });

  test('asks by ETag, and by date only where there is none', async () => {
    const both = await ask({ status: 304 }, { params: { url: CARD_URL, etag: '"1"', lastModified: 'yesterday' } });
    expect(both.request?.headers).toMatchObject({ 'if-none-match': '"1"' });
    expect(both.request?.headers).not.toHaveProperty('if-modified-since');
    const date = await ask({ status: 304 }, { params: { url: CARD_URL, lastModified: 'yesterday' } });
    expect(date.request?.headers).toMatchObject({ 'if-modified-since': 'yesterday' });
    expect(date.value).not.toHaveProperty('card');
  });

  test('gives what the headers say about keeping it', async () => {
    const headers = { etag: '"7"', 'last-modified': 'today', 'cache-control': 'max-age=9' };
    const { value } = await ask({ headers, body: cardWith() });
    expect(value).toEqual({ card: cardWith(), etag: '"7"', lastModified: 'today', maxAgeMs: 9000 });
    const unkept = await ask({ headers: { ...headers, 'cache-control': 'no-store' }, body: cardWith() });
    expect(unkept.value).toEqual({ card: cardWith(), maxAgeMs: 0 });
  });

  test.each([
    [404, 'INVALID_AGENT_RESPONSE'],
    [400, 'INVALID_AGENT_RESPONSE'],
    [204, 'INVALID_AGENT_RESPONSE'],
    [401, 'AUTH_REQUIRED'],
    [403, 'INSUFFICIENT_SCOPE'],
    [429, 'RATE_LIMITED'],
    [503, 'AGENT_UNAVAILABLE'],
  ])('HTTP %s is %s', async (status, reason) => {
    await expect(ask({ status })).rejects.toMatchObject({ reason, httpStatus: status });
  });

  test('G39: what is no JSON and what is no card is an invalid card that names its URL', async () => {
    for (const body of ['<html>', '', '{}', '[]', 'null', '"card"']) {
      const attempt = ask({ body });
      await expect(attempt).rejects.toThrow(A2AInvalidCardError);
      await expect(attempt).rejects.toThrow(CARD_URL);
    }
  });
});
