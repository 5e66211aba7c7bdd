import { expect, test } from 'vitest';
import { visibleName, visibleText } from './visible-text.js';

test('characters that hide or reorder text are shown as code points', () => {
  expect(visibleText('invoice\u202Efdp.exe')).toBe('invoice⟨U+202E⟩fdp.exe');
  expect(visibleText('a\u200Bb\u0000c\u{E0041}')).toBe('a⟨U+200B⟩b⟨U+0000⟩c⟨U+E0041⟩');
});

test('letters of all scripts, emoji with joiners, tabs and line breaks are unchanged', () => {
  const text = 'שלום عربى 日本 👩\u200D💻\tx\ny';
  expect(visibleText(text)).toBe(text);
});

test('a name is one line and is cut at the maximum length', () => {
  expect(visibleName('  two\n\n lines ')).toBe('two lines');
  expect(visibleName('x'.repeat(10_000_000), 20)).toBe(`${'x'.repeat(20)}…`);
});
