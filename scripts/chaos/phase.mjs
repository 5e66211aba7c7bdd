// A complete run with one bus, from empty tables to the verdict.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gather, judge } from './evidence.mjs';
import { injectFaults } from './inject-faults.mjs';
import { createPlan, halfOfKinds } from './plan.mjs';
import { roll } from './rolling.mjs';
import { sum } from './tally.mjs';
import { World } from './world.mjs';

/** @typedef {import('./options.mjs').Options} Options */

/**
 * @typedef {object} PhaseParts
 * @property {import('./options.mjs').Bus} bus
 * @property {Options} options
 * @property {import('../databases/postgres.mjs').Postgres} postgres
 * @property {import('../databases/redis.mjs').Redis | undefined} redis if it is the bus
 * @property {(text: string) => void} say
 * @property {AbortSignal} signal
 */

/** @typedef {Awaited<ReturnType<typeof runPhase>>} Outcome */

/** Longer than the two minutes after which a client gives up on a task. */
const FINISH_MS = 140_000;

/**
 * Leaves no process behind. The caller removes its folder.
 * @param {PhaseParts} parts
 */
export async function runPhase(parts) {
  const { bus, options, postgres, redis, say } = parts;
  const folder = mkdtempSync(join(tmpdir(), `parley-chaos-${options.seed}-${bus}-`));
  const { clients, seed, pace, leaseMs, patienceMs } = options;
  const world = new World({ bus, folder, postgres, redis, clients, seed, pace, leaseMs, patienceMs, say });
  try {
    return await live(world, parts).finally(() => world.stop());
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * @param {World} world
 * @param {PhaseParts} parts
 */
async function live(world, { bus, options, say, signal }) {
  const begin = performance.now();
  await world.start();
  await world.clients.busy(signal);
  const happened = options.rolling ? [] : await injectFaults(world, planOf(options, bus), signal);
  const restarts = options.rolling ? await roll(world, options, signal) : [];
  say('clients finish their tasks');
  const isFinished = await world.clients.finish(FINISH_MS);
  const verdict = judge(await gather(world, options.settleMs));
  const { findings, slowTakeOverMs } = verdict;
  if (!isFinished) findings.add('calls that failed for the caller', 'not all clients finished');
  const isFast = options.rolling || slowTakeOverMs <= options.leaseMs + options.slackMs;
  const tally = sum(world.clients.tallies);
  return {
    ...verdict,
    bus,
    folder: world.folder,
    happened,
    restarts,
    isFast,
    leaseMs: options.leaseMs,
    tally,
    seconds: (performance.now() - begin) / 1_000,
  };
}

/**
 * @param {Options} options
 * @param {import('./options.mjs').Bus} bus
 */
function planOf({ seed, minutes, faultsPerMinute, buses, pace, halfOfKinds: isHalf }, bus) {
  const share = minutes / buses.length;
  const size = { forMs: share * 60_000, faults: Math.ceil(share * faultsPerMinute), nodes: 3, pace };
  return createPlan({
    seed: seed + buses.indexOf(bus),
    bus,
    ...size,
    ...(isHalf && buses.length > 1 && { kinds: halfOfKinds(seed, bus) }),
  });
}
