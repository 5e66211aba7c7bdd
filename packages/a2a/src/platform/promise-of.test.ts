import { expect, test } from 'vitest';
import { promiseOf } from './promise-of.js';

test('a promise is returned as it is, a value is wrapped, and a thrown value is a rejection', async () => {
  const promise = Promise.resolve(1);
  expect(promiseOf(() => promise, undefined)).toBe(promise);
  expect(await promiseOf((value: number) => value + 1, 1)).toBe(2);
  const thrown = new Error('thrown');
  const fail = (): never => {
    throw thrown;
  };
  await expect(promiseOf(fail, undefined)).rejects.toBe(thrown);
});
