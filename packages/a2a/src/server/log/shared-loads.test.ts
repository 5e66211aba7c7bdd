import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { StoredTask, TaskRef } from '../../stores/store.js';
import { SharedLoads } from './shared-loads.js';

const ref = (id: string): TaskRef => ({ agent: '', tenant: '', owner: '', id });
const task = (seq: number): StoredTask => ({ seq }) as StoredTask; // nothing else of it is read

/** A store whose loads are answered by hand, in their order. */
function slowStore() {
  const begun: string[] = [];
  const answers: { resolve(task: StoredTask): void; reject(error: Error): void }[] = [];
  const load = ({ id }: TaskRef, historyLength?: number): Promise<StoredTask | undefined> => {
    begun.push(historyLength === undefined ? id : `${id} ${historyLength}`);
    return new Promise((resolve, reject) => answers.push({ resolve, reject }));
  };
  const answer = async (n: number, found: StoredTask | Error): Promise<void> => {
    if (found instanceof Error) answers[n]?.reject(found);
    else answers[n]?.resolve(found);
    await nextTurn();
    await nextTurn();
  };
  return { begun, answer, loads: new SharedLoads({ load }) };
}

test('F63: forty loads of one task are two: the one that has begun, and one for all the others', async () => {
  const { begun, answer, loads } = slowStore();
  const found = Array.from({ length: 40 }, () => loads.load({ ref: ref('a'), historyLength: undefined }));
  await answer(0, task(1));
  expect(begun).toEqual(['a', 'a']);
  await answer(1, task(2));
  const seqs = (await Promise.all(found)).map((one) => one?.seq);
  expect(seqs).toEqual([1, ...Array.from({ length: 39 }, () => 2)]);
  expect(new Set(await Promise.all(found.slice(1))).size).toBe(1);
});

test('F63: a load does not join one that began before it', async () => {
  const { begun, answer, loads } = slowStore();
  const first = loads.load({ ref: ref('a'), historyLength: undefined });
  const second = loads.load({ ref: ref('a'), historyLength: undefined });
  await answer(0, task(1));
  const third = loads.load({ ref: ref('a'), historyLength: undefined }); // the second has begun by now
  await answer(1, task(2));
  await answer(2, task(3));
  expect([await first, await second, await third].map((one) => one?.seq)).toEqual([1, 2, 3]);
  void loads.load({ ref: ref('a'), historyLength: undefined });
  expect(begun).toHaveLength(4);
});

test('F63: loads of other tasks, or of another part of the history, begin at once', () => {
  const { begun, loads } = slowStore();
  for (const [id, historyLength] of [
    ['a', undefined],
    ['b', undefined],
    ['a', 0],
    ['a', 5],
  ] as const)
    void loads.load({ ref: ref(id), historyLength });
  expect(begun).toEqual(['a', 'b', 'a 0', 'a 5']);
});

test('F63: a failed load fails only its own callers', async () => {
  const { answer, loads } = slowStore();
  const first = loads.load({ ref: ref('a'), historyLength: undefined });
  const second = loads.load({ ref: ref('a'), historyLength: undefined });
  const failed = expect(first).rejects.toThrow('down');
  await answer(0, new Error('down'));
  await failed;
  await answer(1, task(2));
  expect((await second)?.seq).toBe(2);
});

test('F63: a caller whose share was used up while it waited is refused before its load begins', async () => {
  const { begun, answer, loads } = slowStore();
  const wanted = { ref: ref('a'), historyLength: undefined };
  let isFull = false;
  const check = (): void => {
    if (isFull) throw new Error('full');
  };
  const first = loads.load(wanted, check).then(() => {
    isFull = true;
  });
  const others = Array.from({ length: 3 }, () => loads.load(wanted, check).catch((error: Error) => error.message));
  await answer(0, task(1));
  await first;
  expect(await Promise.all(others)).toEqual(['full', 'full', 'full']);
  expect(begun).toEqual(['a']);
});
