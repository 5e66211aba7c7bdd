import { setImmediate as nextIteration } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { ReplyQueue } from './reply-queue.js';

test('the reply to the only request of an iteration is written at once', () => {
  const written: string[] = [];
  const replies = new ReplyQueue();
  replies.add(replies.begin(), () => written.push('a'));
  expect(written).toEqual(['a']);
});

test('replies of an iteration with several requests are written at its end, in order', async () => {
  const written: string[] = [];
  const replies = new ReplyQueue();
  const [first, second] = [replies.begin(), replies.begin()];
  replies.add(second, () => written.push('second'));
  replies.add(first, () => written.push('first'));
  expect(written).toEqual([]);
  await nextIteration();
  expect(written).toEqual(['second', 'first']);
});

test('a reply that is known later than in the iteration of its request is written at once', async () => {
  const written: string[] = [];
  const replies = new ReplyQueue();
  const [first] = [replies.begin(), replies.begin()];
  await nextIteration();
  replies.begin();
  replies.begin();
  replies.add(first, () => written.push('first'));
  expect(written).toEqual(['first']);
});

test('a reply that cannot be written does not stop the others, and its error is uncaught', async () => {
  const written: string[] = [];
  const replies = new ReplyQueue();
  const [first, second] = [replies.begin(), replies.begin()];
  const broken = new Error('broken');
  const uncaught = vi.fn();
  const schedule = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((callback) => {
    expect(callback).toThrow(broken);
    uncaught();
  });
  replies.add(first, () => {
    throw broken;
  });
  replies.add(second, () => written.push('second'));
  await nextIteration();
  schedule.mockRestore();
  expect(written).toEqual(['second']);
  expect(uncaught).toHaveBeenCalledOnce();
});
