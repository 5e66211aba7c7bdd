import { describe, expect, test } from 'vitest';
import { buildCard, type CardFacts, type CardOptions } from './agent-card.js';
import { LOG_EXTENSION_URI } from './extensions.js';
import { isValid } from './parse.js';

const facts: CardFacts = {
  interfaces: [{ url: 'http://localhost:4000/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  streaming: true,
  pushNotifications: false,
  extendedAgentCard: false,
};

describe('G52: defaults', () => {
  test('G52: a name is enough', () => {
    expect(buildCard({ name: 'Trip planner' }, facts)).toEqual({
      name: 'Trip planner',
      description: 'Trip planner is an agent that can be reached over A2A.',
      version: '1.0.0',
      supportedInterfaces: facts.interfaces,
      capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
      defaultInputModes: ['text/plain', 'application/json'],
      defaultOutputModes: ['text/plain', 'application/json'],
      skills: [
        {
          id: 'trip-planner',
          name: 'Trip planner',
          description: 'Trip planner is an agent that can be reached over A2A.',
          tags: ['agent'],
        },
      ],
    });
  });

  test('G52: given values are kept', () => {
    const options: CardOptions = {
      name: 'A',
      description: 'Does things',
      version: '2.1.0',
      skills: [{ id: 's', name: 'S', description: 'D', tags: ['t'], examples: ['do it'] }],
      provider: { url: 'https://example.com', organization: 'Example' },
      documentationUrl: 'https://example.com/docs',
      iconUrl: 'https://example.com/icon.png',
      defaultInputModes: ['image/png'],
      defaultOutputModes: ['image/png'],
    };
    expect(buildCard(options, facts)).toMatchObject(options);
  });

  test.each(['日本', '!!!', 'x'.repeat(1000)])('G52: the name %s makes a valid card too', (name) => {
    expect(isValid('AgentCard', buildCard({ name }, facts))).toBe(true);
  });
});

describe('G50: flags state the features of the server', () => {
  const all: CardFacts = { ...facts, pushNotifications: true, extendedAgentCard: true };

  test('G50: a push store and an extended card set their flags, on a copy', () => {
    const options: CardOptions = Object.freeze({ name: 'A', capabilities: Object.freeze({}), skills: Object.freeze([]) });
    expect(buildCard(options, all).capabilities).toEqual({ streaming: true, pushNotifications: true, extendedAgentCard: true });
    expect(options).toEqual({ name: 'A', capabilities: {}, skills: [] });
  });

  test('G50: the card shares no objects with the options', () => {
    const skill = { id: 's', name: 'S', description: 'D', tags: ['t'] };
    const card = buildCard({ name: 'A', skills: [skill] }, facts);
    skill.tags.push('changed later');
    expect(card.skills[0]?.tags).toEqual(['t']);
    expect(card.supportedInterfaces[0]).not.toBe(facts.interfaces[0]);
  });

  test('G50: a feature can be hidden, but a missing one cannot be declared', () => {
    expect(buildCard({ name: 'A', capabilities: { streaming: false } }, all).capabilities.streaming).toBe(false);
    expect(() => buildCard({ name: 'A', capabilities: { pushNotifications: true } }, facts)).toThrow('declares pushNotifications');
  });

  test('G50: a card signed elsewhere is refused unless the server signs it again', () => {
    const signatures = [{ protected: 'e30', signature: 'AA' }];
    expect(() => buildCard({ name: 'A', signatures }, facts)).toThrow(expect.objectContaining({ reason: 'INVALID_REQUEST' }));
    expect(buildCard({ name: 'A', signatures }, { ...facts, signer: true }).signatures).toBeUndefined();
    expect(() => buildCard({ name: 'A', signatures: [] }, facts)).not.toThrow();
  });
});

describe('extensions of the card', () => {
  test('D30: the log extension declares only supported parts', () => {
    const declared = (log: CardFacts['logExtension']) =>
      buildCard({ name: 'A' }, { ...facts, ...(log && { logExtension: log }) }).capabilities.extensions;
    expect(declared(undefined)).toBeUndefined();
    expect(declared({ lastEventId: true, idempotencyKey: false })).toMatchObject([
      { uri: LOG_EXTENSION_URI, required: false, params: { lastEventId: true } },
    ]);
    expect(declared({ lastEventId: true, idempotencyKey: false })?.[0]?.params).not.toHaveProperty('idempotencyKey');
    expect(declared({ lastEventId: true, idempotencyKey: true, replayHours: 24 })?.[0]?.params).toEqual({
      lastEventId: true,
      idempotencyKey: true,
      replayHours: 24,
    });
  });

  test('D5: it is listed with the extensions of the agent', () => {
    const card = buildCard(
      { name: 'A', extensions: [{ uri: 'urn:a' }], capabilities: { extensions: [{ uri: 'urn:b' }] } },
      { ...facts, logExtension: { lastEventId: true } },
    );
    expect(card.capabilities.extensions?.map(({ uri }) => uri)).toEqual(['urn:b', 'urn:a', LOG_EXTENSION_URI]);
  });

  test.each([
    [[{ uri: 'urn:a' }, { uri: 'urn:a' }], 'Extension urn:a is declared twice'],
    [[{ uri: LOG_EXTENSION_URI }], `Extension ${LOG_EXTENSION_URI} is declared twice`],
    [[{ description: 'which?' }], 'An extension is declared without its uri'],
  ])('%j is refused', (extensions, complaint) => {
    expect(() => buildCard({ name: 'A', extensions }, { ...facts, logExtension: { lastEventId: true } })).toThrow(complaint);
  });
});

describe('invalid options throw at once and name the member', () => {
  test.each<[Partial<CardOptions>, string]>([
    [{ name: '' }, 'name must not be empty'],
    [{ description: '' }, 'description must not be empty'],
    [{ defaultInputModes: [] }, 'defaultInputModes must have at least one element'],
    [{ skills: [{ id: 's', name: 'S', description: 'D', tags: [] }] }, 'skills[0].tags must have at least one element'],
    [{ provider: { url: '', organization: 'x' } }, 'provider.url must not be empty'],
  ])('%j', (options, complaint) => {
    expect(() => buildCard({ name: 'A', ...options }, facts)).toThrow(complaint);
  });

  test('an agent without a name, as plain JavaScript can create one', () => {
    expect(() => buildCard({} as CardOptions, facts)).toThrow('name is required');
  });

  test('an agent without an address', () => {
    expect(() => buildCard({ name: 'A' }, { ...facts, interfaces: [] })).toThrow('supportedInterfaces must have at least one element');
  });
});
