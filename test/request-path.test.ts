// docs/life-of-a-request.md names the files on the path of a request. The files are recorded with the coverage of V8, not listed here.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runScript } from './run-script.js';

const guide = readFileSync(fileURLToPath(new URL('../docs/life-of-a-request.md', import.meta.url)), 'utf8');

/** The files of the table, in the order of the table. */
function listed(): string[] {
  const section = guide.split('## The files on the path\n')[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.flatMap((row) => [...row.matchAll(/`([^`]+)\.ts`/g)].map(([, file = '']) => file));
}

test('the guide lists exactly the files that one streaming request visits', { timeout: 20_000 }, async () => {
  const { code, output } = await runScript('request-path/main.mjs', '--json');
  expect(code, output).toBe(0);
  const { unary, streaming } = JSON.parse(output);
  expect(listed().sort()).toEqual(streaming);
  expect(unary, 'a unary request takes the same path').toContain('server/operations/send-message');
});
