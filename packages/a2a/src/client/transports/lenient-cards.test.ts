// Cards of 0.3, and cards of both versions, as a client reads them.
import { expect, test } from 'vitest';
import type { AgentCard } from '../../protocol/types.js';
import { readAs } from './read-response.js';

const read = (card: unknown): AgentCard => readAs('AgentCard', card, 'GetAgentCard');

test('D50: a card of 0.3 may repeat its addresses: each is read once, in their order', () => {
  const repeated = (count: number) => ({
    name: 'old',
    url: 'https://x/rpc',
    additionalInterfaces: Array.from({ length: count }, (_, index) => ({
      url: index % 2 === 0 ? 'https://x/rpc' : 'https://x/rest',
      transport: index % 2 === 0 ? 'JSONRPC' : 'HTTP+JSON',
    })),
  });
  expect(read(repeated(1_000)).supportedInterfaces.map(({ url }) => url)).toEqual(['https://x/rpc', 'https://x/rest']);
});

test('D50: of a card of 0.3, the first hundred addresses are read', () => {
  const additionalInterfaces = Array.from({ length: 20_000 }, (_, index) => ({ url: `https://x/${index}`, transport: 'JSONRPC' }));
  const { supportedInterfaces } = read({ name: 'old', url: 'https://x/rpc', additionalInterfaces });
  expect(supportedInterfaces.map(({ url }) => url)).toEqual(['https://x/rpc', ...additionalInterfaces.slice(0, 99).map(({ url }) => url)]);
});

test.each([
  [
    'only additional interfaces',
    { additionalInterfaces: [{ url: 'https://x/rest', transport: 'HTTP+JSON' }] },
    ['HTTP+JSON https://x/rest'],
  ],
  ['a transport without an address', { preferredTransport: 'JSONRPC' }, []],
  [
    'a transport without an address, and additional interfaces',
    { preferredTransport: 'GRPC', additionalInterfaces: [{ url: 'https://x/rpc', transport: 'JSONRPC' }] },
    ['JSONRPC https://x/rpc'],
  ],
  [
    'another transport at the main address',
    { url: 'https://x', preferredTransport: 'GRPC', additionalInterfaces: [{ url: 'https://x', transport: 'JSONRPC' }] },
    ['GRPC https://x', 'JSONRPC https://x'],
  ],
  ['an empty transport', { url: 'https://x', preferredTransport: '' }, ['JSONRPC https://x']],
  ['null for absent members', { url: 'https://x', preferredTransport: null, additionalInterfaces: null }, ['JSONRPC https://x']],
  [
    'interfaces without an address',
    { url: 'https://x', additionalInterfaces: [{ transport: 'GRPC' }, null, 'https://y'] },
    ['JSONRPC https://x'],
  ],
  ['an empty list of 1.0', { url: 'https://x', supportedInterfaces: [] }, ['JSONRPC https://x']],
])('D50: a card of 0.3 with %s', (_, members, interfaces) => {
  const card = read({ name: 'old', security: [{ key: [] }], supportsAuthenticatedExtendedCard: true, ...members });
  expect(card.supportedInterfaces.map(({ protocolBinding, url }) => `${protocolBinding} ${url}`)).toEqual(interfaces);
  expect(card.securityRequirements, 'also without a main address').toEqual([{ schemes: { key: { list: [] } } }]);
  expect(card.capabilities.extendedAgentCard).toBe(true);
});

test('D50: the requirements of a skill of 0.3 are kept', () => {
  const skill = { id: 's', name: 's', description: 's', tags: ['s'] };
  const skills = [
    { ...skill, security: [{ oauth: ['write'], key: [] }] },
    { ...skill, id: 'open' },
  ];
  const card = read({ name: 'old', url: 'https://x', skills });
  expect(card.skills).toEqual([
    { ...skill, securityRequirements: [{ schemes: { oauth: { list: ['write'] }, key: { list: [] } } }] },
    { ...skill, id: 'open' },
  ]);
});

test('D50: in a skill and a scheme of both versions 1.0 wins', () => {
  const deviceCode = { deviceAuthorizationUrl: 'https://x/d', tokenUrl: 'https://x/t', scopes: {} };
  const own = [{ schemes: { tv: { list: ['a'] } } }];
  const card = read({
    name: 'both',
    supportedInterfaces: [{ url: 'https://x/new', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    url: 'https://x/old',
    skills: [{ id: 's', name: 's', description: 's', tags: ['s'], securityRequirements: own, security: [{ tv: ['b'] }] }],
    securitySchemes: { tv: { oauth2SecurityScheme: { flows: { deviceCode } }, type: 'oauth2', flows: {} } },
  });
  expect(card.skills[0]?.securityRequirements).toEqual(own);
  expect(card.securitySchemes).toEqual({ tv: { oauth2SecurityScheme: { flows: { deviceCode } } } });
});
