import { expect, test } from 'vitest';
import { toBlob } from '../content/to-blob.js';
import { fileName, headOf } from './bytes.js';
import { filesOf, filesOfParts, sizeOf } from './files.js';
import { previewKind } from './preview-kind.js';

const artifact = (parts: readonly object[], name = 'report') => ({ artifactId: 'a', name, parts: parts as never });

test('text chunks form one file, and so do the parts of a large file', () => {
  const [text, csv, ...more] = filesOf({
    artifacts: [artifact([{ text: 'a' }, { text: 'b' }, { raw: 'QQ==', filename: 'x.bin' }, { raw: 'Qg==', filename: 'x.bin' }])],
    said: [],
  });
  expect(text).toMatchObject({ name: 'report 1', mediaType: 'text/plain', parts: [{ text: 'a' }, { text: 'b' }] });
  expect(csv?.parts).toHaveLength(2);
  expect(more).toEqual([]);
});

test('a size is computed without decoding the content', () => {
  const [file] = filesOfParts('m', [{ raw: 'QUJD', filename: 'abc.txt' }]);
  expect(file && sizeOf(file)).toBe(3);
  const [elsewhere] = filesOfParts('m', [{ url: 'https://example.com/x/far.png?a#b' }]);
  expect(elsewhere?.name).toBe('far.png');
  expect(elsewhere && sizeOf(elsewhere)).toBeUndefined();
});

test('decoding returns the original bytes, for both base64 alphabets and across slices', async () => {
  const text = Array.from({ length: 251 }, (_, index) => String.fromCharCode(index))
    .join('')
    .repeat(3_200);
  const raw = btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  expect(raw.length, 'more than one slice').toBeGreaterThan(1 << 20);
  const [file] = filesOfParts('m', [{ raw }]);
  if (!file) throw new Error('no file');
  const bytes = new Uint8Array(await (await toBlob(file)).arrayBuffer());
  expect(bytes).toHaveLength(text.length);
  expect(bytes.every((byte, index) => byte === index % 251)).toBe(true);
});

test('content that is not base64 is rejected', async () => {
  const [file] = filesOfParts('m', [{ raw: '!!!' }]);
  await expect(file && toBlob(file)).rejects.toThrow();
});

test('a download name has no folders and no hidden characters', () => {
  expect(fileName({ name: '../../../etc/passwd', mediaType: 'text/plain' })).toBe('_.._.._etc_passwd.txt');
  expect(fileName({ name: '.bashrc', mediaType: 'text/plain' })).toBe('bashrc.txt');
  expect(fileName({ name: '...', mediaType: 'image/png' })).toBe('unnamed.png');
});

test('a large text has a preview of its beginning, a large picture has none', async () => {
  const [text] = filesOfParts('m', [{ text: 'line\n'.repeat(400_000), filename: 'big.txt', mediaType: 'text/plain' }]);
  if (!text) throw new Error('no file');
  expect(previewKind(text)).toBe('head');
  expect((await toBlob(headOf(text, 12))).size).toBe(12);
  const [picture] = filesOfParts('m', [{ raw: 'A'.repeat(40_000_000), mediaType: 'image/png' }]);
  expect(picture && previewKind(picture)).toBeUndefined();
});
