/** The memory of a long run: it keeps the task, but not its old versions. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createRun } from '../../src/client/run/create-run.js';
import type { StreamResponse } from '../../src/protocol/types.js';
import { chunk, scriptedPeer, status, task } from './scripted-peer.js';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heapMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
}

/** A task with this many chunks, and the heap growth just before its end. */
function longTask(chunks: number, size: number) {
  const before = heapMegabytes();
  const measured = { grownBy: 0 };
  async function* events(): AsyncGenerator<StreamResponse> {
    yield task('TASK_STATE_WORKING');
    for (let index = 0; index < chunks; index += 1) yield chunk(`${index} `.padStart(size, '.'), { append: index > 0 });
    measured.grownBy = heapMegabytes() - before;
    yield status('TASK_STATE_COMPLETED');
  }
  return { peer: scriptedPeer([{ events: events() }]), measured };
}

test('a loop that reads the whole text of every update keeps it in memory once, not once per update', async () => {
  const { peer, measured } = longTask(2_000, 50);
  let length = 0;
  for await (const update of createRun(peer, 'Hi')) {
    // Reading the last character makes V8 flatten the concatenated string.
    if (update.kind === 'text' && update.text.endsWith(' ')) length = update.text.length;
  }
  expect(length).toBe(100_000);
  expect(measured.grownBy).toBeLessThan(25);
});

test('awaiting only the result needs no more memory than a loop that stores nothing', async () => {
  const looped = longTask(10_000, 1);
  for await (const _ of createRun(looped.peer, 'Hi'));
  const awaited = longTask(10_000, 1);
  await createRun(awaited.peer, 'Hi').result;
  expect(awaited.measured.grownBy).toBeLessThan(looped.measured.grownBy + 1.5);
});

test('F73: a run does not keep the artifacts that were replaced', async () => {
  const before = heapMegabytes();
  let grownBy = 0;
  async function* events(): AsyncGenerator<StreamResponse> {
    yield task('TASK_STATE_WORKING');
    // 60 MB in total. The numbers prevent that equal texts share memory.
    for (let index = 0; index < 3_000; index += 1) yield chunk(`${index} `.repeat(20_000 / `${index} `.length), { append: false });
    grownBy = heapMegabytes() - before;
    yield status('TASK_STATE_COMPLETED');
  }
  await createRun(scriptedPeer([{ events: events() }]), 'Hi').result;
  expect(grownBy).toBeLessThan(20);
});

test('stored updates keep the text of their own time, whatever comes later', async () => {
  const { peer } = longTask(300, 4);
  const kept = [];
  for await (const update of createRun(peer, 'Hi')) if (update.kind === 'text') kept.push(update);
  let whole = '';
  for (const { delta, text } of kept) {
    whole += delta;
    expect(text).toBe(whole);
  }
  expect(whole).toHaveLength(1_200);
});
