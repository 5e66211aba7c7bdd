// From empty tables to the verdict, with one bus.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gather, judge } from './evidence.mjs';
import { createPlan, halfOfKinds } from './plan.mjs';
import { roll } from './rolling.mjs';
import { storm } from './storm.mjs';
import { sum } from './tally.mjs';
import { World } from './world.mjs';

/** @typedef {import('./options.mjs').Options} Options */

/**
 * @typedef {object} PhaseParts
 * @property {import('./options.mjs').Bus} bus
 * @property {Options} options
 * @property {import('../databases/postgres.mjs').Postgres} postgres
 * @property {import('../databases/redis.mjs').Redis | undefined} redis where that is the bus
 * @property {(text: string) => void} say
 * @property {AbortSignal} signal
 */

/** @typedef {Awaited<ReturnType<typeof runPhase>>} Outcome */

/** Clients give up on a task after two minutes. */
const FINISH_MS = 140_000;

/**
 * Leaves no process behind; its folder is the caller's to remove.
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
  const happened = options.rolling ? [] : await storm(world, planOf(options, bus), signal);
  const restarts = options.rolling ? await roll(world, options, signal) : [];
  say('clients end what they are at');
  const isFinished = await world.clients.finish(FINISH_MS);
  const verdict = judge(await gather(world, options.settleMs));
  const { findings, slowTakeOverMs } = verdict;
  if (!isFinished) findings.add('calls that failed for their callers', 'not all clients came to an end');
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
