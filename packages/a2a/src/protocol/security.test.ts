import { describe, expect, test } from 'vitest';
import { buildCard } from './agent-card.js';
import { allOf, apiKey, bearer, http, mtls, oauth2, oidc, type Security, withScopes } from './security.js';

const flows = { clientCredentials: { tokenUrl: 'https://id.example/token', scopes: { read: 'Read' } } };
const none = { list: [] };

function declared(security: Security) {
  const { securitySchemes, securityRequirements } = buildCard(
    { name: 'A', security },
    {
      interfaces: [{ url: 'http://localhost', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      streaming: true,
      pushNotifications: false,
      extendedAgentCard: false,
    },
  );
  return { schemes: securitySchemes, alternatives: securityRequirements?.map(({ schemes }) => schemes) };
}

describe('G53: the helpers', () => {
  test.each([
    ['bearer', bearer({ format: 'JWT' }), { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } }],
    ['http', http('Basic', { description: 'old' }), { httpAuthSecurityScheme: { scheme: 'Basic', description: 'old' } }],
    ['apiKey', apiKey('X-Key'), { apiKeySecurityScheme: { name: 'X-Key', location: 'header' } }],
    ['apiKey', apiKey('key', { location: 'query' }), { apiKeySecurityScheme: { name: 'key', location: 'query' } }],
    [
      'oauth2',
      oauth2(flows, { metadataUrl: 'https://id.example' }),
      { oauth2SecurityScheme: { flows, oauth2MetadataUrl: 'https://id.example' } },
    ],
    [
      'oidc',
      oidc('https://id.example/.well-known'),
      { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://id.example/.well-known' } },
    ],
    ['mtls', mtls(), { mtlsSecurityScheme: {} }],
  ])('G53: %s creates its scheme', (name, security, scheme) => {
    expect(declared(security)).toEqual({ schemes: { [name]: scheme }, alternatives: [{ [name]: none }] });
  });

  test.each<[string, Security, unknown]>([
    ['one', bearer(), [{ bearer: none }]],
    ['a AND b', allOf(bearer(), mtls()), [{ bearer: none, mtls: none }]],
    ['a OR b', [bearer(), mtls()], [{ bearer: none }, { mtls: none }]],
    ['(a AND b) OR c', [allOf(bearer(), mtls()), apiKey('k')], [{ bearer: none, mtls: none }, { apiKey: none }]],
    ['a with scopes', withScopes(oauth2(flows), ['read', 'write']), [{ oauth2: { list: ['read', 'write'] } }]],
    ['a OR nothing', [bearer(), allOf()], [{ bearer: none }, {}]],
    [
      'the same scheme twice',
      allOf(withScopes(oauth2(flows), ['a', 'b']), withScopes(oauth2(flows), ['b', 'c'])),
      [{ oauth2: { list: ['a', 'b', 'c'] } }],
    ],
  ])('G53: %s', (_name, security, alternatives) => {
    expect(declared(security).alternatives).toEqual(alternatives);
  });

  test('G53: two different schemes of one helper need two names', () => {
    expect(() => declared([apiKey('a'), apiKey('b')])).toThrow('have the name apiKey');
    expect(Object.keys(declared([apiKey('a'), apiKey('b', { schemeName: 'second' })]).schemes ?? {})).toEqual(['apiKey', 'second']);
    expect(Object.keys(declared([bearer(), allOf(bearer(), mtls())]).schemes ?? {})).toEqual(['bearer', 'mtls']);
  });

  test('G53: withScopes does not change the given scheme', () => {
    const plain = oauth2(flows);
    withScopes(plain, ['read']);
    expect(plain.scopes).toEqual([]);
  });

  test('G53: a scheme that does not make a valid card is refused at once', () => {
    expect(() => declared(oauth2({}))).toThrow('securitySchemes.oauth2.oauth2SecurityScheme.flows must have exactly one of');
  });
});
