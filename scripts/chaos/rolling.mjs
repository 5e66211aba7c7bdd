// Simulates a deploy: each node in turn is drained, exits, and restarts before the next node follows.
import { setTimeout as pause } from 'node:timers/promises';
import { seconds } from './seconds.mjs';

/** @typedef {{ node: string, drainMs: number, startMs: number }} Restart */

/** Time under load before the first restart and between restarts. */
const BETWEEN_MS = 3_000;

/**
 * @param {import('./world.mjs').World} world
 * @param {{ rounds: number, pace: number }} options each node is restarted once per round; `pace` multiplies the waits between restarts
 * @param {AbortSignal} signal
 * @returns {Promise<Restart[]>}
 */
export async function roll(world, { rounds, pace }, signal) {
  const betweenMs = BETWEEN_MS * pace;
  /** @type {Restart[]} */
  const restarts = [];
  await pause(betweenMs, undefined, { signal });
  for (let round = 0; round < rounds; round += 1) {
    for (const node of world.nodes) {
      const begin = performance.now();
      await node.drain();
      const gone = performance.now();
      await node.start();
      const restart = { node: node.name, drainMs: gone - begin, startMs: performance.now() - gone };
      restarts.push(restart);
      world.say(`node ${node.name} exited after ${seconds(restart.drainMs)}, and was ready after another ${seconds(restart.startMs)}`);
      await pause(betweenMs, undefined, { signal });
    }
  }
  return restarts;
}
