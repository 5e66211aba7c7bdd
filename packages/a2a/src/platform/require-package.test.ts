import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { beforeAll, expect, test } from 'vitest';
import { tempFolder } from '../../test/temp-folder.js';

const folder = tempFolder();
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

/** A bundle as made by bundlers that leave `import.meta` empty in CommonJS. */
beforeAll(async () => {
  write(
    'source.js',
    `import { requirePackage } from '${fileURLToPath(new URL('require-package.ts', import.meta.url))}';
    try { console.log(requirePackage('a-driver', 'the entry')); } catch (error) { console.log(error.message); }`,
  );
  const bundle = await rolldown({
    input: join(folder, 'source.js'),
    platform: 'node',
    logLevel: 'silent',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    transform: { define: { 'import.meta.url': 'undefined' } },
  });
  await bundle.write({ file: join(folder, 'app/index.js'), format: 'cjs' });
  await bundle.close();
  for (const place of ['app', 'elsewhere']) write(`${place}/node_modules/a-driver/index.js`, `module.exports = 'the driver of ${place}';`);
  write('nothing/empty.txt', '');
  write('package.json', '{}'); // so that the type of a package above the temporary folder does not count
  symlinkSync(join(folder, 'app/index.js'), join(folder, 'nothing/link.js'));
});

/** Returns the output of the program. */
function run(cwd: string, ...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(execPath, args, { cwd: join(folder, cwd), encoding: 'utf8' });
  return stdout.trim() + stderr;
}

test.each([
  ['its path', ['../app/index.js']],
  ['its path without the extension', ['../app/index']],
  ['its folder', ['../app']],
  ['a link to it', ['../nothing/link.js']],
])('F24: a CommonJS bundle started by %s finds the driver next to it, not the one in the working directory', (_, args) => {
  expect(run('elsewhere', ...args)).toBe('the driver of app');
});

test('F24: a CommonJS bundle without a main script, or without a driver next to it, searches the working directory', () => {
  expect(run('elsewhere', '--eval', `require(${JSON.stringify(join(folder, 'app/index.js'))})`)).toBe('the driver of elsewhere');
  write('main/index.js', `require('../app/index.js')`);
  expect(run('elsewhere', '../main/index.js')).toBe('the driver of elsewhere');
});

test('F24: a CommonJS bundle that finds no driver states what to install', () => {
  write('main/index.js', `require('../app/index.js')`);
  expect(run('nothing', '../main/index.js')).toBe('`the entry` needs the package a-driver: npm install a-driver');
});
