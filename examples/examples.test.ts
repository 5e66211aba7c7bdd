import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { closure, START } from '../scripts/setup.mjs';

const folder = new URL('.', import.meta.url);
const examples = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
/** Examples that need a database or a page have their own test next to them. */
const alone = examples.filter((name) => !['cluster', 'react-chat'].includes(name));

describe('examples', () => {
  test.each(alone)(
    '%s passes its own check',
    async (name) => {
      expect(await run(new URL(`${name}/check.mjs`, folder))).toMatchObject({ code: 0 });
    },
    30_000,
  ); // processes that start processes, possibly on a busy machine

  test('the trip planner has at most 40 lines', () => {
    expect(read('trip-planner/agent.mjs').trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  });

  test.each(examples)('F27: %s needs no package that npm start does not install', (name) => {
    const { packages } = JSON.parse(read('../package-lock.json'));
    const installed = closure(packages, START);
    const files = readdirSync(new URL(`${name}/`, folder)).filter((file) => /\.(mjs|html)$/.test(file));
    const imported = files.flatMap((file) => packagesIn(read(`${name}/${file}`)));
    expect(imported.filter((from) => !installed.has(`node_modules/${from}`))).toEqual([]);
    expect(imported).toContain('@parley/a2a');
  });

  test('F27: the guide runs react-chat with existing files, and with programs that npm start installs', () => {
    const guide = read('../docs/guides/react.md');
    const { packages } = JSON.parse(read('../package-lock.json'));
    const [, agent = ''] = /^node (examples\/react-chat\/\S+)$/m.exec(guide) ?? [];
    const [, program = '', page = ''] = /^npx (\w+) (examples\/react-chat)\b/m.exec(guide) ?? [];
    expect(read(`../${agent}`)).toContain("cors: { origins: '*' }");
    expect(closure(packages, START)).toContain(`node_modules/${program}`);
    expect(read(`../${page}/index.html`)).toContain("from './chat.mjs'");
  });

  test('agents import the library only through its entry points', () => {
    for (const name of examples) {
      const imports = [...read(`${name}/agent.mjs`).matchAll(/ from '([^']+)'/g)].map(([, from]) => from);
      for (const from of imports) expect(from).toMatch(/^(node:|@parley\/a2a(\/[a-z]+)?$)/);
    }
  });
});

/** The names of the packages that a file imports. */
function packagesIn(code: string): readonly string[] {
  const sources = [...code.matchAll(/(?:\bfrom|\bimport\(?)\s*'([^'.][^']*)'/g)].map(([, source = '']) => source);
  return sources
    .filter((source) => !source.startsWith('node:'))
    .map((source) => source.split('/', source.startsWith('@') ? 2 : 1).join('/'));
}

function read(path: string): string {
  return readFileSync(new URL(path, folder), 'utf8');
}

function run(file: URL): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [fileURLToPath(file)], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    child.on('close', (code) => resolve({ code, output }));
  });
}
