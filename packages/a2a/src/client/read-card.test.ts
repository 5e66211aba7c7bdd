import { describe, expect, test } from 'vitest';
import { cardWith } from '../../test/client/scripted-agent.js';
import { A2AInvalidCardError } from '../protocol/errors.js';
import { readCard } from './read-card.js';

const URL = 'http://a.test/card.json';

describe('what a peer serves as its card', () => {
  test('a strict card is read as it is', () => {
    const card = cardWith({ skills: [{ id: 's', name: 'S', description: 'd', tags: ['t'] }] });
    expect(readCard(card, URL)).toEqual(card);
  });

  test('names in snake_case are understood and unknown members dropped', () => {
    const { supportedInterfaces, ...rest } = cardWith();
    const served = { ...rest, supported_interfaces: supportedInterfaces, kind: 'agent', iconUrl: null };
    expect(readCard(served, URL)).toEqual(cardWith());
  });

  test('what is only for people may be missing or empty, as encoders leave it out', () => {
    const served = {
      name: 'Bare',
      supportedInterfaces: [{ url: 'http://a.test/', protocolBinding: 'JSONRPC' }],
      skills: [{ id: 's', name: 'S' }],
      defaultInputModes: [],
    };
    expect(readCard(served, URL)).toEqual({
      name: 'Bare',
      description: '',
      version: '',
      supportedInterfaces: [{ url: 'http://a.test/', protocolBinding: 'JSONRPC', protocolVersion: '' }],
      capabilities: {},
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [{ id: 's', name: 'S', description: '', tags: [] }],
    });
  });

  test.each([
    ['no interfaces', { ...cardWith(), supportedInterfaces: undefined }, /supportedInterfaces is required/],
    ['an empty list of interfaces', cardWith({ supportedInterfaces: [] }), /supportedInterfaces must have at least one element/],
    [
      'an interface without a URL',
      { ...cardWith(), supportedInterfaces: [{ protocolBinding: 'JSONRPC' }] },
      /supportedInterfaces\[0\].url is required/,
    ],
    ['interfaces that are none', { ...cardWith(), supportedInterfaces: 'JSONRPC' }, /supportedInterfaces must be an array/],
    ['interfaces of null', { ...cardWith(), supportedInterfaces: [null] }, /supportedInterfaces\[0\] must be an object/],
    ['no name', { ...cardWith(), name: undefined }, /name is required/],
    ['capabilities that are none', { ...cardWith(), capabilities: [] }, /capabilities must be an object/],
    ['skills that are none', { ...cardWith(), skills: [7] }, /skills\[0\] must be an object/],
    ['nothing', null, /it must be an object/],
    ['a list', [cardWith()], /it must be an object/],
    ['a text', 'card', /it must be an object/],
  ])('G39: a card with %s is invalid, and the error names its URL and the member', (_, served, words) => {
    expect(() => readCard(served, URL)).toThrow(A2AInvalidCardError);
    expect(() => readCard(served, URL)).toThrow(/The card at http:\/\/a.test\/card.json can not be used/);
    expect(() => readCard(served, URL)).toThrow(words);
  });

  test('G39: a card of the version before is told as such', () => {
    const served = { protocolVersion: '0.3.0', url: 'http://a.test/', name: 'Old', preferredTransport: 'JSONRPC' };
    expect(() => readCard(served, URL)).toThrow(/looks like a card of A2A 0.3.0/);
  });
});
