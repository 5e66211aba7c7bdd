import { chmodSync, linkSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleScript, startChild } from '../../../test/child.js';
import { tempFiles, tempFolder } from '../../../test/temp-folder.js';
import { isA2AError } from '../../protocol/errors.js';
import { sqlite } from './index.js';

const newFile = tempFiles();
const folder = tempFolder();
let script: string;

beforeAll(async () => {
  script = await bundleScript(new URL('../../../test/sqlite-child.ts', import.meta.url), folder);
}, 30_000);

const NOW = /since \d{4}-\d\d-\d\dT[\d:.]+Z/;

/** The error message of opening the file; undefined if it opens. */
async function refusal(file: string): Promise<string | undefined> {
  try {
    await sqlite(file).close();
    return undefined;
  } catch (error) {
    expect(isA2AError(error) && error.reason).toBe('AGENT_UNAVAILABLE');
    return String(error);
  }
}

describe('D12: a SQLite file belongs to one process', () => {
  test('D12: a second process is refused, and the error names the holder and its start time', { timeout: 30_000 }, async () => {
    const file = newFile();
    const store = sqlite(file);
    const second = startChild(script, 'hold', file);
    await second.exited;
    const [line = '{}'] = second.lines;
    expect(JSON.parse(line)).toEqual({
      reason: 'AGENT_UNAVAILABLE',
      message: expect.stringMatching(new RegExp(`^${file} .* process ${process.pid} on ${hostname()}, ${NOW.source}; stop that process`)),
    });
    expect(await store.beat('node', 'a', 1)).toBe('ok');
    await store.close();
  });

  test('D12: a killed process holds no lock: the file can be opened at once', { timeout: 30_000 }, async () => {
    const file = newFile();
    const child = startChild(script, 'hold', file);
    await child.printed(1);
    const { pid } = JSON.parse(child.lines[0] ?? '{}');
    expect(await refusal(file)).toMatch(new RegExp(`process ${pid} on`));
    await child.kill();
    expect(await refusal(file)).toBeUndefined();
  });

  test('D12: a second store of this process is refused too, also with another name of the file', async () => {
    const file = newFile();
    const store = sqlite(file);
    const link = join(dirname(file), 'link.db');
    symlinkSync(file, link);
    for (const name of [file, link, join(dirname(file), '.', 'x', '..', file.slice(dirname(file).length + 1))]) {
      expect(await refusal(name)).toMatch(/process \d+ on .* \(this process\), since/);
    }
    expect(await store.beat('node', 'a', 1)).toBe('ok');
    await store.close();
  });

  test('D12: a closed store, or one that could not be opened, holds no lock', async () => {
    const file = newFile();
    for (let times = 0; times < 3; times += 1) expect(await refusal(file)).toBeUndefined();
    const other = newFile();
    expect(() => sqlite(other, { lingerMs: -1 })).toThrow('lingerMs');
    expect(await refusal(other)).toBeUndefined();
  });

  test('F75: a second process is refused by a hard link, in any folder, and when the lock file was deleted', {
    timeout: 30_000,
  }, async () => {
    const file = newFile();
    const child = startChild(script, 'hold', file);
    await child.printed(1);
    const { pid } = JSON.parse(child.lines[0] ?? '{}');
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    const links = [join(dirname(file), 'hard.db'), join(elsewhere, 'hard.db')];
    for (const link of links) linkSync(file, link);
    for (const link of links) expect(await refusal(link)).toMatch(new RegExp(`held by process ${pid} on`));
    rmSync(`${file}-lock`);
    expect(await refusal(file)).toMatch(new RegExp(`held by process ${pid} on`));
    await child.kill();
    for (const link of links) rmSync(link);
    expect(await refusal(file)).toBeUndefined();
  });

  test('F75: a second store of this process is refused by a hard link, too, and a closed one leaves no lock', async () => {
    const file = newFile();
    const store = sqlite(file);
    const link = join(dirname(file), 'own.db');
    linkSync(file, link);
    expect(await refusal(link)).toMatch(/\(this process\)/);
    expect(await refusal(file)).toMatch(/\(this process\)/);
    const { dev, ino } = statSync(file);
    const locks = join(tmpdir(), `parley-locks-${process.getuid?.() ?? 0}`);
    expect(readdirSync(locks)).toContain(`${dev}-${ino}`);
    await store.close();
    expect(readdirSync(locks)).not.toContain(`${dev}-${ino}`);
    expect(await refusal(link)).toBeUndefined();
  });

  test('F75: only the owner can read the lock file, also one that an earlier version created', async () => {
    const file = newFile();
    for (const mode of [0o600, 0o644]) {
      await sqlite(file).close();
      chmodSync(`${file}-lock`, mode);
      const store = sqlite(file);
      expect((statSync(`${file}-lock`).mode & 0o777).toString(8)).toBe('600');
      await store.close();
    }
  });
});
