import { describe, expect, test } from 'vitest';
import { busContract } from '../testing/index.js';
import type { Move } from './bus.js';
import { memoryBus } from './memory.js';

const MOVE: Move = { ref: { agent: '', tenant: '', owner: '', id: 'a' }, seq: 1 };

describe('D42: the bus within a process', () => {
  for (const [name, run] of busContract) {
    test(name, () =>
      run(() => {
        const bus = memoryBus();
        return [bus, bus];
      }),
    );
  }

  test('D42: two agents that share the bus notify each other in the next microtask', async () => {
    const bus = memoryBus();
    const heard: string[] = [];
    bus.listen(() => heard.push('first'));
    bus.listen(() => heard.push('second'));
    bus.notify([MOVE]);
    expect(heard).toEqual([]);
    await Promise.resolve();
    expect(heard).toEqual(['first', 'second']);
  });

  test('D42: a function that listens twice is called twice, and each stop removes one listener', async () => {
    const bus = memoryBus();
    let calls = 0;
    const onMoves = (): void => {
      calls += 1;
    };
    const stop = bus.listen(onMoves);
    bus.listen(onMoves);
    bus.notify([MOVE]);
    await Promise.resolve();
    stop();
    bus.notify([MOVE]);
    await Promise.resolve();
    expect(calls).toBe(3);
  });

  test('D42: a listener that stops between a move and its delivery is not called', async () => {
    const bus = memoryBus();
    const stop = bus.listen(() => expect.unreachable());
    bus.notify([MOVE]);
    stop();
    await Promise.resolve();
  });
});
