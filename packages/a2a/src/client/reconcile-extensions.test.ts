import { describe, expect, test } from 'vitest';
import { cardWith } from '../../test/client/scripted-agent.js';
import { A2AExtensionError } from '../protocol/errors.js';
import { LOG_EXTENSION_URI } from '../protocol/extensions.js';
import type { AgentExtension } from '../protocol/types.js';
import { reconcileExtensions } from './reconcile-extensions.js';

const cardOffering = (...extensions: readonly AgentExtension[]) => cardWith({ capabilities: { extensions } });

describe('requested and required extensions', () => {
  test('G41: a requested extension must be on the card; the error names all that are not', () => {
    const card = cardOffering({ uri: 'urn:a' });
    expect(reconcileExtensions(card, ['urn:a'])).toEqual(['urn:a']);
    expect(() => reconcileExtensions(card, ['urn:b', 'urn:a', 'urn:c'])).toThrow(A2AExtensionError);
    expect(() => reconcileExtensions(card, ['urn:b', 'urn:a', 'urn:c'])).toThrow(expect.objectContaining({ uris: ['urn:b', 'urn:c'] }));
    expect(() => reconcileExtensions(cardWith(), ['urn:a'])).toThrow(A2AExtensionError);
  });

  test('G41: an extension that the card requires must be requested', () => {
    const card = cardOffering({ uri: 'urn:a', required: true }, { uri: 'urn:b', required: true }, { uri: 'urn:c' });
    expect(() => reconcileExtensions(card, ['urn:a'])).toThrow(expect.objectContaining({ uris: ['urn:b'] }));
    expect(reconcileExtensions(card, ['urn:b', 'urn:a'])).toEqual(['urn:b', 'urn:a']);
  });

  test('G41: an extension that the client implements is requested whenever it is offered, and may be required', () => {
    expect(reconcileExtensions(cardOffering({ uri: LOG_EXTENSION_URI, required: true }), [])).toEqual([LOG_EXTENSION_URI]);
    expect(reconcileExtensions(cardWith(), [])).toEqual([]);
  });

  test('a URI that is requested twice is sent once', () => {
    const card = cardOffering({ uri: LOG_EXTENSION_URI }, { uri: 'urn:a' });
    expect(reconcileExtensions(card, ['urn:a', LOG_EXTENSION_URI, 'urn:a'])).toEqual(['urn:a', LOG_EXTENSION_URI]);
  });
});
