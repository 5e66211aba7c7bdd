import { describe, expect, test } from 'vitest';
import { rejection, resultOf, type ScriptedAnswer, scriptedPeer } from '../../../test/client/peer-calls.js';
import type { ClientCall, GetAgentCardRequest } from '../call.js';
import { rest } from './rest.js';

const URL = 'https://agent.test/.well-known/agent-card.json';
const CARD = {
  name: 'agent',
  description: 'd',
  version: '1',
  supportedInterfaces: [{ url: 'https://agent.test', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 's', name: 's', description: 's', tags: ['s'] }],
};
const answer = (headers: Record<string, string> = {}): ScriptedAnswer => ({ headers, body: JSON.stringify(CARD) });

async function fetchCard(given: ScriptedAnswer, params: Partial<GetAgentCardRequest> = {}, call: Partial<ClientCall> = {}) {
  const peer = scriptedPeer(given);
  const reply = await resultOf(rest(), peer.exchange, { method: 'GetAgentCard', params: { url: URL, ...params }, call });
  return { reply, request: peer.requests[0] };
}

test('the card and its cache data', async () => {
  const { reply, request } = await fetchCard(answer({ etag: '"1"', 'last-modified': 'yesterday', 'cache-control': 'public, max-age=60' }));
  expect(reply).toEqual({ card: CARD, etag: '"1"', lastModified: 'yesterday', maxAgeMs: 60_000 });
  expect(request).toMatchObject({ method: 'GET', url: URL });
  expect(request?.headers).toEqual({ accept: 'application/json, application/a2a+json', 'a2a-version': '1.0' });
});

test('a cached card is requested with its validators, and may be unchanged', async () => {
  const { reply, request } = await fetchCard(
    { status: 304, headers: { etag: '"1"', 'cache-control': 'max-age=5' }, body: null },
    { etag: '"1"', lastModified: 'yesterday' },
  );
  expect(request?.headers).toMatchObject({ 'if-none-match': '"1"', 'if-modified-since': 'yesterday' });
  expect(reply).toEqual({ etag: '"1"', lastModified: undefined, maxAgeMs: 5000 });
});

test.each([
  [{}, undefined],
  [{ 'cache-control': 'public' }, undefined],
  [{ 'cache-control': 'max-age=0' }, 0],
  [{ 'cache-control': 'no-cache' }, 0],
  [{ 'cache-control': 'No-Store, max-age=60' }, 0],
  [{ 'cache-control': 'private,max-age="60"' }, 60_000],
  [{ 'cache-control': 's-maxage=60' }, undefined],
  [{ 'cache-control': 'max-age=60', age: '20' }, 40_000],
  [{ 'cache-control': 'max-age=60', age: '90' }, 0],
  [{ 'cache-control': 'max-age=soon' }, undefined],
])('%j is valid for %s ms', async (headers, maxAgeMs) => {
  expect((await fetchCard(answer(headers as Record<string, string>))).reply.maxAgeMs).toBe(maxAgeMs);
});

describe('missing or invalid card', () => {
  test.each<[string, ScriptedAnswer, string]>([
    ['no card at the URL', { status: 404, headers: {}, body: 'x' }, 'not found (HTTP 404)'],
    ['an HTML page', { body: '<html>' }, 'is not JSON: <html>'],
    ['an empty response', { body: '' }, 'is empty'],
    ['no name', { body: JSON.stringify({ ...CARD, name: '' }) }, 'name must not be empty'],
    ['a list', { body: '[]' }, 'it must be an object'],
    ['an unsolicited 304', { status: 304, headers: {}, body: null }, 'HTTP 304'],
  ])('%s', async (_name, given, words) => {
    const error = await rejection(fetchCard(given, { url: `${URL}?key=secret` }));
    expect(String(error)).toContain(words);
    expect(String(error)).not.toContain('secret');
    if (given.status !== 304) expect(error).toMatchObject({ name: 'A2AInvalidCardError', message: expect.stringContaining(URL) });
  });

  test('F64: a card of more than 1 MiB is refused, also if larger responses are allowed', async () => {
    const sized = (bytes: number): ScriptedAnswer => {
      const card = JSON.stringify({ ...CARD, description: '' });
      return { body: card.replace('"description":""', `"description":"${'x'.repeat(bytes - card.length)}"`) };
    };
    const peer = scriptedPeer(sized(1024 * 1024 + 1));
    const tools = { maxResponseBytes: 16 * 1024 * 1024 };
    const error = await rejection(resultOf(rest(), peer.exchange, { method: 'GetAgentCard', params: { url: URL }, tools }));
    expect(error).toMatchObject({
      name: 'A2AInvalidCardError',
      message: expect.stringContaining(`No agent card at ${URL}: The response is larger than 1048576 bytes`),
    });
    expect((await fetchCard(sized(1024 * 1024))).reply.card?.name).toBe('agent');
  });

  test('a server error is returned as such', async () => {
    const error = await rejection(fetchCard({ status: 503, headers: { 'retry-after': '2' }, body: '' }));
    expect(error).toMatchObject({ reason: 'AGENT_UNAVAILABLE', retryAfterMs: 2000 });
  });
});
