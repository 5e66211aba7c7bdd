import { expect, test } from 'vitest';
import { sliceEnd } from './slice-end.js';

test('F60: slices together are the text, have at most the given length, and never end within a surrogate pair', () => {
  for (const text of ['', 'abcdefg', '😀😀😀😀', 'a😀b😀😀c', 'é€😀x', '\ud83d\ud83d\ud83d', 'ab\ud83d']) {
    for (const chars of [2, 3, 4, 100]) {
      const slices: string[] = [];
      for (let at = 0; at < text.length; at = sliceEnd(text, at, chars)) slices.push(text.slice(at, sliceEnd(text, at, chars)));
      expect(slices.join('')).toBe(text);
      expect(slices.every((slice) => slice.length <= chars)).toBe(true);
      expect(Buffer.concat(slices.map((slice) => Buffer.from(slice)))).toEqual(Buffer.from(text));
    }
  }
});
