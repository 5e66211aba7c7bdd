import { expect, test } from 'vitest';
import { cutPieces, NO_PIECES, openPiece, type Pieces } from './split-blocks.js';

const all = (pieces: Pieces) => [...pieces.settled, openPiece(pieces)].filter((piece) => piece !== undefined);

test('splitting a growing text gives the same pieces as splitting the whole text', () => {
  const text = `${'Words and words.\n\n'.repeat(300)}\`\`\`ts\nconst a = 1;\n\nconst b = 2;\n\`\`\`\n${'More.\n\n'.repeat(600)}end`;
  let pieces = NO_PIECES;
  for (let end = 0; end <= text.length; end += 7) pieces = cutPieces(pieces, text.slice(0, end));
  expect(all(cutPieces(pieces, text))).toEqual(all(cutPieces(NO_PIECES, text)));
});

test('settled pieces stay the same objects', () => {
  const text = 'A paragraph of some words.\n\n'.repeat(100);
  const before = cutPieces(NO_PIECES, text);
  const after = cutPieces(before, `${text}and more`);
  expect(before.settled.length).toBeGreaterThan(0);
  expect(after.settled).toBe(before.settled);
});

test('the pieces together contain the whole text', () => {
  const text = 'one\n\n'.repeat(2_000);
  const pieces = cutPieces(NO_PIECES, text);
  expect(pieces.settled.map((piece) => piece.text).join('') + text.slice(pieces.from)).toBe(text);
});

test('a text that was replaced is split from its start', () => {
  const before = cutPieces(NO_PIECES, 'old words\n\n'.repeat(500));
  expect(all(cutPieces(before, 'new'))).toEqual([{ kind: 'markdown', text: 'new' }]);
});

test('a fence is a separate piece with its language, even before it is closed', () => {
  expect(all(cutPieces(NO_PIECES, 'See:\n```js\nlet a;\n\nlet b;'))).toEqual([
    { kind: 'markdown', text: 'See:\n' },
    { kind: 'code', text: 'let a;\n\nlet b;', language: 'js' },
  ]);
});

test('a longer fence may contain a shorter one', () => {
  expect(all(cutPieces(NO_PIECES, '````md\n```\nx\n```\n````\n'))).toEqual([{ kind: 'code', text: '```\nx\n```', language: 'md' }]);
});

test('a loose list is not split between its items', () => {
  const list = Array.from({ length: 200 }, (_, index) => `${index + 1}. item number ${index}`).join('\n\n');
  expect(cutPieces(NO_PIECES, list).settled).toEqual([]);
});
