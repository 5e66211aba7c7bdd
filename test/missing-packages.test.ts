// Runs the built library in a folder without the optional peer packages.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const library = fileURLToPath(new URL('../packages/a2a', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'parley-missing-'));

beforeAll(() => {
  const target = join(folder, 'node_modules/@parley/a2a');
  mkdirSync(target, { recursive: true });
  cpSync(join(library, 'package.json'), join(target, 'package.json'));
  cpSync(join(library, 'dist'), join(target, 'dist'), { recursive: true, filter: (path) => !/\.(d\.ts|map)$/.test(path) });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Outcome {
  readonly reason?: string;
  readonly message: string;
  readonly cause?: string;
  /** The message of the error and of its cause. */
  readonly own?: string;
}

const own = (outcome: Outcome): string => {
  expect(outcome.message).not.toContain('npm install');
  return outcome.own ?? '';
};

/** The error that a program catches around this expression. */
function caught(entry: string, expression: string): Outcome {
  const program = `
    import * as entry from '@parley/a2a/${entry}';
    try {
      await (${expression});
      console.log(JSON.stringify({ message: 'nothing was thrown' }));
    } catch (error) {
      const own = [error.message, error.cause?.message].join(' ');
      console.log(JSON.stringify({ reason: error.reason, message: error.message, cause: error.cause?.code, own }));
    }
    process.exit();`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder, encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

const TOKEN = `entry.clientCredentials({ clientId: 'a', clientSecret: 'b', tokenUrl: 'https://127.0.0.1/token' })
  .get({ url: 'https://127.0.0.1', signal: new AbortController().signal })`;

const CALLS = [
  ['postgres', 'pg', `entry.postgres('postgresql://127.0.0.1/x')`],
  ['redis', 'ioredis', `entry.redis('redis://127.0.0.1')`],
  ['sqlite', 'libsql', `entry.sqlite('tasks.db')`],
  ['oauth', 'oauth4webapi', TOKEN],
] as const;

test.each(CALLS)('F24: @parley/a2a/%s reports that it needs %s, and how to install it', (entry, name, expression) => {
  const { reason, message, cause } = caught(entry, expression);
  expect(message).toBe(`\`@parley/a2a/${entry}\` needs the package ${name}: npm install ${name}`);
  expect([reason, cause]).toEqual(['INVALID_PARAMS', expect.stringMatching(/MODULE_NOT_FOUND$/)]);
});

test.each(CALLS)('F24: @parley/a2a/%s keeps the error of a %s that is installed but broken', (entry, name, expression) => {
  const target = join(folder, 'node_modules', name);
  const install = (main: string, code: string): void => {
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, 'package.json'), JSON.stringify({ name, version: '1.0.0', main, exports: { '.': `./${main}` } }));
    writeFileSync(join(target, 'index.js'), code);
  };
  try {
    install('index.js', `throw new Error('built for another machine')`);
    expect(own(caught(entry, expression))).toContain('built for another machine');
    install('index.js', `require('a-package-of-its-own')`);
    expect(own(caught(entry, expression))).toContain(`a-package-of-its-own`);
    install('lost.js', '');
    rmSync(join(target, 'index.js'));
    expect(own(caught(entry, expression))).toContain('lost.js');
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
});

test.each([
  ['index', '@parley/a2a'],
  ['server', '@parley/a2a/server'],
  ['client', '@parley/a2a/client'],
  ['node', '@parley/a2a/node'],
  ['fetch', '@parley/a2a/fetch'],
  ['express', '@parley/a2a/express'],
  ['hono', '@parley/a2a/hono'],
  ['sqlite', '@parley/a2a/sqlite'],
  ['postgres', '@parley/a2a/postgres'],
  ['redis', '@parley/a2a/redis'],
  ['oauth', '@parley/a2a/oauth'],
])('F24: the entry %s loads without any of these packages, also with require', (_, entry) => {
  const program = `require('${entry}'); console.log('loaded');`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--eval', program], { cwd: folder, encoding: 'utf8' });
  expect([stdout.trim(), stderr.replace(/.*ExperimentalWarning[\s\S]*/, '')]).toEqual(['loaded', '']);
});
