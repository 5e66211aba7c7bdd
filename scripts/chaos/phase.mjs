// From empty tables to the verdict, with one bus.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gather, judge } from './evidence.mjs';
import { createPlan } from './plan.mjs';
import { roll } from './rolling.mjs';
import { storm } from './storm.mjs';
import { sum } from './tally.mjs';
import { LEASE_MS, World } from './world.mjs';

/** @typedef {import('./options.mjs').Options} Options */

/**
 * @typedef {object} PhaseParts
 * @property {import('./options.mjs').Bus} bus
 * @property {Options} options
 * @property {import('../databases/postgres.mjs').Postgres} postgres
 * @property {import('../databases/redis.mjs').Redis} redis
 * @property {(text: string) => void} say
 * @property {AbortSignal} signal
 */

/** @typedef {Awaited<ReturnType<typeof runPhase>>} Outcome */

/** Clients give up on a task after two minutes. */
const FINISH_MS = 140_000;
/** What a take-over may take beyond the lease, for 99 of 100. */
const SLACK_MS = 5_000;

/**
 * Leaves no process behind; its folder is the caller's to remove.
 * @param {PhaseParts} parts
 */
export async function runPhase(parts) {
  const { bus, options, postgres, redis, say } = parts;
  const folder = mkdtempSync(join(tmpdir(), `parley-chaos-${options.seed}-${bus}-`));
  const world = new World({ bus, folder, postgres, redis, clients: options.clients, seed: options.seed, say });
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
  const happened = options.rolling ? [] : await storm(world, planOf(options, bus), signal);
  const restarts = options.rolling ? await roll(world, options.rounds, signal) : [];
  say('clients end what they are at');
  const isFinished = await world.clients.finish(FINISH_MS);
  const verdict = judge(await gather(world, options.settleMs));
  const { findings, slowTakeOverMs } = verdict;
  if (!isFinished) findings.add('calls that failed for their callers', 'not all clients came to an end');
  const isFast = options.rolling || slowTakeOverMs <= LEASE_MS + SLACK_MS;
  const tally = sum(world.clients.tallies);
  return { ...verdict, bus, folder: world.folder, happened, restarts, isFast, tally, seconds: (performance.now() - begin) / 1_000 };
}

/**
 * @param {Options} options
 * @param {import('./options.mjs').Bus} bus
 */
function planOf({ seed, minutes, faultsPerMinute, buses }, bus) {
  const share = minutes / buses.length;
  return createPlan({ seed: seed + buses.indexOf(bus), bus, forMs: share * 60_000, faults: Math.ceil(share * faultsPerMinute), nodes: 3 });
}
