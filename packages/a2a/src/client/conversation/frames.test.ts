import { expect, test } from 'vitest';
import { manualClock } from '../../testing/manual-clock.js';
import { Frames } from './frames.js';

test('publishes at once after a pause, then once per frame', async () => {
  const clock = manualClock();
  const told: number[] = [];
  const began = clock.now();
  const frames = new Frames({ clock, frameMs: 16, publish: () => void told.push(clock.now() - began) });
  for (let at = 0; at < 50; at += 1) {
    frames.soon();
    await clock.tick(1);
  }
  expect(told).toEqual([0, 16, 32, 48]);
  await clock.tick(100);
  frames.soon();
  expect(told.slice(4)).toEqual([64, 150]);
  frames.soon();
  frames.now();
  await clock.tick(100);
  expect(told.slice(6)).toEqual([150]);
  frames.soon();
  frames.soon();
  frames.close();
  await clock.tick(100);
  expect(told.slice(7)).toEqual([250]);
});
