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
  ])('%j requests %j', (header, uris) => {
    expect(parseExtensions(header)).toEqual(uris);
  });
});

describe('negotiation', () => {
  const declared = [{ uri: 'urn:a', required: true }, { uri: 'urn:b' }, { uri: 'urn:c', required: false }];

  test('activates declared and requested extensions, and ignores the others', () => {
    expect(negotiate(declared, ['urn:c', 'urn:x', 'urn:a'])).toEqual(['urn:c', 'urn:a']);
    expect(negotiate(undefined, ['urn:x'])).toEqual([]);
    expect(negotiate([], [])).toEqual([]);
  });

  test('a required extension that is not requested is an error that names it', () => {
    expect(() => negotiate(declared, ['urn:b'])).toThrow(
      expect.objectContaining({ reason: 'EXTENSION_SUPPORT_REQUIRED', message: expect.stringContaining('"A2A-Extensions: urn:a"') }),
    );
  });
});
