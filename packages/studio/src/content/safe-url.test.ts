import { expect, test } from 'vitest';
import { safeLink, webAddress } from './safe-url.js';

test('web and mail links open, script and file links do not', () => {
  expect(safeLink('https://example.com/a')).toBe('https://example.com/a');
  expect(safeLink('mailto:a@example.com')).toBe('mailto:a@example.com');
  for (const address of [
    'javascript:alert(1)',
    ' jAvaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:x',
    'vbscript:x',
  ])
    expect(safeLink(address), address).toBeUndefined();
});

test('an invalid address is not a link', () => {
  expect(safeLink(undefined)).toBeUndefined();
  expect(safeLink('http://')).toBeUndefined();
  expect(safeLink(`https://example.com/${'x'.repeat(10_000)}`)).toBeUndefined();
});

test('files are opened only from http and https', () => {
  expect(webAddress('http://127.0.0.1:4000/a.png')).toBe('http://127.0.0.1:4000/a.png');
  expect(webAddress('mailto:a@example.com')).toBeUndefined();
  expect(webAddress('javascript:alert(1)')).toBeUndefined();
});
