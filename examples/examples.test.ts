import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const folder = new URL('.', import.meta.url);
const examples = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
/** Those that need a database have a test of their own beside them, where one is installed. */
const alone = examples.filter((name) => name !== 'cluster');

describe('examples', () => {
  test.each(alone)(
    '%s passes its own check',
    async (name) => {
      expect(await run(new URL(`${name}/check.mjs`, folder))).toMatchObject({ code: 0 });
    },
    30_000,
  ); // processes that start processes, on machines that are busy

  test('hello is the first agent of the README', () => {
    expect(read('../README.md')).toContain(read('hello/agent.mjs'));
  });

  test('the trip planner is the second, and has at most 40 lines', () => {
    const code = read('trip-planner/agent.mjs');
    expect(read('../README.md')).toContain(code);
    expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  });

  test('the README shows how an agent is called', () => {
    expect(read('../README.md')).toContain(read('calling-an-agent/call.mjs'));
  });

  test('agents import the library through its entry points only', () => {
    for (const name of examples) {
      const imports = [...read(`${name}/agent.mjs`).matchAll(/ from '([^']+)'/g)].map(([, from]) => from);
      for (const from of imports) expect(from).toMatch(/^(node:|@parley\/a2a(\/[a-z]+)?$)/);
    }
  });
});

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
