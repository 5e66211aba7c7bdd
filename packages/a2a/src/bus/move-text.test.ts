import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Move } from './bus.js';
import { beatText, lookText, newSender, parseText, toTexts } from './move-text.js';

const SENDER = newSender();

const name = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom('', '\ud800', '\u0000', '"', '\\', 'ü😀', '__proto__'));
const move: fc.Arbitrary<Move> = fc.record({
  ref: fc.record({ agent: fc.constantFrom('', 'a'), tenant: fc.constantFrom('', 'a', 'b'), owner: name, id: name }),
  seq: fc.nat(),
});

function movesOf(texts: readonly string[]): Move[] {
  return texts.flatMap((text) => {
    const message = parseText(text);
    return message?.kind === 'moves' ? message.moves : [];
  });
}

test('D42: any moves are transferred completely and in order, in ASCII, in texts within the limit', () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), fc.integer({ min: 1_000, max: 3_000 }), (moves, maxChars) => {
      const texts = toTexts(SENDER, moves, maxChars);
      expect(movesOf(texts)).toEqual(moves);
      for (const text of texts) {
        expect(text.length).toBeLessThanOrEqual(maxChars);
        expect(text).toMatch(new RegExp(`^${SENDER}[\\x20-\\x7e]+$`));
      }
    }),
  );
});

test('D42: texts are filled up to the limit', () => {
  const moves = Array.from({ length: 500 }, (_, index) => ({ ref: { agent: '', tenant: '', owner: 'o', id: `task-${index}` }, seq: 1 }));
  const [whole = ''] = toTexts(SENDER, moves, 1_000_000);
  expect(toTexts(SENDER, moves, whole.length)).toEqual([whole]);
  expect(toTexts(SENDER, moves, whole.length - 1)).toHaveLength(2);
});

test('D42: a ref that is longer than a text causes a look, and the other moves are sent', () => {
  const [before, long, after] = ['a', 'x'.repeat(2_000), 'b'].map((id) => ({ ref: { agent: '', tenant: '', owner: 'o', id }, seq: 3 }));
  const moves = [before, long, after].flatMap((one) => one ?? []);
  const texts = toTexts(SENDER, moves, 1_000);
  expect(movesOf(texts)).toEqual([before, after]);
  expect(texts.at(-1)).toBe(lookText(SENDER));
  expect(texts.map((text) => parseText(text)?.kind)).toEqual(['moves', 'look']);
});

test('D42: a beat has no content, with any nonce', () => {
  expect(parseText(beatText(SENDER))).toEqual({ kind: 'beat' });
  expect(parseText(beatText(SENDER, crypto.randomUUID()))).toEqual({ kind: 'beat' });
});

test.each([
  '',
  'short',
  'SENDER______',
  'SENDER______{}',
  'SENDER______null',
  'SENDER______[]',
  'SENDER______[[]]',
  'SENDER______"hello"',
  'SENDER______[["t","o"]]',
  'SENDER______[["t","o","id"]]',
  'SENDER______[["t","o","id","1"]]',
  'SENDER______[["t","o","id",-1]]',
  'SENDER______[["t","o","id",1.5]]',
  'SENDER______[["t","o",7,1]]',
  'SENDER______[["t",null,"id",1]]',
  'SENDER______[["t","o","id",1],7]',
  `SENDER______${'['.repeat(10_000)}`,
])('D42: a text that no node sends is not parsed: %.40s', (text) => {
  expect(parseText(text)).toBeUndefined();
});
