import fc from 'fast-check';
import { expect, test } from 'vitest';
import { utf8Length } from './utf8-length.js';

test('D58: the size of a text is its number of bytes in UTF-8, for short and for long texts', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom(1, 300), (text, times) => {
      const json = JSON.stringify(text.repeat(times));
      expect(utf8Length(json)).toBe(Buffer.byteLength(json));
    }),
  );
  expect(utf8Length('aé€😀')).toBe(1 + 2 + 3 + 4);
});

test('F67: a very long text is counted slice by slice, also if a slice would end within a surrogate pair', () => {
  for (const start of ['', 'a']) {
    for (const unit of ['x', 'é', '€', '😀']) {
      const text = start + unit.repeat(50_000);
      expect(utf8Length(text)).toBe(Buffer.byteLength(text));
    }
  }
});
