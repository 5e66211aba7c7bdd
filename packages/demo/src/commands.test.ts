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

const GUIDE = 'docs/guides/curl.md';

/** The commands of the guide in their order, each with the output that it shows. */
function readGuide(): readonly { readonly command: string; readonly shown: string }[] {
  const text = readFileSync(new URL(`../../../${GUIDE}`, import.meta.url), 'utf8').replaceAll('http://127.0.0.1:4000', listening.url);
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```\n)?/gm)].map(([, command = '', shown = '']) => ({
    command,
    shown,
  }));
}

/** The first piece of the shown output that the real output does not have at its place. `…` stands for anything. */
function findMissing(shown: string, output: string): string | undefined {
  let at = 0;
  return shown.split(/…|\n/).find((piece) => {
    const found = output.indexOf(piece, at);
    at = found + piece.length;
    return found < 0;
  });
}

test.runIf(hasCurl)(`a shell can run ${GUIDE}, and prints what it shows`, async () => {
  const steps = readGuide();
  const script = steps.map(({ command }) => `${command}\necho '=== end of the step'`).join('\n');
  const outputs = (await run('sh', ['-c', script])).stdout.split('=== end of the step\n');
  expect(steps.length).toBeGreaterThan(15);
  for (const [index, { command, shown }] of steps.entries()) {
    const output = outputs[index] ?? '';
    expect(findMissing(shown, output), `${command}\nprinted\n${output}`).toBeUndefined();
  }
});

test('a difference between the shown and the real output is found', () => {
  expect(findMissing('{"id":"…","state":"A"}\nid: 2', '{"id":"x7","state":"A"}\nid: 2')).toBeUndefined();
  expect(findMissing('{"id":"…","state":"B"}', '{"id":"x7","state":"A"}')).toBe('","state":"B"}');
  expect(findMissing('id: 3\nid: 2', 'id: 2\nid: 3')).toBe('id: 2');
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
