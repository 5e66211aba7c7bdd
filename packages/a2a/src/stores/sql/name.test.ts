import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromColumn, SEPARATOR, toColumn } from './name.js';

/** Names that a database or its driver would refuse, truncate or confuse. */
const STRANGE = ['a\0b', 'a\0c', 'a', 'x\ud800', 'x\ud801', 'x\ufffd', '\u0001', '\u0001"a"', 'a\u001eb', '\u001e', '😀', '\ud83d', ''];

describe('P47: any two names stay different', () => {
  test('P47: every name comes back, and its stored form is well-formed and has no NUL', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...STRANGE), (some, strange) => {
        for (const name of [some, strange, some + strange, strange + some]) {
          const column = toColumn(name);
          expect(fromColumn(column)).toBe(name);
          expect(column.includes('\0') || column.includes(SEPARATOR) || /\p{Surrogate}/u.test(column)).toBe(false);
        }
      }),
    );
    expect(new Set(STRANGE.map(toColumn)).size).toBe(STRANGE.length);
    expect(toColumn('ä/owner 1')).toBe('ä/owner 1');
  });
});
