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
  const [, stream, resume] = toCommands('http://127.0.0.1:4000');
  expect(readme).toContain(stream?.text);
  expect(readme).toContain(resume?.text);
});

test.runIf(hasCurl)('a shell can run the commands as they are shown', async () => {
  const outputs = [];
  for (const { text } of toCommands(listening.url)) outputs.push((await run('sh', ['-c', text])).stdout);
  const [help = '', stream = '', resumed = ''] = outputs;
  expect(JSON.parse(help).result.task.status.state).toBe('TASK_STATE_COMPLETED');
  expect(idsOf(stream).slice(0, 3)).toEqual([2, 3, 4]);
  expect(idsOf(resumed)).toEqual(idsOf(stream).filter((id) => id > 9));
});

test.runIf(hasCurl)('quotes in a text survive the shell', async () => {
  const { stdout } = await run('sh', ['-c', streamCommand(listening.url, `"it's"`)]);
  expect(stdout).toContain(String.raw`{"text":"\"it's\""}`);
});

function idsOf(stream: string): readonly number[] {
  return [...stream.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
}
