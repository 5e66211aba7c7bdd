import { describe, expect, test } from 'vitest';
import { manualClock } from './manual-clock.js';

describe('Section 9: a manual clock', () => {
  test('Section 9: time stands still until tick advances it', async () => {
    const clock = manualClock(1_000);
    expect(clock.now()).toBe(1_000);
    await clock.tick(250);
    expect(clock.now()).toBe(1_250);
  });

  test('Section 9: timers run at their own time, in order; those of the same time in the order they were set', async () => {
    const clock = manualClock(0);
    const ran: string[] = [];
    const note = (name: string) => () => ran.push(`${name} at ${clock.now()}`);
    clock.after(20, note('late'));
    clock.after(10, note('first'));
    clock.after(10, note('second'));
    clock.after(31, note('never'));
    await clock.tick(30);
    expect(ran).toEqual(['first at 10', 'second at 10', 'late at 20']);
    expect(clock.now()).toBe(30);
    expect(clock.pending).toBe(1);
  });

  test('Section 9: a timer that a callback sets, also through promises, runs within the same tick', async () => {
    const clock = manualClock(0);
    const ran: number[] = [];
    const again = async (): Promise<void> => {
      ran.push(clock.now());
      await Promise.resolve();
      clock.after(10, () => void again());
    };
    clock.after(10, () => void again());
    await clock.tick(35);
    expect(ran).toEqual([10, 20, 30]);
  });

  test('Section 9: soon runs before any timer, also when a soon callback adds another', async () => {
    const clock = manualClock(0);
    const ran: string[] = [];
    clock.after(0, () => ran.push('timer'));
    clock.soon(() => {
      ran.push('soon');
      clock.soon(() => ran.push('soon again'));
    });
    expect(ran).toEqual([]);
    await clock.tick();
    expect(ran).toEqual(['soon', 'soon again', 'timer']);
    expect(clock.pending).toBe(0);
  });

  test('Section 9: a canceled timer does not run, and does not count as pending', async () => {
    const clock = manualClock();
    const stop = clock.after(10, () => expect.unreachable());
    expect(clock.pending).toBe(1);
    stop();
    expect(clock.pending).toBe(0);
    await clock.tick(10);
  });

  test('Section 9: an error of a callback rejects the tick', async () => {
    const clock = manualClock();
    clock.after(1, () => {
      throw new Error('from the timer');
    });
    await expect(clock.tick(1)).rejects.toThrow('from the timer');
  });
});
