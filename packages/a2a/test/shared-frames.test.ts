import { describe, expect, test } from 'vitest';
import type { Frame } from '../src/server/advanced.js';
import { createAgent } from '../src/server/index.js';
import { callerOf, gate, say } from './harness.js';
import { quiet } from './looking.js';

describe('D6, P46: the frames of a commit are created once for all its readers', () => {
  test('D6, P46: a stream with historyLength shares every batch after its Task with the others', async () => {
    const start = gate();
    const agent = createAgent({
      name: 'Sharing',
      executor: {
        async execute(_context, events) {
          await events.working();
          await events.flush();
          await start.passed;
          for (let n = 0; n < 50; n += 1) {
            if (n % 10 === 9) await events.working(`status ${n}`);
            else await events.appendText('a', 'x');
            await events.flush();
          }
          await events.complete();
        },
      },
    });
    const caller = callerOf(agent);
    const open = async (...asked: Parameters<typeof caller.handle>) => {
      const reply = await caller.handle(...asked);
      if (reply.kind !== 'stream') throw new Error('no stream');
      const batches: (readonly Frame[])[] = [];
      const ended = new Promise<void>((resolve) => {
        reply.open({ send: (frames) => batches.push(frames) > 0, end: () => resolve() });
      });
      await quiet();
      return { batches, ended };
    };
    const short = await open('SendStreamingMessage', { message: say('go'), configuration: { historyLength: 0 } });
    const whole = await open('SubscribeToTask', { id: agent.tasks.running[0]?.taskId ?? '' });
    start.open();
    await Promise.all([short.ended, whole.ended]);
    const [task] = short.batches[0] ?? [];
    expect(JSON.parse(task?.json ?? '')).not.toHaveProperty('task.history');
    const later = whole.batches.slice(1);
    expect(later).toHaveLength(51);
    const own = new Set(short.batches);
    // The last batch may contain more than the stream of a send reads. Then its frames are shared, but not the array.
    expect(later.slice(0, -1).filter((batch) => !own.has(batch))).toEqual([]);
    expect(later.at(-1)?.[0]).toBe(short.batches.at(-1)?.[0]);
  });
});
