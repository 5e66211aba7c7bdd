/** F6: which timers of an agent keep an otherwise idle process alive. */
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleScript, startChild } from './child.js';
import { tempFiles, tempFolder } from './temp-folder.js';

const folder = tempFolder();
const newFile = tempFiles();
let script: string;

beforeAll(async () => {
  script = await bundleScript(new URL('unanswered-child.ts', import.meta.url), folder);
}, 30_000);

describe('F6: a process that does not close its agent', () => {
  test.each([
    ['in memory', 'input', 'INPUT_REQUIRED', []],
    ['in memory', 'auth', 'AUTH_REQUIRED', []],
    ['in a SQLite file', 'input', 'INPUT_REQUIRED', [newFile()]],
  ])('F6: exits while a task %s waits for %s', { timeout: 30_000 }, async (_where, mode, state, more) => {
    const child = startChild(script, mode, ...more);
    await child.printed(1);
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(child.lines).toEqual([state]);
  });

  test('F6: stays alive for a timer that the work of the agent waits for', { timeout: 30_000 }, async () => {
    const child = startChild(script, 'work');
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(child.lines).toEqual(['WORKING', 'worked']);
  });
});
