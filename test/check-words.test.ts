import { expect, test } from 'vitest';
import { findWords } from '../scripts/check-words.mjs';

const linesOf = (path: string, text: string) => findWords(path, text).map((problem) => problem.split(': ').slice(0, 2).join(' '));

test.each([
  ['a line comment', '// Whoever calls twice waits.', 'a.ts:1 "Whoever"'],
  ['a block comment', '/**\n * Sent once.\n * Nobody waits for it.\n */', 'a.ts:3 "Nobody"'],
  ['an error message', "throw new Error('the card can not be read');", 'a.ts:1 "can not"'],
  ['a template', 'const text = `told to somebody: ${name}`;', 'a.ts:1 "somebody"'],
  ['a name', 'const anybody = 1;', 'a.ts:1 "anybody"'],
  ['another spelling', '// The task was cancelled.', 'a.ts:1 "cancelled"'],
])('D57: an excluded word is found in %s', (_, text, found) => {
  expect(linesOf('a.ts', text)).toEqual([found]);
});

test.each([
  ['a comment', '// who asks twice gets one answer', 'a.ts:1 "who …"'],
  ['a sentence in a comment', '/* Two nodes ask. He answers the first. */', 'a.ts:1 "He …"'],
  ['a comment of several lines', '// The store\n// waits.\n// One that is late fails.', 'a.ts:3 "One that …"'],
  ['a test title', "test('who leaves is forgotten', () => {});", 'a.ts:1 "who …"'],
])('D57: %s does not begin with a pronoun as its subject', (_, text, found) => {
  expect(linesOf('a.ts', text)).toEqual([found]);
});

test('D57: a document is checked sentence by sentence, in paragraphs, lists and tables, without its code', () => {
  const text = 'The node that\nwho knows.\n\n- Who asks?\n\n| a | He does |\n\n```sh\nwho\n```\n';
  expect(linesOf('a.md', text)).toEqual(['a.md:4 "Who …"', 'a.md:6 "He …"']);
});

test('D57: words inside other words, and a pronoun in the middle of a sentence, are no problem', () => {
  expect(linesOf('a.ts', "// The caller who asks. Heap, the whole.\nconst whoami = 'the header'; // canceled")).toEqual([]);
});

test("D57: the spelling of another library's value is allowed as that value only", () => {
  expect(linesOf('a.ts', "const reason = 'cancelled'; const code = 'CANCELLED';")).toEqual([]);
  expect(linesOf('a.ts', "const text = 'was cancelled';")).toEqual(['a.ts:1 "cancelled"']);
});
