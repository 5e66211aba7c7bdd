import { expect, test } from 'vitest';
import { cardWith } from '../../test/client/scripted-agent.js';
import { A2AInvalidCardError } from '../protocol/errors.js';
import { readCard } from './read-card.js';

const WHERE = 'http://a.test/card.json';

test('a valid card is read unchanged', () => {
  const card = cardWith({ skills: [{ id: 's', name: 'S', description: 'd', tags: ['t'] }] });
  expect(readCard(card, WHERE)).toEqual(card);
});

test('members that are only for display may be missing, since encoders omit empty values', () => {
  const served = {
    name: 'Bare',
    supported_interfaces: [{ url: 'http://a.test/', protocolBinding: 'JSONRPC' }],
    skills: [{ id: 's', name: 'S' }],
  };
  expect(readCard(served, WHERE)).toEqual({
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
  ['interfaces that are not a list', { ...cardWith(), supportedInterfaces: 'JSONRPC' }, /supportedInterfaces must be a list/],
  ['interfaces of null', { ...cardWith(), supportedInterfaces: [null] }, /supportedInterfaces\[0\] must be an object/],
  ['no name', { ...cardWith(), name: undefined }, /name/],
  ['capabilities that are not an object', { ...cardWith(), capabilities: [] }, /capabilities must be an object/],
  ['nothing', null, /it must be an object/],
  ['a list', [cardWith()], /it must be an object/],
  ['a string', 'card', /it must be an object/],
])('G39: a card with %s is invalid, and the error names its URL and the member', (_, served, words) => {
  expect(() => readCard(served, WHERE)).toThrow(A2AInvalidCardError);
  expect(() => readCard(served, WHERE)).toThrow(/The card at http:\/\/a.test\/card.json cannot be used/);
  expect(() => readCard(served, WHERE)).toThrow(words);
});
