// Cards and replies in the real schemas of both versions: that of 1.0 comes from its model, and that of 0.3 from the official SDK.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { allOf, apiKey, bearer, http, mtls, oauth2, oidc, withScopes } from '../src/protocol/security.js';
import { createAgent } from '../src/server/index.js';
import { V1 } from './endpoints.js';
import { schemaErrors, unknownMembers } from './v03-schemas.js';
import { type Json, saying, v03CallerOf } from './v03-wire.js';

const generator = new URL('../model/v03-schema.mjs', import.meta.url);
// Imported by URL, because the generator is plain JavaScript without declarations.
const { generateV03 } = (await import(generator.href)) as { generateV03: () => string };

const code = { authorizationUrl: 'https://id.test/a', tokenUrl: 'https://id.test/t', scopes: { read: 'Read' }, pkceRequired: true };
const device = { deviceAuthorizationUrl: 'https://id.test/d', tokenUrl: 'https://id.test/t', scopes: { read: 'Read' } };

const SECURITY = [
  allOf(apiKey('X-Key', { location: 'query', description: 'A key' }), bearer({ format: 'JWT' })),
  withScopes(oauth2({ authorizationCode: code }, { metadataUrl: 'https://id.test/m' }), ['read']),
  oauth2({ clientCredentials: { tokenUrl: 'https://id.test/t', scopes: {} } }, { schemeName: 'machine' }),
  oauth2({ deviceCode: device }, { schemeName: 'tv' }),
  oidc('https://id.test/.well-known/openid-configuration'),
  mtls(),
  http('Basic', { schemeName: 'basic' }),
];

const SKILL = {
  id: 's',
  name: 's',
  description: 's',
  tags: ['s'],
  securityRequirements: [{ schemes: { oauth2: { list: ['read'] } } }],
};

/** The plainest agent, and one whose card has everything. */
const AGENTS = {
  plain: createAgent({ name: 'Plain', auth: 'none', execute: async ({ text }) => text }),
  rich: createAgent({
    name: 'Rich',
    description: 'Has all members.',
    version: '2.1.0',
    provider: { organization: 'Org', url: 'https://org.test' },
    documentationUrl: 'https://org.test/docs',
    iconUrl: 'https://org.test/icon.png',
    security: SECURITY,
    auth: () => ({ id: 'a' }),
    skills: [SKILL, { ...SKILL, id: 't', securityRequirements: [] }],
    execute: async ({ text }) => text,
  } as Parameters<typeof createAgent>[0]),
};

async function cardOf(name: keyof typeof AGENTS, headers = {}): Promise<Json> {
  return (await v03CallerOf(AGENTS[name]).knock('/.well-known/agent-card.json', { headers })).json();
}

test('D50: the schema of 0.3 is up to date with the types of the SDK', () => {
  const committed = readFileSync(new URL('generated/a2a-0.3.schema.json', import.meta.url), 'utf8');
  expect(committed === generateV03(), 'run npm run generate -w packages/a2a').toBe(true);
});

describe.each(['plain', 'rich'] as const)('D50: the %s default card', (name) => {
  test('D50: is valid in the schema of 0.3', async () => {
    expect(schemaErrors('0.3', 'AgentCard', await cardOf(name))).toEqual([]);
  });

  test('D50: is valid in the schema of 1.0 for readers that ignore unknown members, as the specification demands', async () => {
    const card = await cardOf(name);
    const { unknown, others } = unknownMembers(schemaErrors('1.0', 'AgentCard', card));
    expect(others).toEqual([]);
    const allowed = [
      /^\/(url|preferredTransport|additionalInterfaces|protocolVersion|supportsAuthenticatedExtendedCard|security)$/,
      /^\/skills\/\d+\/security$/,
      /^\/securitySchemes\/\w+\/(type|description|in|name|scheme|bearerFormat|flows|oauth2MetadataUrl|openIdConnectUrl)$/,
    ];
    expect(unknown.filter((path) => !allowed.some((pattern) => pattern.test(path)))).toEqual([]);
    expect(unknown).toContain('/url');
  });

  test('D50: with the version 1.0, it is valid in the strict schema of 1.0 and not in that of 0.3', async () => {
    const card = await cardOf(name, V1);
    expect(schemaErrors('1.0', 'AgentCard', card)).toEqual([]);
    const missing = schemaErrors('0.3', 'AgentCard', card).map(({ params }) => params.missingProperty);
    expect(missing).toEqual(expect.arrayContaining(['protocolVersion', 'url']));
  });
});

test.each([
  ['no address', (card: Json) => delete card.url],
  ['no version of the protocol', (card: Json) => delete card.protocolVersion],
  ['an interface without a transport', (card: Json) => delete card.additionalInterfaces[0].transport],
  ['a scheme without a type', (card: Json) => delete card.securitySchemes.apiKey.type],
  ['a key in an unknown place', (card: Json) => Object.assign(card.securitySchemes.apiKey, { in: 'body' })],
  ['requirements of 1.0', (card: Json) => Object.assign(card, { security: card.securityRequirements })],
  ['requirements of 1.0 in a skill', (card: Json) => Object.assign(card.skills[0], { security: SKILL.securityRequirements })],
])('D50: the schema of 0.3 refuses a card with %s', async (_, damage) => {
  const card = await cardOf('rich');
  damage(card);
  expect(schemaErrors('0.3', 'AgentCard', card)).not.toEqual([]);
});

describe('D50: the replies over JSON-RPC are valid in the schema of 0.3', () => {
  const { rpc, rpcStream } = v03CallerOf(AGENTS.plain);

  test('D50: a task, and the same task again', async () => {
    const { body } = await rpc('message/send', saying('hi'));
    expect(schemaErrors('0.3', 'SendMessageSuccessResponse', body)).toEqual([]);
    expect(schemaErrors('0.3', 'GetTaskSuccessResponse', (await rpc('tasks/get', { id: body.result.id })).body)).toEqual([]);
  });

  test('D50: every event of a stream', async () => {
    const { events } = await rpcStream('message/stream', saying('hi'));
    expect(events.map(({ data }) => data.result.kind)).toEqual(expect.arrayContaining(['task', 'artifact-update', 'status-update']));
    for (const { data } of events) expect(schemaErrors('0.3', 'SendStreamingMessageSuccessResponse', data)).toEqual([]);
  });

  test('D50: errors', async () => {
    for (const [method, params] of [
      ['tasks/get', { id: 'none' }],
      ['message/send', {}],
      ['no/method', {}],
    ] as const) {
      const { body } = await rpc(method, params);
      expect(body.error.code).toBeLessThan(0);
      expect(schemaErrors('0.3', 'JSONRPCErrorResponse', body)).toEqual([]);
    }
  });

  test('D50: the extended card', async () => {
    const extended = await cardOf('rich', V1);
    const agent = createAgent({ name: 'E', auth: () => ({ id: 'a' }), extendedCard: () => extended, execute: async ({ text }) => text });
    const { body } = await v03CallerOf(agent).rpc('agent/getAuthenticatedExtendedCard');
    expect(schemaErrors('0.3', 'GetAuthenticatedExtendedCardSuccessResponse', body)).toEqual([]);
  });
});
