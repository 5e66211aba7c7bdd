// The headers that every reply has.
import { expect, test } from 'vitest';
import { fetchInProcess, userMessage, V1 } from '../../test/endpoints.js';
import { createAgent } from '../server/create-agent.js';

const knock = fetchInProcess(createAgent({ name: 'Echo', auth: 'none', execute: async ({ text }) => text }), {
  cors: { origins: ['https://app.example.com'] },
  routes: [{ path: '/page', handle: () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'page' }) }],
});
const json = { ...V1, 'content-type': 'application/json' };
const post = (body: object, headers: Record<string, string> = json): RequestInit => ({
  method: 'POST',
  headers,
  body: JSON.stringify(body),
});
const rpc = (method: string, params: object) => post({ jsonrpc: '2.0', id: 1, method, params });
const preflight = { method: 'OPTIONS', headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' } };

test.each([
  ['the card', '/.well-known/agent-card.json', {}],
  ['a probe', '/-/health', {}],
  ['a page of the host', '/page', {}],
  ['a preflight', '/', preflight],
  ['a refused preflight', '/', { ...preflight, headers: { ...preflight.headers, origin: 'https://other.example.com' } }],
  ['a JSON-RPC reply', '/', rpc('SendMessage', userMessage('x'))],
  ['a JSON-RPC stream', '/', rpc('SendStreamingMessage', userMessage('x'))],
  ['an HTTP+JSON reply', '/message:send', post(userMessage('x'))],
  ['an HTTP+JSON stream', '/message:stream', post(userMessage('x'))],
  ['a list', '/tasks', { headers: V1 }],
] as const)('F77: %s says that its content type must not be guessed', async (_, path, init) => {
  const { status, headers } = await knock(path, init);
  expect([status < 300, headers.get('x-content-type-options'), headers.get('cache-control') === 'no-store']).toEqual([
    true,
    'nosniff',
    path === '/-/health',
  ]);
});

test.each([
  ['an unknown path', '/nothing/here/at/all', {}],
  ['a wrong verb', '/tasks', { method: 'POST', headers: V1 }],
  ['GET at the JSON-RPC path', '/', {}],
  ['a wrong verb at the card', '/.well-known/agent-card.json', { method: 'POST' }],
  ['an unknown task', '/tasks/unknown', { headers: V1 }],
  ['a missing version', '/tasks', {}],
  ['broken JSON', '/', post({}, { ...json, 'content-type': 'text/plain' })],
  ['a JSON-RPC error', '/', rpc('GetTask', { id: 'unknown' })],
  ['an unknown method', '/', rpc('Nothing', {})],
] as const)('F77: the error for %s is not kept by caches, and its content type must not be guessed', async (_, path, init) => {
  const { headers } = await knock(path, init);
  expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual(['no-store', 'nosniff']);
});
