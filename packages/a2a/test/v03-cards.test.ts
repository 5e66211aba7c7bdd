// Cards down to 0.3 and up again. What does not survive is the list in docs/guides/older-agents.md, as functions at the top of this file.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAs } from '../src/client/transports/read-response.js';
import { toSupersetCard } from '../src/compat/v03/index.js';
import { PROTO } from '../src/compat/v03/proto.js';
import type { AgentCard, AgentInterface, AgentSkill, OAuthFlows, SecurityScheme } from '../src/protocol/types.js';
import { strictMessage } from './arbitraries.js';
import { generatedCases } from './generated-cases.js';
import { asReaderOfV03 } from './v03-reader.js';
import { schemaErrors } from './v03-schemas.js';

type Json = Record<string, unknown>;

const BASE: AgentCard = {
  name: 'n',
  description: 'd',
  version: '1',
  supportedInterfaces: [{ url: 'https://a.test', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
};

const cardWith = (scheme: SecurityScheme): AgentCard => ({
  ...BASE,
  securitySchemes: { it: scheme },
  securityRequirements: [{ schemes: { it: { list: [] } } }],
});

const read = (card: unknown): AgentCard => readAs('AgentCard', card, 'GetAgentCard');

const wire = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** The card as an agent of 0.3 would serve it: without the members of 1.0. */
const downOf = (card: AgentCard): Json => asReaderOfV03(wire(toSupersetCard(card))) as Json;

const schemeOf = (card: Json): unknown => (card.securitySchemes as Json).it;

const token = { tokenUrl: 'https://id.test/t', scopes: { read: 'Read' } };
const page = { authorizationUrl: 'https://id.test/a' };
const device = { deviceAuthorizationUrl: 'https://id.test/d', ...token };
const { scopes } = token;

/** The scheme, its form in 0.3, and what a client reads from that; undefined: the same scheme. */
const SCHEMES: readonly (readonly [name: string, scheme: SecurityScheme, old: unknown, back?: SecurityScheme])[] = [
  [
    'a key in a header',
    { apiKeySecurityScheme: { name: 'X-Key', location: 'header', description: 'd' } },
    { type: 'apiKey', name: 'X-Key', in: 'header', description: 'd' },
  ],
  ['a key in a query', { apiKeySecurityScheme: { name: 'key', location: 'query' } }, { type: 'apiKey', name: 'key', in: 'query' }],
  ['a key in a cookie', { apiKeySecurityScheme: { name: 'key', location: 'cookie' } }, { type: 'apiKey', name: 'key', in: 'cookie' }],
  [
    'a bearer token',
    { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT', description: 'd' } },
    { type: 'http', scheme: 'Bearer', bearerFormat: 'JWT', description: 'd' },
  ],
  ['HTTP Basic', { httpAuthSecurityScheme: { scheme: 'Basic' } }, { type: 'http', scheme: 'Basic' }],
  [
    'OAuth with an authorization code',
    {
      oauth2SecurityScheme: {
        flows: { authorizationCode: { ...page, ...token, refreshUrl: 'https://id.test/r' } },
        oauth2MetadataUrl: 'https://id.test/m',
        description: 'd',
      },
    },
    {
      type: 'oauth2',
      flows: { authorizationCode: { ...page, ...token, refreshUrl: 'https://id.test/r' } },
      oauth2MetadataUrl: 'https://id.test/m',
      description: 'd',
    },
  ],
  [
    'OAuth with an authorization code and PKCE',
    { oauth2SecurityScheme: { flows: { authorizationCode: { ...page, ...token, pkceRequired: true } } } },
    { type: 'oauth2', flows: { authorizationCode: { ...page, ...token } } },
    { oauth2SecurityScheme: { flows: { authorizationCode: { ...page, ...token } } } },
  ],
  ['OAuth with client credentials', oauth({ clientCredentials: token }), { type: 'oauth2', flows: { clientCredentials: token } }],
  ['OAuth with the implicit flow', oauth({ implicit: { ...page, scopes } }), { type: 'oauth2', flows: { implicit: { ...page, scopes } } }],
  ['OAuth with a password', oauth({ password: token }), { type: 'oauth2', flows: { password: token } }],
  ['OAuth for devices', oauth({ deviceCode: device }), { type: 'oauth2', flows: {} }, oauth({})],
  // Deprecated flows may lack members that 0.3 requires.
  [
    'the implicit flow without scopes',
    oauth({ implicit: page }),
    { type: 'oauth2', flows: { implicit: { ...page, scopes: {} } } },
    oauth({ implicit: { ...page, scopes: {} } }),
  ],
  ['the implicit flow without an address', oauth({ implicit: { scopes } }), { type: 'oauth2', flows: {} }, oauth({})],
  ['a password without an address', oauth({ password: {} }), { type: 'oauth2', flows: {} }, oauth({})],
  [
    'OpenID Connect',
    { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://id.test/.well-known', description: 'd' } },
    { type: 'openIdConnect', openIdConnectUrl: 'https://id.test/.well-known', description: 'd' },
  ],
  ['a client certificate', { mtlsSecurityScheme: { description: 'd' } }, { type: 'mutualTLS', description: 'd' }],
  ['a client certificate without a description', { mtlsSecurityScheme: {} }, { type: 'mutualTLS' }],
];

function oauth(flows: OAuthFlows): SecurityScheme {
  return { oauth2SecurityScheme: { flows } };
}

describe.each(SCHEMES.map(([name, scheme, old, back = scheme]) => ({ name, scheme, old, back })))('D50: $name', ({ scheme, old, back }) => {
  const card = cardWith(scheme);

  test('D50: has the form of 0.3', () => {
    expect(schemaErrors('0.3', 'AgentCard', downOf(card))).toEqual([]);
    expect(schemeOf(downOf(card))).toEqual(old);
  });

  test('D50: is read from a card of 0.3', () => {
    expect(read(downOf(card)).securitySchemes).toEqual({ it: back });
    expect(read(downOf(card)).securityRequirements).toEqual(card.securityRequirements);
  });

  test('D50: loses nothing for a reader of the card of both versions', () => {
    expect(read(wire(toSupersetCard(card))).securitySchemes).toEqual({ it: scheme });
  });
});

test('D50: of several flows, the first one in the order of the guide is read', () => {
  const flows = { authorizationCode: { ...page, ...token }, clientCredentials: token, implicit: { ...page, scopes }, password: token };
  const order = ['authorizationCode', 'clientCredentials', 'implicit', 'password'] as const;
  for (const [index, first] of order.entries()) {
    const given = Object.fromEntries(
      order
        .slice(index)
        .map((name) => [name, flows[name]])
        .toReversed(),
    );
    const { securitySchemes } = read({ name: 'old', url: 'https://a.test', securitySchemes: { it: { type: 'oauth2', flows: given } } });
    expect(securitySchemes).toEqual({ it: oauth({ [first]: flows[first] }) });
  }
});

test('D50: an interface that the card has in both versions is listed once', () => {
  const at = (protocolBinding: string, protocolVersion: string) => ({ url: 'https://a.test', protocolBinding, protocolVersion });
  const both = [at('JSONRPC', '1.0'), at('HTTP+JSON', '1.0'), at('JSONRPC', '0.3')];
  const superset = toSupersetCard({ ...BASE, supportedInterfaces: both });
  expect(superset.supportedInterfaces).toEqual([...both, at('HTTP+JSON', '0.3')]);
  expect(superset.additionalInterfaces).toEqual([
    { url: 'https://a.test', transport: 'JSONRPC' },
    { url: 'https://a.test', transport: 'HTTP+JSON' },
  ]);
});

test('D50: the requirements of skills go down and up again', () => {
  const skill: AgentSkill = {
    id: 's',
    name: 's',
    description: 's',
    tags: ['s'],
    securityRequirements: [{ schemes: { a: { list: ['x'] }, b: { list: [] } } }, { schemes: { c: { list: [] } } }],
  };
  const card = { ...BASE, skills: [skill, { ...skill, securityRequirements: [] }] };
  expect(downOf(card).skills).toMatchObject([{ security: [{ a: ['x'], b: [] }, { c: [] }] }, { security: [] }]);
  expect(read(downOf(card)).skills).toEqual(card.skills);
  const proto = wire(PROTO.resultToV03('GetExtendedAgentCard', card)) as { skills: Json[] };
  expect(proto.skills[0]?.security, 'ProtoJSON has the form of 1.0 under the name of 0.3').toEqual(skill.securityRequirements);
});

/** What 0.3 cannot carry, as functions that remove it. */
const LOST = {
  card({ supportedInterfaces, signatures: _, securitySchemes, ...card }: AgentCard): unknown {
    const isOld = ({ protocolVersion }: AgentInterface): boolean => protocolVersion.startsWith('0.');
    const isServed = ({ protocolBinding, tenant = '' }: AgentInterface): boolean =>
      tenant === '' && ['JSONRPC', 'HTTP+JSON'].includes(protocolBinding);
    const addresses = [...supportedInterfaces.filter(isOld), ...supportedInterfaces.filter((at) => !isOld(at) && isServed(at))];
    const seen = new Map(
      addresses.map(({ url, protocolBinding }) => [`${url} ${protocolBinding}`, { url, protocolBinding, protocolVersion: '0.3.0' }]),
    );
    return {
      ...card,
      supportedInterfaces: [...seen.values()].slice(0, 100),
      capabilities: LOST.capabilities(card.capabilities),
      skills: card.skills.map((skill) => ({ ...skill, ...LOST.requirements(skill) })),
      ...LOST.requirements(card),
      ...(securitySchemes && {
        securitySchemes: Object.fromEntries(Object.entries(securitySchemes).map(([name, one]) => [name, LOST.scheme(one)])),
      }),
    };
  },
  /** Nothing is lost: empty members are written. */
  requirements({ securityRequirements }: Pick<AgentCard, 'securityRequirements'>): object | undefined {
    const written = securityRequirements?.map(({ schemes = {} }) => ({
      schemes: Object.fromEntries(Object.entries(schemes).map(([name, { list = [] }]) => [name, { list }])),
    }));
    return written && { securityRequirements: written };
  },
  /** `false` is the default of the member that 0.3 has at the top. */
  capabilities({ extendedAgentCard, ...rest }: AgentCard['capabilities']): unknown {
    return { ...rest, ...(extendedAgentCard === true && { extendedAgentCard }) };
  },
  scheme(scheme: SecurityScheme): unknown {
    const { oauth2SecurityScheme: oauth2 } = scheme;
    if (oauth2 === undefined) return scheme;
    const { deviceCode: _, authorizationCode, implicit, password, ...flows } = oauth2.flows;
    const { pkceRequired: __, ...rest } = authorizationCode ?? {};
    return {
      oauth2SecurityScheme: {
        ...oauth2,
        flows: {
          ...flows,
          ...(authorizationCode && { authorizationCode: rest }),
          ...(implicit?.authorizationUrl !== undefined && { implicit: { scopes: {}, ...implicit } }),
          ...(password?.tokenUrl !== undefined && { password: { scopes: {}, ...password } }),
        },
      },
    };
  },
};

/** What 0.3 requires and the model of 1.0 does not: an address, one of three places for a key, and the URIs of extensions. */
function asSpecified({ supportedInterfaces, securitySchemes, capabilities, ...card }: AgentCard): AgentCard {
  const schemes = Object.entries(securitySchemes ?? {}).map(([name, { apiKeySecurityScheme: key, ...scheme }]) => [
    name,
    { ...scheme, ...(key && { apiKeySecurityScheme: { ...key, location: 'header' } }) },
  ]);
  const extensions = capabilities.extensions?.map((extension) => ({ ...extension, uri: extension.uri ?? 'urn:e' }));
  return {
    ...card,
    supportedInterfaces: [...BASE.supportedInterfaces, ...supportedInterfaces],
    capabilities: { ...capabilities, ...(extensions && { extensions }) },
    ...(securitySchemes && { securitySchemes: Object.fromEntries(schemes) }),
  };
}

test('D50: every card that is reachable over 0.3 goes down and up again', () => {
  fc.assert(
    fc.property(strictMessage('AgentCard').map(wire) as fc.Arbitrary<AgentCard>, (generated) => {
      const card = asSpecified(generated);
      const down = downOf(card);
      expect(schemaErrors('0.3', 'AgentCard', down)).toEqual([]);
      expect(read(down)).toEqual(read(LOST.card(card)));
    }),
    { numRuns: generatedCases(1_000) },
  );
});
