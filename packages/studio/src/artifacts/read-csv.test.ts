import { expect, test } from 'vitest';
import { readCsv } from './read-csv.js';

test('a quoted cell may contain commas, line breaks and quotes', () => {
  expect(readCsv('a,"b,c"\r\n"say ""hi""","two\nlines"\n').rows).toEqual([
    ['a', 'b,c'],
    ['say "hi"', 'two\nlines'],
  ]);
});

test('only the first rows of a long table are read', () => {
  const { rows, hasMore } = readCsv('1,2\n'.repeat(100_000));
  expect(rows).toHaveLength(200);
  expect(hasMore).toBe(true);
});

test('reading ends for any text, also if it is not a table', () => {
  expect(readCsv('').rows).toEqual([]);
  expect(readCsv('"open').rows).toEqual([['open']]);
  expect(readCsv(',,\n').rows).toEqual([['', '', '']]);
});
