import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleScript, startChild } from '../../../test/child.js';
import { entryAt, type Fact, refOf } from '../../../test/sqlite-steps.js';
import { tempFiles, tempFolder } from '../../../test/temp-folder.js';
import { seededRandom } from '../../testing/index.js';
import type { TaskStore, TaskWrite } from '../store.js';
import { sqlite } from './index.js';

const newFile = tempFiles();
const folder = tempFolder();
const random = seededRandom(3);
let script: string;

beforeAll(async () => {
  script = await bundleScript(new URL('../../../test/sqlite-child.ts', import.meta.url), folder);
}, 30_000);

/** Lets a process write until it has got that many answers, then kills it. */
async function killAfter(answers: number, file: string, name: string): Promise<readonly Fact[]> {
  const child = startChild(script, 'write', file, name);
  await child.printed(answers + 1);
  await child.kill();
  return child.lines.slice(1).flatMap((line) => JSON.parse(line) as Fact[]);
}

/** Expects that everything that was acknowledged is stored. */
async function expectKept(store: TaskStore, facts: readonly Fact[]): Promise<void> {
  for (const { id, seq = 0, ended, posted } of facts) {
    const stored = await store.load(refOf(id));
    expect(stored?.seq).toBeGreaterThanOrEqual(seq);
    if (ended) expect(stored?.head.state).toBe('TASK_STATE_COMPLETED');
    if (posted) expect(await store.inbox(refOf(id), 0)).toMatchObject([{ n: posted, json: `{"to":"${id}"}` }]);
  }
}

/** Expects that the stored data is consistent: every log begins at 1 without gaps, each entry is intact, and an end is the last entry. */
async function expectWhole(store: TaskStore): Promise<number> {
  const { tasks, total } = await store.list({ agent: '', tenant: 'tenant', owner: 'owner', limit: 100_000, count: true });
  expect(total).toBe(tasks.length);
  for (const { ref, seq, head, snapshot } of tasks) {
    const log = await store.readAfter(ref, 0, Number.MAX_SAFE_INTEGER);
    expect(log).toMatchObject(Array.from({ length: seq }, (_, index) => entryAt(ref.id, index + 1)));
    if (head.state === 'TASK_STATE_COMPLETED') expect([head.statusSeq, snapshot.text.artifacts.length]).toEqual([seq, seq * 40]);
  }
  return tasks.length;
}

/** Copies the files of a killed process to another place. */
function copyOf(file: string): string {
  const copy = newFile();
  for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix);
  return copy;
}

describe('D7: acknowledged data survives kill -9', () => {
  test('D7, D12: a process that is killed during commits, again and again on one file, loses nothing that was acknowledged', {
    timeout: 60_000,
  }, async () => {
    const file = newFile();
    const facts: Fact[] = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      facts.push(...(await killAfter(30 + Math.floor(random() * 250), file, name)));
      const store = sqlite(file);
      await expectKept(store, facts);
      await expectWhole(store);
      await store.close();
    }
    expect(facts.length).toBeGreaterThan(500);
  });

  test('D7: a torn write-ahead log gives the complete commits, and the store continues from there', { timeout: 60_000 }, async () => {
    const file = newFile();
    const facts = await killAfter(200, file, 'a');
    const length = statSync(`${file}-wal`).size;
    expect(length).toBeGreaterThan(100_000);
    const untouched = sqlite(copyOf(file));
    await expectKept(untouched, facts);
    const whole = await expectWhole(untouched);
    await untouched.close();

    for (const part of [0, 0.001, 0.3, 0.7, 0.999]) {
      const cut = copyOf(file);
      truncateSync(`${cut}-wal`, Math.floor(length * part));
      const scribbled = copyOf(file);
      const bytes = readFileSync(`${scribbled}-wal`);
      bytes
        .subarray(Math.floor(length * part))
        .subarray(0, 5_000)
        .fill(0xa5);
      writeFileSync(`${scribbled}-wal`, bytes);
      for (const torn of [cut, scribbled]) {
        const store = sqlite(torn);
        expect(await expectWhole(store)).toBeLessThanOrEqual(whole);
        expect(await store.commit([{ ...newTask(), durable: true }])).toMatchObject([{ kind: 'ok' }]);
        await store.close();
      }
    }
  });

  test('D7: without its write-ahead log the file is as of the last checkpoint', { timeout: 60_000 }, async () => {
    const file = newFile();
    await killAfter(40, file, 'a');
    const first = sqlite(file);
    const moved = await expectWhole(first);
    await first.close();
    await killAfter(40, file, 'b');
    const copy = copyOf(file);
    rmSync(`${copy}-wal`);
    const store = sqlite(copy);
    expect(await expectWhole(store)).toBe(moved);
    expect(await store.commit([newTask()])).toMatchObject([{ kind: 'ok' }]);
    await store.close();
  });
});

function newTask(): TaskWrite {
  return {
    ref: { agent: '', tenant: 'tenant', owner: 'another', id: 'after' },
    epoch: 1,
    firstSeq: 1,
    entries: [entryAt('after', 1)],
    create: { node: 'node' },
    head: { contextId: 'context', state: 'TASK_STATE_WORKING', statusAt: 1, statusSeq: 1 },
    snapshot: { head: '{}', history: '', messagesBefore: 0, messages: 0, historyBytes: 0, artifacts: [] },
  };
}
