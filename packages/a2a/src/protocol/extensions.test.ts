import { describe, expect, test } from 'vitest';
import { negotiate, parseExtensions } from './extensions.js';

describe('the A2A-Extensions header', () => {
  test.each([
    [undefined, []],
    ['', []],
    ['urn:a', ['urn:a']],
    [' urn:a ,, urn:b,urn:a', ['urn:a', 'urn:b']],
    [
      ['urn:a, urn:b', 'urn:c', 'urn:b'],
      ['urn:a', 'urn:b', 'urn:c'],
    ],
  ])('%j asks for %j', (header, uris) => {
    expect(parseExtensions(header)).toEqual(uris);
  });
});

describe('negotiation', () => {
  const declared = [{ uri: 'urn:a', required: true }, { uri: 'urn:b' }, { uri: 'urn:c', required: false }];

  test('activates what is declared and asked for, and ignores the rest', () => {
    expect(negotiate(declared, ['urn:c', 'urn:x', 'urn:a'])).toEqual(['urn:c', 'urn:a']);
    expect(negotiate(undefined, ['urn:x'])).toEqual([]);
    expect(negotiate([], [])).toEqual([]);
  });

  test('a required extension that is not asked for is an error that names it', () => {
    expect(() => negotiate(declared, ['urn:b'])).toThrow(
      expect.objectContaining({ reason: 'EXTENSION_SUPPORT_REQUIRED', message: expect.stringContaining('"A2A-Extensions: urn:a"') }),
    );
  });
});
