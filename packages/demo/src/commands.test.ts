import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Listening } from '@parley/a2a/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fastClock } from '../test/client.js';
import { streamCommand, toCommands } from './commands.js';
import { startDemo } from './start-demo.js';

const run = promisify(execFile);
const hasCurl = spawnSync('curl', ['--version']).status === 0;

let listening: Listening;

beforeAll(async () => {
  listening = await startDemo({ port: 0, clock: fastClock });
});

afterAll(() => listening.close({ drainMs: 0 }));

test('the README shows the same commands', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const [, ...commands] = toCommands({ url: 'http://127.0.0.1:4000', layout: 'narrow' });
  for (const { text } of commands) expect(readme).toContain(`\`\`\`sh\n${text}\n\`\`\``);
});

test('narrow commands fit a phone', () => {
  const lines = toCommands({ url: 'http://127.0.0.1:4000', layout: 'narrow' }).flatMap(({ text }) => text.split('\n'));
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(50);
});

for (const layout of ['narrow', 'wide'] as const) {
  test.runIf(hasCurl)(`a shell can run the commands as they are shown (${layout})`, async () => {
    const commands = toCommands({ url: listening.url, layout });
    const outputs = await Promise.all(commands.map(async ({ text }) => (await run('sh', ['-c', text])).stdout));
    const [help = '', stream = '', resumed = '', question, auth, canceled = '', recalled] = outputs;
    expect(JSON.parse(help).result.task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(idsOf(stream).slice(0, 3)).toEqual([2, 3, 4]);
    expect(idsOf(resumed)).toEqual(idsOf(stream).filter((id) => id > 9));
    expect(question).toMatch(/^\{"task":.*TASK_STATE_INPUT_REQUIRED[\s\S]*Have a good time in Lisbon![\s\S]*$/);
    expect(auth).toMatch(/^\{"task":.*TASK_STATE_AUTH_REQUIRED[\s\S]*TASK_STATE_COMPLETED[\s\S]*$/);
    expect(JSON.parse(canceled).status.state).toBe('TASK_STATE_CANCELED');
    expect(recalled).toContain('You said: I like walnuts');
  });
}

test.runIf(hasCurl)('quotes in a text survive the shell', async () => {
  const { stdout } = await run('sh', ['-c', streamCommand({ url: listening.url, layout: 'wide' }, `"it's"`)]);
  expect(stdout).toContain(String.raw`{"text":"\"it's\""}`);
});

function idsOf(stream: string): readonly number[] {
  return [...stream.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
}
