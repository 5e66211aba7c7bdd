import { describe, expect, test } from 'vitest';
import { memoryStore, type TaskStore } from '../src/server/index.js';
import { manualClock, scriptedExecutor } from '../src/testing/index.js';
import { follow } from './looking.js';
import { cluster } from './nodes.js';

const executor = scriptedExecutor([{ do: 'complete' }]);

/** A store that can be unavailable. */
function onClock() {
  const clock = manualClock();
  const inner = memoryStore({ clock });
  const weather = { isAway: false };
  const beat: TaskStore['beat'] = async (...args) => {
    if (weather.isAway) throw new Error('connect ECONNREFUSED');
    return inner.beat(...args);
  };
  return { ...cluster({ ...inner, beat }, clock), weather };
}

describe('D20: the readiness of a node', () => {
  test('D20: it is starting until the store has responded, then ready, and closing from close() on', async () => {
    const { start, clock } = onClock();
    const { agent } = start({ clock, executor });
    expect(agent.readiness).toBe('starting');
    await clock.tick();
    expect(agent.readiness).toBe('ready');
    const closed = agent.close();
    expect(agent.readiness).toBe('closing');
    await closed;
    expect(agent.readiness).toBe('closing');
  });

  test('D20: it is unavailable while the store does not respond at the start, and ready when it does', async () => {
    const { start, clock, weather } = onClock();
    weather.isAway = true;
    const { agent } = start({ clock, executor });
    await clock.tick();
    expect(agent.readiness).toBe('unavailable');
    weather.isAway = false;
    await clock.tick(5_000);
    expect(agent.readiness).toBe('ready');
    await follow(agent.close()).outcome;
  });

  test('D12, D20: it is unavailable while another process has its name, and ready when that process is gone', async () => {
    const { start, clock } = onClock();
    const first = start({ clock, executor, node: 'n' });
    await clock.tick();
    const second = start({ clock, executor, node: 'n' });
    await clock.tick();
    expect([first.agent.readiness, second.agent.readiness]).toEqual(['ready', 'unavailable']);
    await first.agent.close();
    await clock.tick(5_000);
    expect(second.agent.readiness).toBe('ready');
  });
});
